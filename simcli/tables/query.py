"""SQL over a run's tables, run by DuckDB on nothing but `rounds`, `seats` and `games`.

The tables are views over the run's parts in an engine that may read those files, write nothing and reach nothing else,
and cannot be told otherwise. What a query may cost is watched from outside of it.
"""

import re
import resource
import sys
import threading
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl

from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.errors import BUDGET, UserError, shorten
from simcli.tables import frames, sql
from simcli.tables.columns import TABLES
from simcli.tables.expressions import Column, Kind
from simcli.tables.sql import PLACE


class Budget(NamedTuple):
    """What a query may cost."""

    rows: int = 100_000
    seconds: float = 60.0
    memory: int = 2**30  # bytes that the engine may hold; the whole process may grow by twice as much


class Tables(NamedTuple):
    """A run's tables, ready to be asked."""

    connection: duckdb.DuckDBPyConnection
    schema: sql.Schema
    budget: Budget


# Tables


def open_tables(scenario: Scenario, paths: Sequence[Path], budget: Budget) -> Tables:
    """`rounds` from parquet files, and `seats` and `games` as they follow from it, read when they are asked."""
    schema = {name: frames.schema(scenario, name) for name in TABLES}
    connection = duckdb.connect(":memory:", config=_SETTINGS | {"memory_limit": f"{budget.memory}B"})
    files = [_utf8(path) for path in paths]
    patterns = [re.sub(r"([\[*?])", r"[\1]", file) for file in files]  # that fit nothing but the file
    source = f"read_parquet({_texts(patterns)}, hive_partitioning = false)"
    connection.execute(f"CREATE VIEW rounds AS SELECT {_columns(schema['rounds'])} FROM {source}")
    connection.execute(f"CREATE VIEW seats AS {_seats(scenario, schema)}")
    connection.execute(f"CREATE VIEW games AS {_games(scenario, schema['games'])}")
    connection.execute(f"SET allowed_paths = {_texts([*files, *patterns])}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return Tables(connection, schema, budget)


_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,  # sums of floating point numbers depend on how rows are shared out
    "temp_directory": "",
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "python_enable_replacements": False,
    "error_on_division_by_zero": False,
    "ieee_floating_point_ops": False,  # no infinity out of 1 / 0
}


def _utf8(path: Path) -> str:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise UserError(str(path.parent), "is not named in UTF-8, as a query needs; rename it") from None
    return str(path)


def _texts(texts: Sequence[str]) -> str:
    """A list of texts in SQL."""
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"


def _columns(columns: dict[str, Column]) -> str:
    """Integers of 64 bits whatever the file has, so that calculating with them does not overflow."""
    types = {Kind.INTEGER: "BIGINT", Kind.BOOLEAN: "BOOLEAN", Kind.TEXT: "VARCHAR"}
    return ", ".join(f'CAST("{name}" AS {types[column.kind]}) AS "{name}"' for name, column in columns.items())


def _seats(scenario: Scenario, schema: sql.Schema) -> str:
    return " UNION ALL ".join(
        f"SELECT {', '.join(_of_seat(scenario, schema, name, seat) for name in schema['seats'])} FROM rounds"
        for seat in range(scenario.players)
    )


def _of_seat(scenario: Scenario, schema: sql.Schema, name: str, seat: int) -> str:
    about = Game(scenario.game).columns
    if name == "team":
        return f'"{about.SIDES}_{seat}" AS team' if about.SIDES else f"{seat % about.TEAMS}::BIGINT AS team"
    if name == "seat":
        return f"{seat}::BIGINT AS seat"
    return f'"{name}"' if name in schema["rounds"] else f'"{name}_{seat}" AS "{name}"'


def _games(scenario: Scenario, columns: dict[str, Column]) -> str:
    seats = range(scenario.players)
    sign = ">" if Game(scenario.game).columns.HIGHER_WINS else "<"
    made = {"rounds": "count(*)", "match_outcome": "arg_max(match_outcome, round)"}
    made |= {f"total_{seat}": f"sum(points_{seat})::BIGINT" for seat in seats}
    for seat in seats:
        ahead = " + ".join(f"(total_{other} {sign} total_{seat})::BIGINT" for other in seats)
        made[f"place_{seat}"] = f"1 + {ahead}"
    sums = ", ".join(f"{made[name]} AS {name}" for name in columns if name != "game" and "place" not in name)
    places = ", ".join(f"{made[name]} AS {name}" for name in columns if "place" in name)
    return f"SELECT *, {places} FROM (SELECT game, {sums} FROM rounds GROUP BY game)"


# Asking


