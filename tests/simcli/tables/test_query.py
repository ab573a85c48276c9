"""SQL over runs: what it computes, what it refuses, and what it may cost."""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from simcli.app import run
from simcli.errors import BUDGET, USAGE, UserError
from simcli.tables import columns, frames, query
from simcli.tables.expressions import NUMBERS, parse, select
from tests.simcli import toyruns
from tests.simcli.synthetic import records, redox

SCENARIO = redox(rounds=4)
ROWS = records(300, rounds=4)
SOURCE = np.random.default_rng(11)
ROWS["turns"] = SOURCE.integers(1, 300, len(ROWS))
ROWS["left"][:, :4] = SOURCE.integers(0, 16, (len(ROWS), 4))
ROUNDS = frames.rounds(SCENARIO, ROWS)
Ask = Callable[[str], pl.DataFrame]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two parts, in a folder whose name is full of signs that mean something to engines."""
    folder = tmp_path_factory.mktemp("a[b]*?'c") / "x=1"
    folder.mkdir()
    cut = ROUNDS["game"] < 150
    for name, rows in (("0", ROUNDS.filter(cut)), ("1", ROUNDS.filter(~cut))):
        rows.write_parquet(folder / f"{name}.parquet")
    return [folder / "0.parquet", folder / "1.parquet"]


@pytest.fixture(scope="module")
def ask(parts: list[Path]) -> Ask:
    tables = query.open_tables(SCENARIO, parts, query.Budget())
    return lambda text: query.ask(tables, text)


@pytest.fixture
def strict(parts: list[Path]) -> Callable[..., pl.DataFrame]:
    """Asks with a budget of its own."""
    return lambda text, **budget: query.ask(query.open_tables(SCENARIO, parts, query.Budget(**budget)), text)


# Values


@pytest.mark.parametrize("name", columns.TABLES)
def test_tables_are_those_of_the_records_in_the_order_of_games(ask: Ask, name: str) -> None:
    expected = frames.table(SCENARIO, ROWS, name)
    found = ask(f"SELECT * FROM {name}")
    assert found.columns == expected.columns == list(frames.schema(SCENARIO, name))
    assert found.rows() == expected.rows()
    assert ask(f"SELECT * FROM {name} LIMIT 7").rows() == expected.head(7).rows()
    later = expected.filter(pl.col("game") > 250)
    assert ask(f"SELECT * FROM {name} WHERE game > 250").rows() == later.rows()


LEFT = ROWS["left"].astype(int)
TURNS = ROWS["turns"].astype(int)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("COUNT(*) FROM rounds", len(ROWS)),
        ("SUM(points_0) FROM rounds WHERE slam AND outcome = 'slam'",
         int(ROWS["points"][ROWS["slam"] & (ROWS["outcome"] == 1), 0].sum())),
        ("COUNT(*) FROM rounds JOIN games USING (game)", len(ROWS)),
        ("COUNT(*) FROM rounds r JOIN seats s ON r.game = s.game AND r.round = s.round", 4 * len(ROWS)),
        ("COUNT(*) FROM (SELECT DISTINCT game FROM rounds) AS x", 300),
        ("COUNT(*) FROM rounds a, games b WHERE b.game < 3", 3 * len(ROWS)),
        ("AVG(left_0 * left_0) FROM rounds", float((LEFT[:, 0] ** 2).mean())),
        ("COUNT(*) FROM rounds WHERE left_0 * left_0 > 100", int((LEFT[:, 0] ** 2 > 100).sum())),
        ("MAX(seat * 100) FROM seats", 300),
        ("SUM(turns * turns * turns) FROM rounds", int((TURNS**3).sum())),
        ("SUM(turns / 7.0) FROM rounds", pytest.approx(TURNS.sum() / 7, rel=1e-12)),
        ("SUM(turns) * 1000000000000 * 1000000000000 FROM rounds", int(TURNS.sum()) * 10**24),
        ("1.0 / 1000000000.0", 1e-9),
        ("0.1 + 0.2 = 0.3", False),
        (".5e2", 50.0),
        ("7 / 2", 3.5),
        ("-7 % 3", -1),
        ("100000 * 100000", 10**10),
        ("COUNT(*) FROM rounds WHERE game % 2 = 0", int((ROWS["game"] % 2 == 0).sum())),
        ("CAST(1.5 AS INT)", 1),
        ("CAST(-1.5 AS INT)", -1),
        ("SUM(CAST(slam AS INT)) FROM rounds", int(ROWS["slam"].sum())),
        ("AVG(slam) FROM rounds", float(ROWS["slam"].mean())),
        ("COUNT(*) FILTER (WHERE slam) FROM rounds", int(ROWS["slam"].sum())),
        ("QUANTILE_CONT(turns, 0.5) FROM rounds", float(np.median(TURNS))),
        ("MEDIAN(turns) FROM rounds", float(np.median(TURNS))),
        ("ROUND(2.345, 2)", 2.35),
        ("TRUNC(1.789, 2)", 1.78),
        ("MIN(outcome) || MAX(outcome) FROM rounds", "outvoid"),
        ("UPPER(MIN(outcome)) FROM rounds", "OUT"),
        ("LENGTH(outcome) FROM rounds WHERE outcome = 'slam' LIMIT 1", 4),
        ("COALESCE(1 / 0, 5)", 5.0),
        ("5 % 0", None),
        ("1e308 * 10", None),
        ("POWER(-8, 0.5)", None),
    ],
)  # fmt: skip
def test_values(ask: Ask, sql: str, expected: object) -> None:
    (row,) = query.plain_rows(ask(f"SELECT {sql.replace(' FROM', ' AS n FROM') if ' FROM' in sql else f'{sql} AS n'}"))
    assert row == {"n": expected}
    assert type(row["n"]) is type(expected) or not isinstance(expected, int | float | str)


def test_places_by_totals(ask: Ask) -> None:
    for row in ask("SELECT * FROM games").to_dicts():
        ahead = sum(row[f"total_{seat}"] < row["total_0"] for seat in (1, 2, 3))
        assert row["place_0"] == 1 + ahead


# The same expression, the same value

NAMES = ("turns", "left_0", "points_0", "orbit", "game")
LEAVES = st.sampled_from(NAMES) | st.integers(0, 40).map(str) | st.sampled_from(("0.1", "2.5", "1e-3", ".5e1"))


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions made of expressions; / divides floating point, which sqlite cannot be told otherwise."""
    truth = st.builds("{} {} {}".format, inner, st.sampled_from(("=", "<>", "<", "<=", ">", ">=")), inner)
    return (
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner)
        | st.builds("(1.0 * {} / {})".format, inner, inner)
        | st.builds("({} % {})".format, st.sampled_from(NAMES), st.integers(1, 9))
        | st.builds("(-{})".format, inner)
        | st.builds("ABS({})".format, inner)
        | st.builds("CASE WHEN {} THEN {} ELSE {} END".format, truth, inner, inner)
        | st.builds("CASE WHEN {} BETWEEN {} AND {} AND NOT slam THEN 1 ELSE 0 END".format, inner, inner, inner)
    )


