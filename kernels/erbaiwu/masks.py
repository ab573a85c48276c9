"""Sets of cards as 54 bits: bit 4 * rank + suit, so that a rank is four neighbouring bits; jokers are bits 52, 53."""

import numpy as np

from kernels.compiler.jit import jit
from kernels.notation import FACES, SMALL_JOKER, SUIT_SIZE

SUITS = 4
RANK = 15
"""The four suits of one rank."""
FIVE, SEVEN = 4, 6
NATURALS = (1 << SMALL_JOKER) - 1
JOKERS = 3 << SMALL_JOKER
SEVENS = RANK << (SUITS * SEVEN)
FIVES = RANK << (SUITS * FIVE)
BELOW_SEVEN = (1 << (SUITS * SEVEN)) - 1

BIT_OF = np.array([SUITS * (c % SUIT_SIZE) + c // SUIT_SIZE for c in range(SMALL_JOKER)] + [52, 53], np.int64)
"""Bit of a card."""
CARD_OF = np.argsort(BIT_OF).astype(np.int64)
"""Card of a bit."""


@jit
def rank_mask(bit):
    """The four cards of the rank that this bit belongs to."""
    return RANK << (bit & ~3)


@jit
def has_two(mask):
    """Whether the set holds at least two cards."""
    return mask & (mask - 1) != 0


def cards_in(mask: int) -> list[int]:
    """The cards of a set, low ranks first, jokers last."""
    return [int(CARD_OF[bit]) for bit in range(FACES) if mask >> bit & 1]


def mask_of(cards: list[int]) -> int:
    """The set of these cards."""
    return sum({1 << int(BIT_OF[card]) for card in cards})