def ask(tables: Tables, text: str) -> pl.DataFrame:
    """The result of a query: integers, floats, Booleans and text; integers beyond 64 bits are decimals without places.

    Raises UserError if it is not allowed, cannot be run, or (with the code BUDGET) costs more than it may.
    """
    checked = sql.prepare(text, tables.schema, tables.budget.rows + 1)
    frame = _watched(tables, checked)
    if frame.height > tables.budget.rows:
        message = f"more than {tables.budget.rows:,} rows; aggregate, add LIMIT, or raise --limit"
        raise UserError(PLACE, message, BUDGET)
    return pl.DataFrame([_plain(column) for column in frame.iter_columns()])


def _plain(column: pl.Series) -> pl.Series:
    """Sums as 64-bit integers if they fit, and no value where a number is none. Raises UserError for whole rows."""
    if column.dtype.is_nested():
        raise UserError(PLACE, f"{shorten(column.name)} is a whole row; name its columns")
    if column.dtype.is_float():
        return column.set(~column.is_finite(), None)
    if column.dtype.is_decimal():
        whole = column.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == column.null_count() else column
    return column


def _watched(tables: Tables, checked: str) -> pl.DataFrame:
    """Run a query in a thread of its own; who takes too much is told to stop, and not waited for."""
    found: list[pl.DataFrame | Exception] = []
    worker = threading.Thread(target=lambda: found.append(_run(tables.connection, checked)), daemon=True)
    started, memory = time.monotonic(), _peak_memory()
    worker.start()
    try:
        while worker.is_alive():
            worker.join(0.05)
            if time.monotonic() - started > tables.budget.seconds:
                raise UserError(PLACE, f"not done in {tables.budget.seconds:g} s; raise --time-limit", BUDGET)
            if _peak_memory() - memory > 2 * tables.budget.memory:
                raise _too_much_memory(tables.budget)
    finally:
        tables.connection.interrupt()
    (result,) = found
    if isinstance(result, duckdb.OutOfMemoryException | MemoryError):
        raise _too_much_memory(tables.budget)
    if isinstance(result, duckdb.Error):
        raise UserError(PLACE, _reason(result))
    if isinstance(result, Exception):
        raise result
    return result


def _run(connection: duckdb.DuckDBPyConnection, checked: str) -> pl.DataFrame | Exception:
    try:
        relation = connection.sql(checked)
        names = [name.lower() for name in relation.columns]
        for name in names:
            if names.count(name) > 1:
                return UserError(PLACE, f"two columns are named {shorten(name)}; name one of them with AS")
        return pl.DataFrame(relation)
    except Exception as error:
        return error


def _peak_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _too_much_memory(budget: Budget) -> UserError:
    return UserError(PLACE, f"needs more than {budget.memory / 2**30:g} GiB of memory; aggregate or add WHERE", BUDGET)


_REASONS = (
    (r'[Cc]olumn "(.+?)" must appear in the GROUP BY', "{} is neither in GROUP BY nor in a function such as MIN"),
    (r'Ambiguous reference to column name "(.+?)"', "{} is a column of several tables; write TABLE.{}"),
    (r'Referenced table "(.+?)" not found', "there is no {} in FROM"),
    (r'[Cc]olumn "(.+?)" .*(?:not found|not exist)', "the tables in FROM have no column {}"),
    (r"argument types '([^(]+)\(", "{} does not take such values"),
    (r"Could not convert|Cannot (?:mix|compare)", "text and numbers, or true and false, do not mix"),
    (r"logarithm", "only numbers above 0 have a logarithm"),
    (r"square root", "only numbers from 0 have a square root"),
    (r"Overflow|Out of Range", "a whole number outgrows 64 bits; 1e0 * goes on in floating point"),
    (r"cannot (?:be nested|contain)", "SUM, LAG and the like cannot be in WHERE or in each other; use a subquery"),
    (r"More than one row", "a subquery used as a value gives more than one row"),
    (r"Subquery returns", "a subquery used as a value gives more than one column"),
    (r"Set operations", "both sides of a UNION, EXCEPT or INTERSECT need as many columns"),
    (r"term out of range", "GROUP BY or ORDER BY counts beyond the columns"),
    (r"LIMIT/OFFSET", "LIMIT and OFFSET take a whole number"),
    (r"(?i)quantile", "quantiles take a constant between 0 and 1"),
    (r"expression depth", "nested too deeply"),
    (r"Duplicate CTE", "WITH gives one name twice"),
    (r"^IO Error|^Permission", "a part of the run cannot be read; simcli verify says which"),
)
"""What the engine says, and what that means here."""


def _reason(error: duckdb.Error) -> str:
    for pattern, meaning in _REASONS:
        found = re.search(pattern, str(error))
        if found:
            return meaning.format(*found.groups() * 2)
    return "cannot be run; look at its columns, their kinds and its groups"


def plain_rows(frame: pl.DataFrame) -> list[dict[str, object]]:
    """Rows as Python values."""
    return [
        {name: int(value) if isinstance(value, Decimal) else value for name, value in row.items()}
        for row in frame.to_dicts()
    ]
