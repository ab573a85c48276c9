"""Estimates and intervals, from tallies alone; pure.

The game is the unit: rounds of one match, and seats of one round, are dependent. Proportions of at most one row a game
have Clopper-Pearson intervals; all else that is a ratio of sums over games has the one of `weighting`, which comes to
the same there. No interval needs the order of games.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from simcli.stats.beta import betaincinv, student_quantile
from simcli.stats.weighting import Floats, Weighted, limit

Exact = int | Fraction
"""Totals are exact, so that neither the order of work nor cancellation shows in an answer."""

Bounds = tuple[float, float]
"""The least and the largest that a row can be."""

BY_GAMES = "by games: Gaffke, the games weighted at random"
_ROUNDING = 1e-12
_BEYOND = 0.5
"""The extra game of `weighting` lies beyond the farthest by this part of its distance from the rest."""
_LIGHT, _WELL_CARRIED = 0.5, 25.0
"""Without bounds the extra game weighs half a game, and 25 by the number of games that carry the variance beyond 50."""
_FEW_GAMES = 20
"""Up to so many games an interval without bounds is at least as wide as Student's."""
_FEW_CARRIERS = 4.0
_MORE_CARRIERS = 16.0
_HEAVY_TAIL = 0.8
"""A mean is doubtful with fewer than 4 games that carry its variance, or fewer than 16 and a tail index above 0.8."""


class Interval(NamedTuple):
    """Two limits that hold at a level, and how they were found."""

    low: float
    high: float
    method: str

    @property
    def half_width(self) -> float:
        """Half of the distance between the limits."""
        return (self.high - self.low) / 2


class Sample(NamedTuple):
    """Games of a ratio of sums: `counts` of them have `rows` eligible rows with the total origin * rows + `excess`.

    Only games with an eligible row; float64 all. The origin, an exact number, keeps large offsets out of the floats.
    """

    rows: Floats
    excess: Floats
    counts: Floats
    origin: int | float = 0

    @property
    def games(self) -> float:
        """How many games there are."""
        return float(self.counts.sum())

    @property
    def eligible(self) -> float:
        """How many rows they have."""
        return float(self.counts @ self.rows)

    @property
    def most(self) -> float:
        """The largest number of rows of a game."""
        return float(self.rows.max(initial=0.0))

    @property
    def slope(self) -> float:
        """The ratio less the origin."""
        return float(self.counts @ self.excess) / self.eligible

    def deviations(self) -> Floats:
        """How much each game's total exceeds what the ratio would have its rows give."""
        return self.excess - self.slope * self.rows


def standard_error(sample: Sample) -> float:
    """Standard error of the ratio over games, linearised (Cochran 1977, section 6); infinite for one game."""
    games = sample.games
    if games < 2:
        return math.inf
    size = float(np.abs(sample.excess).max()) or 1.0
    deviations = sample.deviations() / size / sample.eligible
    return size * math.sqrt(float(sample.counts @ deviations**2) * games / (games - 1))


# Proportions


def clopper_pearson(hits: float, trials: float, level: float) -> Interval:
    """Two-sided exact interval of a binomial proportion (Clopper and Pearson 1934). Without trials it is [0, 1].

    Between whole numbers it is what plans expect.
    """
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    if hits > 0:
        low = betaincinv(hits, trials - hits + 1, tail) if hits < trials else tail ** (1 / trials)
    if hits < trials:
        high = betaincinv(hits + 1, trials - hits, 1 - tail) if hits > 0 else -math.expm1(math.log(tail) / trials)
    return Interval(low, high, "Clopper-Pearson")


def proportion(sample: Sample, level: float) -> Interval:
    """Interval of a proportion by games: exact where no game has two eligible rows."""
    if sample.most <= 1:
        hits = round(sample.origin * sample.eligible + float(sample.counts @ sample.excess))
        return clopper_pearson(hits, round(sample.eligible), level)
    low, high = _limits(sample, -_normal(level), (0.0, 1.0))
    return Interval(max(0.0, sample.origin + low), min(1.0, sample.origin + high), BY_GAMES)


