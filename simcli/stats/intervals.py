"""Estimates and intervals, from counts alone; pure.

Shares of independent trials have Clopper-Pearson intervals. Where a game gives several rows, the game is the unit:
see `clustered` and `conservative`. What most answers need is in `beta`; scipy is loaded where more is
needed.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

from simcli.stats.beta import betaincinv

FEW_GAMES = 1_000
FEW_HITS = 20
"""Below this many games, or games with a hit or with a miss, clustered shares get the conservative interval."""

_BENTKUS = math.e
_NEGLIGIBLE = 1e-9
_BISECTIONS = 60


Exact = int | Fraction
"""Sums are exact, so that neither the order of work nor cancellation shows in an answer."""


class Interval(NamedTuple):
    """Two limits that hold at a level, and how they were found."""

    low: float
    high: float
    method: str

    @property
    def half_width(self) -> float:
        """Half of the distance between the limits."""
        return (self.high - self.low) / 2


class Sums(NamedTuple):
    """Sums over games of a ratio: y is what is counted or summed in a game, x the number of its eligible rows.

    `games` are those with an eligible row, `most` is the largest x, `hit` and `missed` the games with y > 0 and with
    y < x (for shares), `x3`.. third and fourth moments (for means).
    """

    games: int
    x: int
    y: Exact
    xx: int
    xy: Exact
    yy: Exact
    most: int = 1
    hit: int = 0
    missed: int = 0
    x3: int = 0
    xxy: Exact = 0
    xyy: Exact = 0
    y3: Exact = 0
    x4: int = 0
    x3y: Exact = 0
    xxyy: Exact = 0
    xy3: Exact = 0
    y4: Exact = 0


# Shares


def clopper_pearson(hits: float, trials: float, level: float) -> Interval:
    """Two-sided exact interval of a binomial share (Clopper and Pearson 1934).

    `hits` and `trials` may be effective numbers, not whole. Without trials it is [0, 1].
    """
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    if hits > 0:
        low = betaincinv(hits, trials - hits + 1, tail) if hits < trials else tail ** (1 / trials)
    if hits < trials:
        high = betaincinv(hits + 1, trials - hits, 1 - tail) if hits > 0 else -math.expm1(math.log(tail) / trials)
    return Interval(low, high, "Clopper-Pearson")


def share(sums: Sums, level: float) -> Interval:
    """Interval of a share by games: exact where no game has two eligible rows, else clustered or conservative."""
    if sums.most <= 1:
        return clopper_pearson(int(sums.y), sums.x, level)
    if sums.games < FEW_GAMES or min(sums.hit, sums.missed) < FEW_HITS:
        return conservative(sums, level)
    return clustered(sums, level)


def clustered(sums: Sums, level: float) -> Interval:
    """Clopper-Pearson on the effective number of rows (Korn and Graubard 1998), with the game as the unit.

    The variance is that of a ratio of sums over games; its degrees of freedom are those of the games that carry the
    hits, or the misses, effectively (Kish): ten games with most of the hits count as about ten. Rows never count for
    more than themselves, so dependence that would narrow the interval is not used.
    """
    estimate = float(sums.y / sums.x)
    variance = ratio_variance(sums)
    binomial = estimate * (1 - estimate)
    misses = float(sums.xx - 2 * sums.xy + sums.yy)
    carriers = min(float(sums.y) ** 2 / float(sums.yy), float(sums.x - sums.y) ** 2 / misses)
    tail = (1 - level) / 2
    from scipy.special import stdtrit

    shrink = (NormalDist().inv_cdf(tail) / float(stdtrit(max(carriers - 1, 1), tail))) ** 2
    rows = min(binomial / variance if variance > 0 else math.inf, sums.x) * shrink
    limits = clopper_pearson(estimate * rows, rows, level)
    return Interval(limits.low, limits.high, "by games: ratio estimator, Clopper-Pearson on effective rows")


def ratio_variance(sums: Sums) -> float:
    """Variance of y / x over games, linearised (Cochran 1977, section 6)."""
    if sums.games < 2:
        return math.inf
    ratio = Fraction(sums.y) / sums.x
    squares = sums.yy - 2 * ratio * sums.xy + ratio * ratio * sums.xx
    return float(squares * sums.games / (sums.games - 1) / sums.x**2)


def conservative(sums: Sums, level: float) -> Interval:
    """Interval of a share that holds for any number of games and any dependence within them.

    For the true share r the game's y - r x, shifted and divided by the most rows of a game, lies in [0, 1] with
    mean r; Bentkus (2004) bounds the tails of such a sum by e times those of the binomial.
    """

    def scaled(r: float) -> float:
        return (float(sums.y) - r * sums.x) / sums.most + sums.games * r

    from scipy.special import bdtr, bdtrc

    tail = (1 - level) / 2 / _BENTKUS
    low, high = 0.0, 1.0
    if sums.y > 0:
        low = _boundary(lambda r: bdtrc(math.floor(scaled(r)) - 1, sums.games, r) > tail, 0.0, float(sums.y / sums.x))
    if sums.y < sums.x:
        high = _boundary(lambda r: bdtr(math.ceil(scaled(r)), sums.games, r) <= tail, float(sums.y / sums.x), 1.0)
    return Interval(low, high, "by games: conservative (Bentkus)")


def _boundary(inside: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that fails at `low` and holds at `high` begins to hold."""
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if inside(middle):
            high = middle
        else:
            low = middle
    return high


