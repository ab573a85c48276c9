"""Exact probabilities of dealt hands of Da Fu Weng: three cards of one or two decks."""

import math
from collections.abc import Mapping

from kernels.dafuweng.options import HAND
from kernels.hypergeometric import holding
from kernels.options import Value

DECK = 54
MARKED = {"joker": 2, "two_jokers": 2, "spade_ace": 1, "other_ace": 3, "king": 4, "seven": 4, "five": 4}
"""Cards of a deck that each event is about."""
EVENTS = {
    "joker": "The dealt hand holds a joker.",
    "two_jokers": "The dealt hand holds two jokers or more.",
    "spade_ace": "The dealt hand holds an ace of spades.",
    "other_ace": "The dealt hand holds an ace that is not of spades.",
    "king": "The dealt hand holds a king.",
    "seven": "The dealt hand holds a 7.",
    "five": "The dealt hand holds a 5.",
}
RULES = ("decks",)


def favourable(event: str, values: Mapping[str, Value], recount: bool = False) -> int:
    """Number of hands with the event."""
    decks = int(values["decks"])  # type: ignore[arg-type]
    marked = MARKED[event] * decks
    return holding(marked, DECK * decks - marked, HAND, 2 if event == "two_jokers" else 1)


def total(values: Mapping[str, Value]) -> int:
    """Number of all hands."""
    return math.comb(DECK * int(values["decks"]), HAND)  # type: ignore[arg-type]
