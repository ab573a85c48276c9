"""SQL over runs: what it computes, and everything it refuses."""

import json
from pathlib import Path

import polars as pl
import pytest

from simcli.app import run
from simcli.errors import UserError
from simcli.tables import frames, query
from tests.simcli import toyruns
from tests.simcli.synthetic import records, redox

ROWS = records(300, rounds=4)
SCENARIO = redox(rounds=4)
TABLES = query.tables(SCENARIO, frames.rounds(SCENARIO, ROWS).lazy())


def ask(sql: str) -> pl.DataFrame:
    return query.ask(TABLES, sql)


@pytest.mark.parametrize("name", frames.TABLES)
def test_tables_are_those_of_the_records(name: str) -> None:
    keys = ["game", "round", "seat"] if name == "seats" else ["game", "round"] if name == "rounds" else ["game"]
    expected = frames.table(SCENARIO, ROWS, name)
    assert ask(f"SELECT * FROM {name}").sort(keys).equals(expected.sort(keys))
    assert list(frames.schema(SCENARIO, name)) == expected.columns


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT COUNT(*) AS n FROM rounds", len(ROWS)),
        ("SELECT SUM(points_0) AS n FROM rounds WHERE slam AND outcome = 'slam'",
         int(ROWS["points"][ROWS["slam"] & (ROWS["outcome"] == 1), 0].sum())),
        ("WITH s AS (SELECT game, MAX(points) AS p FROM seats GROUP BY game) SELECT MAX(p) AS n FROM s",
         int(ROWS["points"].max())),
        ("SELECT COUNT(*) AS n FROM rounds JOIN games USING (game)", len(ROWS)),
        ("SELECT COUNT(*) AS n FROM rounds r JOIN seats s ON r.game = s.game AND r.round = s.round", 4 * len(ROWS)),
        ("SELECT COUNT(*) AS n FROM (SELECT DISTINCT game FROM rounds) AS x", 300),
        ("SELECT CAST(1.5 AS INT) AS n FROM games LIMIT 1", 1),
    ],
)  # fmt: skip
def test_answers(sql: str, expected: int) -> None:
    assert ask(sql)["n"].to_list() == [expected]


@pytest.mark.parametrize("name", frames.TABLES)
def test_rows_come_in_the_order_of_games(name: str) -> None:
    assert ask(f"SELECT * FROM {name} LIMIT 7").equals(frames.table(SCENARIO, ROWS, name).head(7))
    assert ask(f"SELECT * FROM {name} WHERE game > 250").equals(
        frames.table(SCENARIO, ROWS, name).filter(pl.col("game") > 250)
    )


def test_places_by_totals() -> None:
    found = ask("SELECT game, total_0, total_1, total_2, total_3, place_0 FROM games")
    for row in found.to_dicts():
        mine = row["total_0"]
        assert row["place_0"] == 1 + sum(row[f"total_{seat}"] < mine for seat in (1, 2, 3))


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("", "empty"),
        ("SELECT", ""),
        ("DROP TABLE rounds", "only SELECT"),
        ("INSERT INTO rounds VALUES (1)", "only SELECT"),
        ("UPDATE rounds SET game = 1", "only SELECT"),
        ("CREATE TABLE x AS SELECT 1", "only SELECT"),
        ("COPY rounds TO 'x.csv'", "only SELECT"),
        ("EXPLAIN SELECT 1", "only SELECT"),
        ("SET x = 1", "only SELECT"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT * FROM read_csv('/etc/passwd')", "is no table"),
        ("SELECT * FROM READ_PARQUET('x')", "is no table"),
        ("SELECT * FROM '/etc/passwd'", ""),
        ("SELECT * FROM \"/etc/passwd\"", "does not exist"),
        ("SELECT * FROM other", "table 'other' does not exist; there are rounds, seats, games"),
        ("SELECT * FROM public.rounds", "is no table"),
        ("SELECT read_text('/etc/passwd') FROM rounds", "is not allowed"),
        ("SELECT system('ls') FROM rounds", "is not allowed"),
        ("SELECT getenv('HOME') FROM rounds", "is not allowed"),
        ("SELECT * FROM rounds, seats", "a join must tie games"),
        ("SELECT * FROM rounds CROSS JOIN seats", "a join must tie games"),
        ("SELECT * FROM rounds a JOIN rounds b ON a.outcome = b.outcome", "a join must tie games"),
        ("SELECT * FROM rounds a JOIN rounds b ON a.game = b.game OR TRUE", "a join must tie games"),
        ("SELECT * FROM rounds a JOIN rounds b USING (game) JOIN rounds c USING (game) JOIN rounds d USING (game) "
         "JOIN rounds e USING (game)", "at most 3 joins"),
        ("WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT * FROM t", "RECURSIVE"),
        ("SELECT CAST(game AS DATE) FROM rounds", "type DATE is not allowed"),
        ("SELECT * INTO x FROM rounds", "INTO is not allowed"),
        ("SELECT nothing FROM rounds", "cannot be run"),
        ("SELECT game + outcome FROM rounds", ""),
        ("SELECT " + "(" * 60 + "1" + ")" * 60 + " FROM rounds", "nested too deeply"),
        ("SELECT " + "NOT (1 = " * 30 + "TRUE" + ")" * 30 + " FROM rounds", ""),
        ("SELECT 1" + " + 1" * 4000 + " FROM rounds", "characters long"),
        ("SELECT * FROM rounds TABLESAMPLE (10)", "is not allowed"),
        ("SELECT * FROM rounds FOR UPDATE", ""),
        ("SELECT GENERATE_SERIES(1, 1000000000) FROM rounds", "is not allowed"),
        ("SELECT REPEAT('x', 1000000000) FROM rounds", "is not allowed"),
    ],
)  # fmt: skip
def test_refused(sql: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        ask(sql)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_too_many_rows_are_an_error() -> None:
    with pytest.raises(UserError, match="more than 10 rows"):
        query.ask(TABLES, "SELECT game FROM rounds", 10)


def test_comments_do_not_reach_polars() -> None:
    assert "--" not in query.check("SELECT 1 -- hi\n FROM rounds /* x */")


def test_a_run(tmp_path: Path, toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = toyruns.make(tmp_path, 1500)
    capsys.readouterr()
    sql = "SELECT outcome AS o, COUNT(*) AS n, SUM(points_0) AS p FROM rounds GROUP BY outcome"
    assert run(["query", str(folder.path), sql, "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["n"] == 3000
    assert run(["query", str(folder.path), "SELECT '=1+1' AS x FROM games LIMIT 1", "-o", "csv"]) == 0
    assert capsys.readouterr().out == "x\n'=1+1\n"
    assert run(["query", str(folder.path), "SELECT game FROM games WHERE FALSE"]) == 0
    assert capsys.readouterr().out == "no rows\n"
    assert run(["query", str(tmp_path), sql]) == 2
