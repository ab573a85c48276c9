"""Limits from random weights, against exact quantiles and against weights that were drawn."""

import numpy as np
import pytest
from scipy import special, stats

from simcli.stats.weighting import Weighted, limit

TAILS = [0.25, 0.025, 0.005, 1e-6]


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize(("hits", "games"), [(0, 20), (1, 20), (1, 10**6), (7, 20), (300, 1000), (999, 1000)])
def test_two_values_give_clopper_pearson(hits: int, games: int, tail: float) -> None:
    kept = [(float(y), float(n)) for y, n in ((0, games - hits), (1, hits)) if n]
    y, counts = np.array(kept).T
    seen = Weighted(np.ones(len(y)), y, counts)
    upper = limit(seen.with_one(1, 1), -stats.norm.ppf(tail))
    assert 0.94 < special.betaincc(hits + 1, games - hits, upper) / tail < 1.002
    if hits:
        lower = limit(seen.with_one(1, 0), stats.norm.ppf(tail))
        assert 0.94 < special.betainc(hits, games - hits + 1, lower) / tail < 1.002


@pytest.mark.parametrize("tail", [0.3, 0.025, 0.002])
@pytest.mark.parametrize("side", [-1, 1])
def test_limits_are_quantiles_of_what_drawn_weights_give(side: int, tail: float) -> None:
    games = Weighted(
        np.array([1.0, 2, 1, 3, 2, 4]), np.array([0.0, -1, 1, 5, 2, 9]), np.array([3.0, 2, 4, 1, 2, 1])
    ).with_one(2, 10 * side, 0.5)
    source = np.random.default_rng(1)
    weights = np.stack([source.gamma(count, size=400_000) for count in games.counts])
    ratios = (games.y @ weights) / (games.x @ weights)
    found = limit(games, -side * stats.norm.ppf(tail))
    beyond = (side * ratios > side * found).mean()
    assert 0.8 < beyond / tail < 1.05


def test_games_alike_have_no_width() -> None:
    assert limit(Weighted(np.array([1.0, 2.0]), np.array([3.0, 6.0]), np.ones(2)), 1.96) == pytest.approx(3)
