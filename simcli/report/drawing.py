"""Charts as HTML around inline SVG: shapes stretch with the page, words and numbers keep their size.

Every number that is drawn also stands in the page as text, in the rows themselves or in a table below.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from simcli.cli.printing import figure, percent
from simcli.pictures.charts import COLUMNS, ROWS, Chart, Mark
from simcli.report.markup import Markup, table, tag

COLORS = ("one", "two", "three")
"""Classes of series, in their order; the style sheet says which colours they are."""
_NICE = (1, 2, 2.5, 5, 10)
_HEIGHT = 100
_SHORT = 22
"""Letters of a label that stays on one line."""
_FEW = 6
"""Labels that are all shown on a narrow page, too."""
_LONG = 1e4
_LABELS = 12
"""Labels along a scale at most; a narrow page shows every second."""


def draw(chart: Chart) -> Markup:
    """A chart with its title, what is measured, and its numbers."""
    body = rows(chart) if chart.form == ROWS else _upright(chart)
    plain = chart.form != ROWS or " and " in chart.along
    measured = chart.measured if plain else f"{chart.measured}, by {chart.along}"
    head = tag("figcaption", tag("h3", chart.title), tag("p", measured, class_="measured"), legend(chart))
    span = " span" if len(chart.series) >= len(COLORS) else ""
    return tag("figure", head, body, class_=f"chart {chart.form}{span}")


def legend(chart: Chart) -> Markup | None:
    """The names of the series, where there are several."""
    if len(chart.series) < 2:
        return None
    keys = [
        tag("li", tag("span", class_=f"key {color}"), series.name)
        for series, color in zip(chart.series, COLORS, strict=False)
    ]
    return tag("ul", keys, class_="legend")


def number(value: float | None, share: bool, signed: bool = False) -> str:
    """A value as text: a share in percent, a change of one in percentage points."""
    if value is None:
        return "not seen"
    text = percent(abs(value)) if share else _short(abs(value))
    if signed:
        text = text.replace("%", " pp")
        return f"{'+' if value > 0 else '−' if value < 0 else ''}{text}"
    return f"−{text}" if value < 0 else text


def _short(value: float) -> str:
    return f"{value:.4g}" if value < _LONG else figure(value)


def exactly(value: float | None, share: bool, signed: bool = False) -> Markup:
    """A value as text that carries the number itself."""
    return tag("data", number(value, share, signed), value=None if value is None else repr(value))


def limits(mark: Mark, share: bool, signed: bool = False) -> str:
    """The interval as text."""
    if mark.low is None or mark.high is None:
        return "no interval"
    low, high = number(mark.low, share, signed), number(mark.high, share, signed)
    return f"{low.removesuffix(' pp')} to {high}"


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from at most `low` to at least `high`, which include 0 where it lies between."""
    span = high - low or 1.0
    scale = 10.0 ** math.floor(math.log10(span / most))
    step = next(nice * scale for nice in _NICE if span / (nice * scale) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * place, 12) for place in range(first, max(last, first + 1) + 1)]


def _tick_text(value: float, share: bool, signed: bool) -> str:
    text = f"{100 * abs(value):.6g}" if share else f"{abs(value):.6g}"
    sign = "−" if value < 0 else "+" if signed and value > 0 else ""
    return f"{sign}{text}{'' if not share else ' pp' if signed else '%'}"


# Rows: a bar or a point for each group


def rows(chart: Chart) -> Markup:
    """A row for each label, with the estimate of each series as a picture and as text."""
    marked = ticks(*chart.span, most=4)
    lines = [_row(chart, place, marked) for place in range(len(chart.labels))]
    axis = tag("tr", tag("th"), tag("td", _axis(marked, chart.percent)), tag("td"), class_="axis", aria_hidden="true")
    return tag("table", tag("tbody", lines, axis), class_="rows")


def _row(chart: Chart, place: int, marked: Sequence[float]) -> Markup:
    tracks, numbers = [], []
    for series, color in zip(chart.series, COLORS, strict=False):
        mark = series.marks[place]
        tracks.append(track(mark, marked, color, as_bar=marked[0] >= 0))
        numbers.append(tag("div", told(mark, chart.percent)))
    label = chart.labels[place]
    head = tag("th", label, scope="row", class_="short" if len(label) <= _SHORT else None)
    return tag("tr", head, tag("td", tracks), tag("td", numbers, class_="numbers"))


def told(mark: Mark, share: bool, signed: bool = False) -> Markup:
    """An estimate and its interval, with the command that gives them."""
    value = tag("b", exactly(mark.value, share, signed))
    return tag("span", value, " ", tag("small", ends(mark, share, signed)), title=mark.reproduce or None)


