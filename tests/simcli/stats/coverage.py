"""How often printed intervals hold the truth, and how wide they are: by exact summation or by simulation."""

import math
from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats as reference

from simcli.stats import intervals, stopping
from simcli.stats.intervals import Sample
from simcli.stats.paired import Paired, Side
from simcli.stats.tallies import ProportionTally, ValueTally

LEVEL = 0.95
Z = 1.959964
Source = np.random.Generator
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WIDTHS = 200
"""Trials whose widths are looked at; the median needs no more."""


# By summation


def of_clopper_pearson(p: float, trials: int, level: float = LEVEL) -> float:
    """Coverage of the interval of a proportion of independent trials."""
    hits = np.arange(trials + 1)
    weights = reference.binom.pmf(hits, trials, p)
    likely = hits[weights > 1e-12]
    held = [low <= p <= high for low, high, _ in (intervals.clopper_pearson(int(k), trials, level) for k in likely)]
    return float(weights[likely][held].sum())


def of_inverse_sampling(p: float, hits: int, level: float = LEVEL) -> float:
    """Coverage of the interval after stopping at a hit."""
    most = int(hits / p + 12 * math.sqrt(hits) / p)
    trials = np.arange(hits, most)
    weights = reference.nbinom.pmf(trials - hits, hits, p)
    held = [low <= p <= high for _, (low, high, _) in (intervals.inverse(hits, int(n), level) for n in trials)]
    return float(weights[held].sum())


def of_quantile(p: float, games: int, level: float = LEVEL) -> float:
    """Coverage of the order statistics about the p-quantile of a continuous value."""
    low, high = intervals.quantile(p, games, lambda i: intervals.clopper_pearson(i + 1, games, level))
    # The quantile lies above exactly as many values as are below it: a binomial number.
    return float(reference.binom.cdf(high, games, p) - reference.binom.cdf(low, games, p))


# By simulation


class Figure(NamedTuple):
    """What a simulation found: how many intervals held, median width by the ideal one, how many had a warning."""

    held: float
    width: float
    doubted: float = 0.0


class Population(NamedTuple):
    """Games to draw from: eligible rows and total of each kind of game, and how likely the kind is."""

    rows: Floats
    totals: Floats
    chances: Floats

    @classmethod
    def of(cls, rows: NDArray[np.generic], totals: NDArray[np.generic]) -> "Population":
        """All games as likely, those without rows left out."""
        some = rows > 0
        kinds, counts = np.unique(np.stack([rows[some], totals[some]], axis=1), axis=0, return_counts=True)
        return cls(*kinds.astype(np.float64).T, counts / counts.sum())

    @property
    def truth(self) -> float:
        return float(self.chances @ self.totals / (self.chances @ self.rows))

    @property
    def deviation(self) -> float:
        """Standard error of the ratio of one game, linearised."""
        off = self.totals - self.truth * self.rows
        return math.sqrt(float(self.chances @ off**2)) / float(self.chances @ self.rows)

    def draw(self, source: Source, games: int) -> Sample:
        counts = source.multinomial(games, self.chances)
        seen = counts > 0
        return Sample(self.rows[seen], self.totals[seen], counts[seen].astype(np.float64))


def of_proportions(population: Population, games: int, trials: int, seed: int) -> Figure:
    """The ideal is Clopper-Pearson of as many independent rows as the games are worth."""
    source = np.random.default_rng(seed)
    truth = population.truth
    effective = truth * (1 - truth) / population.deviation**2 * games
    held, widths, ideal = 0, [], []
    for trial in range(trials):
        sample = population.draw(source, games)
        low, high, _ = intervals.proportion(sample, LEVEL)
        held += low <= truth <= high
        if trial < WIDTHS:
            widths.append(high - low)
            hits = sample.slope * effective
            ideal.append(_known(hits, effective))
    return Figure(held / trials, float(np.median(widths) / np.median(ideal)))


def _known(hits: float, rows: float) -> float:
    """Width of Clopper-Pearson, of numbers that need not be whole."""
    tail = (1 - LEVEL) / 2
    low = reference.beta.ppf(tail, hits, rows - hits + 1) if hits > 0 else 0.0
    high = reference.beta.isf(tail, hits + 1, rows - hits) if hits < rows else 1.0
    return float(high - low)


def of_means(
    population: Population, games: int, trials: int, seed: int, bounds: tuple[float, float] | None = None
) -> Figure:
    """The ideal is the normal interval of known variance."""
    source = np.random.default_rng(seed)
    truth = population.truth
    held, doubted, widths = 0, 0, []
    for trial in range(trials):
        sample = population.draw(source, games)
        low, high, _ = intervals.mean(sample, LEVEL, bounds)
        held += low <= truth <= high
        doubted += bounds is None and intervals.is_doubtful(sample)
        if trial < WIDTHS:
            widths.append(high - low)
    return Figure(held / trials, _by_ideal(widths, population.deviation, games), doubted / trials)


