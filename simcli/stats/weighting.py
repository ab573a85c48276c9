"""Limits of a ratio over games from random weights of the games: Gaffke's interval, in a form for ratios.

Give the games, and one more at the far end of what is possible, independent exponential weights. The weighted ratio
of totals to rows then has a distribution, and its quantile is the limit (Gaffke 2005; Learned-Miller and Thomas 2020).
For a proportion with one row a game the weights make beta variables, and the limits are those of Clopper and Pearson;
for many games of moderate spread they are Student's, skewness allowed for. That the level holds for every distribution
within the bounds and any number of games is proved for two values and conjectured for all (no counterexample is known).

The weighted ratio passes r exactly if the sum of the weighted deviations y - r x is positive. The probability of that
has a saddlepoint approximation from the sum's cumulant generating function, -sum log(1 - t (y - r x)) (Lugannani and
Rice 1980, in the form r* of Barndorff-Nielsen 1986); against Clopper-Pearson a tail of
2.5% comes out as 2.4 to 2.5%.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 60
_CLOSE = 1e-9
_FLAT = 1e-6
"""Below this size the normal approximation of r* is used, whose correction is 0/0."""


class Weighted(NamedTuple):
    """Games of the same rows and total: rows x > 0, total y, and how many there are of each, float64 all."""

    x: Floats
    y: Floats
    counts: Floats

    def with_one(self, x: float, y: float, weight: float = 1.0) -> "Weighted":
        """The same and one more game, whose weight is a gamma variable of this mean; 1: exponential like the others."""
        return Weighted(np.append(self.x, x), np.append(self.y, y), np.append(self.counts, weight))


class _Tail(NamedTuple):
    """How far a ratio is in the tail, in normal standard deviations; the saddlepoint, and the slope in the ratio."""

    size: float
    saddlepoint: float
    slope: float


def limit(games: Weighted, size: float) -> float:
    """The ratio at the normal quantile `size` (negative: a lower limit) of the weighted ratio of games, the extra one
    among them."""
    rows = float(games.counts @ games.x)
    centre = float(games.counts @ games.y) / rows
    deviations = games.y - centre * games.x
    spread = math.sqrt(float(games.counts @ deviations**2)) / rows
    ratios = games.y / games.x
    low, high = (centre, float(ratios.max())) if size > 0 else (float(ratios.min()), centre)
    if spread == 0 or low >= high:
        return centre
    at, saddlepoint = centre + size * spread, 0.0
    for _ in range(_STEPS):
        if not low < at < high:
            at = (low + high) / 2
        tail = _tail(games, at, saddlepoint)
        if abs(tail.size - size) < _CLOSE or high - low <= _CLOSE * spread:
            break
        low, high = (at, high) if tail.size < size else (low, at)
        saddlepoint = tail.saddlepoint
        at += (size - tail.size) / tail.slope if tail.slope > 0 else math.inf
    return at


def _tail(games: Weighted, ratio: float, start: float) -> _Tail:
    """The tail at a ratio strictly between the smallest and the largest of the games."""
    deviations = games.y - ratio * games.x
    t = _saddlepoint(deviations, games.counts, start)
    shrunk = 1 - t * deviations
    root = math.sqrt(max(0.0, 2 * float(games.counts @ np.log(shrunk))))
    size = math.copysign(root, t)
    curvature = math.sqrt(float(games.counts @ (deviations / shrunk) ** 2))
    rows = float(games.counts @ (games.x / shrunk))
    if root < _FLAT:
        return _Tail(t * curvature, t, rows / curvature)
    return _Tail(size + math.log(t * curvature / size) / size, t, t * rows / size)


def _saddlepoint(deviations: Floats, count: Floats, start: float) -> float:
    """The t with sum count * d / (1 - t d) = 0: Newton's steps, kept between the poles."""
    low, high = 1 / float(deviations.min()), 1 / float(deviations.max())
    t = start if low < start < high else 0.0
    for _ in range(_STEPS):
        terms = deviations / (1 - t * deviations)
        slope, curvature = float(count @ terms), float(count @ terms**2)
        if abs(slope) <= _CLOSE * math.sqrt(curvature):
            break
        low, high = (low, t) if slope > 0 else (t, high)
        t -= slope / curvature
        if not low < t < high:
            t = (low + high) / 2
    return t