EXPRESSIONS = st.recursive(LEAVES, larger, max_leaves=8)


def by_sqlite() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    columns = ["game", "round", "slam", *(name for name in NAMES if name != "game")]
    connection.execute(f"CREATE TABLE rounds ({', '.join(columns)})")
    rows = ROUNDS.select(columns).head(60).rows()
    connection.executemany(f"INSERT INTO rounds VALUES ({', '.join('?' * len(columns))})", rows)
    return connection


SQLITE = by_sqlite()


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@example("CASE WHEN 0 = CASE WHEN turns = turns THEN 0 ELSE turns END THEN 0 ELSE 0 END")
@given(EXPRESSIONS)
def test_events_queries_and_sqlite_give_the_same_values(ask: Ask, expression: str) -> None:
    hand = [row[0] for row in SQLITE.execute(f"SELECT {expression} FROM rounds ORDER BY game, round")]
    queried = attempt(lambda: ask(f"SELECT {expression} AS n FROM rounds LIMIT 60")["n"].to_list())
    event = attempt(lambda: evaluated(expression))
    assert queried is None or all(map(same, queried, hand))
    # Without a value, an event or a mean is an error.
    assert event is None or all(mine is None or same(mine, theirs) for mine, theirs in zip(event, hand, strict=True))


def same(mine: object, theirs: object) -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    return bool(mine == pytest.approx(theirs, rel=1e-12, abs=1e-300))


def evaluated(expression: str) -> list[object]:
    columns = frames.schema(SCENARIO, "rounds")
    found = parse(expression, columns, "mean", NUMBERS)
    return select(ROUNDS.head(60), pl.col("game"), found.polars.alias("value"))["value"].to_list()


def test_events_do_not_wrap_in_narrow_columns() -> None:
    seats = frames.seats(SCENARIO, ROWS)
    for text, expected in (("seat * 100", 300), ("left * left * left", 15**3), ("0 - seat * seat * 50", 0)):
        found = parse(text, frames.schema(SCENARIO, "seats"), "mean", NUMBERS)
        assert seats.select(found.polars).to_series().max() == expected


