"""What a record of the toy game says."""

from kernels.records import Column, round_columns, seat, word
from tests.toy.options import SEATS

HIGHER_WINS = True
COLUMNS: dict[str, Column] = {
    **round_columns(
        SEATS,
        word(("won",), "Somebody always wins."),
        seat("Who played the highest card."),
        "Seat 0.",
        "Always 1.",
    ),
    "match_outcome": word(("", "rounds"), "Why the match ended with this round.", absent="it goes on"),
}
