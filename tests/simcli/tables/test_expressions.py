"""Expressions: what passes, what is refused and how, and what polars makes of them."""

import math
import time

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.errors import UserError
from simcli.tables.expressions import INT_HIGH, NUMBERS, Column, Expression, Kind, parse

COLUMNS = {
    "game": Column(Kind.INTEGER, 0, 2**63 - 1),
    "orbit": Column(Kind.INTEGER, -(2**31), 2**31 - 1),
    "points_0": Column(Kind.INTEGER, -(2**31), 2**31 - 1),
    "slam": Column(Kind.BOOLEAN),
    "outcome": Column(Kind.TEXT, names=("out", "slam", "void")),
}
FRAME = pl.DataFrame(
    {
        "game": [0, 1, 2, 3],
        "orbit": pl.Series([0, 1, 2, 5], dtype=pl.Int32),
        "points_0": pl.Series([-10, 7, 0, 2**31 - 1], dtype=pl.Int32),
        "slam": [False, True, False, True],
        "outcome": pl.Series(["out", "slam", "void", "slam"], dtype=pl.Enum(["out", "slam", "void"])),
    }
)
EVENT = (Kind.BOOLEAN,)


def event(text: str) -> Expression:
    return parse(text, COLUMNS, "event", EVENT)


def values(text: str, want: tuple[Kind, ...] = (Kind.BOOLEAN, *NUMBERS)) -> list[object]:
    return FRAME.select(pl.col("game"), parse(text, COLUMNS, "event", want).polars.alias("value"))["value"].to_list()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("slam", [False, True, False, True]),
        ("slam AND orbit <= 3", [False, True, False, False]),
        ("slam and not orbit > 3 or outcome = 'void'", [False, True, True, False]),
        ("outcome IN ('slam', 'void')", [False, True, True, True]),
        ("outcome NOT IN ('slam')", [True, False, True, False]),
        ("'out' = outcome", [True, False, False, False]),
        ("outcome <> 'out'", [False, True, True, True]),
        ("orbit IN (1, 5)", [False, True, False, True]),
        ("points_0 IN (-10)", [True, False, False, False]),
        ("orbit BETWEEN 1 AND 2", [False, True, True, False]),
        ("orbit NOT BETWEEN 1 AND 2", [True, False, False, True]),
        ("slam IS TRUE", [False, True, False, True]),
        ("slam IS NOT TRUE", [True, False, True, False]),
        ("slam IS FALSE", [True, False, True, False]),
        ("slam = FALSE", [True, False, True, False]),
        ("slam = (orbit = 1)", [True, True, True, False]),
        ("TRUE", [True] * 4),
        ("orbit > 0 AND 10 / orbit > 4", [False, True, True, False]),
        ("CASE WHEN orbit = 0 THEN FALSE ELSE 1 / orbit < 0.3 END", [False, False, False, True]),
        ("game * game >= 9", [False, False, False, True]),
        ("orbit == 2", [False, False, True, False]),
        ("orbit != 2", [True, True, False, True]),
        ("game % 2 = 0", [True, False, True, False]),
        ("orbit\n= 2", [False, False, True, False]),
    ],
)
def test_events(text: str, expected: list[bool]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("orbit / 2", [0.0, 0.5, 1.0, 2.5]),
        ("7 / 2 + orbit", [3.5, 4.5, 5.5, 8.5]),
        ("-orbit % 2", [0, -1, 0, -1]),
        ("orbit % -2", [0, 1, 0, 1]),
        ("ABS(points_0) - 1", [9, 6, -1, 2**31 - 2]),
        ("points_0 * 4", [-40, 28, 0, 4 * (2**31 - 1)]),
        ("points_0 * points_0", [100, 49, 0, (2**31 - 1) ** 2]),
        ("LEAST(orbit, 2, game)", [0, 1, 2, 2]),
        ("GREATEST(orbit, 1.5)", [1.5, 1.5, 2.0, 5.0]),
        ("CASE WHEN slam THEN 1 WHEN orbit = 2 THEN 2 ELSE 3 END", [3, 1, 2, 1]),
        ("1 / orbit", [None, 1.0, 0.5, 0.2]),
        ("LEAST(1, 1 / orbit)", [None, 1.0, 0.5, 0.2]),
        ("5 % orbit", [None, 0, 1, 0]),
        ("1e3 - .5", [999.5] * 4),
        (".5e2", [50.0] * 4),
        (".5E-1 * 1.e1", [0.5] * 4),
    ],
)
def test_numbers(text: str, expected: list[object]) -> None:
    assert values(text) == expected


def test_products_beyond_64_bits_go_on_in_floating_point() -> None:
    cube = parse("points_0 * points_0 * points_0", COLUMNS, "mean", NUMBERS)
    assert cube.kind is Kind.REAL
    result = FRAME.select(cube.polars).to_series()[3]
    assert result == float((2**31 - 1) ** 2) * (2**31 - 1)
    assert parse("game + 1", COLUMNS, "mean", NUMBERS).kind is Kind.REAL
    assert values(f"-{INT_HIGH}") == [-INT_HIGH] * 4