def inverse(hits: int, trials: int, level: float) -> tuple[float, Interval]:
    """Estimate and interval when sampling stopped at hit number `hits`, in trial number `trials`.

    The estimator (K - 1) / (n - 1) is unbiased (Haldane 1945); the limits are exact for the negative binomial.
    """
    tail = (1 - level) / 2
    low = betaincinv(hits, trials - hits + 1, tail)
    high = betaincinv(hits, trials - hits, 1 - tail) if trials > hits else 1.0
    return (hits - 1) / (trials - 1), Interval(low, high, "inverse sampling: negative binomial")


# Means


def mean(sums: Sums, level: float) -> Interval:
    """Interval of a mean by games: Student's t on the ratio of sums, corrected for skewness (Hall 1992) and with the
    degrees of freedom that its variance has (Satterthwaite), fewer where the tails are long."""
    method = "by games: t, corrected for skewness and long tails"
    if sums.games < 2:
        return Interval(-math.inf, math.inf, method)
    centre = float(sums.y / sums.x)
    deviation = math.sqrt(ratio_variance(sums))
    if deviation == 0:
        return Interval(centre, centre, method)
    from scipy.special import stdtrit

    skew, kurtosis = _shape(sums)
    freedom = min(sums.games - 1.0, 2 * sums.games / max(kurtosis - 1, _NEGLIGIBLE))
    t = float(stdtrit(max(1.0, freedom), (1 + level) / 2))
    low = centre - deviation * _untransformed(t, skew, sums.games)
    high = centre - deviation * _untransformed(-t, skew, sums.games)
    return Interval(low, high, method)


def _shape(sums: Sums) -> tuple[float, float]:
    """Skewness and kurtosis over games of y - r x."""
    r = Fraction(sums.y) / sums.x
    second = sums.yy - 2 * r * sums.xy + r**2 * sums.xx
    third = sums.y3 - 3 * r * sums.xyy + 3 * r**2 * sums.xxy - r**3 * sums.x3
    fourth = sums.y4 - 4 * r * sums.xy3 + 6 * r**2 * sums.xxyy - 4 * r**3 * sums.x3y + r**4 * sums.x4
    if second <= 0:
        return 0.0, 3.0
    spread = math.sqrt(float(second / sums.games))
    return float(third / sums.games) / spread**3, float(fourth / sums.games) / spread**4


def _untransformed(t: float, skew: float, games: int) -> float:
    """The studentised mean whose monotone transformation, free of skewness to the first order, is `t`."""
    root = math.sqrt(games)
    if abs(skew) / root < _NEGLIGIBLE:
        return t
    inner = 1 + skew * (t / root - skew / (6 * games))
    return root / (skew / 3) * (math.copysign(abs(inner) ** (1 / 3), inner) - 1)


# Quantiles


def quantile_ranks(p: float, sums: Sums, level: float) -> tuple[int, int, str]:
    """Ranks (from 1) of the order statistics between which the p-quantile lies; 0 or rows + 1 where there is none.

    Exact for independent rows; where games give several rows, conservative by games as for shares.
    """
    from scipy.special import bdtr, bdtrc

    several = sums.most > 1
    tail = (1 - level) / 2 / (_BENTKUS if several else 1.0)
    shift = sums.games * p
    below = _largest(lambda k: bdtr(k, sums.games, p) <= tail, sums.games)
    above = _smallest(lambda k: bdtrc(k - 1, sums.games, p) <= tail, sums.games)
    low = p * sums.x + sums.most * (below - shift)
    high = p * sums.x + sums.most * (above - shift)
    method = "order statistics, by games (Bentkus)" if several else "order statistics"
    # The number of rows at or below the quantile is unlikely to be <= low or >= high.
    return max(math.floor(low) + 1, 0), min(math.ceil(high), sums.x + 1), method


def _largest(holds: Callable[[int], bool], top: int) -> int:
    """The largest k in 0..top for which a condition that holds up to somewhere holds; -1 if nowhere."""
    low, high = -1, top + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle <= top and holds(middle):
            low = middle
        else:
            high = middle
    return low


def _smallest(holds: Callable[[int], bool], top: int) -> int:
    """The smallest k in 0..top + 1 from which on a condition holds."""
    return _largest(lambda k: not holds(k), top) + 1
