"""From a picture to the questions that give its numbers, and from their answers to a chart."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernels.pictures import CUMULATIVE, DISTRIBUTION, GROUPS, Picture
from kernels.records import Kind as ColumnKind
from simcli.asking.answers import Answer
from simcli.asking.questions import UNITS
from simcli.errors import UserError
from simcli.pictures.charts import COLUMNS, ROWS, STEPS, Chart, Mark, Series
from simcli.pictures.sources import Keys, Source
from simcli.pictures.words import heading, in_words, is_seat, named_value, unit, value_in_words, with_event
from simcli.tables.columns import names, of_table
from simcli.tables.expressions import Kind

KINDS = (DISTRIBUTION, GROUPS, CUMULATIVE)
MAX_BARS = 24
MAX_STEPS = 40
_TAIL = 0.005
"""Of the first games at each end, what goes into an open bar."""
_NICE = (1, 2, 5)

Bounds = tuple[int | None, int | None]


@dataclass(frozen=True)
class Plan:
    """What is asked for a chart, and what the chart is like but for its marks."""

    asked: tuple[Keys, ...]
    labels: tuple[str, ...]
    chart: Chart
    label: Callable[[tuple[Any, ...]], str] = str
    """A group in words, where one answer has all groups."""
    order: tuple[str, ...] = ()
    """The words of a column as the game has them."""

    def draw(self, answers: Sequence[tuple[str, Sequence[Answer]]]) -> Chart:
        """The chart, from the answers of each setting by its name."""
        found = {name: self._marks(each) for name, each in answers}
        if not self.labels:
            found = _aligned(found)
        series = tuple(Series(name, tuple(marks)) for name, marks in found.items())
        return replace(self.chart, series=series)

    def _marks(self, answers: Sequence[Answer]) -> list[Mark]:
        if self.labels:
            return [_mark(label, each.total, each) for label, each in zip(self.labels, answers, strict=True)]
        (answer,) = answers
        rows = sorted(answer.rows, key=lambda row: self.order.index(row.key[0])) if self.order else answer.rows
        return [_mark(self.label(row.key), row, answer) for row in rows]


def _mark(label: str, row: Any, answer: Answer) -> Mark:
    low, high = (limit if math.isfinite(limit) else None for limit in row.interval[:2])
    return Mark(label, row.estimate, low, high, answer.reproduce)


def _aligned(found: dict[str, list[Mark]]) -> dict[str, list[Mark]]:
    """The marks of all settings with the same labels: a group that one has not is empty there."""
    labels = list(dict.fromkeys(mark.label for marks in found.values() for mark in marks))
    by_label = {name: {mark.label: mark for mark in marks} for name, marks in found.items()}
    return {
        name: [marks.get(label, Mark(label, None, None, None)) for label in labels] for name, marks in by_label.items()
    }


def plan(picture: Picture, sources: Sequence[Source]) -> Plan:
    """What must be asked of each source for a picture of all of them. Raises UserError."""
    first = sources[0]
    if picture.kind not in KINDS:
        raise UserError(f"--kind {picture.kind}", f"not a kind of picture; there are {', '.join(KINDS)}")
    if picture.kind == GROUPS:
        return _groups(first, picture)
    if picture.kind == CUMULATIVE:
        return _cumulative(sources, picture)
    return _distribution(sources, picture)


def kind_of(source: Source, show: str, per: str) -> Kind:
    """What an expression gives. Raises UserError."""
    columns = source.builder.columns(UNITS[per])
    if show in columns:
        return columns[show].kind
    from simcli.tables.expressions import parse

    return parse(show, columns, "EXPR", (Kind.BOOLEAN, Kind.INTEGER, Kind.REAL)).kind


# Kinds


def _groups(source: Source, picture: Picture) -> Plan:
    if not picture.by:
        raise UserError("--kind groups", "groups are those of a column; name it with --by")
    kind = kind_of(source, picture.show, picture.per)
    if kind is Kind.TEXT:
        raise UserError("EXPR", f"{picture.show} is words; ask for an event such as {picture.show} = '...'")
    key = "event" if kind is Kind.BOOLEAN else "mean"
    keys = {**_shared(picture), key: picture.show, "by": picture.by}
    source.question(keys)
    share = f"share of {_counted(picture)} {with_event(source, picture.show, picture.per)}"
    mean = f"mean of {in_words(source, picture.show, picture.per)}{unit(source, picture.show, picture.per)}"
    columns = picture.by.split(",")
    chart = Chart(
        form=ROWS,
        together=True,
        title=picture.title or heading(source, picture.show, picture.per),
        along=" and ".join(in_words(source, column.strip(), picture.per) for column in columns),
        measured=share if key == "event" else mean,
        series=(),
        percent=key == "event",
    )
    return Plan((keys,), (), chart, _namer(source, [column.strip() for column in columns], picture.per))


def _namer(source: Source, columns: Sequence[str], per: str) -> Callable[[tuple[Any, ...]], str]:
    if len(columns) == 1:
        return lambda key: value_in_words(source, columns[0], per, key[0])
    return lambda key: ", ".join(
        named_value(source, name, per, value) for name, value in zip(columns, key, strict=True)
    )


def _distribution(sources: Sequence[Source], picture: Picture) -> Plan:
    source = sources[0]
    if picture.by:
        raise UserError("--by", "a distribution has no groups; --kind groups compares shares and means")
    chart = Chart(
        form=COLUMNS,
        title=picture.title or heading(source, picture.show, picture.per),
        along=f"{in_words(source, picture.show, picture.per)}{unit(source, picture.show, picture.per)}",
        measured=f"share of {_counted(picture)}",
        series=(),
        percent=True,
    )
    kind = kind_of(source, picture.show, picture.per)
    if kind is Kind.TEXT or is_seat(source, picture.show, picture.per):
        return _words(source, picture, chart)
    if kind is Kind.BOOLEAN:
        asked = tuple({**_shared(picture), "event": text} for text in (picture.show, f"NOT ({picture.show})"))
        return Plan(asked, ("yes", "no"), replace(chart, form=ROWS))
    seen = _seen(sources, picture.show, picture.given, picture)
    bars = _bars(picture.show, seen, _bounds(source, picture.show, picture.per))
    asked = tuple({**_shared(picture), "event": text} for _, text in bars)
    return Plan(asked, tuple(label for label, _ in bars), chart)


def _words(source: Source, picture: Picture, chart: Chart) -> Plan:
    """A row for each word of a column, in the order that the game has them in."""
    keys = {**_shared(picture), "table": picture.show}
    source.question(keys)
    order = source.builder.columns(UNITS[picture.per])[picture.show].names
    named = _namer(source, [picture.show], picture.per)
    return Plan((keys,), (), replace(chart, form=ROWS, together=True), named, order)


def _cumulative(sources: Sequence[Source], picture: Picture) -> Plan:
    source = sources[0]
    along = picture.by or "orbit"
    if kind_of(source, picture.show, picture.per) is not Kind.BOOLEAN:
        raise UserError("EXPR", "what is cumulated is an event, such as outcome = 'draw'")
    happened = f"({picture.show}) AND ({picture.given})" if picture.given else picture.show
    seen = _seen(sources, along, happened, picture)
    first, last = int(np.floor(seen.min())), int(np.ceil(np.quantile(seen, 1 - _TAIL)))
    steps = range(first, last + 1, max(1, -(-(last + 1 - first) // MAX_STEPS)))
    start = min(max(first, 0), 1)
    asked = tuple(
        {**_shared(picture), "event": f"({picture.show}) AND {along} BETWEEN {start} AND {step}"} for step in steps
    )
    chart = Chart(
        form=STEPS,
        title=picture.title or heading(source, picture.show, picture.per),
        along=f"{in_words(source, along, picture.per)}{unit(source, along, picture.per)}",
        measured=f"share of {_counted(picture)} by then {with_event(source, picture.show, picture.per)}",
        series=(),
        percent=True,
    )
    return Plan(asked, tuple(map(str, steps)), chart)


def _seen(sources: Sequence[Source], number: str, given: str, picture: Picture) -> np.ndarray:
    """A number's values in the first games of all sources. Raises UserError if there is none."""
    seen = np.concatenate([source.values(number, given or None, picture.per) for source in sources])
    if not len(seen):
        raise UserError("EXPR", f"none of the first games has it, so that there is no scale for {number}")
    return seen


