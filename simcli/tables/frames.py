"""Records as polars tables: `rounds`, `seats` and `games`.

A game's RECORD says it all: a field with a number a seat becomes one column a seat, a field named in the game's
NAMED becomes text, and fields of type bool stay Boolean.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
import polars as pl

from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.tables.expressions import Column, Kind

TABLES = ("rounds", "seats", "games")
SIDED = "side"
"""The field that tells the sides of a game apart, where there is one; `team` of the table `seats`."""


def rounds(scenario: Scenario, rows: np.ndarray, columns: Collection[str] | None = None) -> pl.DataFrame:
    """One row a round, columns as in the README; `rows` are records of the game's RECORD."""
    named = Game(scenario.game).kernel.NAMED
    rows = _with_flags(scenario, rows)
    found: dict[str, pl.Series] = {}
    for name in rows.dtype.names or ():
        if _is_by_seat(rows.dtype, name):
            wanted = [seat for seat in range(scenario.players) if columns is None or f"{name}_{seat}" in columns]
            found.update({f"{name}_{seat}": _series(rows[name][:, seat], named.get(name)) for seat in wanted})
        elif columns is None or name in columns:
            found[name] = _series(rows[name], named.get(name))
    return pl.DataFrame(found)


def seats(scenario: Scenario, rows: np.ndarray, columns: Collection[str] | None = None) -> pl.DataFrame:
    """One row a seat of a round: the columns of the round, `seat`, `team`, and the seat's own."""
    named = Game(scenario.game).kernel.NAMED
    rows = _with_flags(scenario, rows)
    players = scenario.players
    found: dict[str, pl.Series] = {}
    for name in (name for name in rows.dtype.names or () if not _is_by_seat(rows.dtype, name)):
        if columns is None or name in columns:
            found[name] = _series(np.repeat(rows[name], players), named.get(name))
    if columns is None or "seat" in columns:
        found["seat"] = pl.Series(np.tile(np.arange(players, dtype=np.int8), len(rows)))
    if _has_team(scenario, rows.dtype) and (columns is None or "team" in columns):
        found["team"] = pl.Series(_teams(scenario, rows))
    for name in (name for name in rows.dtype.names or () if _is_by_seat(rows.dtype, name)):
        if columns is None or name in columns:
            found[name] = _series(rows[name][:, :players].reshape(-1), named.get(name))
    return pl.DataFrame(found)


def games(scenario: Scenario, rows: np.ndarray) -> pl.DataFrame:
    """One row a game: how many rounds, how it ended, the totals, and each seat's place by them (equals share one)."""
    named = Game(scenario.game).kernel.NAMED
    last = np.flatnonzero(np.diff(rows["game"], append=-1) != 0)
    first = np.concatenate([[0], last[:-1] + 1]).astype(np.int64)
    found = {"game": _series(rows["game"][last], None), "rounds": pl.Series((last - first + 1).astype(np.int32))}
    if "match_outcome" in (rows.dtype.names or ()):
        found["match_outcome"] = _series(rows["match_outcome"][last], named.get("match_outcome"))
    points = rows["points"][:, : scenario.players].astype(np.int64)
    totals = np.add.reduceat(points, first) if len(rows) else points
    better = totals if Game(scenario.game).kernel.HIGHER_WINS else -totals
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
    frame = table(scenario, np.zeros(1, Game(scenario.game).kernel.RECORD), name)
    return {column: _column(frame[column]) for column in frame.columns}


def _is_by_seat(record: np.dtype[Any], name: str) -> bool:
    return len(record[name].shape) > 0


def _with_flags(scenario: Scenario, rows: np.ndarray) -> np.ndarray:
    """The same records with a game's FLAGS as Booleans: compiled code knows no arrays of them inside a record."""
    flags = getattr(Game(scenario.game).kernel, "FLAGS", ())
    if not flags:
        return rows
    fields = [
        (name, "?" if name in flags else rows.dtype[name].base, rows.dtype[name].shape)
        for name in rows.dtype.names or ()
    ]
    return np.asarray(rows).view(np.dtype(fields))


def _has_team(scenario: Scenario, record: np.dtype[Any]) -> bool:
    return SIDED in (record.names or ()) or _fixed_teams(scenario) > 0


def _fixed_teams(scenario: Scenario) -> int:
    """Number of teams where seats take turns to belong to them, else 0."""
    return int(getattr(Game(scenario.game).kernel, "TEAMS", 0))


def _teams(scenario: Scenario, rows: np.ndarray) -> np.ndarray:
    players = scenario.players
    if SIDED in (rows.dtype.names or ()):
        return rows[SIDED][:, :players].reshape(-1)
    return np.tile(np.arange(players, dtype=np.int8) % _fixed_teams(scenario), len(rows))


def _series(values: np.ndarray, names: tuple[str, ...] | None) -> pl.Series:
    series = pl.Series(np.ascontiguousarray(values))
    return series if names is None else series.cast(pl.UInt8).cat.to(pl.Enum(names))


def _column(series: pl.Series) -> Column:
    if isinstance(series.dtype, pl.Enum):
        return Column(Kind.TEXT, names=tuple(series.dtype.categories))
    if series.dtype == pl.Boolean:
        return Column(Kind.BOOLEAN)
    limits = np.iinfo(series.to_numpy().dtype)
    return Column(Kind.INTEGER, int(limits.min), int(limits.max))


def records(scenario: Scenario, frame: pl.DataFrame) -> np.ndarray:
    """The records that `rounds` would make this table of; columns that are missing stay 0."""
    kernel = Game(scenario.game).kernel
    rows: np.ndarray = np.zeros(frame.height, kernel.RECORD)
    for column in frame.iter_columns():
        base, _, seat = column.name.rpartition("_")
        by_seat = column.name not in (rows.dtype.names or ())
        name = base if by_seat else column.name
        values = column.cast(pl.Enum(kernel.NAMED[name])).to_physical() if name in kernel.NAMED else column
        if by_seat:
            rows[name][:, int(seat)] = values.to_numpy()
        else:
            rows[name] = values.to_numpy()
    return rows
