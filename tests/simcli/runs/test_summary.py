"""The summary's figures, against polars and numpy on the whole table."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from simcli.runs import summary

GAME = "redox"


def rounds(games: int = 400, seed: int = 3) -> pl.DataFrame:
    source = np.random.default_rng(seed)
    lengths = source.integers(1, 5, games)
    rows = int(lengths.sum())
    return pl.DataFrame(
        {
            "game": np.repeat(np.arange(games), lengths),
            "round": np.ones(rows, np.int32),
            "outcome": np.array(["out", "slam", ""])[source.integers(0, 3, rows)],
            "slam": source.integers(0, 2, rows) == 1,
            "points_0": source.integers(-50, 50, rows).astype(np.int32),
        }
    )


def figures(table: pl.DataFrame) -> dict[tuple[str, str], dict[str, object]]:
    return {(row["column"], row["value"] or ""): row for row in table.to_dicts()}


def test_parts_add_up_to_the_whole_in_any_order() -> None:
    table = rounds()
    pieces = [summary.tally(GAME, table.filter(pl.col("game") // 100 == i)) for i in (2, 0, 3, 1)]
    assert summary.summarise(summary.total(pieces)).equals(summary.summarise(summary.tally(GAME, table)))


def test_nothing_adds_nothing() -> None:
    table = rounds().with_columns(points_0=pl.col("points_0") + 100)
    whole, nothing = summary.tally(GAME, table), summary.Tally()
    for added in (whole + nothing, nothing + whole):
        assert summary.summarise(added).equals(summary.summarise(whole))


def test_figures_are_those_of_the_table() -> None:
    table = rounds()
    rows = figures(summary.summarise(summary.tally(GAME, table)))
    assert set(rows) == {("outcome", "out"), ("outcome", "slam"), ("slam", "true"), ("points_0", "")}
    points = table["points_0"]
    row = rows["points_0", ""]
    assert (row["count"], row["min"], row["max"]) == (len(table), points.min(), points.max())
    assert row["mean"] == pytest.approx(points.mean())
    assert row["sd"] == pytest.approx(points.std(ddof=0))
    assert rows["slam", "true"]["count"] == table["slam"].sum()
    assert rows["slam", "true"]["mean"] == pytest.approx(table["slam"].mean())


def test_the_interval_takes_games_as_the_unit() -> None:
    table = rounds(games=4000)
    row = figures(summary.summarise(summary.tally(GAME, table)))["points_0", ""]
    games = table.group_by("game").agg(x=pl.col("points_0").sum(), n=pl.len())
    residuals = games["x"] - table["points_0"].mean() * games["n"]  # type: ignore[operator]
    deviation = np.sqrt(residuals.var() * len(games)) / len(table)
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.96 * deviation, rel=1e-3)  # type: ignore[operator]


def test_sums_are_exact_beyond_64_bits() -> None:
    huge = rounds(games=50).with_columns(points_0=pl.lit(3_000_000_000, pl.Int64))
    counted = summary.tally(GAME, huge).numbers[4, "points_0", ""]
    assert counted.squares == len(huge) * 3_000_000_000**2


def test_a_value_that_one_part_lacks_counts_as_never_there() -> None:
    table = rounds()
    with_it = table.with_columns(outcome=pl.when(pl.col("game") == 7).then(pl.lit("rare")).otherwise("outcome"))
    pieces = [summary.tally(GAME, with_it.filter(pl.col("game") // 100 == i)) for i in range(4)]
    for order in (pieces, pieces[::-1]):
        whole = summary.summarise(summary.total(order))
        assert whole.equals(summary.summarise(summary.tally(GAME, with_it)))


def test_numbers_are_counted_by_game() -> None:
    table = rounds()
    games = summary.Games.of(table)
    by_game = table.group_by("game").agg(pl.len().alias("rows"), pl.col("points_0").sum().alias("total"))
    sample = games.measure(table["points_0"].to_numpy()).by_game.sample()
    found = {(x, y + sample.origin * x): n for x, y, n in zip(sample.rows, sample.excess, sample.counts, strict=True)}
    assert found == Counter(by_game.select("rows", "total").rows())
    whole = games.indicate(table["slam"].to_numpy())
    assert (whole.by_game.total, whole.squares, whole.least, whole.most) == (*[table["slam"].sum()] * 2, 0, 1)
