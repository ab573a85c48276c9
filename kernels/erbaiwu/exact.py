"""Exact probabilities of dealt hands of Er Bai Wu: the six cards of whoever is not the dealer."""

import math
from collections.abc import Mapping

from kernels.hypergeometric import by_full_ranks, holding
from kernels.options import Value

PACK = 54
HAND = 6
JOKERS = 2
OF_A_RANK = 4
RANKS = 13
STRING = 3

EVENTS = {
    "seven": "The dealt hand holds a 7.",
    "joker": "The dealt hand holds a joker.",
    "two_jokers": "The dealt hand holds both jokers.",
    "string": "The dealt hand holds three or more cards of one rank, not 7s.",
}
RULES: tuple[str, ...] = ()
"""No option changes the hand that is dealt."""


def favourable(event: str, values: Mapping[str, Value], recount: bool = False) -> int:
    """Number of hands with the event."""
    if event == "seven":
        return holding(OF_A_RANK, PACK - OF_A_RANK, HAND, 1)
    if event == "string":
        return sum(by_full_ranks(RANKS - 1, OF_A_RANK, OF_A_RANK + JOKERS, HAND, STRING)[1:])
    return holding(JOKERS, PACK - JOKERS, HAND, 1 if event == "joker" else JOKERS)


def total(values: Mapping[str, Value]) -> int:
    """Number of all hands."""
    return math.comb(PACK, HAND)
