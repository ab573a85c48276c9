"""A SELECT, read, checked node by node, and written anew for DuckDB with one meaning and one answer.

Nothing that was not understood reaches the engine. Numbers mean what they mean in an event: integers have 64 bits,
numbers with a point are floating point, a cast to whole numbers cuts off. Where the order of rows could show (which
rows LIMIT keeps, how ties are numbered), ties are broken by game, round and seat, or by all columns.
"""

import math
from collections.abc import Iterator, Mapping
from itertools import chain

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from simcli.errors import UserError, shorten, suggestion, unknown
from simcli.tables.expressions import INT_HIGH, Column, Kind

MAX_LENGTH = 10_000
PLACE = "SQL"
_DIALECT = "duckdb"

KEYS = {"rounds": ("game", "round"), "seats": ("game", "round", "seat"), "games": ("game",)}
"""The tables there are, and what numbers their rows."""

_POSITIONAL = (exp.RowNumber, exp.Ntile, exp.Lag, exp.Lead)
"""Window functions that see rows one by one; the others give ties the same value."""
_FUNCTIONS = (
    exp.Abs, exp.Avg, exp.Ceil, exp.Coalesce, exp.Concat, exp.Corr, exp.Count, exp.CumeDist, exp.DenseRank, exp.Exp,
    exp.Floor, exp.Greatest, exp.Lag, exp.Lead, exp.Least, exp.Length, exp.Ln, exp.Log, exp.Lower, exp.Max, exp.Median,
    exp.Min, exp.Ntile, exp.Nullif, exp.PercentRank, exp.Pow, exp.PercentileCont, exp.PercentileDisc, exp.Rank,
    exp.Round, exp.RowNumber, exp.Sign, exp.Sqrt, exp.Stddev, exp.Sum, exp.Trunc, exp.Upper, exp.Variance,
)  # fmt: skip
FUNCTIONS = (
    "ABS, AVG, CAST, CEIL, COALESCE, CONCAT, CORR, COUNT, CUME_DIST, DENSE_RANK, EXP, FLOOR, GREATEST, IF, LAG, LEAD, "
    "LEAST, LENGTH, LN, LOG, LOWER, MAX, MEDIAN, MIN, MOD, NTILE, NULLIF, PERCENT_RANK, POWER, QUANTILE_CONT, "
    "QUANTILE_DISC, RANK, ROUND, ROW_NUMBER, SIGN, SQRT, STDDEV, SUM, TRUNC, UPPER, VARIANCE"
)
_BY_ORDER = (
    exp.First, exp.Last, exp.AnyValue, exp.ArgMax, exp.ArgMin, exp.ArrayAgg, exp.GroupConcat, exp.Mode, exp.FirstValue,
    exp.LastValue, exp.NthValue,
)  # fmt: skip
_NODES = (
    exp.Select, exp.Subquery, exp.Union, exp.Except, exp.Intersect, exp.With, exp.CTE, exp.From, exp.Join, exp.Table,
    exp.TableAlias, exp.Alias, exp.Where, exp.Group, exp.Having, exp.Qualify, exp.Order, exp.Ordered, exp.Limit,
    exp.Offset, exp.Distinct, exp.Filter, exp.Window, exp.WindowSpec, exp.Column, exp.Identifier, exp.Literal,
    exp.Boolean, exp.Null, exp.Star, exp.Paren, exp.Tuple, exp.DataType, exp.Not, exp.Neg, exp.Add, exp.Sub, exp.Mul,
    exp.Div, exp.Mod, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Is, exp.In, exp.Exists, exp.Between,
    exp.Like, exp.DPipe, exp.And, exp.Or, exp.Case, exp.If, exp.Cast, *_FUNCTIONS,
)  # fmt: skip
_WHOLE = ("TINYINT", "SMALLINT", "INT", "BIGINT")
_TYPES = (*_WHOLE, "FLOAT", "DOUBLE", "BOOLEAN", "TEXT", "VARCHAR")
_TRUTHS = (exp.Predicate, exp.And, exp.Or, exp.Not, exp.Boolean)
_KEPT = (exp.Ordered, exp.Group, exp.Limit, exp.Offset, exp.WindowSpec)
"""Where a whole number is a position or a count, not a value."""

Schema = Mapping[str, Mapping[str, Column]]
"""The columns of each table."""