def inverse(hits: int, trials: int, level: float) -> tuple[float, Interval]:
    """Estimate and interval when sampling stopped at hit number `hits`, in trial number `trials`.

    The estimator (K - 1) / (n - 1) is unbiased (Haldane 1945); the limits are exact for the negative binomial.
    """
    tail = (1 - level) / 2
    low = betaincinv(hits, trials - hits + 1, tail)
    high = betaincinv(hits, trials - hits, 1 - tail) if trials > hits else 1.0
    return (hits - 1) / (trials - 1), Interval(low, high, "inverse sampling: negative binomial")


# Means


def mean(sample: Sample, level: float, bounds: Bounds | None = None) -> Interval:
    """Interval of a mean by games; `bounds` are those of a row's value, where known.

    Without bounds the extra game is placed from the values seen, and normal quantiles give way to Student's. Such an
    interval holds unless rare games carry the mean: see `is_doubtful`.
    """
    if sample.games < 2 and bounds is None:
        return Interval(-math.inf, math.inf, BY_GAMES)
    if bounds is None:
        size = student_quantile(sample.games - 1, (1 + level) / 2)
        low, high = _limits(sample, size)
        reach = _student_reach(sample, size)
        low, high = min(low, sample.slope - reach), max(high, sample.slope + reach)
        return Interval(sample.origin + low, sample.origin + high, BY_GAMES)
    low, high = _limits(sample, -_normal(level), bounds, pull=_wary)
    low, high = max(bounds[0], sample.origin + low), min(bounds[1], sample.origin + high)
    return Interval(low, high, f"{BY_GAMES}, within bounds")


def is_doubtful(sample: Sample) -> bool:
    """Whether too few games carry the variance of a mean for an interval without bounds to be trusted.

    How many carry it is (sum d^2)^2 / sum d^4 of the deviations; the tail's index is Hill's (1975), of the sqrt(n)
    farthest games on the heavier side.
    """
    deviations = sample.deviations()
    if not _varies(deviations, sample.excess):
        return False
    carriers = _carriers(deviations, sample.counts)
    heaviest = max(_tail_index(side * deviations, sample.counts) for side in (1, -1))
    return carriers < _FEW_CARRIERS or (carriers < _MORE_CARRIERS and heaviest > _HEAVY_TAIL)


def difference(deviations: Floats, counts: Floats, level: float, ends: Bounds, certain: bool) -> Interval:
    """Interval about 0 of the mean of paired differences, which have mean 0 themselves; `counts` of each.

    `ends`: the least and the largest that a difference can be (`certain`), or that the sides' values allow for.
    """
    sample = Sample(np.ones(len(counts)), deviations, counts)
    if sample.games < 2 and not certain:
        return Interval(-math.inf, math.inf, f"paired {BY_GAMES}")
    size = -_normal(level) if certain else student_quantile(sample.games - 1, (1 + level) / 2)
    low, high = _limits(sample, size, ends, within=certain)
    if not certain:
        reach = _student_reach(sample, size)
        low, high = min(low, -reach), max(high, reach)
    return Interval(low, high, f"paired {BY_GAMES}")


def _student_reach(sample: Sample, size: float) -> float:
    """How far an interval of a few games reaches at least: what they have not shown, a loss say, is possible.

    That is Student's half-width at the quantile `size`; it fades, since of more games the random weights say more.
    """
    moves = sample.deviations() / (sample.eligible / sample.games)
    unit = float(np.abs(moves).max()) or 1.0
    error = unit * math.sqrt(float(sample.counts @ (moves / unit) ** 2) / (sample.games - 1) / sample.games)
    return size * error * min(1.0, _FEW_GAMES / sample.games)


def _faint(carriers: float, games: float) -> float:
    """How far the extra game is drawn to a bound: little where several games carry the variance."""
    return 1 / (carriers + 1) ** 2


def _wary(carriers: float, games: float) -> float:
    """The same of a mean, where it is all the way while so few games carry the variance that rare ones may be unseen.

    Few are fewer than the root of all games: the kurtosis then exceeds their number.
    """
    return 1 / (1 + (2 * carriers**2 / games) ** 2)