def _by_ideal(widths: list[float], deviation: float, games: int) -> float:
    return float(np.median(widths)) / (2 * Z * deviation / math.sqrt(games))


Pairs = Callable[[Source, int], tuple[Side, Side]]
"""Draws games of two settings."""


def of_differences(draw: Pairs, share: bool, games: int, trials: int, seed: int) -> Figure:
    """The truth and the ideal, the normal interval of known variance, are those of very many games."""
    source = np.random.default_rng(seed)
    whole = Paired(share)
    whole.add(*draw(source, 1_000_000))
    truth = whole.difference(LEVEL).value or 0.0
    held, widths = 0, []
    for _ in range(trials):
        paired = Paired(share)
        paired.add(*draw(source, games))
        low, high, _ = paired.difference(LEVEL).interval
        held += low <= truth <= high
        widths.append(high - low)
    return Figure(held / trials, _by_ideal(widths, whole.error() * 1_000, games))


class Pool(NamedTuple):
    """Games with the values of their rows: float64[games, most rows], NaN where there is none."""

    values: Floats

    def draw(self, source: Source, games: int) -> ValueTally:
        chosen = self.values[source.integers(0, len(self.values), games)]
        there = ~np.isnan(chosen)
        tally = ValueTally("quantiles")
        tally.add(there.sum(axis=1), chosen[there])
        return tally


def of_quantiles(pool: Pool, p: float, games: int, trials: int, seed: int) -> Figure:
    """The ideal spans the middle 95% of the samples' own quantiles."""
    source = np.random.default_rng(seed)
    truth = float(np.quantile(pool.values[~np.isnan(pool.values)], p, method="inverted_cdf"))
    held, widths = 0, []
    for _ in range(trials):
        _, low, high = pool.draw(source, games).quantile(p, LEVEL)
        held += low <= truth <= high
        widths.append(high - low)
    samples = (pool.values[source.integers(0, len(pool.values), games)] for _ in range(1_000))
    middle = np.quantile([np.nanquantile(sample, p) for sample in samples], [0.025, 0.975])
    return Figure(held / trials, float(np.median(widths) / (middle[1] - middle[0])))


# After stopping


def of_precision(p: float, rule: stopping.Precision, trials: int, seed: int) -> float:
    """How many answers hold the truth when stopped at the first look that is precise enough."""
    source = np.random.default_rng(seed)
    steps = list(takewhile(lambda m: m <= rule.games, stopping.looks()))
    held = 0
    for _ in range(trials):
        hits = before = 0
        interval = None
        for games in steps:
            hits += int(source.binomial(games - before, p))
            before = games
            interval = intervals.clopper_pearson(hits, games, 1 - (1 - LEVEL) * stopping.PRECISION_ERROR)
            if hits and interval.half_width <= (rule.width * hits / games if rule.relative else rule.width):
                break
        assert interval is not None
        held += interval.low <= p <= interval.high
    return held / trials


def of_precise_means(
    draw: Callable[[Source, int], Floats], truth: float, width: float, trials: int, seed: int
) -> float:
    """The same of a mean, whose half-width is to be `width` of the truth; games up to a million."""
    source = np.random.default_rng(seed)
    held = 0
    for _ in range(trials):
        values = np.zeros(0)
        for games in stopping.looks():
            values = np.concatenate([values, draw(source, games - len(values))])
            level = 1 - (1 - LEVEL) * stopping.PRECISION_ERROR
            interval = intervals.mean(Sample(np.ones(games), values - truth, np.ones(games), truth), level)
            if interval.half_width <= width * truth or games > 1_000_000:
                break
        held += interval.low <= truth <= interval.high
    return held / trials


def wrong_decisions(
    p: float, most_games: int, trials: int, seed: int, lengths: tuple[int, int] = (1, 1), most: int = 1
) -> float:
    """How many runs leave out the truth at any look of the always-valid interval; rows of a game are alike."""
    source = np.random.default_rng(seed)
    rule = stopping.Decide(most_games, True, p, LEVEL, most)
    steps = list(takewhile(lambda m: m <= most_games, stopping.looks()))
    wrong = 0
    for _ in range(trials):
        tally = ProportionTally()
        for games in steps:
            rows = source.integers(lengths[0], lengths[1] + 1, games - tally.games)
            tally.add(rows, np.where(source.random(len(rows)) < p, rows, 0))
            if rule.decision(tally.bets) != stopping.UNDECIDED:
                wrong += 1
                break
    return wrong / trials