def attempt(compute: Callable[[], list[object]]) -> list[object] | None:
    """The values, or None where the expression is refused."""
    try:
        return compute()
    except UserError:
        return None


# One answer


def test_rows_and_ties_come_in_the_order_of_games(ask: Ask) -> None:
    assert ask("SELECT outcome FROM rounds LIMIT 9")["outcome"].to_list() == ROUNDS["outcome"].head(9).to_list()
    ordered = ROUNDS.cast({"outcome": pl.String}).sort("outcome", "game", "round", descending=[True, False, False])
    found = ask("SELECT game, round FROM rounds ORDER BY outcome DESC LIMIT 40")
    assert found.rows() == ordered.select("game", "round").head(40).rows()


def test_ties_are_numbered_in_the_order_of_games(ask: Ask) -> None:
    found = ask("SELECT game, round, ROW_NUMBER() OVER (ORDER BY orbit) AS n FROM rounds")
    ordered = ROUNDS.sort("orbit", "game", "round").with_row_index("n", 1).sort("game", "round")
    assert found["n"].to_list() == ordered["n"].to_list()


def test_groups_come_in_order(ask: Ask) -> None:
    found = ask("SELECT outcome, slam, COUNT(*) FROM rounds GROUP BY outcome, slam")
    assert found.rows() == sorted(found.rows())
    best = ask("WITH t AS (SELECT game, MIN(orbit) AS n FROM rounds GROUP BY game) SELECT * FROM t ORDER BY n LIMIT 9")
    assert best.rows() == sorted(best.rows(), key=lambda row: (row[1], row[0]))


def test_text_is_ordered_by_its_letters(ask: Ask) -> None:
    assert ask("SELECT outcome FROM rounds GROUP BY 1 ORDER BY outcome").rows() == [("out",), ("slam",), ("void",)]


def test_names_of_columns(ask: Ask) -> None:
    sql = "SELECT COUNT(*), MIN(turns), MAX(turns), AVG(turns * 2), GREATEST(turns, 1) FROM rounds GROUP BY turns"
    names = ["count", "min_turns", "max_turns", "AVG(turns * 2)", "GREATEST(turns, 1)"]
    assert ask(sql).columns == names
    assert ask("SELECT count FROM (SELECT COUNT(*) FROM rounds)")["count"].to_list() == [len(ROWS)]