def _shared(picture: Picture) -> dict[str, Any]:
    """Keys that all questions of a picture have."""
    return {"per": picture.per, **({"given": picture.given} if picture.given else {})}


def _counted(picture: Picture) -> str:
    return f"{UNITS[picture.per]}{f' given {picture.given}' if picture.given else ''}"


def _bounds(source: Source, show: str, per: str) -> Bounds:
    """The least and the largest value that a column can have; None for no bound, or if what is shown is no column."""
    known = of_table(source.scenario, UNITS[per])
    found = next((about for name, about in known.items() if show in names(name, about)), None)
    return (None, None) if found is None or found.kind is ColumnKind.seat else (found.low, found.high)


# Bars


def _bars(show: str, seen: np.ndarray, bounds: Bounds) -> list[tuple[str, str]]:
    """The bars of a number's distribution, each with its label and the event of being in it."""
    whole = bool(np.all(seen == np.floor(seen)))
    low, high = float(seen.min()), float(seen.max())
    if not whole or high - low + 1 > MAX_BARS:
        low, high = (float(np.quantile(seen, p, method="nearest")) for p in (_TAIL, 1 - _TAIL))
    width = _width(high - low, whole)
    edges = [math.floor(low / width) * width + width * i for i in range(MAX_BARS + 2)]
    edges = [edge for edge in edges if edge <= max(high, edges[1])]
    term = show if show.isidentifier() else f"({show})"
    bars = [_bar(term, edge, width, whole) for edge in edges]
    least, largest = bounds
    if least is None or edges[0] > least:
        bars[0] = _open_below(term, edges[0], width, whole)
    if largest is None or not whole or edges[-1] + width - 1 < largest:
        bars[-1] = (f"≥ {edges[-1]:g}", f"{term} >= {_number(edges[-1])}")
    return bars


