"""What a record of a deal of Jiaxing Red Ten says."""

from collections.abc import Mapping

from kernels.options import Value
from kernels.records import Column, flag, number, round_columns, seat, word
from kernels.redten.options import PLAYERS

OUTCOMES = (
    "red_big", "red_small", "drawn", "black_small", "black_big", "solo_win", "solo_drawn", "solo_loss",
)  # fmt: skip
MATCH_OUTCOMES = ("", "rounds")
HIGHER_WINS = True
SIDES = "side"
_MAX_BOMBS = 4
"""Ranks of which fourteen cards hold three or more."""
_BOMB_RANKS = 12
"""Ranks of which there are four cards: all but the tens, of which there are two of each colour."""

COLUMNS: dict[str, Column] = {
    **round_columns(
        PLAYERS,
        word(OUTCOMES, "Which side won, and how high; solo: one seat was dealt both red tens."),
        seat("Who was out first."),
        "Who was dealt the three of hearts and led first.",
        "Turns that who made the last play has had, that one included.",
    ),
    "solo": flag("Whether one seat was dealt both red tens."),
    "side": number("i1", "1: the seat was dealt a red ten; 0: it was not.", "", high=1, seats=PLAYERS),
    "place": number("i1", "The seat's place in the order of going out.", "", low=1, high=PLAYERS, seats=PLAYERS),
    "shown": flag("Whether both red tens were shown before the first lead."),
    "multiplier": number("i4", "What the points were multiplied by.", "", low=1),
    "bombs": number("i4", "Bombs played, of three or four of a rank.", "plays", high=_BOMB_RANKS),
    "joker_bombs": number("i4", "Joker bombs played.", "plays", high=1),
    "red_ten_bombs": number("i4", "Red-ten bombs played.", "plays", high=1),
    "dealt_bombs": number(
        "i1", "Ranks of which the seat was dealt three or four.", "ranks", high=_MAX_BOMBS, seats=PLAYERS
    ),
    "match_outcome": word(MATCH_OUTCOMES, "Why the match ended with this deal.", absent="it goes on"),
}


def bounds(values: Mapping[str, Value]) -> dict[str, tuple[int, int]]:
    """What a hand can pay, and what showing makes of it; a drawn hand counts once."""
    won, lost, second, third, fourth = (
        int(values[f"scoring.{key}"])  # type: ignore[arg-type]
        for key in ("shown_won", "shown_lost", "first_second", "first_third", "first_fourth")
    )
    first, middle, last = (values[f"scoring.lone_{place}"] for place in ("first", "middle", "last"))
    pair = max(second, third) * max(won, lost)
    lone = [*first, *middle, *last, *(points * won for points in first), *(points * lost for points in last)]  # type: ignore[misc, union-attr]
    return {
        "points": (min(-pair, -fourth, *lone), max(pair, fourth, *lone)),
        "multiplier": (1, max(won, lost)),
    }
