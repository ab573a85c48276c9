"""How often printed intervals hold the truth: by exact summation where that is possible, else by simulation."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray
from scipy import stats as reference

from simcli.stats import intervals, stopping
from simcli.stats.intervals import Sums
from simcli.stats.tallies import MeanTally, ShareTally

LEVEL = 0.95
Source = np.random.Generator
Games = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Eligible rows and hits of every game."""


# By summation


def of_clopper_pearson(p: float, trials: int, level: float = LEVEL) -> float:
    """Coverage of the interval of a share of independent trials."""
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
    low, high, _ = intervals.quantile_ranks(p, Sums(games, games, 0, 0, 0, 0), level)
    # The quantile lies above exactly as many values as are below it: a binomial number.
    return float(reference.binom.cdf(high - 1, games, p) - reference.binom.cdf(low - 1, games, p))


# Shares of several rows a game, by simulation


@dataclass(frozen=True)
class Clusters:
    """Games of several rows: how many rows (from..to, uniformly), and how alike the rows of a game are.

    A game's chance of a hit is beta-distributed with correlation `alike` (1: all rows alike); `busier` makes games
    with more rows more prone to hits.
    """

    games: int
    share: float
    rows: tuple[int, int]
    alike: float
    busier: bool = False

    def play(self, source: Source) -> Games:
        x = source.integers(self.rows[0], self.rows[1] + 1, self.games)
        mean = self.share * (2 * x / (self.rows[0] + self.rows[1]) if self.busier else np.ones(self.games))
        if self.alike >= 1:
            return x, np.where(source.random(self.games) < mean, x, 0)
        if self.alike <= 0:
            return x, source.binomial(x, mean)
        size = 1 / self.alike - 1
        return x, source.binomial(x, source.beta(mean * size, (1 - mean) * size))

    @property
    def truth(self) -> float:
        """The share over rows."""
        sizes = np.arange(self.rows[0], self.rows[1] + 1)
        mean = sizes.mean()
        return self.share * float((sizes**2).mean() / mean**2 if self.busier else 1)


def share_sums(games: Games) -> Sums:
    """Sums as a tally makes them."""
    tally = ShareTally()
    tally.add(*games)
    return tally.sums()


def of_clusters(model: Clusters, trials: int, seed: int) -> tuple[float, dict[str, int]]:
    """Share of simulated answers whose interval holds the truth, and how often each method was used."""
    source = np.random.default_rng(seed)
    held = 0
    methods: dict[str, int] = {}
    for _ in range(trials):
        low, high, method = intervals.share(share_sums(model.play(source)), LEVEL)
        methods[method] = methods.get(method, 0) + 1
        held += low <= model.truth <= high
    return held / trials, methods


def of_mean(
    draw: Callable[[Source], tuple[NDArray[np.int64], NDArray[np.float64]]], truth: float, trials: int, seed: int
) -> float:
    """Share of simulated means whose interval holds the truth."""
    source = np.random.default_rng(seed)
    held = 0
    for _ in range(trials):
        tally = MeanTally()
        tally.add(*draw(source))
        low, high, _ = intervals.mean(tally.sums(), LEVEL)
        held += low <= truth <= high
    return held / trials


# After stopping


def of_precision(p: float, rule: stopping.Precision, trials: int, seed: int) -> float:
    """Share of answers that hold the truth when stopped at the first look that is precise enough."""
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


def wrong_decisions(p: float, most_games: int, trials: int, seed: int) -> float:
    """Share of runs in which the always-valid interval leaves out the truth at any look."""
    source = np.random.default_rng(seed)
    rule = stopping.Decide(most_games, True, p, LEVEL, 1)
    steps = list(takewhile(lambda m: m <= most_games, stopping.looks()))
    wrong = 0
    for _ in range(trials):
        hits = before = 0
        for games in steps:
            hits += int(source.binomial(games - before, p))
            before = games
            if rule.decision({(1, 1): hits, (1, 0): games - hits}) != stopping.UNDECIDED:
                wrong += 1
                break
    return wrong / trials
