"""Intervals against their definitions, and tallies against plain sums."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as reference

from simcli.stats import intervals, tallies
from simcli.stats.intervals import Sums


def of_games(x: list[int], y: list[float]) -> Sums:
    """Sums of a share over games, from the definition."""
    pairs = list(zip(x, y, strict=True))
    return Sums(
        games=len(x),
        x=sum(x),
        y=sum(y),
        xx=sum(a * a for a in x),
        xy=sum(a * b for a, b in pairs),
        yy=sum(b * b for b in y),
        most=max(x),
        hit=sum(b > 0 for b in y),
        missed=sum(b < a for a, b in pairs),
        x3=sum(a**3 for a in x),
        xxy=sum(a * a * b for a, b in pairs),
        xyy=sum(a * b * b for a, b in pairs),
        y3=sum(b**3 for b in y),
        x4=sum(a**4 for a in x),
        x3y=sum(a**3 * b for a, b in pairs),
        xxyy=sum(a * a * b * b for a, b in pairs),
        xy3=sum(a * b**3 for a, b in pairs),
        y4=sum(b**4 for b in y),
    )


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


def test_one_row_a_game_is_clopper_pearson() -> None:
    sums = of_games([1] * 50, [1] * 4 + [0] * 46)
    assert intervals.share(sums, 0.95) == intervals.clopper_pearson(4, 50, 0.95)


def test_games_that_repeat_themselves_count_once() -> None:
    """Four equal rows a game hold no more than one row a game."""
    games = 5000
    repeated = of_games([4] * games, [4] * 200 + [0] * (games - 200))
    interval = intervals.share(repeated, 0.95)
    single = intervals.clopper_pearson(200, games, 0.95)
    assert "ratio" in interval.method
    assert interval.half_width == pytest.approx(single.half_width, rel=0.03)


def test_rows_that_balance_each_other_still_count_as_independent_at_best() -> None:
    sums = of_games([4] * 5000, [1] * 5000)
    interval = intervals.share(sums, 0.95)
    assert interval.half_width == pytest.approx(intervals.clopper_pearson(5000, 20000, 0.95).half_width, rel=0.01)


@pytest.mark.parametrize("games", [1, 10, 999])
def test_few_games_get_the_conservative_interval(games: int) -> None:
    sums = of_games([4] * games, [0] * games)
    low, high, method = intervals.share(sums, 0.95)
    assert "conservative" in method
    assert low == 0
    assert high == pytest.approx(1 - (0.025 / math.e) ** (1 / games), rel=1e-6)
    full = intervals.share(of_games([4] * games, [4] * games), 0.95)
    assert full.low == pytest.approx(1 - high, rel=1e-6)
    assert full.high == 1


def test_conservative_holds_unequal_games() -> None:
    sums = of_games([1, 2, 3] * 30, [1, 0, 2] * 30)
    low, high, _ = intervals.share(sums, 0.95)
    assert low < sums.y / sums.x < high
    assert low > 0.25
    assert high < 0.75


def test_inverse_sampling() -> None:
    estimate, (low, high, _) = intervals.inverse(10, 1000, 0.95)
    assert estimate == 9 / 999
    assert reference.nbinom.cdf(1000 - 10, 10, low) == pytest.approx(0.025, rel=1e-6)
    assert reference.nbinom.sf(999 - 10, 10, high) == pytest.approx(0.025, rel=1e-6)
    assert intervals.inverse(5, 5, 0.95)[1].high == 1


def test_mean_of_a_symmetric_value_is_students() -> None:
    values = [-2.0, -1.0, 0.0, 1.0, 2.0]
    low, high, _ = intervals.mean(of_games([1] * 5, values), 0.9)
    expected = reference.t.interval(0.9, 4, 0, np.std(values, ddof=1) / math.sqrt(5))
    assert (low, high) == pytest.approx(expected)


def test_mean_without_spread_or_with_one_game() -> None:
    assert intervals.mean(of_games([1] * 5, [3] * 5), 0.95)[:2] == (3, 3)
    assert intervals.mean(of_games([1], [3]), 0.95)[:2] == (-math.inf, math.inf)


def test_mean_leans_to_the_long_tail() -> None:
    values = [0.0] * 90 + [100.0] * 10
    low, high, _ = intervals.mean(of_games([1] * 100, values), 0.95)
    assert high - 10 > 10 - low


@pytest.mark.parametrize(("p", "games"), [(0.5, 100), (0.95, 1000), (0.05, 1000)])
def test_quantile_ranks_of_independent_rows(p: float, games: int) -> None:
    low, high, _ = intervals.quantile_ranks(p, Sums(games, games, 0, 0, 0, 0), 0.95)
    assert reference.binom.cdf(low - 1, games, p) <= 0.025 < reference.binom.cdf(low, games, p)
    assert reference.binom.sf(high - 1, games, p) <= 0.025 < reference.binom.sf(high - 2, games, p)


def test_quantile_ranks_beyond_the_data() -> None:
    low, high, _ = intervals.quantile_ranks(0.5, Sums(3, 3, 0, 0, 0, 0), 0.95)
    assert (low, high) == (0, 4)


@given(st.lists(st.floats(-1e200, 1e200), max_size=40), st.integers(1, 5))
def test_exact_sum_is_exact_in_any_order(values: list[float], pieces: int) -> None:
    total = tallies.ExactSum()
    for piece in range(pieces):
        total.add(np.array(values[piece::pieces], dtype=np.float64))
    assert total.value == sum((Fraction(value) for value in values), Fraction(0))


ROWS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2), st.booleans()), min_size=1, max_size=60)


@given(ROWS)
def test_cells_and_share_tally_are_plain_counting(rows: list[tuple[int, int, bool]]) -> None:
    rows = sorted(rows)
    game, group, hit = (np.array(column) for column in zip(*rows, strict=True))
    cells = tallies.cells(game.astype(np.int64), group.astype(np.int64))
    tally = tallies.ShareTally()
    tally.add(cells.rows, cells.how_many(hit))
    keys = sorted({(g, k) for g, k, _ in rows})
    assert list(cells.group) == [k for _, k in keys]
    assert tally.eligible == len(rows)
    assert tally.hits == hit.sum()
    x = [sum((g, k) == key for g, k, _ in rows) for key in keys]
    y = [sum((g, k) == key and h for g, k, h in rows) for key in keys]
    moments = dict.fromkeys(("x3", "xxy", "xyy", "y3", "x4", "x3y", "xxyy", "xy3", "y4"), 0)
    assert tally.sums() == of_games(x, y)._replace(**moments)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(-50, 50)), min_size=2, max_size=60), st.integers(1, 59))
def test_mean_tally_does_not_depend_on_blocks(games: list[tuple[int, int]], cut: int) -> None:
    whole, parts = tallies.MeanTally(), tallies.MeanTally()
    x = np.array([a for a, _ in games], np.int64)
    y = np.array([b for _, b in games], np.float64)
    whole.add(x, y)
    parts.add(x[:cut], y[:cut])
    parts.add(x[cut:], y[cut:])
    assert whole.sums() == parts.sums()
    assert whole.sums() == of_games(x.tolist(), y.astype(int).tolist())._replace(most=1, hit=0, missed=0)
    assert whole.warning == parts.warning


def test_mean_tally_warns_when_few_values_carry_the_sum() -> None:
    tally = tallies.MeanTally()
    tally.add(np.ones(10_000, np.int64), np.concatenate([np.full(25, 1000.0), np.zeros(9975)]))
    assert "carry 80% of the sum" in tally.warning
    tally.add(np.ones(10_000, np.int64), np.full(10_000, 10.0))
    assert tally.warning == ""


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=50))
def test_value_tally_finds_order_statistics(values: list[int]) -> None:
    tally = tallies.ValueTally("quantiles")
    for half in (values[::2], values[1::2]):
        tally.add(np.ones(len(half), np.int64), np.array(half, np.int64))
    assert [tally.at(rank) for rank in range(1, len(values) + 1)] == sorted(values)
    assert tally.at(0) == -math.inf
    assert tally.at(len(values) + 1) == math.inf
