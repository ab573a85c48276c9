"""What is asked: events, means, quantiles and tables, checked against the columns of the game before anything runs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcli.config.loading import find_question
from simcli.config.scenario import Scenario
from simcli.errors import UserError, shorten, suggestion, unknown
from simcli.tables import frames
from simcli.tables.expressions import NUMBERS, Column, Expression, Kind, parse

PROPORTION, MEAN, QUANTILES, TABLE = "share", "mean", "quantiles", "table"
"""Kinds of question."""
TARGETS = {"event": PROPORTION, "mean": MEAN, "quantiles": QUANTILES, "table": TABLE}
UNITS = {"round": "rounds", "seat": "seats"}
"""What is counted, and the table it is a row of."""
LEVEL = 0.95
MIN_LEVEL, MAX_LEVEL = 0.5, 1 - 1e-9
MAX_BY = 4
TABLE_COLUMNS = 2
DEFAULT_SIGMA = 4.0


@dataclass(frozen=True)
class Expect:
    """What a question's estimate must be: within some standard errors of a value, or between two."""

    value: float | None = None
    exact: bool = False
    sigma: float = DEFAULT_SIGMA
    between: tuple[float, float] | None = None


@dataclass(frozen=True)
class Question:
    """One thing asked about rounds, or seats of rounds."""

    name: str
    kind: str
    text: str
    target: Expression | None
    given: Expression | None
    by: tuple[str, ...]
    per: str
    level: float
    expect: Expect | None = None
    place: str = "question"
    written: str = ""
    """What it is asked with on a command line: its name in the config, its text, or the value of `option`."""
    option: str = ""
    """The option it is asked with, such as `--mean`; empty if `written` stands by itself."""

    @property
    def table(self) -> str:
        """The table whose rows are counted."""
        return UNITS[self.per]

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The least and the largest that a row's value can be, where that is known."""
        return self.target.bounds if self.target else None

    @property
    def columns(self) -> set[str]:
        """Columns it reads."""
        read = {"game", *self.by}
        for expression in (self.target, self.given):
            read |= expression.columns if expression else set()
        return read


