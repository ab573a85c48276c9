"""A chart as data: whoever draws it, in a terminal, in a file or on a page, draws the same."""

from dataclasses import dataclass

COLUMNS, ROWS, STEPS = "columns", "rows", "steps"
"""Forms: columns along a scale, a row for each group, and a curve of cumulated shares."""


@dataclass(frozen=True)
class Mark:
    """One estimate and its interval; None where there is none."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    reproduce: str = ""
    """The command that gives the number."""


@dataclass(frozen=True)
class Series:
    """The marks of one setting; all series of a chart have the same labels in the same order."""

    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Chart:
    """Marks along an axis in words. `percent`: values are shares."""

    form: str
    title: str
    along: str
    """What the labels are."""
    measured: str
    """What the values are."""
    series: tuple[Series, ...]
    percent: bool
    together: bool = False
    """Whether the intervals hold together at their level, or each by itself."""
    foot: str = ""

    @property
    def labels(self) -> list[str]:
        """The labels along the axis."""
        return [mark.label for mark in self.series[0].marks]

    @property
    def marks(self) -> list[Mark]:
        """All marks."""
        return [mark for series in self.series for mark in series.marks]

    @property
    def span(self) -> tuple[float, float]:
        """From the least to the largest number there is to draw, 0 among them.

        An interval much wider than most is cut off, so that the others can be seen.
        """
        values = [0.0, *(mark.value for mark in self.marks if mark.value is not None)]
        low, high = min(values), max(values)
        widths = [mark.high - mark.low for mark in self.marks if mark.low is not None and mark.high is not None]
        reach = max(high - low, 1.5 * sorted(widths)[len(widths) // 2] if widths else 0.0)
        lows = [mark.low for mark in self.marks if mark.low is not None]
        highs = [mark.high for mark in self.marks if mark.high is not None]
        return max(min([low, *lows]), low - reach), min(max([high, *highs]), high + reach)
