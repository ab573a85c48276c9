"""Quantiles of the beta distribution, against scipy's."""

import random

import pytest
from scipy import special

from simcli.stats import beta

TAILS = (0.5, 0.025, 0.975, 0.005, 0.995, 1e-6)


def cases(count: int, seed: int):
    source = random.Random(seed)
    for _ in range(count):
        trials = 10 ** source.uniform(0, 6.2)
        share = source.choice([source.random(), 10 ** -source.uniform(0, 6)])
        a, b = max(0.5, trials * share), max(0.5, trials * (1 - share))
        if source.random() < 0.3:
            a, b = float(int(a) + 1), float(int(b) + 1)
        yield (a, b) if source.random() < 0.5 else (b, a)


@pytest.mark.parametrize("p", TAILS)
def test_quantiles_agree_with_scipy(p):
    for a, b in cases(150, seed=int(p * 1e6)):
        assert beta.betaincinv(a, b, p) == pytest.approx(special.betaincinv(a, b, p), rel=1e-11), (a, b)


def test_the_distribution_agrees_with_scipy():
    source = random.Random(3)
    for a, b in cases(300, seed=3):
        x = source.random()
        assert beta.betainc(a, b, x) == pytest.approx(special.betainc(a, b, x), rel=1e-9, abs=1e-300), (a, b, x)
    assert (beta.betainc(2, 3, 0.0), beta.betainc(2, 3, 1.0)) == (0.0, 1.0)


def test_large_and_tiny_parameters_are_scipys():
    for a, b in ((1e9, 2e9), (0.001, 5.0)):
        assert beta.betaincinv(a, b, 0.025) == special.betaincinv(a, b, 0.025)