def ends(mark: Mark, share: bool, signed: bool = False) -> Markup:
    """The interval as text that carries its numbers."""
    if mark.low is None or mark.high is None:
        return Markup("no interval")
    low, high = (exactly(end, share, signed) for end in (mark.low, mark.high))
    return Markup(f"{low.replace(' pp<', '<')} to {high}")


def track(mark: Mark, marked: Sequence[float], color: str, as_bar: bool) -> Markup:
    """One estimate on a scale, as a bar from 0 or as a point, with its interval as a line."""
    place = _placer(marked)
    zero = place(0.0) if marked[0] <= 0 <= marked[-1] else None
    parts = [_line("grid", place(at), 0, place(at), 10) for at in marked]
    if zero is not None:
        parts.append(_line("zero", zero, 0, zero, 10))
    if mark.value is not None:
        at = place(mark.value)
        if as_bar:
            parts.append(
                tag("rect", x=f"{zero or 0:.3f}", y="2", width=f"{at - (zero or 0):.3f}", height="6", class_=color)
            )
        if mark.low is not None and mark.high is not None:
            parts.append(_line(f"interval {color}{' over' if as_bar else ''}", place(mark.low), 5, place(mark.high), 5))
        if not as_bar:
            parts.append(_line(f"point {color}", at, 5, at, 5))
    return tag(
        "svg", parts, viewBox="0 0 100 10", preserveAspectRatio="none", class_="track", aria_hidden="true",
        focusable="false",
    )  # fmt: skip


def _placer(marked: Sequence[float]):  # type: ignore[no-untyped-def]
    """From a value to its place, in percent of the width; what lies outside is at the edge."""
    low, span = marked[0], marked[-1] - marked[0]
    return lambda value: 100 * min(1.0, max(0.0, (value - low) / span))