def prepare(text: str, schema: Schema, most: int) -> str:
    """The query for DuckDB, cut off after `most` rows. Raises UserError unless it is a SELECT of what is allowed."""
    try:
        query = _parse(text)
        if any(name.args.get("quoted") for name in query.find_all(exp.Identifier)):
            raise UserError(PLACE, "names take no quotes, and double quotes are not allowed; put text in single quotes")
        for select in list(query.find_all(exp.Select)):
            _name_columns(select)
        _check(query, schema)
        for node in reversed(list(query.walk())):
            _settle_value(node, schema)
        for node in list(query.find_all(exp.Query, exp.Window)):
            _settle_order(node, outermost=node is query)
        if not query.args.get("limit"):
            query.set("limit", exp.Limit(expression=exp.Literal.number(most)))
        return str(query.sql(dialect=_DIALECT, comments=False))
    except RecursionError:
        raise UserError(PLACE, "nested too deeply") from None


# Reading


def _parse(text: str) -> exp.Query:
    if not text.strip():
        raise UserError(PLACE, "empty; for example SELECT outcome, COUNT(*) FROM rounds GROUP BY outcome")
    if len(text) > MAX_LENGTH:
        raise UserError(PLACE, f"{len(text)} characters long; at most {MAX_LENGTH}")
    strange = next((sign for sign in text if not (sign.isprintable() or sign in "\n\t\r")), None)
    if strange is not None:
        raise UserError(PLACE, f"control characters are not allowed ({strange!r})")
    try:
        trees = [tree for tree in sqlglot.parse(text, read=_DIALECT) if tree is not None]
    except SqlglotError as error:
        raise _unreadable(error) from None
    if len(trees) != 1:
        raise UserError(PLACE, "one statement is needed")
    if not isinstance(trees[0], exp.Select | exp.SetOperation):
        raise UserError(PLACE, "only SELECT is allowed")
    return trees[0]


def _unreadable(error: SqlglotError) -> UserError:
    found = (getattr(error, "errors", None) or [{}])[0]
    near = str(found.get("highlight") or "").strip()
    where = f"{PLACE}, line {found['line']}, column {found['col']}" if found.get("line") else PLACE
    return UserError(where, f"cannot be read{f' at {shorten(near)}' if near else ''}; something is missing or too much")


# Checking


def _check(query: exp.Query, schema: Schema) -> None:
    views = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    for name in views & set(KEYS):
        raise UserError(PLACE, f"WITH {name} hides the table {name}; give it another name")
    known = _known_names(query, schema)
    for node in query.walk():
        if type(node) not in _NODES and not _is_all(node):
            raise UserError(PLACE, _refusal(node))
        _check_node(node, views)
        _check_comparison(node, schema)
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star) and node.name.lower() not in known:
            raise UserError(PLACE, _unknown_column(node.name, known, schema))


def _is_all(node: exp.Expr) -> bool:
    """Whether this is the word of ORDER BY ALL."""
    return isinstance(node, exp.Var) and isinstance(node.parent, exp.Ordered) and node.name.upper() == "ALL"


def _check_comparison(node: exp.Expr, schema: Schema) -> None:
    """Text without quotes that is the name of a column too: `outcome = slam`."""
    if not isinstance(node, exp.EQ | exp.NEQ):
        return
    for side, other in ((node.this, node.expression), (node.expression, node.this)):
        texts = {text for columns in schema.values() if side.name in columns for text in columns[side.name].names}
        if isinstance(side, exp.Column) and isinstance(other, exp.Column) and other.name in texts:
            raise UserError(
                PLACE, f"{side.name} is text, {other.name} a column; put text in single quotes: '{other.name}'"
            )


def _known_names(query: exp.Query, schema: Schema) -> set[str]:
    columns = set(chain.from_iterable(schema.values()))
    aliases = {alias.alias for alias in query.find_all(exp.Alias)}
    listed = {name.name for alias in query.find_all(exp.TableAlias) for name in alias.args.get("columns") or []}
    return {name.lower() for name in columns | aliases | listed}


def _unknown_column(name: str, known: set[str], schema: Schema) -> str:
    texts = {text for columns in schema.values() for column in columns.values() for text in column.names}
    hint = f"; put text in single quotes: '{name}'" if name in texts else suggestion(name.lower(), sorted(known))
    return f"unknown column {shorten(name)}{hint or '; SELECT * FROM rounds LIMIT 1 shows those of a table'}"


