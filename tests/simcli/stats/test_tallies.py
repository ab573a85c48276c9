"""Tallies against plain counting, whatever the order and the blocks."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.stats import frequencies, tallies
from simcli.stats.frequencies import Frequencies


@given(st.lists(st.floats(-1e200, 1e200), max_size=40), st.integers(1, 5))
def test_exact_sum_is_exact_in_any_order(values: list[float], pieces: int) -> None:
    total = tallies.ExactSum()
    for piece in range(pieces):
        total.add(np.array(values[piece::pieces], dtype=np.float64))
    assert total.value == sum((Fraction(value) for value in values), Fraction(0))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=30))
def test_whole_numbers_add_up_beyond_64_bits(values: list[int]) -> None:
    assert tallies.exact_total(np.array(values, np.int64)) == sum(values)


ROWS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2), st.integers(-3, 3)), min_size=1, max_size=60)


@given(ROWS)
def test_cells_and_proportion_tally_are_plain_counting(rows: list[tuple[int, int, int]]) -> None:
    rows = sorted(rows)
    game, group, value = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    cells = tallies.cells(game, group)
    tally = tallies.ProportionTally()
    tally.add(cells.rows, cells.how_many(value > 0))
    keys = sorted({(g, k) for g, k, _ in rows})
    of_key = {key: [v for g, k, v in rows if (g, k) == key] for key in keys}
    assert list(cells.group) == [k for _, k in keys]
    assert cells.total(value).tolist() == [sum(values) for values in of_key.values()]
    assert cells.total(value / 4).tolist() == [sum(values) / 4 for values in of_key.values()]
    assert (tally.eligible, tally.hits) == (len(rows), (value > 0).sum())
    sample = tally.sample()
    found = {(x, y): n for x, y, n in zip(sample.rows, sample.excess, sample.counts, strict=True)}
    assert found == Counter((len(values), sum(v > 0 for v in values)) for values in of_key.values())


def test_sums_of_a_game_that_pass_64_bits_are_floating_point() -> None:
    cells = tallies.cells(np.array([3, 3, 4]))
    assert cells.total(np.array([2**62, 2**62, 1])).tolist() == [2.0**63, 1.0]


GAMES = st.lists(st.tuples(st.integers(1, 4), st.integers(-50, 50)), min_size=2, max_size=60)


@given(GAMES, st.integers(1, 59), st.sampled_from([1, 0.1, 10**16]))
def test_mean_tally_does_not_depend_on_blocks(games: list[tuple[int, int]], cut: int, unit: float) -> None:
    x = np.array([a for a, _ in games], np.int64)
    y = np.array([b for _, b in games]) * unit
    whole, parts, back, other = (tallies.MeanTally() for _ in range(4))
    whole.add(x, y)
    for tally, slices in ((parts, (slice(0, cut), slice(cut, None))), (back, (slice(cut, None), slice(0, cut)))):
        for part in slices:
            tally.add(x[part], y[part])
    other.add(x[:cut], y[:cut])
    rest = tallies.MeanTally()
    rest.add(x[cut:], y[cut:])
    for tally in (parts, back, other + rest, rest + other):
        assert tally.total == whole.total == sum(Fraction(value) for value in y.tolist())
        for one, same in zip(tally.sample(), whole.sample(), strict=True):
            assert np.array_equal(one, same)


def test_an_offset_costs_no_precision() -> None:
    y = np.random.default_rng(2).integers(-5, 6, 1000)
    plain, moved = tallies.MeanTally(), tallies.MeanTally()
    plain.add(np.ones(1000, np.int64), y)
    moved.add(np.ones(1000, np.int64), y + 10**17)
    assert moved.total - plain.total == 1000 * 10**17
    assert np.array_equal(plain.sample().deviations(), moved.sample().deviations())


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=50), st.integers(1, 99))
def test_value_tally_finds_quantiles(values: list[int], percent: int) -> None:
    tally = tallies.ValueTally("quantiles")
    for half in (values[::2], values[1::2]):
        tally.add(np.ones(len(half), np.int64), np.array(half, np.int64))
    value, low, high = tally.quantile(percent / 100, 0.95)
    assert value == sorted(values)[math.ceil(percent / 100 * len(values)) - 1]
    assert low <= value <= high


def test_quantiles_take_the_game_as_the_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five equal rows a game are as good as one; and the first games tell how the others hang on each other."""
    values = np.random.default_rng(3).integers(0, 10_000, 2_000)
    single, repeated = tallies.ValueTally("quantiles"), tallies.ValueTally("quantiles")
    single.add(np.ones(2_000, np.int64), values)
    repeated.add(np.full(2_000, 5), np.repeat(values, 5))
    expected = single.quantile(0.25, 0.95)
    assert repeated.quantile(0.25, 0.95) == pytest.approx(expected, rel=0.01)
    monkeypatch.setattr(tallies, "KEPT_GAMES", 500)
    few = tallies.ValueTally("quantiles")
    for block in np.split(values, 4):
        few.add(np.full(500, 5), np.repeat(block, 5))
    assert few.quantile(0.25, 0.95) == pytest.approx(expected, rel=0.03)


# Frequencies

LABELLED = st.lists(st.tuples(st.integers(0, 3), st.integers(-(2**40), 2**40)), min_size=1, max_size=50)


def counted(rows: list[tuple[int, int]], unit: float, pieces: int = 1) -> Frequencies:
    found = Frequencies(1, 1)
    for piece in range(pieces):
        part = rows[piece::pieces]
        found.add(
            np.array([label for label, _ in part], np.int64).reshape(-1, 1),
            np.array([value * unit for _, value in part]).reshape(-1, 1).astype(float if unit != 1 else np.int64),
        )
        found.rows()
    return found


def as_dict(found: Frequencies) -> dict[tuple[int, float], int]:
    labels, values, counts = found.rows()
    return {(x, y): n for x, y, n in zip(labels[:, 0].tolist(), values[:, 0].tolist(), counts.tolist(), strict=True)}


@given(LABELLED, st.sampled_from([1, 0.1]))
def test_frequencies_count(rows: list[tuple[int, int]], unit: float) -> None:
    assert as_dict(counted(rows, unit, 3)) == Counter((label, value * unit) for label, value in rows)


@given(LABELLED, st.sampled_from([1, 0.1]), st.integers(1, 5))
def test_the_grid_does_not_depend_on_the_order(rows: list[tuple[int, int]], unit: float, pieces: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequencies, "MAX_DISTINCT", 8)
        whole = as_dict(counted(rows, unit))
        assert len(whole) <= 8
        assert sum(whole.values()) == len(rows)
        assert as_dict(counted(rows, unit, pieces)) == whole
        assert as_dict(counted(rows[::-1], unit, pieces)) == whole
        assert as_dict(counted(rows[::2], unit) + counted(rows[1::2] or rows[:0], unit)) == whole


def test_the_grid_is_fine_for_most_values_however_far_some_lie() -> None:
    values = np.concatenate([np.random.default_rng(1).normal(size=200_000), [1e9]])
    found = Frequencies(1, 1)
    found.add(np.ones((len(values), 1), np.int64), values[:, np.newaxis])
    _, kept, counts = found.rows()
    assert 30_000 < len(counts) <= frequencies.MAX_DISTINCT
    assert counts @ kept[:, 0] / len(values) == pytest.approx(values.mean(), abs=1e-4)