def _width(span: float, whole: bool) -> float:
    """The least of 1, 2, 5, 10, 20, ... (or parts of one) by which the span makes no more than so many bars."""
    if whole and span + 1 <= MAX_BARS:
        return 1
    scale = 10.0 ** (math.floor(math.log10(max(span, 1e-9) / MAX_BARS)) - 1)
    widths = [nice * scale * 10**power for power in range(4) for nice in _NICE]
    found = float(next(width for width in widths if span / width + 1 <= MAX_BARS))
    return max(1, round(found)) if whole else found


def _bar(term: str, edge: float, width: float, whole: bool) -> tuple[str, str]:
    if whole and width == 1:
        return f"{edge:g}", f"{term} = {_number(edge)}"
    if whole:
        last = edge + width - 1
        return f"{edge:g} to {last:g}", f"{term} BETWEEN {_number(edge)} AND {_number(last)}"
    return f"{edge:g} to {edge + width:g}", f"{term} >= {_number(edge)} AND {term} < {_number(edge + width)}"


def _open_below(term: str, edge: float, width: float, whole: bool) -> tuple[str, str]:
    last = edge + width - 1 if whole else edge + width
    return f"{'≤' if whole else '<'} {last:g}", f"{term} {'<=' if whole else '<'} {_number(last)}"


def _number(value: float) -> str:
    return f"{value:.12g}"
