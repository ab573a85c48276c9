"""Columns and their values in words, for axes and labels."""

from typing import Any

from kernels.records import Column, Kind
from simcli.asking.questions import UNITS
from simcli.pictures.sources import Source
from simcli.tables.columns import names, of_table


def _about(source: Source, name: str, per: str) -> tuple[Column, str] | None:
    """A column by its name, and of which seat it is."""
    for base, column in of_table(source.scenario, UNITS[per]).items():
        found = names(base, column)
        if name in found:
            return column, f"seat {found.index(name)}" if column.seats else ""
    return None


def in_words(source: Source, text: str, per: str) -> str:
    """What a column means, or an expression as it is."""
    found = _about(source, text, per)
    if found is None:
        return text
    column, seat = found
    words = column.meaning.rstrip(".")
    words = words[0].lower() + words[1:] if words[1:2].islower() else words
    return f"{words} ({seat})" if seat else words


def is_seat(source: Source, text: str, per: str) -> bool:
    """Whether it is a column that names a seat, whose number counts nothing."""
    found = _about(source, text, per)
    return found is not None and found[0].kind is Kind.seat


def heading(source: Source, text: str, per: str) -> str:
    """The same as a title."""
    words = in_words(source, text, per)
    return words if words == text else _plain(words)[0].upper() + _plain(words)[1:]


def with_event(source: Source, text: str, per: str) -> str:
    """`with EVENT`, or in words where the event is a column."""
    words = in_words(source, text, per)
    return f"with {text}" if words == text else f"in which {_plain(words)}"


def _plain(words: str) -> str:
    """What a flag tells, as a statement."""
    return words.removeprefix("whether ")


def unit(source: Source, text: str, per: str) -> str:
    """` (turns)` after what is counted in turns, where the words do not say so."""
    found = _about(source, text, per)
    if found is None or found[0].unit in ("", "times") or found[0].unit.rstrip("s") in found[0].meaning.lower():
        return ""
    return f" ({found[0].unit})"


def named_value(source: Source, name: str, per: str, value: Any) -> str:
    """A value with its column's name, where there are several columns: `side 1`, `not solo`."""
    words = value_in_words(source, name, per, value)
    if words in ("yes", "no"):
        return name if words == "yes" else f"not {name}"
    return words if name == "seat" else f"{name} {words}"


def value_in_words(source: Source, name: str, per: str, value: Any) -> str:
    """A value of a column."""
    found = _about(source, name, per)
    if isinstance(value, bool) or (found is not None and found[0].kind is Kind.flag):
        return "yes" if value else "no"
    if found is not None and found[0].kind is Kind.seat:
        return f"seat {value}" if value >= 0 else found[0].absent
    if isinstance(value, str):
        return value.replace("_", " ") or (found[0].absent if found else "")
    return f"{value:g}" if isinstance(value, float) else str(value)