class Builder:
    """Checks questions of one scenario; looks the columns up once."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self._schemas: dict[str, dict[str, Column]] = {}

    def columns(self, table: str) -> dict[str, Column]:
        """Columns of a table."""
        if table not in self._schemas:
            self._schemas[table] = frames.schema(self.scenario, table)
        return self._schemas[table]

    def named(self, text: str) -> Mapping[str, Any] | None:
        """The config's question of this name; None for an event, such as a column that is true or false.

        Raises UserError for what looks like a misspelt name.
        """
        if text not in self.scenario.questions and any(text in self.columns(table) for table in UNITS.values()):
            return None
        return find_question(self.scenario, text)

    def build(self, name: str, asked: Mapping[str, Any], place: Callable[[str], str] | None = None) -> list[Question]:
        """The questions in a mapping with the keys of a config's question, and `level`, `table`: one for each target.

        `place` says where a key is, for messages. Raises UserError.
        """
        where = place or (lambda key: self.scenario.places.get(f"questions.{name}.{key}", f"questions.{name}.{key}"))
        targets = [key for key in TARGETS if asked.get(key) is not None]
        if not targets:
            raise UserError(where("event"), f"nothing is asked; one of {', '.join(TARGETS)} is needed")
        return [self._question(name, key, asked, where) for key in targets]

    def _question(self, name: str, key: str, asked: Mapping[str, Any], where: Callable[[str], str]) -> Question:
        per = asked.get("per") or "round"
        if per not in UNITS:
            raise UserError(where("per"), unknown("unit", str(per), UNITS))
        given = asked.get("given")
        kind = TARGETS[key]
        target, by = None, self._names(asked.get("by"), per, where("by"), MAX_BY)
        if kind == TABLE:
            if by:
                raise UserError(where("by"), "a table has no groups; give the columns to `table`")
            by = self._names(asked[key], per, where(key), TABLE_COLUMNS)
        else:
            want = (Kind.BOOLEAN,) if kind == PROPORTION else NUMBERS
            target = self._expression(asked[key], per, where(key), want)
        if kind == QUANTILES and by:
            raise UserError(where("by"), "quantiles are not given by groups; use `given`, a group at a time")
        return Question(
            name=name,
            kind=kind,
            text=", ".join(by) if target is None else target.text,
            target=target,
            given=None if given is None else self._expression(given, per, where("given"), (Kind.BOOLEAN,)),
            by=by,
            per=per,
            level=self._level(asked.get("level", LEVEL), where("level")),
            expect=self._expect(asked.get("expect"), kind, bool(by), where("expect")),
            place=where(key),
        )

    def _expression(self, text: Any, per: str, place: str, want: Sequence[Kind]) -> Expression:
        if not isinstance(text, str):
            raise UserError(place, f"{shorten(str(text))} is not text; an SQL expression is needed")
        return parse(text, self.columns(UNITS[per]), place, want, lambda name: self._elsewhere(name, per))

    def _elsewhere(self, name: str, per: str) -> str:
        """A hint where the column belongs to the other table."""
        other = "seat" if per == "round" else "round"
        if name in self.columns(UNITS[other]):
            return f"; it is a column of {UNITS[other]}: ask per {other}"
        return ""

    def _names(self, names: Any, per: str, place: str, most: int) -> tuple[str, ...]:
        if names is None:
            return ()
        columns = self.columns(UNITS[per])
        listed = names.split(",") if isinstance(names, str) else list(names)
        found = tuple(str(name).strip() for name in listed)
        if not 1 <= len(found) <= most or len(set(found)) < len(found):
            raise UserError(place, f"{len(found)} columns; one to {most} different ones are needed")
        for name in found:
            if name not in columns:
                more = self._elsewhere(name, per) or suggestion(name.lower(), columns)
                raise UserError(place, f"unknown column {shorten(name)}{more or '; columns: ' + ', '.join(columns)}")
        return found

    @staticmethod
    def _level(level: Any, place: str) -> float:
        if isinstance(level, bool) or not isinstance(level, (int, float)) or not MIN_LEVEL <= level <= MAX_LEVEL:
            raise UserError(place, f"{shorten(str(level))} is not a level; from {MIN_LEVEL} to below 1, such as 0.95")
        return float(level)

    @staticmethod
    def _expect(asked: Any, kind: str, grouped: bool, place: str) -> Expect | None:
        if asked is None:
            return None
        if grouped or kind not in (PROPORTION, MEAN):
            raise UserError(place, "only one share or one mean can be expected to have a value")
        return read_expect(asked, place)


def target_of(kind: str) -> str:
    """The key that a kind of question is asked with."""
    return next(key for key, asked in TARGETS.items() if asked == kind)


def split_name(scenario: Scenario, text: str) -> tuple[str, str]:
    """`NAME.mean` is one part of a question of the config that has several: the name and the key; else text and ''."""
    name, _, target = text.partition(".")
    return (name, target) if name in scenario.questions and target in TARGETS else (text, "")


def check(scenario: Scenario) -> None:
    """Raises UserError for the first of a config's questions that cannot be asked.

    Under other rules than the config's own it need not be: two seats do not have the columns of four.
    """
    if any(scenario.places.get(key, "").startswith("--set") for key in ("game", "rules")):
        return
    builder = Builder(scenario)
    for name, asked in scenario.questions.items():
        builder.build(name, asked)


_WITHIN = re.compile(r"\s*(\S+)(?:\s+within\s+(\S+)\s+(?:sigma|standard errors?))?\s*")
_EXPECT_HELP = "write `p: 0.004 within 4 sigma`, `p: exact`, or `between: [low, high]`"


def read_expect(asked: Any, place: str) -> Expect:
    """`{p: VALUE within K sigma}`, `{p: exact}`, `{between: [a, b]}`; the first two also as text.

    Raises UserError.
    """
    if isinstance(asked, str):
        key, _, value = asked.partition(":")
        asked = {key.strip(): value}
    if not isinstance(asked, Mapping) or len(asked) != 1:
        raise UserError(place, f"{shorten(str(asked))} is not an expectation; {_EXPECT_HELP}")
    ((key, value),) = asked.items()
    if key == "between":
        return Expect(between=_two_numbers(value, place))
    if key not in ("p", "mean"):
        raise UserError(place, f"unknown expectation {shorten(str(key))}; {_EXPECT_HELP}")
    match = _WITHIN.fullmatch(str(value))
    if match is None:
        raise UserError(place, f"{shorten(str(value))} is not a value; {_EXPECT_HELP}")
    sigma = DEFAULT_SIGMA if match[2] is None else _number(match[2], place)
    if sigma <= 0:
        raise UserError(place, "a positive number of sigma is needed")
    if match[1] == "exact":
        return Expect(exact=True, sigma=sigma)
    return Expect(value=_number(match[1], place), sigma=sigma)


def _number(value: Any, place: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not abs(number) < float("inf"):
        raise UserError(place, f"{shorten(str(value))} is not a number; {_EXPECT_HELP}")
    return number


def _two_numbers(value: Any, place: str) -> tuple[float, float]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise UserError(place, f"{shorten(str(value))} is not a pair of numbers; {_EXPECT_HELP}")
    low, high = (_number(part, place) for part in value)
    if low > high:
        raise UserError(place, f"{low:g} is above {high:g}; {_EXPECT_HELP}")
    return low, high
