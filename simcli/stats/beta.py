"""Quantiles of the beta distribution, which are the limits of Clopper-Pearson intervals, without a large library.

Loading scipy takes as long as playing ten thousand games, and most answers need nothing else of it. For large counts,
where the continued fraction takes many steps, scipy is worth its time.
"""

import math
from statistics import NormalDist

_LARGEST_SUM = 2_000_000
"""Of a and b: beyond it scipy takes over, and below the least of them, too."""
_LEAST = 0.5
_TINY = 1e-300
_PRECISION = 1e-16
_MOST_STEPS = 20_000
_MOST_ROUNDS = 200
_STIRLING_FROM = 15.0
_CLOSE = 0.1
_NORMAL_FROM = 1_000_000


def betaincinv(a: float, b: float, p: float) -> float:
    """The x with I_x(a, b) = p, for a, b > 0 and 0 < p < 1; relative precision 1e-11."""
    if a + b > _LARGEST_SUM or min(a, b) < _LEAST:
        from scipy.special import betaincinv as by_scipy

        return float(by_scipy(a, b, p))
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(_MOST_ROUNDS):
        excess = betainc(a, b, x) - p
        low, high = (low, x) if excess > 0 else (x, high)
        slope = _density(a, b, x) / (x * (1 - x))
        step = x - excess / slope if slope > 0 else low
        # Newton's step where it stays between what is known; the middle, of magnitudes if need be, where not.
        following = step if low < step < high else math.sqrt(low * high) if low > high / 4 else (low + high) / 2
        if abs(following - x) <= _PRECISION * 4 * x:
            return following
        x = following
    return x


def student_quantile(freedom: float, p: float) -> float:
    """The p-quantile, p > 1/2, of Student's t; beyond a million degrees of freedom the normal one."""
    if freedom > _NORMAL_FROM:
        return NormalDist().inv_cdf(p)
    part = betaincinv(0.5, freedom / 2, 2 * p - 1)
    return math.sqrt(freedom * part / (1 - part))


def betainc(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - betainc(b, a, 1 - x)
    return _density(a, b, x) / a / _fraction(a, b, x)


def _density(a: float, b: float, x: float) -> float:
    """x^a (1-x)^b / B(a, b), from deviances so that nothing large cancels (Loader 2000)."""
    n = a + b
    exponent = _stirling(n) - _stirling(a) - _stirling(b) - _deviance(a, n * x) - _deviance(b, n * (1 - x))
    return math.sqrt(a * (b / n) / (2 * math.pi)) * math.exp(exponent)


def _stirling(z: float) -> float:
    """The error of Stirling's formula for log Gamma(z)."""
    if z < _STIRLING_FROM:
        return math.lgamma(z) - ((z - 0.5) * math.log(z) - z + 0.5 * math.log(2 * math.pi))
    w = 1 / (z * z)
    return (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z


def _deviance(seen: float, mean: float) -> float:
    """seen log(seen / mean) + mean - seen, exact also where the two are close."""
    v = (seen - mean) / (seen + mean)
    if abs(v) > _CLOSE:
        return seen * math.log(seen / mean) + mean - seen
    total, term, order = (seen - mean) * v, 2 * seen * v, 1
    while True:
        term *= v * v
        order += 2
        more = total + term / order
        if more == total:
            return total
        total = more


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction's denominator, by Lentz's method."""
    value = c = 1.0
    d = 0.0
    for m in range(_MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) if m else 1.0
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for coefficient in (even, odd) if m else (odd,):
            d = 1 / (1 + coefficient * d or _TINY)
            c = 1 + coefficient / c or _TINY
            value *= c * d
        if abs(value - before) <= _PRECISION * abs(value):
            return value
    return value
