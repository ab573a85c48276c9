"""Intervals against their definitions."""

import math

import numpy as np
import pytest
from scipy import stats as reference

from simcli.stats import intervals
from simcli.stats.intervals import Sample


def of_games(rows: list[int], totals: list[float]) -> Sample:
    """A sample from what each game has."""
    return Sample(np.array(rows, np.float64), np.array(totals, np.float64), np.ones(len(rows)))


@pytest.mark.parametrize(("hits", "trials"), [(1, 2), (3, 10), (10, 1000), (999, 1000), (4000, 10**6), (50, 10**8)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_clopper_pearson_is_the_binomial_test_inverted(hits: int, trials: int, level: float) -> None:
    low, high, _ = intervals.clopper_pearson(hits, trials, level)
    tail = (1 - level) / 2
    assert reference.binom.sf(hits - 1, trials, low) == pytest.approx(tail, rel=1e-6)
    assert reference.binom.cdf(hits, trials, high) == pytest.approx(tail, rel=1e-6)


@pytest.mark.parametrize("trials", [1, 7, 1000, 10**9])
def test_no_hits_and_all_hits(trials: int) -> None:
    low, high, _ = intervals.clopper_pearson(0, trials, 0.95)
    assert low == 0
    assert high == pytest.approx(1 - 0.025 ** (1 / trials), rel=1e-6)
    assert intervals.clopper_pearson(trials, trials, 0.95)[:2] == (pytest.approx(1 - high, rel=1e-12), 1)


def test_nothing_eligible_says_nothing() -> None:
    assert intervals.clopper_pearson(0, 0, 0.95)[:2] == (0, 1)
    assert intervals.proportion(of_games([], []), 0.95)[:2] == (0, 1)


@pytest.mark.parametrize("origin", [0, 1])
def test_one_row_a_game_is_clopper_pearson(origin: int) -> None:
    sample = Sample(np.ones(2), np.array([1.0 - origin, -origin]), np.array([4.0, 46.0]), origin)
    assert intervals.proportion(sample, 0.95) == intervals.clopper_pearson(4, 50, 0.95)


@pytest.mark.parametrize("hits", [0, 3, 200])
def test_games_that_repeat_themselves_count_once(hits: int) -> None:
    """Four equal rows a game hold no more than one row a game."""
    games = 5000
    repeated = intervals.proportion(of_games([4] * games, [4] * hits + [0] * (games - hits)), 0.95)
    single = intervals.clopper_pearson(hits, games, 0.95)
    assert "Gaffke" in repeated.method
    assert repeated[:2] == pytest.approx(single[:2], rel=0.03)


def test_hardly_wider_than_what_knows_the_dependence() -> None:
    """200 games of four independent rows, as if it were known that they are."""
    rows = np.random.default_rng(1).binomial(4, 0.3, 200)
    found = intervals.proportion(of_games([4] * 200, rows.tolist()), 0.95)
    assert found.half_width < 1.2 * intervals.clopper_pearson(int(rows.sum()), 800, 0.95).half_width


@pytest.mark.parametrize("games", [1, 10, 999])
def test_without_hits_rows_of_a_game_may_all_be_alike(games: int) -> None:
    low, high, _ = intervals.proportion(of_games([4] * games, [0] * games), 0.95)
    assert low == 0
    assert high == pytest.approx(intervals.clopper_pearson(0, games, 0.95).high, rel=0.01)
    full = intervals.proportion(of_games([4] * games, [4] * games), 0.95)
    assert full.low == pytest.approx(1 - high, rel=1e-6)
    assert full.high == 1


def test_inverse_sampling() -> None:
    estimate, (low, high, _) = intervals.inverse(10, 1000, 0.95)
    assert estimate == 9 / 999
    assert reference.nbinom.cdf(1000 - 10, 10, low) == pytest.approx(0.025, rel=1e-6)
    assert reference.nbinom.sf(999 - 10, 10, high) == pytest.approx(0.025, rel=1e-6)
    assert intervals.inverse(5, 5, 0.95)[1].high == 1


# Means


def test_mean_of_many_games_is_near_students() -> None:
    values = np.random.default_rng(1).normal(5, 2, 5_000)
    low, high, _ = intervals.mean(of_games([1] * 5_000, values.tolist()), 0.95)
    half = 1.96 * values.std(ddof=1) / math.sqrt(5_000)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.03 * half)


def test_mean_without_spread_or_with_one_game() -> None:
    assert intervals.mean(of_games([1] * 5, [3] * 5), 0.95)[:2] == (3, 3)
    assert intervals.mean(of_games([1], [3]), 0.95)[:2] == (-math.inf, math.inf)
    assert not intervals.is_doubtful(of_games([1] * 5, [3] * 5))


def test_mean_leans_to_the_long_tail() -> None:
    low, high, _ = intervals.mean(of_games([1] * 100, [0.0] * 90 + [100.0] * 10), 0.95)
    assert high - 10 > 10 - low


@pytest.mark.parametrize("size", [1e-150, 1.0, 1e150])
@pytest.mark.parametrize("offset", [0, 10**8])
def test_mean_keeps_its_width_at_any_offset_and_size(size: float, offset: int) -> None:
    values = np.random.default_rng(4).normal(size=300)
    plain = intervals.mean(of_games([1] * 300, values.tolist()), 0.95)
    moved = intervals.mean(Sample(np.ones(300), size * values, np.ones(300), offset), 0.95)
    expected = (offset + size * plain.low, offset + size * plain.high)
    assert moved[:2] == (pytest.approx(expected[0], rel=1e-12), pytest.approx(expected[1], rel=1e-12))


@pytest.mark.parametrize("games", [1, 5, 100])
def test_within_bounds_no_spread_is_no_certainty(games: int) -> None:
    """A number from 0 to 10 that was always 0 is like an event that never came."""
    low, high, method = intervals.mean(of_games([1] * games, [0] * games), 0.95, (0, 10))
    assert low == 0
    assert high == pytest.approx(10 * intervals.clopper_pearson(0, games, 0.95).high, rel=0.01)
    assert "within bounds" in method


def test_within_bounds_two_values_are_clopper_pearson() -> None:
    low, high, _ = intervals.mean(of_games([1] * 40, [7.0] * 3 + [2.0] * 37), 0.95, (2, 7))
    expected = intervals.clopper_pearson(3, 40, 0.95)
    assert (low, high) == pytest.approx((2 + 5 * expected.low, 2 + 5 * expected.high), rel=2e-3)


def test_doubt_is_about_rare_large_values() -> None:
    source = np.random.default_rng(5)
    assert intervals.is_doubtful(of_games([1] * 1000, [0.0] * 997 + [50.0, 900.0, 1000.0]))
    for values in (source.normal(size=200), source.exponential(size=200), source.integers(0, 2, 200)):
        assert not intervals.is_doubtful(of_games([1] * 200, values.tolist()))


# Quantiles


@pytest.mark.parametrize(("p", "games"), [(0.5, 100), (0.95, 1000), (0.05, 1000)])
def test_quantiles_of_independent_rows_are_order_statistics(p: float, games: int) -> None:
    below, above = intervals.quantile(p, games, lambda i: intervals.clopper_pearson(i + 1, games, 0.95))
    low, high = below + 1, above + 1
    assert reference.binom.cdf(low - 1, games, p) <= 0.025 < reference.binom.cdf(low, games, p)
    assert reference.binom.sf(high - 1, games, p) <= 0.025 < reference.binom.sf(high - 2, games, p)


def test_quantiles_beyond_the_data() -> None:
    assert intervals.quantile(0.5, 3, lambda i: intervals.clopper_pearson(i + 1, 3, 0.95)) == (-1, 3)