# Refusals


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("", "empty"),
        ("SELECT", "nothing"),
        ("SELECT FROM rounds", "nothing"),
        ("DROP TABLE rounds", "only SELECT"),
        ("INSERT INTO rounds VALUES (1)", "only SELECT"),
        ("UPDATE rounds SET game = 1", "only SELECT"),
        ("CREATE TABLE x AS SELECT 1", "only SELECT"),
        ("COPY rounds TO 'x.csv'", "only SELECT"),
        ("EXPLAIN SELECT 1", "only SELECT"),
        ("SET threads = 9", "only SELECT"),
        ("PRAGMA version", "only SELECT"),
        ("INSTALL httpfs", "only SELECT"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT * FROM read_csv('/etc/passwd')", "is not a table"),
        ("SELECT * FROM READ_PARQUET('x')", "is not a table"),
        ("SELECT * FROM duckdb_settings()", "is not a table"),
        ("SELECT * FROM '/etc/passwd'", "double quotes"),
        ("SELECT * FROM other", "table 'other' does not exist; there are rounds, seats, games"),
        ("SELECT * FROM ROWS", "table 'ROWS' does not exist"),
        ("SELECT * FROM sqlite_master", "does not exist"),
        ("SELECT * FROM information_schema.tables", "is not a table"),
        ("SELECT * FROM public.rounds", "is not a table"),
        ("SELECT read_text('/etc/passwd') FROM rounds", "is not allowed"),
        ("SELECT getenv('HOME') FROM rounds", "is not allowed"),
        ("SELECT current_setting('threads')", "is not allowed"),
        ("SELECT current_user", "is not allowed"),
        ("SELECT now()", "is not allowed"),
        ("SELECT random()", "is not allowed"),
        ("SELECT GENERATE_SERIES(1, 1000000000) FROM rounds", "is not allowed"),
        ("SELECT REPEAT('x', 1000000000) FROM rounds", "is not allowed"),
        ("SELECT [turns] FROM rounds", "is not allowed"),
        ("SELECT {'a': 1}", "is not allowed"),
        ("SELECT COLUMNS('a.*') FROM rounds", "is not allowed"),
        ("SELECT ? FROM rounds", "is not allowed"),
        ("SELECT * FROM rounds POSITIONAL JOIN games", "POSITIONAL JOIN is not allowed"),
        ("SELECT * FROM rounds SEMI JOIN games USING (game)", "SEMI JOIN is not allowed"),
        ("WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT * FROM t", "RECURSIVE"),
        ("WITH rounds AS (SELECT 1 AS n) SELECT * FROM rounds", "hides the table"),
        ("SELECT CAST(game AS DATE) FROM rounds", "type DATE is not allowed"),
        ("SELECT * INTO x FROM rounds", "INTO is not allowed"),
        ("SELECT * FROM rounds TABLESAMPLE (10)", "is not allowed"),
        ("SELECT FIRST(turns) FROM rounds", "FIRST depends on the order of rows"),
        ("SELECT ANY_VALUE(turns) FROM rounds", "depends on the order of rows"),
        ("SELECT STRING_AGG(outcome) FROM rounds", "depends on the order of rows"),
        ("SELECT DISTINCT ON (outcome) game FROM rounds", "depends on the order of rows"),
        ("SELECT MAX(turns, 2) FROM rounds", "LEAST and GREATEST"),
        ("SELECT ROW_NUMBER() OVER (ORDER BY turns) FROM rounds GROUP BY turns", "in a subquery"),
        ("SELECT outcome FROM rounds WHERE outcome = slam", "single quotes: 'slam'"),
        ("SELECT outcome FROM rounds WHERE outcome = void", "single quotes: 'void'"),
        ('SELECT outcome FROM rounds WHERE outcome = "slam"', "double quotes"),
        ("SELECT turn FROM rounds", "unknown column 'turn'; did you mean turns"),
        ("SELECT rowid FROM rounds", "unknown column"),
        ("SELECT filename FROM rounds", "unknown column"),
        ("SELECT points_0 FROM games", "the tables in FROM have no column points_0"),
        ("SELECT x.game FROM rounds", "there is no x in FROM"),
        ("SELECT game, COUNT(*) FROM rounds", "game is neither in GROUP BY"),
        ("SELECT game FROM rounds a, games b", "game is a column of several tables"),
        ("SELECT * FROM rounds a JOIN games b ON a.game = b.game", "two columns are named 'game'"),
        ("SELECT turns + outcome FROM rounds", "+ does not take such values"),
        ("SELECT outcome > 5 FROM rounds", "do not mix"),
        ("SELECT SUM(SUM(turns)) FROM rounds", "or in each other"),
        ("SELECT turns FROM rounds WHERE SUM(turns) > 1", "cannot be in WHERE"),
        ("SELECT rounds FROM rounds", "'rounds' is a whole row"),
        ("SELECT turns // 2 FROM rounds", "'turns // 2' is not allowed"),
        ("SELECT (SELECT turns FROM rounds)", "more than one row"),
        ("SELECT turns * 1000000000000000000 FROM rounds", "outgrows 64 bits"),
        ("SELECT 9223372036854775807 + 1", "outgrows 64 bits"),
        ("SELECT 99999999999999999999", "beyond 64-bit integers"),
        ("SELECT 1e999", "beyond floating point"),
        ("SELECT LN(0)", "logarithm"),
        ("SELECT SQRT(-turns) FROM rounds", "square root"),
        ("SELECT '\x1b[31m' FROM rounds", "control characters"),
        ("SELECT 1 AS a\x9b FROM rounds", "control characters"),
        ("SELECT 1 FROM rounds WHERE", "something is missing"),
        ("SELECT " + "(" * 3000 + "1" + ")" * 3000, "nested too deeply"),
        ("SELECT " + "CONCAT(outcome, " * 400 + "''" + ")" * 400 + " FROM rounds", "nested too deeply"),
        ("SELECT 1" + "+1" * 4000 + " FROM rounds", "nested too deeply"),
        ("SELECT 1" + " + 1" * 4000 + " FROM rounds", "characters long"),
    ],
)  # fmt: skip
def test_refused(ask: Ask, sql: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        ask(sql)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert caught.value.code == USAGE


@pytest.mark.parametrize(
    "sql",
    ["SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM '/etc/passwd'", "COPY rounds TO '/tmp/x.csv'",
     "SET threads = 9", "ATTACH '/tmp/x.db'", "INSTALL httpfs", "LOAD httpfs", "SET enable_external_access = true"],
)  # fmt: skip
def test_the_engine_itself_is_locked(parts: list[Path], sql: str) -> None:
    import duckdb

    tables = query.open_tables(SCENARIO, parts, query.Budget())
    with pytest.raises(duckdb.Error):
        tables.connection.execute(sql)


# Cost


def test_too_many_rows_are_an_error(strict: Callable[..., pl.DataFrame]) -> None:
    assert strict("SELECT game FROM games", rows=300).height == 300
    with pytest.raises(UserError, match="more than 299 rows") as caught:
        strict("SELECT game FROM games", rows=299)
    assert caught.value.code == BUDGET


GROWING = "WITH t0 AS (SELECT outcome AS x FROM rounds)" + "".join(
    f", t{n} AS (SELECT x || x AS x FROM t{n - 1})" for n in range(1, 40)
)
DOUBLING = "WITH t0 AS (SELECT game FROM rounds)" + "".join(
    f", t{n} AS (SELECT * FROM t{n - 1} UNION ALL SELECT * FROM t{n - 1})" for n in range(1, 40)
)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM rounds a, rounds b, rounds c WHERE a.game + b.game < c.game * c.game",
        "SELECT a.game FROM rounds a JOIN rounds b ON a.game = a.game, rounds c ORDER BY 1",
        DOUBLING + " SELECT COUNT(*) FROM t39",
        GROWING + " SELECT MAX(LENGTH(x)) FROM t39",
    ],
    ids=["product", "untied join", "doubling", "growing"],
)
def test_time_and_memory_end(tmp_path: Path, toy: str, sql: str) -> None:
    folder = toyruns.make(tmp_path, 1500)
    code, out, err = toyruns.call(["query", folder.path, sql, "--time-limit", "1"])
    assert code == BUDGET
    assert out == ""
    assert err in ("SQL: not done in 1 s; raise --time-limit\n",
                   "SQL: needs more than 1 GiB of memory; aggregate or add WHERE\n")  # fmt: skip


