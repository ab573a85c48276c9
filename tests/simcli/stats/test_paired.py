"""Paired differences against the same sums done plainly."""

import itertools
import math

import numpy as np
import pytest

from simcli.stats import intervals
from simcli.stats.paired import Paired, Side


def paired(one: Side, other: Side, share: bool = False, pieces: int = 1) -> Paired:
    found = Paired(share)
    for piece in range(pieces):
        found.add(*(Side(side.rows[piece::pieces], side.total[piece::pieces]) for side in (one, other)))
    return found


def side(games: int, seed: int, least: int = 1) -> Side:
    source = np.random.default_rng(seed)
    rows = source.integers(least, 5, games)
    return Side(rows, rows * source.normal(seed, 1, games))


def test_error_is_that_of_linearised_ratios() -> None:
    one, other = side(400, 1, least=0), side(400, 2)
    moves = [(s.total - s.total.sum() / s.rows.sum() * s.rows) / s.rows.mean() for s in (one, other)]
    found = paired(one, other)
    assert found.error() == pytest.approx((moves[0] - moves[1]).std(ddof=1) / 20)
    difference = found.difference(0.95)
    assert difference.value == pytest.approx(one.total.sum() / one.rows.sum() - other.total.sum() / other.rows.sum())
    assert difference.saves == pytest.approx((moves[0].var() + moves[1].var()) / (moves[0] - moves[1]).var())
    assert difference.interval.half_width == pytest.approx(1.966 * found.error(), rel=0.05)


def test_order_does_not_matter() -> None:
    one, other = side(400, 1), side(400, 2)
    assert paired(one, other).difference(0.95) == paired(one, other, pieces=7).difference(0.95)
    turned = paired(one, other).difference(0.9).turned()
    assert turned.interval[:2] == pytest.approx(paired(other, one).difference(0.9).interval[:2], rel=1e-12)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 1), (0, 1)])
@pytest.mark.parametrize("games", [3, 300])
def test_proportions_without_variance_are_not_certain(first: int, second: int, games: int) -> None:
    ones = np.ones(games, np.int64)
    low, high, _ = paired(Side(ones, first * ones), Side(ones, second * ones), share=True).difference(0.95).interval
    seldom = 0.025 ** (1 / games)
    if first == second:
        assert (low, high) == (pytest.approx(seldom - 1, rel=0.02), pytest.approx(1 - seldom, rel=0.02))
    else:
        assert (low, high) == (-1, pytest.approx(1 - 2 * seldom, rel=0.02))


def test_means_without_variance_allow_for_what_was_seen() -> None:
    values = np.arange(100)
    ones = np.ones(100, np.int64)
    low, high, _ = paired(Side(ones, values), Side(ones, values)).difference(0.95).interval
    assert -6 < low < 0 < high < 6
    still = paired(Side(ones, 7 * ones), Side(ones, 4 * ones)).difference(0.95)
    assert (still.value, still.interval[:2]) == (3, (3, 3))


def test_no_rows_no_difference() -> None:
    nothing = Side(np.zeros(5, np.int64), np.zeros(5, np.int64))
    value, interval, saves = paired(nothing, side(5, 1)).difference(0.95)
    assert (value, interval[:2], saves) == (None, (-math.inf, math.inf), None)
    assert paired(nothing, nothing).error() == 0


def test_one_game_says_nothing_of_a_mean() -> None:
    one = Side(np.ones(1, np.int64), np.array([2.0]))
    assert paired(one, one).error() == math.inf
    assert paired(one, one).difference(0.95).interval[:2] == (-math.inf, math.inf)


def test_rare_proportions_are_exact() -> None:
    """5 games of 100 hit on the one side, none on the other: as one proportion of 5 in 100."""
    ones, hits = np.ones(100, np.int64), (np.arange(100) < 5).astype(np.int64)
    found = paired(Side(ones, hits), Side(ones, 0 * hits), share=True).difference(0.95).interval
    exact = intervals.clopper_pearson(5, 100, 0.95)
    assert found.high == pytest.approx(exact.high, rel=0.02)
    assert 0 < found.low < exact.low


@pytest.mark.parametrize("games", [3, 4, 5])
def test_a_few_games_do_not_prove_who_wins(games: int) -> None:
    """Counted over all samples of a point won, lost or neither (1/4, 1/4, 1/2): how often the intervals hold 0."""
    differences = means = 0.0
    for points in itertools.product((-1, 0, 1), repeat=games):
        chance = math.prod(0.5 if point == 0 else 0.25 for point in points)
        won = Side(np.ones(games, np.int64), np.array(points) / 2)
        low, high = paired(won, Side(won.rows, -won.total)).difference(0.95).interval[:2]
        differences += chance * (low <= 0 <= high)
        sample = intervals.Sample(np.ones(games), np.array(points, np.float64), np.ones(games))
        low, high = intervals.mean(sample, 0.95)[:2]
        means += chance * (low <= 0 <= high)
    assert min(differences, means) >= 0.95
