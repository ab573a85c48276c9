"""Charts as text for a terminal: bars of blocks, each with its number and interval."""

from collections.abc import Iterator

from simcli.cli.colour import BOLD, DIM, PLAIN, Part
from simcli.cli.layout import length, wrapped
from simcli.cli.printing import figure, percent
from simcli.pictures.charts import Chart, Mark, Series

_MAX_BAR, _MIN_BAR = 40, 8


def lines(chart: Chart, width: int) -> Iterator[Part]:
    """The chart, line by line, each with its style; bars take what room the numbers leave."""
    yield from ((BOLD, line) for line in wrapped(chart.title, width))
    yield from ((PLAIN, line) for line in wrapped(f"{chart.measured}, by {chart.along}", width))
    for series in chart.series:
        yield PLAIN, ""
        if len(chart.series) > 1:
            yield BOLD, series.name
        yield from ((PLAIN, line) for line in _series(chart, series, width))
    yield PLAIN, ""
    for line in chart.foot.splitlines():
        yield from ((DIM, part) for part in wrapped(f"  {line}", width, "  "))


def _series(chart: Chart, series: Series, width: int) -> Iterator[str]:
    low, high = chart.span
    label = max(length(mark.label) for mark in series.marks)
    numbers = [_number(chart, mark.value) for mark in series.marks]
    limits = [_limits(chart, mark) for mark in series.marks]
    wide = max(map(len, numbers))
    size = max(_MIN_BAR, min(_MAX_BAR, width - label - wide - max(map(len, limits)) - 8))
    for mark, number, interval in zip(series.marks, numbers, limits, strict=True):
        bar = "" if low < 0 else f"{'█' * round(size * (mark.value or 0) / (high or 1)):<{size}}  "
        yield f"  {mark.label:>{label}}  {bar}{number:>{wide}}  {interval}".rstrip()


def _number(chart: Chart, value: float | None) -> str:
    if value is None:
        return "-"
    return percent(value) if chart.percent else figure(value)


def _limits(chart: Chart, mark: Mark) -> str:
    if mark.low is None or mark.high is None:
        return ""
    return f"[{_number(chart, mark.low)}, {_number(chart, mark.high)}]"
