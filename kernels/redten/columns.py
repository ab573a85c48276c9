"""What a record of a deal of Jiaxing Red Ten says."""

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
    "bombs": number("i4", "Bombs played, of three or four of a rank.", "plays"),
    "joker_bombs": number("i4", "Joker bombs played.", "plays"),
    "red_ten_bombs": number("i4", "Red-ten bombs played.", "plays"),
    "dealt_bombs": number(
        "i1", "Ranks of which the seat was dealt three or four.", "ranks", high=_MAX_BOMBS, seats=PLAYERS
    ),
    "match_outcome": word(MATCH_OUTCOMES, "Why the match ended with this deal.", absent="it goes on"),
}
