"""Hands as one integer each, kinds of cards, and what a card may do.

A hand holds at most three cards in slots of 16 bits, the lowest slots filled: 6 bits for the card + 1 (0: no card) and
one bit for each seat that has seen the card where it came from. Cards and who knows them so move together.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.compiler import bits
from kernels.compiler.jit import jit_inline
from kernels.dafuweng.options import HAND, MAX_PLAYERS, QUEEN_LOWS
from kernels.notation import FACES, SMALL_JOKER, SUIT_SIZE

SLOT_BITS = 16
SLOT_MASK = (1 << SLOT_BITS) - 1
CARD_BITS = 6
CARD_MASK = (1 << CARD_BITS) - 1
ALL_SLOTS = sum(1 << (SLOT_BITS * slot) for slot in range(HAND))
"""A one in each slot: times it, a pattern for one slot becomes one for all."""

# Kinds of cards: rank from the ace as 0, then these. An ace of spades is no ace but BRUTE.
ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = range(13)
JOKER, BRUTE, NO_KIND = 13, 14, 15
KINDS = 16

TOP = 99
TEN_VALUE = 10
QUEEN_VALUE = 20
NUMBERS = {TWO: 2, THREE: 3, SIX: 6, EIGHT: 8, NINE: 9}

# What an action adds to its card: a target seat, or one of these.
PLAIN = np.int64(MAX_PLAYERS)
"""No choice, or N goes up."""
TAKE = MAX_PLAYERS + 1
"""N goes down."""
SIGNS = (1 << PLAIN) | (1 << TAKE)
SEATS = (1 << MAX_PLAYERS) - 1


def _kinds() -> np.ndarray:
    """Kind of each card, by its number + 1."""
    table = np.full(1 << CARD_BITS, NO_KIND, np.int8)
    for card in range(FACES):
        table[card + 1] = JOKER if card >= SMALL_JOKER else card % SUIT_SIZE
    table[1] = BRUTE
    return table


def _table(values: dict[int, Any], usual: Any) -> NDArray[np.int8]:
    return np.array([values.get(kind, usual) for kind in range(KINDS)], np.int8)


def _allowed() -> np.ndarray:
    """Options that a card has at a count, targets apart: bits, by [queen_low is 80, N, kind]."""
    table = np.full((len(QUEEN_LOWS), TOP + 1, KINDS), 1 << PLAIN, np.int16)
    for variant, queen_low in enumerate(QUEEN_LOWS):
        for n in range(TOP + 1):
            for kind, value in NUMBERS.items():
                table[variant, n, kind] = (1 << PLAIN) * (n + value <= TOP)
            for kind, value, low in ((TEN, TEN_VALUE, TEN_VALUE), (QUEEN, QUEEN_VALUE, queen_low)):
                must_take = n >= TOP + 1 - value
                must_add = n <= low and not must_take
                table[variant, n, kind] = (1 << PLAIN) * (not must_take) | (1 << TAKE) * (not must_add)
            for kind in (ACE, FIVE, SEVEN, JOKER):
                table[variant, n, kind] = SEATS
            table[variant, n, NO_KIND] = 0
    return table


KIND = _kinds()
ALLOWED = _allowed()
AIMED = _table({ACE: 1, FIVE: 1, SEVEN: 1, JOKER: 1}, 0)
"""Whether a card has a target."""
VALUE = _table({**NUMBERS, TEN: TEN_VALUE, QUEEN: QUEEN_VALUE}, 0)
CHANGES_N = _table({kind: 0 for kind in (ACE, FOUR, FIVE, SEVEN, JACK, JOKER, BRUTE, NO_KIND)}, 1)

NEVER_DRAWS, DRAWS, ALWAYS_DRAWS = map(np.int64, range(3))
DRAWING = _table({ACE: NEVER_DRAWS, SEVEN: NEVER_DRAWS, BRUTE: ALWAYS_DRAWS}, DRAWS)


@jit_inline
def lowest(options):
    """The lowest option of a set that has one."""
    return bits.lowest(options)


_USUAL_STEPS = 3
"""So many steps are taken without a branch, which would be guessed wrong more often than right."""


@jit_inline
def nth(options, number):
    """Option `number` of a set, from the lowest as 0."""
    for step in range(_USUAL_STEPS):
        options = options & (options - 1) if number > step else options
    for _ in range(number - _USUAL_STEPS):
        options &= options - 1
    return lowest(options)


@jit_inline
def size(hand):
    """Number of cards in a hand."""
    return int(hand != 0) + int(hand > SLOT_MASK) + int(hand > (SLOT_MASK << SLOT_BITS | SLOT_MASK))


@jit_inline
def slot_of(hand, slot):
    """A slot with its card and who has seen it; 0 if it is empty."""
    return (hand >> (SLOT_BITS * slot)) & SLOT_MASK


@jit_inline
def card_in(hand, slot):
    """The card in a filled slot."""
    return (slot_of(hand, slot) & CARD_MASK) - 1


@jit_inline
def kind_in(hand, slot):
    """Kind of the card in a slot."""
    return int(KIND[slot_of(hand, slot) & CARD_MASK])


@jit_inline
def without(hand, slot):
    """The hand with a slot taken out, those above it moved down."""
    shift = SLOT_BITS * slot
    below = hand & ((1 << shift) - 1)
    return below | ((hand >> (shift + SLOT_BITS)) << shift)


@jit_inline
def with_slot(hand, slot):
    """The hand with a slot put on top."""
    return hand | (slot << (SLOT_BITS * size(hand)))


@jit_inline
def seen_by(hand, seat):
    """The hand, every card in it now known to `seat`."""
    filled = ALL_SLOTS & ((1 << (SLOT_BITS * size(hand))) - 1)
    return hand | (filled << (CARD_BITS + seat))


@jit_inline
def knows(slot, seat):
    """Whether a seat has seen the card in a slot."""
    return (slot >> (CARD_BITS + seat)) & 1


@jit_inline
def knows_any(hand, seat):
    """Whether a seat has seen any card of a hand."""
    return hand & (ALL_SLOTS << (CARD_BITS + seat)) != 0


@jit_inline
def known_only_to(hand, seat):
    """The hand, forgotten by everybody but `seat`."""
    return hand & (ALL_SLOTS * (CARD_MASK | (1 << (CARD_BITS + seat))))
