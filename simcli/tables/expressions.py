"""SQL expressions over the columns of a table: parsed by sqlglot, allow-listed node by node, evaluated by polars.

What passes: columns, numbers, TRUE and FALSE, text in single quotes compared with a text column; + - * / %,
= <> < <= > >=, BETWEEN, IN (constants), AND, OR, NOT, IS [NOT] TRUE, IS [NOT] FALSE, ABS, LEAST, GREATEST and
CASE WHEN ... THEN ... ELSE ... END. Everything else is refused.

Integers are of 64 bits; a calculation whose columns could pass that goes on in floating point. `/` is true division.
A division by zero has no value: `n > 0 AND a / n > 2` is false where n is 0, but an expression that comes out
without a value is an error. `%` has the sign of its left side.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import polars as pl
from sqlglot import exp

from simcli.errors import UserError, shorten, suggestion
from simcli.tables.expression_text import MAX_DEPTH, at, check_characters, read

INT_LOW, INT_HIGH = -(2**63), 2**63 - 1


class Kind(Enum):
    """What an expression gives."""

    BOOLEAN = "Boolean"
    INTEGER = "a whole number"
    REAL = "a number"
    TEXT = "text"


NUMBERS = (Kind.INTEGER, Kind.REAL)


@dataclass(frozen=True)
class Column:
    """A column's kind; for integers the range of its type, or (`bounded`) its own; its possible values for text."""

    kind: Kind
    low: int = 0
    high: int = 0
    names: tuple[str, ...] = ()
    bounded: bool = False


@dataclass(frozen=True)
class Expression:
    """A checked expression: its text, what it gives, the columns it reads, and how polars computes it.

    `bounds`: the least and the largest whole number that it can give, where the columns it reads have bounds.
    """

    text: str
    kind: Kind
    columns: frozenset[str]
    polars: pl.Expr
    bounds: tuple[int, int] | None = None


@dataclass(frozen=True)
class _Term:
    expr: pl.Expr
    kind: Kind
    low: int = 0
    high: int = 0
    names: tuple[str, ...] = ()
    constant: Any = None


def select(frame: pl.DataFrame, *columns: pl.Expr) -> pl.DataFrame:
    """Some columns computed for every row.

    polars' simplifier takes `x = x` for a literal, and then forgets that what depends on it has a value for each row.
    """
    return frame.lazy().select(*columns).collect(optimizations=pl.QueryOptFlags(simplify_expression=False))


def parse(
    text: str,
    columns: Mapping[str, Column],
    place: str,
    want: Sequence[Kind],
    elsewhere: Callable[[str], str] = lambda name: "",
) -> Expression:
    """The expression in `text`, which must give one of the kinds in `want`.

    Raises UserError with `place` and the position in the text. `elsewhere` may add to the message on an unknown column.
    """
    check_characters(text, place)
    tree = read(text, place)
    builder = _Builder(text, columns, place, elsewhere)
    term = builder.term(tree, 0)
    if term.kind not in want:
        wanted = "true or false" if Kind.BOOLEAN in want else "a number"
        raise UserError(place, f"{shorten(text)} gives {term.kind.value}, not {wanted}")
    bounded = all(columns[name].bounded or columns[name].kind is not Kind.INTEGER for name in builder.used)
    bounds = (term.low, term.high) if term.kind is Kind.INTEGER and bounded else None
    return Expression(text, term.kind, frozenset(builder.used), term.expr, bounds)


# Tree to polars