def test_columns_are_those_the_expression_reads() -> None:
    assert event("slam AND orbit <= 3").columns == {"slam", "orbit"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("orbit", "gives a whole number, not true or false"),
        ("orbits = 1", "column 1: unknown column 'orbits'; did you mean orbit"),
        ("slam AND Orbit = 1", "column 10: unknown column 'Orbit'; did you mean orbit"),
        ('"slam"', "double quotes"),
        ('outcome = "slam"', "double quotes"),
        ("outcome = 'slm'", "'slm' never occurs; values: 'out', 'slam', 'void'; did you mean slam"),
        ("outcome = slam", "column 11: slam is a column; put text in single quotes: 'slam'"),
        ("void <> outcome", "column 1: unknown column 'void'; put text in single quotes: 'void'"),
        ("outcome = out AND slam", "column 11: unknown column 'out'; put text in single quotes: 'out'"),
        ("outcome < 'slam'", "text is compared with = and <>"),
        ("outcome = 1", "only a text column can be compared with text"),
        ("'a' = 'a'", "only a text column can be compared with text"),
        ("slam = 1", "compares Boolean = a whole number"),
        ("slam < TRUE", "true and false are compared with ="),
        ("1 < orbit < 3", "BETWEEN b AND c"),
        ("slam; DROP TABLE rounds", "without `;`"),
        ("slam -- note", "comments are not allowed"),
        ("slam /* note */", "comments are not allowed"),
        ("*", "* goes between"),
        ("COUNT(*) > 1", "function 'COUNT' is not allowed"),
        ("read_csv('x') = 1", "is not allowed"),
        ("SUM(orbit) OVER () > 1", "is not allowed"),
        ("foo(orbit)", "function 'FOO' is not allowed; there are ABS, LEAST, GREATEST, CASE"),
        ("orbit::text = '1'", "':' is not allowed"),
        ("CAST(orbit AS TEXT) = 'x'", "casts are not allowed"),
        ("EXISTS(SELECT 1)", "is not allowed"),
        ("orbit IN (SELECT 1)", "IN takes a list of constants"),
        ("orbit IN (orbit)", "IN takes a list of constants"),
        ("orbit IN ()", "IN takes a list"),
        ("(SELECT 1) = 1", "subqueries are not allowed"),
        ("SELECT slam FROM rounds", "an expression is needed, not a query"),
        ("slam = NULL", "there are no missing values"),
        ("slam IS NULL", "IS takes TRUE or FALSE"),
        ("outcome LIKE 'x%'", "LIKE is not allowed"),
        ("rounds.slam", "write columns without a table"),
        ("slam orbit", "an operator is missing"),
        ("1_000 = orbit", "the number is malformed"),
        ("orbit > ", "something is missing"),
        ("(slam", "not an SQL expression: something does not fit here"),
        ("outcome = 'slam", "no closing quote"),
        ("orbit = 99999999999999999999", "beyond the 64-bit integers"),
        ("orbit = 1e999", "beyond floating point"),
        ("orbit / 0 = 1", "division by zero"),
        ("NOT orbit", "is a whole number, not true or false"),
        ("slam + 1 = 2", "is Boolean, not a number"),
        ("slam AND orbit", "is a whole number, not true or false"),
        ("slam, slam", "not an SQL expression"),
        ("CASE orbit WHEN 1 THEN slam ELSE slam END", "write CASE WHEN"),
        ("CASE WHEN slam THEN 1 ELSE slam END = 1", "the values of CASE"),
        ("CASE WHEN slam THEN 1 END = 1", "write CASE WHEN"),
        ("orbit ^ 2 = 4", "'^' is not allowed"),
        ("orbit = $1", "'$' is not allowed"),
        ("orbit = ?", "'?' is not allowed"),
        ("orbít = 1", "not allowed"),
        ("slam\0", "NUL"),
        ("outcome = 'a\\'", "backslashes"),
        ("INTERVAL '1' DAY = 1", "is not allowed"),
        ("slam AND " * 300 + "slam", "characters long"),
        ("((" * 150 + "slam" + "))" * 150, ""),
        ("NOT " * 300 + "slam", ""),
        ("-" + "(-" * 200 + "1" + ")" * 200 + "=1", ""),
        ("1=1 " * 300, ""),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        event(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("event")


def test_long_rows_of_the_same_operator_are_one_level() -> None:
    assert values(" OR ".join(["slam"] * 150)) == [False, True, False, True]


@pytest.mark.parametrize(
    "text", [f"LEAST({', '.join(['orbit'] * 190)}) < 9", " AND ".join(["orbit < 9"] * 90), f"orbit IN ({'1, ' * 180}2)"]
)
def test_long_lists_take_no_time(text: str) -> None:
    started = time.process_time()
    values(text)
    assert time.process_time() - started < 0.3  # it was one second, for every block of games


@given(st.text(alphabet="slamorbitpoints_0 ()'<>=+-*/%,.12eANDORNOTINBETWEENCASEWHENTHENELSEEND\"\\;\n", max_size=60))
def test_any_text_is_taken_or_refused_in_one_line(text: str) -> None:
    message = ""
    try:
        expression = parse(text, COLUMNS, "event", (Kind.BOOLEAN, *NUMBERS))
    except UserError as error:
        message = str(error)
    else:
        assert FRAME.select(pl.col("game"), expression.polars.alias("value")).height == FRAME.height
    assert "\n" not in message


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_remainder_is_that_of_truncated_division(a: int, b: int) -> None:
    if b == 0:
        return
    frame = pl.DataFrame({"a": [a], "b": [b]})
    columns = {"a": Column(Kind.INTEGER, -100, 100), "b": Column(Kind.INTEGER, -100, 100)}
    assert frame.select(parse("a % b", columns, "mean", NUMBERS).polars).item() == math.fmod(a, b)
