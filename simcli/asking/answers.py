"""Everything an answer says, as numbers and as JSON, made of a question's tallies."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simcli.asking.estimators import Estimator, Key, interval_of
from simcli.asking.exact import Exact, known
from simcli.asking.questions import MEAN, PROPORTION, QUANTILES, TABLE, Expect, Question
from simcli.config.scenario import Scenario
from simcli.errors import UserError
from simcli.stats import intervals, stopping
from simcli.stats.intervals import Interval
from simcli.stats.tallies import MeanTally, ProportionTally, ValueTally

SCHEMA = 2
"""Version of the JSON of answers; raised when a key changes its meaning or goes."""
DOUBTFUL = "few games with large values carry a mean; its interval may not hold before there are more of them"
QUANTILE_LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MAX_BINS = 20


@dataclass(frozen=True)
class Row:
    """One estimate: of everything, or of one group or cell of a table."""

    key: Key
    estimate: float | None
    interval: Interval
    hits: int | None
    eligible: int
    games: int
    warning: str = ""

    def describe(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "estimate": self.estimate,
            "interval": [_finite(self.interval.low), _finite(self.interval.high)],
            "hits": self.hits,
            "eligible": self.eligible,
            "games": self.games,
        }


@dataclass(frozen=True)
class Quantile:
    """One quantile of a value, with its interval."""

    p: float
    value: float | None
    interval: Interval


@dataclass(frozen=True)
class Bin:
    """How many rows have a value from low to high, both included."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Styled:
    """The same estimate where all seats are played in a style."""

    name: str
    row: Row
    strength: tuple[float, float, float]
    """Points a round that the style gains on the expert, and the limits of their interval."""

    def describe(self) -> dict[str, Any]:
        """For JSON."""
        return {"name": self.name, **self.row.describe(), "strength": list(self.strength)}


