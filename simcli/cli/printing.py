"""Printing: rows as a table, JSON, CSV or Markdown."""

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simcli.cli import layout
from simcli.cli.options import Output
from simcli.errors import printable

Row = Mapping[str, Any]

_MAX_DIGITS = 12
_LARGE, _HUGE = 1e4, 1e12
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def print_rows(rows: Sequence[Row], output: Output = Output.table, title: str = "") -> None:
    """Print rows that all have the same keys, in the order of the first one's."""
    if output is Output.json:
        print_json(list(rows))
    elif output is Output.csv:
        _print_csv(rows)
    else:
        for line in [title] * bool(title and rows and output is Output.table) + row_lines(rows, output):
            print(line)


def row_lines(rows: Sequence[Row], output: Output) -> list[str]:
    """The lines of a table, or of one in Markdown; none without rows."""
    if not rows:
        return []
    return _markdown_lines(rows) if output is Output.md else _table_lines(rows)


def note(text: str) -> None:
    """Print on stderr what is not an answer."""
    print(printable(text), file=sys.stderr)


def print_json(value: Any) -> None:
    """Print one JSON value; what is infinite or no number is null."""
    print(json.dumps(_strict(value), ensure_ascii=False, indent=2, allow_nan=False))


def _strict(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _strict(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(part) for part in value]
    return value


def text_of(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return figure(value)
    if isinstance(value, Mapping):
        return _joined(value.values(), [f"{name} {text_of(part)}" for name, part in value.items()])
    if isinstance(value, list | tuple):
        return _joined(value, map(text_of, value))
    return str(value)


def _joined(parts: Iterable[Any], texts: Iterable[str]) -> str:
    nested = any(isinstance(part, list | tuple | Mapping) for part in parts)
    return (" / " if nested else ", ").join(texts)


def figure(value: float) -> str:
    """A number with six significant digits; a large one, by which a small difference would be lost, with two places."""
    if _LARGE <= abs(value) < _HUGE:
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{value:.6g}"


def percent(proportion: float) -> str:
    """A proportion as a percentage with three significant digits, however small, and all its nines near 100%."""
    value = 100 * proportion
    if value == 0:
        return "0%"
    left = abs(100 - value)
    digits = max(0, 2 - _magnitude(value), 1 - _magnitude(left) if left else 0)
    return f"{value:.{digits}f}%" if digits <= _MAX_DIGITS else f"{value:.1e}%"


def _magnitude(value: float) -> int:
    return int(f"{value:e}".split("e")[1])


def guard_formula(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula, made harmless by a leading quote."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


def _print_csv(rows: Sequence[Row]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if rows:
        writer.writerow(list(rows[0]))
    for row in rows:
        writer.writerow(map(_csv_cell, row.values()))


def _csv_cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return guard_formula(text_of(value) if isinstance(value, list | tuple | Mapping) else value)


def _markdown_lines(rows: Sequence[Row]) -> list[str]:
    rule = ["---:" if _is_number(value) else "---" for value in rows[0].values()]
    cells = [[_cell(text_of(value)) for value in row.values()] for row in rows]
    return [f"| {' | '.join(texts)} |" for texts in (map(_cell, rows[0]), rule, *cells)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _table_lines(rows: Sequence[Row]) -> list[str]:
    texts = [[text_of(value) for value in row.values()] for row in rows]
    numeric = [any(map(_is_number, values)) for values in zip(*(row.values() for row in rows), strict=True)]
    return layout.table(list(rows[0]), texts, numeric, layout.width())


def print_fields(row: Row, output: Output = Output.table) -> None:
    """Print one row: as `name  value` lines for people, else as `print_rows` would."""
    if output is Output.json:
        print_json(dict(row))
    elif output is not Output.table:
        print_rows([row], output)
    else:
        width = max(map(len, row), default=0)
        for name, value in row.items():
            print(f"{name:<{width}}  {text_of(value)}")
