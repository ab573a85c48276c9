"""Charts as text for a terminal: bars of blocks, each with its number and interval."""

from collections.abc import Iterator

from simcli.cli.printing import figure, percent
from simcli.pictures.charts import Chart, Mark, Series

_BAR = 30


def lines(chart: Chart) -> Iterator[str]:
    """The chart, line by line."""
    yield chart.title
    yield f"{chart.measured}, by {chart.along}"
    for series in chart.series:
        yield ""
        if len(chart.series) > 1:
            yield series.name
        yield from _series(chart, series)
    yield ""
    yield from (f"  {line}" for line in chart.foot.splitlines())


def _series(chart: Chart, series: Series) -> Iterator[str]:
    low, high = chart.span
    width = max(len(mark.label) for mark in series.marks)
    texts = [_number(chart, mark.value) for mark in series.marks]
    wide = max(map(len, texts))
    for mark, text in zip(series.marks, texts, strict=True):
        bar = "" if low < 0 else f"{'█' * round(_BAR * (mark.value or 0) / (high or 1)):<{_BAR}}  "
        yield f"  {mark.label:>{width}}  {bar}{text:>{wide}}  {_limits(chart, mark)}".rstrip()


def _number(chart: Chart, value: float | None) -> str:
    if value is None:
        return "-"
    return percent(value) if chart.percent else figure(value)


def _limits(chart: Chart, mark: Mark) -> str:
    if mark.low is None or mark.high is None:
        return ""
    return f"[{_number(chart, mark.low)}, {_number(chart, mark.high)}]"
