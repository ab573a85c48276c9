"""Tables that fit a width, without breaking a number or a word.

Where there is no room for all columns, those of prose are wrapped; if that is not enough, a few rows, and rows that
hold prose, stand as `name  value` lines below each other, and of many rows the last columns are left out and named.
"""

import re
import shutil
import textwrap
from collections.abc import Iterator, Sequence

GAP = 2
_PROSE = 30
"""Text longer than this, of several words, may be wrapped, ..."""
_NARROWEST = 24
"""... into a column of at least so many characters."""
_FEW_ROWS = 3
_NUMBER = re.compile(r"([+-]?[0-9][0-9,_]*|-)(\.[0-9]+)?((?:e[+-]?[0-9]+)?(?:%|pp)?)")


def width() -> int:
    """The characters in a line: of the terminal, or else 80; the variable COLUMNS decides where it is set."""
    return shutil.get_terminal_size(fallback=(80, 24)).columns


def table(names: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], width: int) -> list[str]:
    """The lines of a table; `numeric`: which columns are of numbers even where none looks like one. The points of
    numbers stand below each other."""
    columns = [_aligned(texts, is_number) for texts, is_number in zip(zip(*rows, strict=True), numeric, strict=True)]
    cells = [texts for texts, _ in columns]
    right = [is_number for _, is_number in columns]
    wanted = [max(map(length, [name, *texts])) for name, texts in zip(names, cells, strict=True)]
    if _total(wanted) <= width:
        return _lines(names, cells, right, wanted)
    prose = [not is_number and any(length(text) > _PROSE and " " in text for text in texts)
             for texts, is_number in zip(cells, right, strict=True)]  # fmt: skip
    fitted = _wrapped(wanted, prose, width)
    if fitted:
        return _lines(names, cells, right, fitted)
    if len(rows) <= _FEW_ROWS or any(prose):
        return list(_below_each_other(names, rows, width))
    return _cut(names, cells, right, wanted, width)


def length(text: str) -> int:
    """How many characters wide a text is on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a text, those after the first indented; a word that is too long has a line for itself."""
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]  # fmt: skip


def _aligned(cells: Sequence[str], is_number: bool) -> tuple[list[str], bool]:
    """Numbers with their points below each other, and whether the column is of numbers."""
    found = [_NUMBER.fullmatch(cell) for cell in cells]
    parts = [(match[1], (match[2] or "") + match[3]) for match in found if match]
    if len(parts) < len(cells) or all(cell == "-" for cell in cells):
        return list(cells), is_number
    before, after = (max((len(part[side]) for part in parts), default=0) for side in (0, 1))
    return [f"{whole:>{before}}{rest:<{after}}" for whole, rest in parts], True


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _wrapped(wanted: Sequence[int], prose: Sequence[bool], width: int) -> list[int]:
    """Widths by which the columns of prose share what the others leave; none if that is too little."""
    room = width - _total([0 if is_prose else size for size, is_prose in zip(wanted, prose, strict=True)])
    sizes = [size for size, is_prose in zip(wanted, prose, strict=True) if is_prose]
    if room < sum(min(size, _NARROWEST) for size in sizes) or not sizes:
        return []
    shares = iter(_shared(sizes, room))
    return [next(shares) if is_prose else size for size, is_prose in zip(wanted, prose, strict=True)]


def _shared(sizes: Sequence[int], room: int) -> list[int]:
    """Room shared out: to each what it wants if that is little, and the rest in equal parts."""
    shares = list(sizes)
    for place in sorted(range(len(sizes)), key=lambda place: sizes[place]):
        left = len(sizes) - sorted(sizes).index(sizes[place])
        shares[place] = min(sizes[place], room // max(1, left))
        room -= shares[place]
    return shares


def _lines(
    names: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool], widths: Sequence[int]
) -> list[str]:
    rows = [list(names), *map(list, zip(*cells, strict=True))]
    return [line for row in rows for line in _row(row, right, widths)]


def _row(row: Sequence[str], right: Sequence[bool], widths: Sequence[int]) -> Iterator[str]:
    parts = [[cell] if length(cell) <= size else wrapped(cell, size) for cell, size in zip(row, widths, strict=True)]
    for number in range(max(map(len, parts))):
        texts = [part[number] if number < len(part) else "" for part in parts]
        padded = (_padded(text, size, is_right) for text, size, is_right in zip(texts, widths, right, strict=True))
        yield (" " * GAP).join(padded).rstrip()


def _padded(text: str, size: int, right: bool) -> str:
    room = " " * max(0, size - length(text))
    return room + text if right else text + room


def _below_each_other(names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    longest = max(map(length, names))
    for number, row in enumerate(rows):
        if number:
            yield ""
        for name, cell in zip(names, row, strict=True):
            text = f"{_padded(name, longest, False)}  {cell}"
            yield from [text.rstrip()] if length(text) <= width else wrapped(text, width, " " * (longest + GAP))


def _cut(
    names: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool], wanted: Sequence[int], width: int
) -> list[str]:
    """As many of the first columns as there is room for, at least one, and the names of the others."""
    kept = next(count for count in range(len(names) - 1, 0, -1) if count == 1 or _total(wanted[:count]) <= width)
    shown = _lines(names[:kept], cells[:kept], right[:kept], wanted[:kept])
    left_out = f"(no room for {', '.join(names[kept:])}; -o csv has all)"
    return [*shown, *wrapped(left_out, width)]