def _refusal(node: exp.Expr) -> str:
    node = node.this if isinstance(node, exp.IgnoreNulls) else node
    if isinstance(node, _BY_ORDER):
        return f"{node.sql_name()} depends on the order of rows; use MIN, MAX, or LAG and LEAD with an order"
    if isinstance(node, exp.Func | exp.Anonymous):
        name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
        return f"{shorten(name.upper())} is not allowed; functions: {FUNCTIONS}"
    what = shorten(node.sql(dialect=_DIALECT)) if isinstance(node, exp.Binary) else type(node).__name__.upper()
    return f"{what} is not allowed in a query"


def _check_node(node: exp.Expr, views: set[str]) -> None:
    if isinstance(node, exp.Table):
        _check_table(node, views)
    elif isinstance(node, exp.Join):
        words = {str(node.args.get(key) or "").upper() for key in ("kind", "method")}
        if words - {"", "INNER", "OUTER", "CROSS", "NATURAL"}:
            raise UserError(PLACE, f"{' '.join(sorted(words)).strip()} JOIN is not allowed")
    elif isinstance(node, exp.Select) and not node.expressions:
        raise UserError(PLACE, "SELECT of nothing; for example SELECT outcome, COUNT(*) FROM rounds GROUP BY outcome")
    elif isinstance(node, exp.With) and node.args.get("recursive"):
        raise UserError(PLACE, "WITH RECURSIVE is not allowed")
    elif isinstance(node, exp.Subquery) and not isinstance(node.this, exp.Query):
        raise UserError(PLACE, "write tables without parentheses")
    elif isinstance(node, exp.Subquery) and any(node.args.get(key) for key in ("order", "limit", "offset", "joins")):
        raise UserError(PLACE, "put ORDER BY, LIMIT and JOIN inside the parentheses")
    elif isinstance(node, exp.Distinct) and node.args.get("on"):
        raise UserError(PLACE, "DISTINCT ON depends on the order of rows; use GROUP BY")
    elif isinstance(node, exp.DataType) and node.this.name not in _TYPES:
        raise UserError(PLACE, f"type {node.this.name} is not allowed; there are {', '.join(_TYPES)}")
    elif isinstance(node, exp.Min | exp.Max) and any(node.args[key] for key in node.args if key != "this"):
        raise UserError(PLACE, "MIN and MAX take one column; LEAST and GREATEST compare several")


def _check_table(node: exp.Table, views: set[str]) -> None:
    if not isinstance(node.this, exp.Identifier) or node.args.get("db") or node.args.get("catalog"):
        raise UserError(PLACE, f"{shorten(node.sql(dialect=_DIALECT))} is not a table; there are {', '.join(KEYS)}")
    if node.name.lower() not in {*KEYS, *views}:
        raise UserError(PLACE, unknown("table", node.name, KEYS))
    extra = {key for key, value in node.args.items() if value and key not in ("this", "alias")}
    if extra:
        raise UserError(PLACE, f"{', '.join(sorted(extra)).upper()} is not allowed after a table")
    alias = node.args.get("alias")
    if node.name.lower() in KEYS and alias is not None and alias.args.get("columns"):
        raise UserError(PLACE, f"columns of {node.name} keep their names; rename them with AS")


# One meaning


def _name_columns(select: exp.Select) -> None:
    """Give every column of a result that has no name one that can be typed, or else its text."""
    for node in select.expressions:
        if not isinstance(node, exp.Alias | exp.Column | exp.Star):
            node.replace(exp.alias_(node.copy(), _name(node), quoted=True))


def _name(node: exp.Expr) -> str:
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
        return "count"
    alone = [key for key, value in node.args.items() if isinstance(value, exp.Expr | list) and value] == ["this"]
    if isinstance(node, _FUNCTIONS) and alone and isinstance(node.this, exp.Column):
        return f"{node.sql_name().lower()}_{node.this.name}"
    return node.sql(dialect=_DIALECT, comments=False)


def _settle_value(node: exp.Expr, schema: Schema) -> None:
    if isinstance(node, exp.Literal) and not node.is_string and not isinstance(node.parent, _KEPT):
        node.replace(_number(node))
    elif isinstance(node, exp.Cast) and node.to.this.name in _WHOLE:
        cut = node.this if _is_truth(node.this, schema) else exp.Trunc(this=node.this.copy())
        node.replace(_cast(cut.copy(), "BIGINT"))
    elif isinstance(node, exp.Avg) and _is_truth(node.this, schema):
        node.set("this", _cast(node.this.copy(), "BIGINT"))
    elif isinstance(node, exp.Round | exp.Trunc) and node.args.get("decimals"):
        node.set("decimals", _cast(node.args["decimals"].copy(), "INT"))