def _line(class_: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return tag("path", d=f"M{x1:.3f} {y1:.3f}L{x2:.3f} {y2:.3f}", class_=class_)


def _axis(marked: Sequence[float], share: bool, signed: bool = False) -> Markup:
    place = _placer(marked)
    every = [
        tag("span", _tick_text(at, share, signed), style=f"left:{place(at):.3f}%", class_=_end(number, len(marked)))
        for number, at in enumerate(marked)
    ]
    return tag("div", every, class_="scale")


def _end(place: int, count: int) -> str | None:
    return "first" if place == 0 else "last" if place == count - 1 else "odd" if place % 2 else None


# Columns and curves


def _upright(chart: Chart) -> Markup:
    marked = ticks(*chart.span)
    shapes = list(_bars(chart, marked) if chart.form == COLUMNS else _curves(chart, marked))
    grid = [_line("grid", 0, _down(at, marked), 100, _down(at, marked)) for at in marked]
    svg = tag(
        "svg", tag("title", _in_short(chart)), grid, shapes, viewBox=f"0 0 100 {_HEIGHT}", preserveAspectRatio="none",
        role="img",
    )  # fmt: skip
    heights = [
        tag("span", _tick_text(at, chart.percent, False), style=f"bottom:{100 - _down(at, marked):.3f}%")
        for at in marked
    ]
    plot = tag(
        "div", tag("div", heights, class_="heights", aria_hidden="true"), tag("div", svg, class_="shapes"),
        _along(chart), class_="plot",
    )  # fmt: skip
    return Markup(plot + tag("p", chart.along, class_="along") + _numbers(chart))


def _down(value: float, marked: Sequence[float]) -> float:
    return _HEIGHT * (1 - (value - marked[0]) / (marked[-1] - marked[0]))


def _in_short(chart: Chart) -> str:
    """A chart in a sentence, for those who cannot see it."""
    known = [mark for mark in chart.series[0].marks if mark.value is not None]
    if not known:
        return f"{chart.title}: nothing is known"
    high = max(known, key=lambda mark: mark.value or 0.0)
    return (
        f"{chart.title}. {chart.measured}, along {chart.along}; from {known[0].label} to {known[-1].label}, "
        f"highest at {high.label} with {number(high.value, chart.percent)}. All numbers stand below."
    )


def _bars(chart: Chart, marked: Sequence[float]) -> Iterator[Markup]:
    slot = 100 / len(chart.labels)
    width = 0.84 * slot / len(chart.series)
    for rank, (series, color) in enumerate(zip(chart.series, COLORS, strict=False)):
        for place, mark in enumerate(series.marks):
            left = place * slot + 0.08 * slot + rank * width
            top = _down(mark.value or 0.0, marked)
            yield tag(
                "rect", tag("title", _hint(mark, chart)), x=f"{left:.3f}", y=f"{top:.3f}", width=f"{width:.3f}",
                height=f"{_down(0, marked) - top:.3f}", class_=color,
            )  # fmt: skip
            if mark.low is not None and mark.high is not None:
                middle = left + width / 2
                yield _line("interval over", middle, _down(mark.low, marked), middle, _down(mark.high, marked))


def _curves(chart: Chart, marked: Sequence[float]) -> Iterator[Markup]:
    slot = 100 / len(chart.labels)
    for series, color in zip(chart.series, COLORS, strict=False):
        known = [(slot * (place + 0.5), mark) for place, mark in enumerate(series.marks) if mark.value is not None]
        lows = [(x, mark.value if mark.low is None else mark.low) for x, mark in known]
        highs = [(x, mark.value if mark.high is None else mark.high) for x, mark in known]
        yield tag(
            "path",
            d=f"{_path(_stairs(highs), marked)}{_path(_stairs(lows)[::-1], marked, 'L')}Z",
            class_=f"band {color}",
        )
        yield tag("path", d=_path(_stairs([(x, mark.value) for x, mark in known]), marked), class_=f"curve {color}")
        for x, mark in known:
            down = _down(mark.value or 0.0, marked)
            yield tag("path", tag("title", _hint(mark, chart)), d=f"M{x:.3f} {down:.3f}h0", class_=f"dot {color}")


def _stairs(points: Sequence[tuple[float, float | None]]) -> list[tuple[float, float]]:
    """Points of a curve that rises at each of the given ones."""
    found: list[tuple[float, float]] = []
    for x, y in points:
        if found:
            found.append((x, found[-1][1]))
        found.append((x, y or 0.0))
    return found


def _path(points: Iterable[tuple[float, float]], marked: Sequence[float], begin: str = "M") -> str:
    text = "L".join(f"{x:.3f} {_down(y, marked):.3f}" for x, y in points)
    return f"{begin}{text}" if text else ""


def _hint(mark: Mark, chart: Chart) -> str:
    return f"{mark.label}: {number(mark.value, chart.percent)} ({limits(mark, chart.percent)})"


def _along(chart: Chart) -> Markup:
    labels = chart.labels
    every = max(1, -(-len(labels) // _LABELS))
    if max(map(len, labels)) > 6:
        every = max(every, -(-2 * len(labels) // _LABELS))
    shown = range(0, len(labels), every)
    words = [
        tag(
            "span", labels[place], style=f"left:{100 * (place + 0.5) / len(labels):.3f}%",
            class_="odd" if rank % 2 and len(shown) > _FEW else None,
        )
        for rank, place in enumerate(shown)
    ]  # fmt: skip
    return tag("div", words, class_="labels", aria_hidden="true")


def _numbers(chart: Chart) -> Markup:
    """All numbers of a chart, to be unfolded."""
    several = len(chart.series) > 1
    head = [chart.along, *(f"{series.name}" if several else "value" for series in chart.series)]
    lines = (
        [label, *(told(series.marks[place], chart.percent) for series in chart.series)]
        for place, label in enumerate(chart.labels)
    )
    return tag("details", tag("summary", "Numbers"), table(lines, head, "numbers"))


# Differences


def tornado(marks: Sequence[tuple[Mark, str]], share: bool) -> Markup:
    """Changes from the default, in the order given, each with what its label means."""
    numbers = [n for mark, _ in marks for n in (mark.low, mark.high, mark.value) if n is not None]
    marked = ticks(min([0.0, *numbers]), max([0.0, *numbers]))
    lines = []
    for mark, meaning in marks:
        decided = mark.low is not None and mark.high is not None and not mark.low <= 0 <= mark.high
        color = ("one" if (mark.value or 0) > 0 else "two") if decided else "unsure"
        lines.append(
            tag(
                "tr", tag("th", mark.label, tag("small", meaning), scope="row"),
                tag("td", _change(mark, marked, color)),
                tag("td", told(mark, share, True), class_="numbers"),
            )
        )  # fmt: skip
    axis = tag("tr", tag("th"), tag("td", _axis(marked, share, True)), tag("td"), class_="axis", aria_hidden="true")
    return tag("table", tag("tbody", lines, axis), class_="rows tornado")


def _change(mark: Mark, marked: Sequence[float], color: str) -> Markup:
    place = _placer(marked)
    zero, at = place(0.0), place(mark.value or 0.0)
    bar = tag("rect", x=f"{min(zero, at):.3f}", y="2.2", width=f"{abs(at - zero):.3f}", height="5.6", class_=color)
    parts = [_line("grid", place(tick), 0, place(tick), 10) for tick in marked]
    parts += [bar, _line("zero", zero, 0, zero, 10)]
    if mark.low is not None and mark.high is not None:
        parts.append(_line("interval over", place(mark.low), 5, place(mark.high), 5))
    return tag(
        "svg", parts, viewBox="0 0 100 10", preserveAspectRatio="none", class_="track", aria_hidden="true",
        focusable="false",
    )  # fmt: skip
