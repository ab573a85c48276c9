"""Parts whose checksum is right and whose rows are not those that their label promises: every reader refuses them."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from simcli import app
from simcli.errors import USAGE, VIOLATION
from simcli.runs import part_file
from simcli.runs.part_file import Label
from simcli.runs.runfolder import RunFolder, open_run
from tests.simcli.toyruns import digests, make

pytestmark = pytest.mark.usefixtures("toy")

GAMES = 3000
SPOILT = 1
"""The part that is tampered with: games 1000..1999, in two rounds each."""

Tamper = Callable[[pl.DataFrame, RunFolder], pl.DataFrame]


def set_cell(column: str, row: int, value: int) -> Tamper:
    """Put a value of the same type in one cell."""

    def tamper(rows: pl.DataFrame, folder: RunFolder) -> pl.DataFrame:
        there = rows[column]
        return rows.with_columns(there.scatter(row, pl.Series([value], dtype=there.dtype)))

    return tamper


def set_word(column: str, word: str) -> Tamper:
    """Put a word in all cells of a column, a new one among its words if need be."""

    def tamper(rows: pl.DataFrame, folder: RunFolder) -> pl.DataFrame:
        words = [*rows[column].dtype.categories, word]
        return rows.with_columns(pl.lit(word, pl.Enum(list(dict.fromkeys(words)))).alias(column))

    return tamper


def with_null(rows: pl.DataFrame, folder: RunFolder) -> pl.DataFrame:
    hole = pl.when(pl.col("game") == 1500).then(None).otherwise(pl.col("winner"))
    return rows.with_columns(hole.alias("winner"))


TAMPERS: dict[str, tuple[Tamper, str]] = {
    "no rows": (lambda rows, _: rows.clear(), "has 0 of its 1000 games"),
    "half of the rows": (lambda rows, _: rows.head(1000), "has 500 of its 1000 games"),
    "the second half": (lambda rows, _: rows.tail(1000), "has 500 of its 1000 games"),
    "twice": (lambda rows, _: pl.concat([rows, rows]), "more rows than its games can have rounds"),
    "each row twice": (lambda rows, _: pl.concat([rows, rows]).sort("game", "round"), "more rows than its games can"),
    "a game twice": (lambda rows, _: pl.concat([rows.head(1998), rows.slice(1996, 2)]), "has 999 of its 1000 games"),
    "no last round": (lambda rows, _: rows.head(1999), "a match without an end"),
    "an end too early": (set_word("match_outcome", "rounds"), "a match without an end, or with two"),
    "another part's rows": (lambda _, folder: folder.rows(2), "games of another part"),
    "a round too few": (lambda rows, _: rows.tail(1999), "rows out of order"),
    "backwards": (lambda rows, _: rows.reverse(), "rows out of order"),
    "rounds swapped": (
        lambda rows, _: rows.with_columns(round=3 - pl.col("round")).cast({"round": pl.Int32}),
        "rows out of order",
    ),
    "a null": (with_null, "column winner has gaps"),
    "only nulls": (lambda rows, _: rows.with_columns(points_0=pl.lit(None, pl.Int32)), "column points_0 has gaps"),
    "a column less": (lambda rows, _: rows.drop("points_2"), "columns are not those of its run"),
    "a column more": (lambda rows, _: rows.with_columns(points_3=pl.col("points_0")), "columns are not those of"),
    "columns in another order": (lambda rows, _: rows.select(sorted(rows.columns)), "columns are not those of its run"),
    "another type": (lambda rows, _: rows.cast({"points_1": pl.Int64}), "columns are not those of its run"),
    "text for words": (lambda rows, _: rows.cast({"outcome": pl.String}), "columns are not those of its run"),
    "other words": (set_word("outcome", "lost"), "columns are not those of its run"),
    "a seat that is none": (set_cell("winner", 77, 3), "winner is 3 in game 1038"),
    "a seat far off": (set_cell("winner", 0, -100), "winner is -100 in game 1000"),
}


@pytest.fixture(params=TAMPERS)
def spoilt(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[RunFolder, str]:
    """A run in which one part is tampered with, and what every reader must say of it."""
    tamper, message = TAMPERS[request.param]
    folder = make(tmp_path / "r", GAMES)
    part, data = folder.read(SPOILT)
    rows = tamper(part_file.table(data), folder)
    path = folder.part_path(SPOILT)
    path.write_bytes(part_file.encode(rows, Label(folder.identity, folder.describe(), part, folder.size)))
    return folder, message


def test_every_reader_refuses_it_and_resume_makes_it_again(
    tmp_path: Path, spoilt: tuple[RunFolder, str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, message = spoilt
    capsys.readouterr()
    place = str(folder.part_path(SPOILT))
    remedy = f"`simcli resume {folder}` repairs the run"
    for words in (
        ["ask", folder, "winner = 0"],
        ["query", folder, "SELECT COUNT(*) FROM rounds"],
        ["merge", folder, "--results", tmp_path / "merged"],
        ["verify", folder, "--parts", "0"],
    ):
        code = app.run([str(word) for word in words])
        captured = capsys.readouterr()
        assert code == VIOLATION, words
        line = next(line for line in captured.err.splitlines() if line.startswith(place))
        assert message in line
        assert remedy in line
    assert not (tmp_path / "merged").exists()
    assert app.run(["resume", str(folder)]) == 0
    assert message in capsys.readouterr().err
    assert digests(folder.path) == digests(make(tmp_path / "straight", GAMES).path)
    assert open_run(folder.path).survey()[1] == []


def test_a_part_that_fits_its_label_is_taken(tmp_path: Path) -> None:
    folder = make(tmp_path, 1700)
    assert folder.rows(1)["game"].to_list()[:3] == [1000, 1000, 1001]
    assert folder.rows(1).height == 1400


def test_nothing_is_answered_without_game_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make(tmp_path, GAMES)
    folder.part_path(0).unlink()
    capsys.readouterr()
    for words in (["ask", folder, "winner = 0"], ["query", folder, "SELECT COUNT(*) FROM rounds"]):
        assert app.run([str(word) for word in words]) == USAGE
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err == f"{folder}: game 0 is missing; `simcli resume {folder}` plays it\n"
