"""Records as polars tables: `rounds`, `seats` and `games`.

A game's COLUMNS say it all: what each seat has a number of becomes one column a seat, words become text, and flags
Boolean.
"""

from collections.abc import Collection

import numpy as np
import polars as pl

from kernels.records import Column as RecordColumn
from kernels.records import Kind as RecordKind
from kernels.records import record_dtype
from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.tables.columns import names, of_table
from simcli.tables.expressions import Column, Kind


def rounds(scenario: Scenario, rows: np.ndarray, columns: Collection[str] | None = None) -> pl.DataFrame:
    """One row a round, columns as in the README; `rows` are records of the game's RECORD."""
    found: dict[str, pl.Series] = {}
    for name, about in Game(scenario.game).columns.COLUMNS.items():
        if about.seats:
            wanted = [seat for seat in range(scenario.players) if columns is None or f"{name}_{seat}" in columns]
            found.update({f"{name}_{seat}": _series(rows[name][:, seat], about) for seat in wanted})
        elif columns is None or name in columns:
            found[name] = _series(rows[name], about)
    return pl.DataFrame(found)


def seats(scenario: Scenario, rows: np.ndarray, columns: Collection[str] | None = None) -> pl.DataFrame:
    """One row a seat of a round: the columns of the round, `seat`, `team`, and the seat's own."""
    known = Game(scenario.game).columns.COLUMNS
    players = scenario.players
    found: dict[str, pl.Series] = {}
    for name, about in known.items():
        if not about.seats and (columns is None or name in columns):
            found[name] = _series(np.repeat(rows[name], players), about)
    if columns is None or "seat" in columns:
        found["seat"] = pl.Series(np.tile(np.arange(players, dtype=np.int8), len(rows)))
    if _has_team(scenario) and (columns is None or "team" in columns):
        found["team"] = pl.Series(_teams(scenario, rows))
    for name, about in known.items():
        if about.seats and (columns is None or name in columns):
            found[name] = _series(rows[name][:, :players].reshape(-1), about)
    return pl.DataFrame(found)


def games(scenario: Scenario, rows: np.ndarray) -> pl.DataFrame:
    """One row a game: how many rounds, how it ended, the totals, and each seat's place by them (equals share one)."""
    columns = Game(scenario.game).columns
    last = np.flatnonzero(np.diff(rows["game"], append=-1) != 0)
    first = np.concatenate([[0], last[:-1] + 1]).astype(np.int64)
    found = {
        "game": pl.Series(rows["game"][last]),
        "rounds": pl.Series((last - first + 1).astype(np.int32)),
        "match_outcome": _series(rows["match_outcome"][last], columns.COLUMNS["match_outcome"]),
    }
    points = rows["points"][:, : scenario.players].astype(np.int64)
    totals = np.add.reduceat(points, first) if len(rows) else points
    better = totals if columns.HIGHER_WINS else -totals
    for seat in range(scenario.players):
        found[f"total_{seat}"] = pl.Series(totals[:, seat])
    for seat in range(scenario.players):
        ahead = (better > better[:, seat : seat + 1]).sum(axis=1)
        found[f"place_{seat}"] = pl.Series((ahead + 1).astype(np.int8))
    return pl.DataFrame(found)


def table(scenario: Scenario, rows: np.ndarray, name: str, columns: Collection[str] | None = None) -> pl.DataFrame:
    """The table of this name, with all columns or some."""
    if name == "rounds":
        return rounds(scenario, rows, columns)
    if name == "seats":
        return seats(scenario, rows, columns)
    frame = games(scenario, rows)
    return frame if columns is None else frame.select([column for column in frame.columns if column in columns])


def schema(scenario: Scenario, name: str) -> dict[str, Column]:
    """The columns of a table, with what expressions need to know of them."""
    known = of_table(scenario, name)
    return {one: _column(about) for base, about in known.items() for one in names(base, about)}


def _has_team(scenario: Scenario) -> bool:
    columns = Game(scenario.game).columns
    return bool(columns.SIDES) or columns.TEAMS > 0


def _teams(scenario: Scenario, rows: np.ndarray) -> np.ndarray:
    players, columns = scenario.players, Game(scenario.game).columns
    if columns.SIDES:
        return rows[columns.SIDES][:, :players].reshape(-1)
    return np.tile(np.arange(players, dtype=np.int8) % columns.TEAMS, len(rows))


def _series(values: np.ndarray, about: RecordColumn) -> pl.Series:
    if about.kind == "flag":
        return pl.Series(np.ascontiguousarray(values.astype(np.bool_)))
    series = pl.Series(np.ascontiguousarray(values))
    return series.cast(pl.UInt8).cat.to(pl.Enum(about.words)) if about.words else series


def _column(about: RecordColumn) -> Column:
    if about.kind is RecordKind.word:
        return Column(Kind.TEXT, names=about.words)
    if about.kind is RecordKind.flag:
        return Column(Kind.BOOLEAN)
    limits = np.iinfo(about.dtype)
    low = int(limits.min) if about.low is None else about.low
    high = int(limits.max) if about.high is None else about.high
    return Column(Kind.INTEGER, low, high, bounded=None not in (about.low, about.high))


def records(scenario: Scenario, frame: pl.DataFrame) -> np.ndarray:
    """The records that `rounds` would make this table of; columns that are missing stay 0."""
    known = Game(scenario.game).columns.COLUMNS
    rows: np.ndarray = np.zeros(frame.height, record_dtype(known))
    for column in frame.iter_columns():
        base, _, seat = column.name.rpartition("_")
        by_seat = column.name not in known
        about = known[base if by_seat else column.name]
        values = (column.cast(pl.Enum(about.words)).to_physical() if about.words else column).to_numpy()
        if by_seat:
            rows[base][:, int(seat)] = values
        else:
            rows[column.name] = values
    return rows
