"""What the record of a round says: columns, each with its meaning, its range, its unit and how it is kept.

A game's `columns.py` is made of these; the dtype of its records follows from them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

LAST_SEAT = 9
"""The highest number that a seat can have in any game."""


class Kind(StrEnum):
    """What the numbers of a column are: counted things, seats, 0 for no and 1 for yes, or places in a list of words."""

    number = "number"
    seat = "seat"
    flag = "flag"
    word = "word"


@dataclass(frozen=True)
class Column:
    """One column of a game's rounds, or one for each seat.

    `low` and `high` hold for every set of options; None is no bound. `absent` says what -1 of a seat or 0 of a number
    stands for where it is no value like the others.
    """

    kind: Kind
    dtype: str  # numpy's code
    meaning: str
    low: int | None
    high: int | None
    unit: str = ""
    absent: str = ""
    words: tuple[str, ...] = ()
    seats: int = 0
    """How many seats have one each; 0: it is the round's."""


def number(
    dtype: str, meaning: str, unit: str, low: int | None = 0, high: int | None = None, absent: str = "", seats: int = 0
) -> Column:
    """Something that is counted."""
    return Column(Kind.number, dtype, meaning, low, high, unit, absent, seats=seats)


def seat(meaning: str, absent: str = "") -> Column:
    """A seat; -1 for none where `absent` says when that is."""
    return Column(Kind.seat, "i1", meaning, -1 if absent else 0, LAST_SEAT, "seat", absent)


def flag(meaning: str, seats: int = 0) -> Column:
    """Yes or no. Compiled code knows no arrays of Booleans in a record, so that those of seats are kept as integers."""
    return Column(Kind.flag, "i1" if seats else "?", meaning, 0, 1, seats=seats)


def word(words: tuple[str, ...], meaning: str, absent: str = "") -> Column:
    """One of some words, kept as its number; the first may be empty."""
    return Column(Kind.word, "i1", meaning, 0, len(words) - 1, absent=absent, words=words)


def round_columns(seats: int, outcome: Column, winner: Column, leader: str, orbit: str) -> dict[str, Column]:
    """The columns that every game begins with. seats: the largest number of players; leader, orbit: their meanings."""
    return {
        "game": number("i8", "The game, from 0; its rounds are those of one match.", ""),
        "round": number("i4", "The round of the match, from 1.", "", low=1),
        "outcome": outcome,
        "winner": winner,
        "leader": seat(leader),
        "turns": number("i4", "Turns of the round.", "turns"),
        "orbit": number("i4", orbit, "turns", absent="nobody ended the round"),
        "points": number("i4", "Change of the seat's total by this round.", "points", low=None, seats=seats),
    }


def record_dtype(columns: Mapping[str, Column]) -> "np.dtype[np.void]":
    """The dtype of a record: a field for each column, an array where each seat has one."""
    import numpy as np

    return np.dtype(
        [(name, column.dtype, *([column.seats] if column.seats else [])) for name, column in columns.items()]
    )


def of_kind(columns: Mapping[str, Column], kind: Kind) -> Iterable[str]:
    """Names of the columns of one kind."""
    return (name for name, column in columns.items() if column.kind is kind)
