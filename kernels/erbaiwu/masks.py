"""Sets of cards as 54 bits: bit 4 * rank + suit, so that a rank is four neighbouring bits; jokers are bits 52 and 53.

`count` and `lowest` are single machine instructions in compiled code and plain Python otherwise.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from kernels.jit import jit
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


@intrinsic
def _population(context, value):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _trailing_zeros(context, value):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def count(mask):
    """How many cards are in the set."""
    return int(mask).bit_count()


def lowest(mask):
    """Bit number of the lowest card; the set must not be empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


@overload(count)
def _compiled_count(mask):
    return lambda mask: _population(mask)


@overload(lowest)
def _compiled_lowest(mask):
    return lambda mask: _trailing_zeros(mask)


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
