"""Charts as files, drawn by matplotlib: PNG, SVG and PDF, the same bytes for the same chart."""

import io
from pathlib import Path
from typing import Any, NamedTuple

from simcli.errors import UserError
from simcli.pictures.charts import COLUMNS, ROWS, Chart, Series

ENDINGS = (".png", ".svg", ".pdf")
_MISSING = "needs matplotlib: pip install 'simcli[plot]'; without -O the picture is printed as text"
_NO_DATE = {".svg": {"Date": None, "Creator": None}, ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
            ".png": {"Software": None}}  # fmt: skip
_SETTINGS: Any = {"backend": "agg", "svg.hashsalt": "simcli", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
_TICKS = 16
_INCHES = 8.0
_BESIDE = 0.38
"""Width of a column, and half of the distance between two series."""
COLORS = ("#0072B2", "#D55E00")
"""Blue and vermilion of Okabe and Ito's palette, which people of all kinds of colour vision tell apart."""
_DARK_COLORS = ("#56B4E9", "#E69F00")


class _Theme(NamedTuple):
    paper: str
    ink: str
    faint: str
    grid: str
    colors: tuple[str, str]


_LIGHT = _Theme("#ffffff", "#1a1a1a", "#666666", "#e4e4e4", COLORS)
_DARK = _Theme("#16181c", "#ececec", "#a0a4ab", "#33373e", _DARK_COLORS)


def check(file: str) -> Path:
    """Where a picture goes, before anything is played. Raises UserError."""
    path = Path(file)
    if path.suffix.lower() not in ENDINGS:
        raise UserError(f"-O {file}", f"not a file of a known kind; its name ends in {', '.join(ENDINGS)}")
    if path.is_dir() or not path.parent.is_dir():
        raise UserError(f"-O {file}", "is a folder" if path.is_dir() else "its folder does not exist")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UserError(f"-O {file}", _MISSING) from None
    return path


def draw(chart: Chart, ending: str, dark: bool = False) -> bytes:
    """The chart as a file of this kind."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    theme = _DARK if dark else _LIGHT
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_SETTINGS}):
        height = max(3.2, 1.9 + 0.36 * len(chart.labels)) if chart.form == ROWS else 4.6
        figure = Figure(figsize=(_INCHES, height), facecolor=theme.paper, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _dress(axes, theme)
        {ROWS: _rows, COLUMNS: _columns}.get(chart.form, _steps)(axes, chart, theme)
        _words(figure, axes, chart, theme)
        data = io.BytesIO()
        figure.savefig(data, format=ending[1:], dpi=160, facecolor=theme.paper, metadata=_NO_DATE[ending])
    return data.getvalue()


def _dress(axes: Any, theme: _Theme) -> None:
    axes.set_facecolor(theme.paper)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(theme.grid)
    axes.tick_params(colors=theme.faint, labelsize=9, length=0)
    axes.set_axisbelow(True)


def _words(figure: Any, axes: Any, chart: Chart, theme: _Theme) -> None:
    rows = chart.form == ROWS
    figure.suptitle(_wrapped(chart.title, 72), x=0.01, ha="left", color=theme.ink, fontsize=13, fontweight="bold")
    above = f"{chart.measured}, by {chart.along}" if rows else chart.measured
    axes.set_title(_wrapped(above, 105), loc="left", color=theme.faint, fontsize=9.5, pad=10)
    if not rows:
        axes.set_xlabel(_wrapped(chart.along, 90), color=theme.faint, fontsize=9.5)
    if len(chart.series) > 1:
        axes.legend(frameon=False, labelcolor=theme.ink, fontsize=9, loc="best")
    foot = _wrapped(chart.foot.replace("\n", "; "), 125)
    figure.supxlabel(foot, x=0.01, ha="left", fontsize=7, color=theme.faint)


def _wrapped(text: str, width: int) -> str:
    import textwrap

    return textwrap.fill(text, width).replace("$", r"\$")


def _scale(axis: Any, chart: Chart, theme: _Theme) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.grid(True, color=theme.grid, linewidth=0.8)
    if chart.percent:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.6g}%"))


def _spread(series: Series) -> tuple[list[int], list[float], list[list[float]]]:
    """Places, values and reaches below and above of the marks that have a value."""
    there = [(place, mark) for place, mark in enumerate(series.marks) if mark.value is not None]
    values = [mark.value or 0.0 for _, mark in there]
    below = [value - (value if mark.low is None else mark.low) for value, (_, mark) in zip(values, there, strict=True)]
    above = [
        (value if mark.high is None else mark.high) - value for value, (_, mark) in zip(values, there, strict=True)
    ]
    return [place for place, _ in there], values, [[max(0.0, x) for x in below], [max(0.0, x) for x in above]]


def _offsets(chart: Chart) -> list[float]:
    return [0.0] if len(chart.series) == 1 else [-_BESIDE / 2, _BESIDE / 2]


def _columns(axes: Any, chart: Chart, theme: _Theme) -> None:
    width = 0.82 if len(chart.series) == 1 else _BESIDE
    for series, offset, color in zip(chart.series, _offsets(chart), theme.colors, strict=False):
        places, values, reach = _spread(series)
        at = [place + offset for place in places]
        axes.bar(at, values, width, color=color, label=series.name)
        axes.errorbar(at, values, yerr=reach, fmt="none", ecolor=theme.ink, elinewidth=0.9, capsize=2)
    _tick(axes, chart.labels)
    axes.set_ylim(bottom=0)
    _scale(axes.yaxis, chart, theme)


def _tick(axes: Any, labels: list[str]) -> None:
    every = max(1, -(-len(labels) // _TICKS))
    if max(map(len, labels)) > 6 and len(labels) > _TICKS // 2:
        every = max(every, -(-2 * len(labels) // _TICKS))
    places = range(0, len(labels), every)
    axes.set_xticks(list(places), [labels[place] for place in places])


def _rows(axes: Any, chart: Chart, theme: _Theme) -> None:
    for series, offset, color in zip(chart.series, _offsets(chart), theme.colors, strict=False):
        places, values, reach = _spread(series)
        at = [place + offset for place in places]
        axes.errorbar(values, at, xerr=reach, fmt="o", color=color, markersize=6, elinewidth=2, label=series.name)
    axes.set_yticks(range(len(chart.labels)), chart.labels)
    axes.set_ylim(len(chart.labels) - 0.4, -0.6)
    axes.tick_params(axis="y", labelcolor=theme.ink)
    low, high = chart.span
    axes.axvline(0, color=theme.faint, linewidth=0.8)
    axes.set_xlim(low * 1.05, high * 1.05 or 1)
    _scale(axes.xaxis, chart, theme)


def _steps(axes: Any, chart: Chart, theme: _Theme) -> None:
    for series, color in zip(chart.series, theme.colors, strict=False):
        places, values, (below, above) = _spread(series)
        low = [value - reach for value, reach in zip(values, below, strict=True)]
        high = [value + reach for value, reach in zip(values, above, strict=True)]
        axes.fill_between(places, low, high, step="post", color=color, alpha=0.25, linewidth=0)
        axes.step(places, values, where="post", color=color, linewidth=2, label=series.name)
        axes.plot(places, values, "o", color=color, markersize=3.5)
    _tick(axes, chart.labels)
    axes.set_ylim(bottom=0)
    _scale(axes.yaxis, chart, theme)