def _number(literal: exp.Literal) -> exp.Expr:
    """Whole numbers have 64 bits, others are floating point: DuckDB's have as many digits as are written."""
    text = str(literal.this)
    if text.isdigit() and len(text) <= len(str(INT_HIGH)) and int(text) <= INT_HIGH:
        return _cast(literal.copy(), "BIGINT")
    if text.isdigit() or not math.isfinite(float(text)):
        raise UserError(PLACE, f"{shorten(text)} is beyond {'64-bit integers' if text.isdigit() else 'floating point'}")
    return exp.Literal.number(f"{float(text)!r}{'' if 'e' in repr(float(text)) else 'e0'}")


def _cast(node: exp.Expr, kind: str) -> exp.Cast:
    return exp.Cast(this=node, to=exp.DataType.build(kind))


def _is_truth(node: exp.Expr, schema: Schema) -> bool:
    node = node.unnest()
    if isinstance(node, exp.Column):
        named = [columns[node.name.lower()] for columns in schema.values() if node.name.lower() in columns]
        return any(column.kind is Kind.BOOLEAN for column in named)
    return isinstance(node, _TRUTHS)


# One answer


def _settle_order(node: exp.Expr, outermost: bool) -> None:
    """Break ties wherever which row comes first could show in the answer."""
    if isinstance(node, exp.Window):
        spec = node.args.get("spec")
        if isinstance(node.this, _POSITIONAL) or (spec is not None and str(spec.args.get("kind")).upper() == "ROWS"):
            _append_order(node, _window_ties(node))
    elif outermost or node.args.get("limit") or node.args.get("offset"):
        _append_order(node, _ties(node))


def _append_order(node: exp.Expr, ties: list[exp.Expr]) -> None:
    order = node.args.get("order") or exp.Order(expressions=[])
    if ties and not any(_is_all(term.this) for term in order.expressions):
        order.set("expressions", [*order.expressions, *(exp.Ordered(this=tie) for tie in ties)])
        node.set("order", order)


def _window_ties(window: exp.Window) -> list[exp.Expr]:
    select = window.find_ancestor(exp.Select)
    if select is None or _merges(select):
        raise UserError(PLACE, f"{window.this.sql_name()} over groups: make the groups in a subquery")
    return [tie for source in _sources(select) for tie in _row_of(source, exp.column(source.alias_or_name))]


def _ties(outer: exp.Expr) -> list[exp.Expr]:
    """What makes an order of a query's rows complete: keys of its tables, or all columns of the result."""
    query = outer
    if isinstance(query, exp.Select) and not _merges(query):
        return [tie for source in _sources(query) for tie in _row_of(source, _all_columns(source))]
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    shown = query.expressions
    if not any(node.is_star for node in shown):
        return [exp.Literal.number(place + 1) for place in range(len(shown))]
    if outer.args.get("order"):
        raise UserError(PLACE, "name the columns instead of *, so that ORDER BY can break ties by them")
    return [exp.var("ALL")]


def _row_of(source: exp.Expr, otherwise: exp.Expr) -> list[exp.Expr]:
    keys = KEYS.get(source.name.lower(), ()) if isinstance(source, exp.Table) else ()
    return [exp.column(key, table=source.alias_or_name) for key in keys] or [otherwise]


def _all_columns(source: exp.Expr) -> exp.Expr:
    return exp.Columns(this=exp.Column(this=exp.Star(), table=exp.to_identifier(source.alias_or_name)))


def _sources(select: exp.Select) -> Iterator[exp.Expr]:
    """The tables and subqueries of a FROM; subqueries without a name get one."""
    origin = select.args.get("from_")
    for number, place in enumerate([origin, *(select.args.get("joins") or [])] if origin else []):
        if not place.this.alias_or_name:
            place.this.set("alias", exp.TableAlias(this=exp.to_identifier(f"source_{number}")))
        yield place.this


def _merges(select: exp.Select) -> bool:
    """Whether a row of the result is made of several."""
    if any(select.args.get(key) for key in ("group", "having", "distinct")):
        return True
    return any(isinstance(node, exp.AggFunc) for part in select.expressions for node in part.walk(prune=_is_apart))


def _is_apart(node: exp.Expr) -> bool:
    return isinstance(node, exp.Query | exp.Window)