def test_long_lists_of_columns_take_no_time(strict: Callable[..., pl.DataFrame]) -> None:
    assert strict(f"SELECT LEAST({', '.join(['turns'] * 1400)}) AS n FROM rounds", seconds=5)["n"].to_list() == [*TURNS]


# The command


def test_a_run(tmp_path: Path, toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(toyruns.make(tmp_path, 1500).path)
    capsys.readouterr()
    sql = "SELECT outcome AS o, COUNT(*) AS n, SUM(points_0) AS p, 1e308 * 10 AS inf FROM rounds GROUP BY outcome"
    assert run(["query", folder, sql, "-o", "json"]) == 0
    (row, *_) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert (row["n"], row["inf"]) == (3000, None)
    assert run(["query", folder, "SELECT '=1+1' AS x FROM games LIMIT 1", "-o", "csv"]) == 0
    assert capsys.readouterr().out == "x\n'=1+1\n"
    assert run(["query", folder, "SELECT game FROM games WHERE FALSE"]) == 0
    assert capsys.readouterr().out == "no rows\n"
    assert run(["query", str(tmp_path), sql]) == USAGE
    assert run(["query", folder, "SELECT game FROM games", "--limit", "10"]) == BUDGET


def test_a_result_in_a_file(tmp_path: Path, toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(toyruns.make(tmp_path, 1500).path)
    capsys.readouterr()
    sql = "SELECT game, total_0, total_0 / 3.0 AS third FROM games WHERE game < 20"
    for name in ("answer.parquet", "answer.csv", "answer.csv"):
        assert run(["query", folder, sql, "-O", str(tmp_path / name)]) == 0
    assert capsys.readouterr().out == ""
    parquet, csv = pl.read_parquet(tmp_path / "answer.parquet"), pl.read_csv(tmp_path / "answer.csv")
    assert parquet["game"].to_list() == csv["game"].to_list() == list(range(20))
    assert parquet.equals(csv)


@pytest.mark.parametrize("file", ["answer.txt", "answer", "missing/answer.csv", "folder.csv"])
def test_files_that_cannot_be_written(tmp_path: Path, toy: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(toyruns.make(tmp_path, 1500).path)
    (tmp_path / "folder.csv").mkdir()
    capsys.readouterr()
    assert run(["query", folder, "SELECT 1", "-O", str(tmp_path / file)]) == USAGE
    assert file in capsys.readouterr().err


def test_a_folder_not_named_in_utf_8(toy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = toyruns.make(tmp_path, 1000).path
    renamed = path.rename(tmp_path / os.fsdecode(b"caf\xe9"))
    capsys.readouterr()
    assert run(["query", str(renamed), "SELECT 1"]) == USAGE
    assert "caf\\udce9" in capsys.readouterr().err


@pytest.mark.parametrize("time", ["0", "x", "-1", "1d", "nan", "1 2", "1e9"])
def test_times_that_are_none(time: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", "nowhere", "SELECT 1", "--time-limit", time]) == USAGE
    assert "write 30, 30s, 1m" in capsys.readouterr().err