def _limits(
    sample: Sample,
    size: float,
    bounds: Bounds | None = None,
    pull: Callable[[float, float], float] = _faint,
    within: bool = True,
) -> tuple[float, float]:
    """Limits of the ratio less the origin, at normal quantiles `size` to both sides.

    The extra game of a side has the mean number of rows. Within bounds it weighs as much as others; else half as much,
    and less where many games carry the variance. `within`: see `_extra`.
    """
    unit = float(np.abs(sample.excess).max()) or 1.0
    games = Weighted(sample.rows, sample.excess / unit, sample.counts)
    slope = sample.slope / unit
    deviations = games.y - slope * games.x
    rows = sample.eligible / sample.games
    varies = _varies(deviations, games.y)
    deviations *= varies
    carriers = _carriers(deviations, games.counts) if varies else 0.0
    weight = 1.0 if bounds and within else min(_LIGHT, _WELL_CARRIED / max(carriers, 1.0))
    low, high = (
        (bound - sample.origin - sample.slope) / unit * sample.most for bound in bounds or (-math.inf, math.inf)
    )
    drawn = pull(carriers, sample.games)
    below = _extra(-deviations, games.counts, -low, drawn, within)
    above = _extra(deviations, games.counts, high, drawn, within)
    return (
        unit * limit(games.with_one(rows, slope * rows - below, weight), -size),
        unit * limit(games.with_one(rows, slope * rows + above, weight), size),
    )


def _extra(deviations: Floats, count: Floats, bound: float, drawn: float, within: bool) -> float:
    """How far above the ratio the extra game lies: beyond the farthest by half of its distance from number sqrt(n).

    A bound stops it there (`within`), and draws it on by `drawn` of the way, from 0 to 1: to it.
    """
    largest = float(deviations.max())
    farthest = largest + _BEYOND * (largest - _top(deviations, count)[0])
    if math.isinf(bound):
        return farthest
    farthest = min(farthest, bound) if within else farthest
    return farthest + max(0.0, bound - farthest) * drawn


def _varies(deviations: Floats, totals: Floats) -> bool:
    """Whether games differ by more than rounding."""
    return float(np.ptp(deviations)) > _ROUNDING * float(np.abs(totals).max())


def _carriers(deviations: Floats, count: Floats) -> float:
    """Effective number of games that carry the variance: (sum d^2)^2 / sum d^4."""
    squares = (deviations / np.abs(deviations).max()) ** 2
    return float(count @ squares) ** 2 / float(count @ squares**2)


def _tail_index(deviations: Floats, count: Floats) -> float:
    """Hill's index of the upper side's sqrt(n) farthest games; 0 if they are not all above 0."""
    threshold, above, weights = _top(deviations, count)
    if threshold <= 0:
        return 0.0
    return float(weights @ np.log(above / threshold)) / float(weights.sum())


def _top(deviations: Floats, count: Floats) -> tuple[float, Floats, Floats]:
    """The sqrt(n)-th largest of the games, those up to it and how many of each are meant."""
    wanted = math.ceil(math.sqrt(float(count.sum())))
    order = np.argsort(-deviations, kind="stable")
    before = np.cumsum(count[order]) - count[order]
    inside = order[before < wanted]
    weights = np.minimum(count[inside], wanted - before[before < wanted])
    return float(deviations[inside[-1]]), deviations[inside], weights


# Quantiles


def quantile(p: float, distinct: int, at: Callable[[int], Interval]) -> tuple[int, int]:
    """Places of the distinct values between which the p-quantile lies; -1 or `distinct` beyond the ends.

    `at(i)` is an interval of the proportion of values up to the i-th, two tests of whether the quantile is above it
    and below it: for one row a game these are order statistics, otherwise Woodruff's interval (1952), tests inverted.
    """
    return (
        _first(distinct, lambda i: at(i).high >= p) if at(-1).high < p else -1,
        _first(distinct, lambda i: at(i).low >= p),
    )


def _first(end: int, holds: Callable[[int], bool]) -> int:
    """The first of 0..end-1 from which on a condition holds; `end` if nowhere."""
    low, high = -1, end
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _normal(level: float) -> float:
    """The normal quantile below which the lower limit's error lies."""
    return NormalDist().inv_cdf((1 - level) / 2)