@dataclass(frozen=True)
class Answer:
    """An answered question. `rows` are its groups, or the cells of its table; `each` is the level of each of them."""

    question: Question
    scenario: Scenario
    total: Row
    games: int
    stopped: str
    rows: tuple[Row, ...] = ()
    each: float = 0.0
    quantiles: tuple[Quantile, ...] = ()
    histogram: tuple[Bin, ...] = ()
    examples: tuple[int, ...] = ()
    exact: Exact | None = None
    decision: str | None = None
    unfinished: Mapping[str, float] = field(default_factory=dict)
    expected: bool | None = None
    deviation: float | None = None
    reproduce: str = ""
    styles: tuple[Styled, ...] = ()

    def describe(self) -> dict[str, Any]:
        """The JSON of the answer; every key is always there but those of its kind alone."""
        question, scenario = self.question, self.scenario
        return {
            "name": question.name,
            "kind": question.kind,
            "question": question.text,
            "given": question.given.text if question.given else None,
            "per": question.per,
            "by": list(question.by),
            **self.total.describe(),
            "level": question.level,
            "method": self.total.interval.method,
            "games": self.games,
            "stopped": self.stopped,
            "game": scenario.game,
            "rules_hash": scenario.rules_hash,
            "policies": [str(policy) for policy in scenario.policies],
            "predeal": scenario.predealt or None,
            "seed": scenario.seed,
            "identity": scenario.identity,
            "exact": self.exact.describe() if self.exact else None,
            "examples": list(self.examples),
            "unfinished": dict(self.unfinished),
            "warnings": list(self.warnings),
            "reproduce": self.reproduce,
            **self._more(),
        }

    def _more(self) -> dict[str, Any]:
        """Keys that only some answers have."""
        more: dict[str, Any] = {}
        if self.question.by:
            more["level_each"] = self.each
            more["groups"] = [{"key": dict(zip(self.question.by, row.key, strict=True)), **row.describe()}
                              for row in self.rows]  # fmt: skip
        if self.question.kind == QUANTILES:
            more["quantiles"] = [
                {"p": q.p, "value": q.value, "interval": [_finite(q.interval.low), _finite(q.interval.high)]}
                for q in self.quantiles
            ]
            more["histogram"] = [{"low": bar.low, "high": bar.high, "count": bar.count} for bar in self.histogram]
        if self.styles:
            more["styles"] = [style.describe() for style in self.styles]
        if self.decision is not None:
            more["decision"] = self.decision
        if self.expected is not None:
            more["expected"] = {
                "met": self.expected,
                "sigma": None if self.deviation is None else _finite(self.deviation),
            }
        return more

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to mind about the answer."""
        found = [self.total.warning, *(row.warning for row in self.rows)]
        if self.total.eligible == 0:
            found.insert(0, "no row was eligible; nothing can be said")
        return tuple(dict.fromkeys(text for text in found if text))


def _finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None


# Making


def make(
    scenario: Scenario,
    estimator: Estimator,
    rule: stopping.Rule,
    games: int,
    stopped: str,
    unfinished: Mapping[str, float],
) -> Answer:
    """The answer to a question after so many games. Raises UserError for an expectation that cannot be judged."""
    exact = known(scenario, estimator.question)
    parts = _parts(estimator, rule)
    met, deviation = _judge(estimator.question.expect, estimator, parts["total"], exact)
    return Answer(
        question=estimator.question,
        scenario=scenario,
        games=games,
        stopped=stopped,
        examples=tuple(estimator.examples),
        exact=exact,
        unfinished=unfinished,
        expected=met,
        deviation=deviation,
        **parts,
    )


def _parts(estimator: Estimator, rule: stopping.Rule) -> dict[str, Any]:
    """The estimates of an answer: total, rows, quantiles, histogram, decision."""
    question = estimator.question
    if question.kind == QUANTILES:
        return _quantile_parts(estimator)
    if question.kind == TABLE:
        return _table_parts(estimator)
    tallies: Mapping[Key, ProportionTally | MeanTally]
    tallies = estimator.means if question.kind == MEAN else estimator.proportions
    keys = sorted((key for key in tallies if key), key=sortable)
    each = 1 - (1 - question.level) / max(1, len(keys))
    parts: dict[str, Any] = {
        "total": _row((), question, tallies[()], question.level),
        "rows": tuple(_row(key, question, tallies[key], each) for key in keys),
        "each": each,
    }
    if isinstance(rule, stopping.Precision):
        interval = estimator.interval(stopping.PRECISION_ERROR)
        assert interval is not None
        noted = interval._replace(method=f"{interval.method}, widened for stopping")
        parts["total"] = replace(parts["total"], interval=noted)
    if isinstance(rule, stopping.Hits) and estimator.proportions[()].hits == rule.hits:
        parts["total"] = _inverse_row(estimator.proportions[()], question.level)
    if isinstance(rule, stopping.Decide):
        parts["decision"] = rule.decision(estimator.bets)
        parts["total"] = replace(parts["total"], interval=rule.interval(estimator.bets))
    return parts


def _row(key: Key, question: Question, tally: ProportionTally | MeanTally, level: float) -> Row:
    interval = interval_of(question, tally, level)
    if isinstance(tally, ProportionTally):
        return Row(key, tally.estimate, interval, tally.hits, tally.eligible, tally.games)
    doubtful = tally.eligible > 0 and question.bounds is None and intervals.is_doubtful(tally.sample())
    return Row(key, tally.estimate, interval, None, tally.eligible, tally.games, DOUBTFUL if doubtful else "")


def _inverse_row(tally: ProportionTally, level: float) -> Row:
    estimate, interval = intervals.inverse(tally.hits, tally.eligible, level)
    return Row((), estimate, interval, tally.hits, tally.eligible, tally.eligible)


def _table_parts(estimator: Estimator) -> dict[str, Any]:
    table = estimator.cells
    keys = sorted(table.cells, key=sortable)
    each = 1 - (1 - estimator.question.level) / max(1, len(keys))
    eligible = sum(x * n for x, n in table.all.items())
    total = Row((), None, Interval(0.0, 1.0, "shares of all eligible rows, by cell"), None, eligible, table.all.total())
    return {
        "total": total,
        "rows": tuple(_row(key, estimator.question, table.proportion(key), each) for key in keys),
        "each": each,
    }


def _quantile_parts(estimator: Estimator) -> dict[str, Any]:
    values = estimator.values
    method = values.method if values.eligible else "no eligible rows"
    found = []
    for p in QUANTILE_LEVELS if values.eligible else ():
        value, low, high = values.quantile(p, estimator.question.level)
        found.append(Quantile(p, value, Interval(low, high, method)))
    total = Row((), None, Interval(-math.inf, math.inf, method), None, values.eligible, values.games)
    return {"total": total, "quantiles": tuple(found), "histogram": histogram(values)}


def histogram(values: ValueTally) -> tuple[Bin, ...]:
    """At most MAX_BINS bars: one a value, or equal widths of whole numbers, or of the range."""
    seen, counts = values.values, values.counts
    if len(seen) <= MAX_BINS:
        return tuple(Bin(float(v), float(v), int(c)) for v, c in zip(seen, counts, strict=True))
    low, high = float(seen[0]), float(seen[-1])
    whole = bool(np.all(seen == np.floor(seen)))
    width = math.ceil((high - low + 1) / MAX_BINS) if whole else (high - low) / MAX_BINS
    place = np.minimum(((seen - low) / width).astype(np.int64), MAX_BINS - 1)
    bars = np.bincount(place, counts, MAX_BINS).astype(np.int64)
    end = width - 1 if whole else width
    return tuple(
        Bin(low + i * width, min(high, low + i * width + end), int(count))
        for i, count in enumerate(bars)
        if low + i * width <= high
    )


def group_label(question: Question, key: Key) -> str:
    """A group as text: `winner=0, slam=True`; empty for everything."""
    return ", ".join(f"{name}={value}" for name, value in zip(question.by, key, strict=False))


def sortable(key: Key) -> Any:
    """What orders groups whose keys mix numbers and text."""
    return tuple((isinstance(part, str), part) for part in key)


# Expectations


def _judge(
    expect: Expect | None, estimator: Estimator, row: Row, exact: Exact | None
) -> tuple[bool | None, float | None]:
    """Whether the estimate is as expected, and by how many standard errors it is off; None if nothing was expected."""
    asked = expect.value if expect else None
    value = exact.p if exact and asked is None else asked
    deviation = None
    if value is not None and row.estimate is not None:
        deviation = _standard_errors(estimator, row.estimate, value)
    if expect is None:
        return None, deviation
    if expect.exact and exact is None:
        raise UserError(estimator.question.place, "no exact value is known for this question")
    if row.estimate is None:
        return False, None
    if expect.between is not None:
        return expect.between[0] <= row.estimate <= expect.between[1], deviation
    assert deviation is not None
    return abs(deviation) <= expect.sigma, deviation


def _standard_errors(estimator: Estimator, estimate: float, value: float) -> float:
    """The distance of the estimate from a value in standard errors; for shares, those that the value has."""
    kind = estimator.question.kind
    sample = (estimator.means if kind == MEAN else estimator.proportions)[()].sample()
    error = intervals.standard_error(sample)
    if kind == PROPORTION and (sample.most <= 1 or error == 0):
        error = math.sqrt(value * (1 - value) / sample.eligible)
    if estimate == value:
        return 0.0
    return (estimate - value) / error if error > 0 else math.copysign(math.inf, estimate - value)