_ARITHMETIC: dict[type, str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
_COMPARISONS: dict[type, str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_COMPARE: dict[str, Callable[[pl.Expr, pl.Expr], pl.Expr]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_REFUSED: dict[type, str] = {
    exp.Null: "there are no missing values; no seat is -1, no turn is 0",
    exp.Cast: "casts are not allowed",
    exp.Star: "* goes between two numbers",
    exp.Alias: "two expressions in a row; an operator is missing before the second, or the number is malformed",
    exp.Tuple: "one expression is needed, not a list",
    exp.Subquery: "subqueries are not allowed",
    exp.Select: "an expression is needed, not a query",
    exp.Like: "LIKE is not allowed; compare with = or IN",
    exp.ILike: "ILIKE is not allowed; compare with = or IN",
    exp.Block: "one expression is needed, without `;`",
    exp.Command: "an expression is needed, not a statement",
}
FUNCTIONS = ("ABS", "LEAST", "GREATEST", "CASE")


class _Builder:
    """Walks the tree of one expression; `used` collects its columns."""

    def __init__(self, text: str, columns: Mapping[str, Column], place: str, elsewhere: Callable[[str], str]) -> None:
        self.text = text
        self.columns = columns
        self.place = place
        self.elsewhere = elsewhere
        self.used: set[str] = set()
        self._by_type: dict[type, Callable[[Any, int], _Term]] = {
            exp.Paren: lambda node, depth: self.term(node.this, depth),
            exp.Column: self._column,
            exp.Literal: self._literal,
            exp.Boolean: lambda node, depth: _Term(pl.lit(bool(node.this)), Kind.BOOLEAN),
            exp.And: self._connect,
            exp.Or: self._connect,
            exp.Not: self._not,
            exp.Is: self._is,
            exp.In: self._in,
            exp.Between: self._between,
            exp.Neg: self._negate,
            exp.Div: self._divide,
            exp.Mod: self._remainder,
            exp.Abs: self._absolute,
            exp.Least: self._extreme,
            exp.Greatest: self._extreme,
            exp.Case: self._case,
            **dict.fromkeys(_ARITHMETIC, self._arithmetic),
            **dict.fromkeys(_COMPARISONS, self._comparison),
        }

    def term(self, node: Any, depth: int) -> _Term:
        """What a node of the tree gives. Raises UserError unless every part of it is allowed."""
        if depth > MAX_DEPTH:
            raise UserError(self.place, f"nested more than {MAX_DEPTH} levels deep")
        make = self._by_type.get(type(node))
        if make is None:
            raise self._refusal(node)
        return make(node, depth + 1)

    def fail(self, node: Any, message: str) -> UserError:
        """The error for a node, with its position where that is known."""
        for part in node.walk() if isinstance(node, exp.Expr) else ():
            start = (part._meta or {}).get("start")
            if start is not None:
                return UserError(at(self.place, start), message)
        return UserError(self.place, message)

    def _refusal(self, node: Any) -> UserError:
        for kind, message in _REFUSED.items():
            if type(node) is kind:
                return self.fail(node, message)
        if isinstance(node, (exp.Func, exp.Window)):
            name = node.name if isinstance(node, exp.Anonymous) else node.key
            return self.fail(node, f"function {shorten(name.upper())} is not allowed; there are {', '.join(FUNCTIONS)}")
        return self.fail(node, f"{type(node).__name__.upper()} is not allowed in an expression")

    def _want(self, node: Any, depth: int, kinds: Sequence[Kind], wanted: str) -> _Term:
        term = self.term(node, depth)
        if term.kind not in kinds:
            raise self.fail(node, f"{shorten(self._sql(node))} is {term.kind.value}, not {wanted}")
        return term

    def _number(self, node: Any, depth: int) -> _Term:
        return self._want(node, depth, NUMBERS, "a number")

    def _truth(self, node: Any, depth: int) -> _Term:
        return self._want(node, depth, (Kind.BOOLEAN,), "true or false")

    @staticmethod
    def _sql(node: Any) -> str:
        return str(node.sql())

    # Leaves

    def _column(self, node: Any, depth: int) -> _Term:
        if len([part for part in node.args.values() if part]) != 1 or not isinstance(node.this, exp.Identifier):
            raise self.fail(node, f"{shorten(self._sql(node))} is not a column; write columns without a table")
        name = node.this.name
        column = self.columns.get(name)
        if column is None or node.this.args.get("quoted"):
            text = any(name in column.names for column in self.columns.values())
            close = _quotes(name) if text else suggestion(name.lower(), self.columns)
            more = self.elsewhere(name) or (close if close else f"; columns: {', '.join(self.columns)}")
            raise self.fail(node, f"unknown column {shorten(name)}{more}")
        self.used.add(name)
        expr = pl.col(name).cast(pl.Int64) if column.kind is Kind.INTEGER else pl.col(name)
        return _Term(expr, column.kind, column.low, column.high, column.names)

    def _literal(self, node: Any, depth: int) -> _Term:
        text = str(node.this)
        if node.is_string:
            return _Term(pl.lit(text), Kind.TEXT, constant=text)
        if text.isdigit():
            number = int(text)
            if number > INT_HIGH:
                raise self.fail(node, f"{shorten(text)} is beyond the 64-bit integers")
            return _Term(pl.lit(number, pl.Int64), Kind.INTEGER, number, number, constant=number)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise self.fail(node, f"{shorten(text)} is beyond floating point")
        return _Term(pl.lit(value, pl.Float64), Kind.REAL, constant=value)

    # Truth

    def _connect(self, node: Any, depth: int) -> _Term:
        """AND or OR; a row of the same operator counts as one level."""
        parts: list[Any] = []
        stack = [node]
        while stack:
            part = stack.pop()
            if type(part) is type(node):
                stack += [part.expression, part.this]
            else:
                parts.append(part)
        terms = [self._truth(part, depth).expr for part in parts]
        # A tree of & or | takes polars quadratic time.
        joined = pl.all_horizontal(terms) if isinstance(node, exp.And) else pl.any_horizontal(terms)
        return _Term(joined, Kind.BOOLEAN)

    def _not(self, node: Any, depth: int) -> _Term:
        return _Term(~self._truth(node.this, depth).expr, Kind.BOOLEAN)

    def _is(self, node: Any, depth: int) -> _Term:
        if not isinstance(node.expression, exp.Boolean):
            raise self.fail(node, "IS takes TRUE or FALSE; there are no missing values")
        truth = self._truth(node.this, depth).expr
        return _Term(truth if node.expression.this else ~truth, Kind.BOOLEAN)

    def _comparison(self, node: Any, depth: int) -> _Term:
        sign = _COMPARISONS[type(node)]
        left, right = self.term(node.this, depth), self.term(node.expression, depth)
        if Kind.TEXT in (left.kind, right.kind):
            self._want_quotes(node, left, right)
            if sign not in ("=", "<>"):
                raise self.fail(node, f"text is compared with = and <>, not {sign}")
            if left.constant is not None:
                return self._compare_text(node, sign, right, left)
            return self._compare_text(node, sign, left, right)
        if (left.kind is Kind.BOOLEAN) != (right.kind is Kind.BOOLEAN):
            hint = "; write a BETWEEN b AND c for a chain" if isinstance(node.this, tuple(_COMPARISONS)) else ""
            kinds = f"{left.kind.value} {sign} {right.kind.value}"
            raise self.fail(node, f"{shorten(self._sql(node))} compares {kinds}{hint}")
        if left.kind is Kind.BOOLEAN and sign not in ("=", "<>"):
            raise self.fail(node, f"true and false are compared with = and <>, not {sign}")
        return _Term(_COMPARE[sign](_defined(left), _defined(right)), Kind.BOOLEAN)

    def _want_quotes(self, node: Any, left: _Term, right: _Term) -> None:
        """Text without quotes that is the name of a column too: `outcome = slam`."""
        for term, other in ((left, node.expression), (right, node.this)):
            if isinstance(other, exp.Column) and other.name in term.names:
                raise self.fail(other, f"{other.name} is a column{_quotes(other.name)}")

    def _compare_text(self, node: Any, sign: str, column: _Term, text: _Term) -> _Term:
        if column.kind is not Kind.TEXT or text.kind is not Kind.TEXT or text.constant is None or not column.names:
            raise self.fail(node, "only a text column can be compared with text, in single quotes")
        self._check_name(node, column, text.constant)
        return _Term(_COMPARE[sign](column.expr, text.expr), Kind.BOOLEAN)

    def _check_name(self, node: Any, column: _Term, text: str) -> None:
        if text not in column.names:
            known = ", ".join(f"'{name}'" for name in column.names)
            raise self.fail(node, f"{shorten(text)} never occurs; values: {known}{suggestion(text, column.names)}")

    def _in(self, node: Any, depth: int) -> _Term:
        items = node.expressions
        if not items or set(key for key, value in node.args.items() if value) != {"this", "expressions"}:
            raise self.fail(node, "IN takes a list of constants: x IN (1, 2)")
        value = self.term(node.this, depth)
        constants = [self._constant(item, depth) for item in items]
        if value.kind is Kind.TEXT:
            if not value.names or not all(isinstance(constant, str) for constant in constants):
                raise self.fail(node, "after a text column, IN takes texts in single quotes")
            for constant in constants:
                self._check_name(node, value, constant)
        elif value.kind not in NUMBERS or any(isinstance(constant, str) for constant in constants):
            raise self.fail(node, "IN goes between a number and numbers, or a text column and texts")
        if value.kind is Kind.TEXT:
            return _Term(value.expr.is_in(list(dict.fromkeys(constants))), Kind.BOOLEAN)
        tests = [_defined(value) == pl.lit(constant) for constant in constants]
        return _Term(pl.any_horizontal(tests), Kind.BOOLEAN)

    def _constant(self, node: Any, depth: int) -> Any:
        negative = isinstance(node, exp.Neg)
        term = self.term(node.this if negative else node, depth)
        if term.constant is None or (negative and isinstance(term.constant, str)):
            raise self.fail(node, "IN takes a list of constants: x IN (1, 2)")
        return -term.constant if negative else term.constant

    def _between(self, node: Any, depth: int) -> _Term:
        if node.args.get("symmetric"):
            raise self.fail(node, "SYMMETRIC is not allowed")
        value, low, high = (_defined(self._number(node.args[part], depth)) for part in ("this", "low", "high"))
        return _Term((value >= low) & (value <= high), Kind.BOOLEAN)

    # Numbers

    def _arithmetic(self, node: Any, depth: int) -> _Term:
        left, right = self._number(node.this, depth), self._number(node.expression, depth)
        sign = _ARITHMETIC[type(node)]
        ends = _ends(sign, left, right)
        if sign == "*" and node.this == node.expression:
            ends = [max(0, min(ends)), max(ends)]  # a square
        whole = Kind.REAL not in (left.kind, right.kind) and min(ends) >= INT_LOW and max(ends) <= INT_HIGH
        a, b = (left.expr, right.expr) if whole else (_real(left), _real(right))
        expr = a + b if sign == "+" else a - b if sign == "-" else a * b
        return _Term(expr, Kind.INTEGER, min(ends), max(ends)) if whole else _Term(expr, Kind.REAL)

    def _negate(self, node: Any, depth: int) -> _Term:
        term = self._number(node.this, depth)
        if term.kind is Kind.REAL or term.low == INT_LOW:
            return _Term(-_real(term), Kind.REAL)
        return _Term(-term.expr, Kind.INTEGER, -term.high, -term.low)

    def _absolute(self, node: Any, depth: int) -> _Term:
        term = self._number(node.this, depth)
        if term.kind is Kind.REAL or term.low == INT_LOW:
            return _Term(_real(term).abs(), Kind.REAL)
        return _Term(term.expr.abs(), Kind.INTEGER, 0, max(abs(term.low), abs(term.high)))

    def _divide(self, node: Any, depth: int) -> _Term:
        left, right = self._number(node.this, depth), self._divisor(node, depth)
        return _Term(_real(left) / _nonzero(_real(right)), Kind.REAL)

    def _remainder(self, node: Any, depth: int) -> _Term:
        left, right = self._number(node.this, depth), self._divisor(node, depth)
        if Kind.REAL in (left.kind, right.kind) or INT_LOW in (left.low, right.low):
            raise self.fail(node, "% takes whole numbers of fewer than 64 bits")
        bound = max(abs(right.low), abs(right.high))
        rest = left.expr.sign() * (left.expr.abs() % _nonzero(right.expr).abs())
        return _Term(rest, Kind.INTEGER, -bound, bound)

    def _divisor(self, node: Any, depth: int) -> _Term:
        term = self._number(node.expression, depth)
        if term.constant == 0:
            raise self.fail(node, "division by zero")
        return term

    def _extreme(self, node: Any, depth: int) -> _Term:
        terms = [self._number(part, depth) for part in (node.this, *node.expressions)]
        least = isinstance(node, exp.Least)
        pick = pl.min_horizontal if least else pl.max_horizontal
        whole = all(term.kind is Kind.INTEGER for term in terms)
        exprs = [term.expr if whole else _real(term) for term in terms]
        missing = pl.any_horizontal([expr.is_null() for expr in exprs])
        # polars skips missing values here; a division by zero must not vanish.
        value = pl.when(missing).then(None).otherwise(pick(exprs))
        return self._hull(value, terms, whole)

    def _case(self, node: Any, depth: int) -> _Term:
        default = node.args.get("default")
        if node.this is not None or default is None:
            raise self.fail(node, "write CASE WHEN condition THEN value ELSE value END")
        conditions = [self._truth(branch.this, depth).expr for branch in node.args["ifs"]]
        results = [self.term(part, depth) for part in (*(branch.args["true"] for branch in node.args["ifs"]), default)]
        if any(term.kind is Kind.TEXT for term in results) or len({t.kind is Kind.BOOLEAN for t in results}) > 1:
            raise self.fail(node, "the values of CASE must all be numbers, or all true or false")
        truth = results[0].kind is Kind.BOOLEAN
        whole = all(term.kind is Kind.INTEGER for term in results)
        exprs = [term.expr if whole or truth else _real(term) for term in results]
        value = exprs[-1]
        for condition, expr in zip(reversed(conditions), reversed(exprs[:-1]), strict=True):
            value = pl.when(condition.is_null()).then(None).when(condition).then(expr).otherwise(value)
        return _Term(value, Kind.BOOLEAN) if truth else self._hull(value, results, whole)

    @staticmethod
    def _hull(value: pl.Expr, terms: Sequence[_Term], whole: bool) -> _Term:
        if not whole:
            return _Term(value, Kind.REAL)
        return _Term(value, Kind.INTEGER, min(term.low for term in terms), max(term.high for term in terms))


def _quotes(text: str) -> str:
    return f"; put text in single quotes: '{text}'"


def _ends(sign: str, left: _Term, right: _Term) -> list[int]:
    """Between which integers the result lies."""
    if sign == "+":
        return [left.low + right.low, left.high + right.high]
    if sign == "-":
        return [left.low - right.high, left.high - right.low]
    return [a * b for a in (left.low, left.high) for b in (right.low, right.high)]


def _real(term: _Term) -> pl.Expr:
    return term.expr.cast(pl.Float64)


def _nonzero(expr: pl.Expr) -> pl.Expr:
    """The divisor, without a value where it is zero."""
    return pl.when(expr != 0).then(expr).otherwise(None)


def _defined(term: _Term) -> pl.Expr:
    """For comparisons: polars would order NaN above every number."""
    return term.expr.fill_nan(None) if term.kind is Kind.REAL else term.expr
