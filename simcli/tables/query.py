"""SQL over a run's tables: checked node by node, then run by polars on nothing but `rounds`, `seats` and `games`.

The SQL that polars gets is written anew from the checked tree, so nothing that was not understood reaches it. Joins
must tie games to games, which keeps every result within a few rows a game; results are cut off by an error, not in
silence.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.errors import UserError, shorten, unknown
from simcli.tables import frames

LONGEST = 10_000
MOST_ROWS = 100_000
MOST_JOINS = 3
DEEPEST = 40
_PLACE = "SQL"

FUNCTIONS = [
    "ABS",
    "AVG",
    "CEIL",
    "COALESCE",
    "CONCAT",
    "COUNT",
    "EXP",
    "FIRST",
    "FLOOR",
    "GREATEST",
    "IF",
    "LAST",
    "LEAST",
    "LENGTH",
    "LN",
    "LOG",
    "LOWER",
    "MAX",
    "MEDIAN",
    "MIN",
    "MOD",
    "NULLIF",
    "POWER",
    "ROUND",
    "SIGN",
    "SQRT",
    "STDDEV",
    "SUM",
    "UPPER",
    "VARIANCE",
]
_FUNCTION_NODES = (
    exp.Abs, exp.Avg, exp.Ceil, exp.Coalesce, exp.Concat, exp.Count, exp.Exp, exp.First, exp.Floor, exp.Greatest,
    exp.If, exp.Last, exp.Least, exp.Length, exp.Ln, exp.Log, exp.Lower, exp.Max, exp.Median, exp.Min, exp.Mod,
    exp.Nullif, exp.Pow, exp.Round, exp.Sign, exp.Sqrt, exp.Stddev, exp.Sum, exp.Upper, exp.Variance, exp.StddevSamp,
    exp.And, exp.Or, exp.Case, exp.Cast,
)  # fmt: skip
_NODES = (
    exp.Select, exp.Subquery, exp.Union, exp.Except, exp.Intersect, exp.With, exp.CTE, exp.From, exp.Join, exp.Table,
    exp.TableAlias, exp.Alias, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset,
    exp.Distinct, exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Star, exp.Paren, exp.Tuple,
    exp.DataType, exp.Not, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.EQ, exp.NEQ, exp.LT, exp.LTE,
    exp.GT, exp.GTE, exp.Is, exp.In, exp.Between, exp.Like, exp.DPipe, *_FUNCTION_NODES,
)  # fmt: skip
_KEYS = {"seats": ["game", "round", "seat"], "games": ["game"]}
"""What orders a table that does not come in the order of its games."""
_TYPES = ("INT", "BIGINT", "SMALLINT", "TINYINT", "DOUBLE", "FLOAT", "BOOLEAN", "TEXT", "VARCHAR")


def check(sql: str) -> str:
    """The query, read and written anew. Raises UserError for anything but a SELECT of what is allowed."""
    if not sql.strip():
        raise UserError(_PLACE, "empty; for example SELECT outcome, COUNT(*) FROM rounds GROUP BY outcome")
    if len(sql) > LONGEST:
        raise UserError(_PLACE, f"{len(sql)} characters long; at most {LONGEST}")
    tree = _parse(sql)
    if not isinstance(tree, exp.Select | exp.Union | exp.Except | exp.Intersect):
        raise UserError(_PLACE, "only SELECT is allowed")
    views = {cte.alias_or_name for cte in tree.find_all(exp.CTE)}
    for node in tree.walk():
        _check_node(node, views)
    if sum(1 for _ in tree.find_all(exp.Join)) > MOST_JOINS:
        raise UserError(_PLACE, f"at most {MOST_JOINS} joins")
    return str(tree.sql(comments=False))


def _parse(sql: str) -> exp.Expr:
    try:
        trees = [tree for tree in sqlglot.parse(sql) if tree is not None]
    except SqlglotError as error:
        found = (getattr(error, "errors", None) or [{}])[0]
        where = f"{_PLACE}, line {found['line']}, column {found['col']}" if found.get("line") else _PLACE
        what = str(found.get("description") or str(error).split("\n")[0]).split("<class")[0].strip().rstrip(".")
        raise UserError(where, f"cannot be read: {what.lower()}") from None
    except RecursionError:
        raise UserError(_PLACE, "nested too deeply") from None
    if len(trees) != 1:
        raise UserError(_PLACE, "one statement is needed")
    return trees[0]


def _check_node(node: exp.Expr, views: set[str]) -> None:
    if type(node) not in _NODES:
        raise UserError(_PLACE, _refusal(node))
    if _depth(node) > DEEPEST:
        raise UserError(_PLACE, f"nested more than {DEEPEST} levels deep")
    if isinstance(node, exp.Table):
        _check_table(node, views)
    elif isinstance(node, exp.Join):
        _check_join(node)
    elif isinstance(node, exp.With) and node.args.get("recursive"):
        raise UserError(_PLACE, "WITH RECURSIVE is not allowed")
    elif isinstance(node, exp.DataType) and node.this.name not in _TYPES:
        raise UserError(_PLACE, f"type {node.this.name} is not allowed; there are {', '.join(_TYPES)}")


def _refusal(node: exp.Expr) -> str:
    if isinstance(node, exp.Func | exp.Anonymous | exp.Window):
        name = node.name if isinstance(node, exp.Anonymous) else node.key
        return f"{shorten(name.upper())} is not allowed; functions: {', '.join(FUNCTIONS)}"
    return f"{type(node).__name__.upper()} is not allowed in a query"


def _depth(node: exp.Expr) -> int:
    depth, parent = 0, node.parent
    while parent is not None and depth <= DEEPEST:
        # A row of the same operator is one level.
        depth += type(parent) is not type(node)
        node, parent = parent, parent.parent
    return depth


def _check_table(node: exp.Table, views: set[str]) -> None:
    if not isinstance(node.this, exp.Identifier) or node.args.get("db") or node.args.get("catalog"):
        raise UserError(_PLACE, f"{shorten(node.sql())} is no table; there are {', '.join(frames.TABLES)}")
    if node.name not in (*frames.TABLES, *views):
        raise UserError(_PLACE, unknown("table", node.name, frames.TABLES))
    extra = {key for key, value in node.args.items() if value and key not in ("this", "alias", "joins")}
    if extra:
        raise UserError(_PLACE, f"{', '.join(sorted(extra)).upper()} is not allowed after a table")


def _check_join(node: exp.Join) -> None:
    """A join ties each game to itself: `USING (game, ...)` or `ON a.game = b.game AND ...`."""
    using = {column.name for column in node.args.get("using") or []}
    on = node.args.get("on")
    tied = "game" in using or (on is not None and any(_ties_games(part) for part in _conjuncts(on)))
    if not tied or str(node.args.get("kind") or "").upper() in ("CROSS", "SEMI", "ANTI"):
        raise UserError(_PLACE, "a join must tie games: JOIN ... USING (game) or ON a.game = b.game AND ...")


def _conjuncts(node: exp.Expr) -> Sequence[exp.Expr]:
    return list(node.flatten()) if isinstance(node, exp.And) else [node]


def _ties_games(node: exp.Expr) -> bool:
    sides = (node.args.get("this"), node.args.get("expression"))
    return isinstance(node, exp.EQ) and all(isinstance(side, exp.Column) and side.name == "game" for side in sides)


# Tables


def tables(scenario: Scenario, rounds: pl.LazyFrame) -> dict[str, pl.LazyFrame]:
    """`rounds`, and `seats` and `games` as they follow from it; nothing is read before it is needed."""
    return {"rounds": rounds, "seats": _seats(scenario, rounds), "games": _games(scenario, rounds)}


def _seats(scenario: Scenario, rounds: pl.LazyFrame) -> pl.LazyFrame:
    columns = list(frames.schema(scenario, "seats"))
    own = [name for name in columns if name not in frames.schema(scenario, "rounds") and name not in ("seat", "team")]
    seats = []
    for seat in range(scenario.players):
        made = {name: pl.col(f"{name}_{seat}") for name in own} | {"seat": pl.lit(seat, pl.Int8)}
        if "team" in columns:
            about = Game(scenario.game).columns
            made["team"] = pl.col(f"{about.SIDES}_{seat}") if about.SIDES else pl.lit(seat % about.TEAMS, pl.Int8)
        chosen = [made[name].alias(name) if name in made else pl.col(name) for name in columns]
        seats.append(rounds.select(chosen))
    return pl.concat(seats)


def _games(scenario: Scenario, rounds: pl.LazyFrame) -> pl.LazyFrame:
    seats = range(scenario.players)
    columns = list(frames.schema(scenario, "games"))
    made = [pl.len().cast(pl.Int32).alias("rounds")]
    if "match_outcome" in columns:
        made.append(pl.col("match_outcome").sort_by("round").last())
    made += [pl.col(f"points_{seat}").cast(pl.Int64).sum().alias(f"total_{seat}") for seat in seats]
    sign = 1 if Game(scenario.game).columns.HIGHER_WINS else -1
    places = [
        pl.sum_horizontal(
            [(sign * pl.col(f"total_{other}") > sign * pl.col(f"total_{seat}")).cast(pl.Int8) for other in seats]
        ).cast(pl.Int8).add(1).alias(f"place_{seat}")
        for seat in seats
    ]  # fmt: skip
    return rounds.group_by("game").agg(made).with_columns(places).select(columns)


def ask(given: Mapping[str, pl.LazyFrame], sql: str, most: int = MOST_ROWS) -> pl.DataFrame:
    """The result of a checked query. Raises UserError if polars cannot run it, or if it has more than `most` rows."""
    checked = check(sql)
    try:
        with pl.SQLContext(dict(given) if _aggregates(checked) else _in_order(given)) as context:
            found = context.execute(checked).head(most + 1).collect(engine="streaming")
    except (pl.exceptions.PolarsError, ValueError, TypeError, OverflowError) as error:
        message = str(error).strip().split("\n")[0]
        raise UserError(_PLACE, f"cannot be run: {message}") from None
    if found.height > most:
        raise UserError(_PLACE, f"more than {most:,} rows; aggregate, add LIMIT, or raise --limit")
    return found


def _aggregates(sql: str) -> bool:
    """Whether a query's rows are made of many, so that the order of its tables says nothing."""
    tree = sqlglot.parse_one(sql)
    return tree.find(exp.AggFunc, exp.Group, exp.Distinct, exp.Join) is not None


def _in_order(given: Mapping[str, pl.LazyFrame]) -> dict[str, pl.LazyFrame]:
    """The tables in the order of their games, which costs little where a query picks single rows."""
    return {name: table.sort(_KEYS[name]) if name in _KEYS else table for name, table in given.items()}


def plain_rows(frame: pl.DataFrame) -> list[dict[str, object]]:
    """Rows as Python values; numbers that are no numbers become None."""
    rows = frame.to_dicts()
    return [
        {name: None if isinstance(value, float) and not np.isfinite(value) else value for name, value in row.items()}
        for row in rows
    ]
