"""Hands as bit planes: which natural cards a hand holds, in four integers.

A *plane* is an int64 of four *lanes* of 16 bits, one for each suit; in a lane bit 1 is the ace, ..., bit 13 the king.
The planes of a hand travel as a tuple of four: plane k (1..4) has the cards of which the hand holds k copies or more.
Jokers are counted beside them. The *places* of a run are 1 (low ace) to 14 (high ace); bit 14 of a plane is not set.

`at` is the number of a bit in a plane, `bit` the bit itself. Planes are never negative, so plain Python integers give
the same results.
"""

import numpy as np

from kernels.compiler.bits import ones as count_bits
from kernels.compiler.jit import jit, jit_inline
from kernels.notation import SMALL_JOKER
from kernels.redox.options import HIGH_ACE, LOW_ACE, OPENING_RUN, RANKS

COPIES = 4
LANE = 16
LANE_MASK = (1 << LANE) - 1
TWO_LANES = 2 * LANE
TWO_LANES_MASK = (1 << TWO_LANES) - 1
EVERY_SUIT = 1 | 1 << LANE | 1 << 2 * LANE | 1 << 3 * LANE
ACE_TO_ACE = HIGH_ACE - LOW_ACE
ACES = EVERY_SUIT << LOW_ACE

CARD_BITS = np.array([1 << card // RANKS * LANE + card % RANKS + 1 for card in range(SMALL_JOKER)] + [0, 0], np.int64)
"""The bit of each card; jokers have none."""


@jit
def lane(plane, suit):
    """The 16 bits of one suit."""
    return plane >> suit * LANE & LANE_MASK


@jit
def window(low, high):
    """The places low..high as bits; none if high < low."""
    return (1 << high + 1) - (1 << low) if high >= low else 0


# The cards of a hand


@jit
def card_at(at):
    """The card whose bit has this number."""
    return at - 1 - (LANE - RANKS) * (at >> 4)


@jit
def with_card(planes, bit):
    """The planes with one more copy of a card (0: a joker, nothing is added)."""
    p1, p2, p3, p4 = planes
    second = p1 & bit
    third = p2 & second
    return p1 | bit, p2 | second, p3 | third, p4 | (p3 & third)


@jit
def without_card(planes, bit):
    """The planes with one copy less of a card, if they hold it at all."""
    p1, p2, p3, p4 = planes
    return p1 & ~(bit & ~p2), p2 & ~(bit & ~p3), p3 & ~(bit & ~p4), p4 & ~bit


@jit
def copies(planes, at):
    """How many copies of a card a hand holds."""
    p1, p2, p3, p4 = planes
    return (p1 >> at & 1) + (p2 >> at & 1) + (p3 >> at & 1) + (p4 >> at & 1)


@jit
def copies_of_rank(planes, rank):
    """How many cards of a rank a hand holds in each of the four suits."""
    at = rank + 1
    return copies(planes, at), copies(planes, LANE + at), copies(planes, 2 * LANE + at), copies(planes, 3 * LANE + at)


@jit
def count_naturals(planes):
    """Natural cards of a hand."""
    p1, p2, p3, p4 = planes
    return count_bits(p1) + count_bits(p2) + count_bits(p3) + count_bits(p4)


@jit
def ranks_held(planes):
    """Ranks (bits 1..13 of one lane) of which a hand holds at least one, two, three cards."""
    p1, p2, p3, _ = planes
    a, b = p1 & TWO_LANES_MASK, p1 >> TWO_LANES
    c, d = p2 & TWO_LANES_MASK, p2 >> TWO_LANES
    odd, odd2, even, even2 = a ^ b, c ^ d, a & b, c & d
    carry = odd & odd2
    one = odd ^ odd2
    two = even ^ even2 ^ carry
    four = even & even2 | carry & (even ^ even2)
    some, pair, three = one | two | four, two | four, four | one & two
    three |= p3 | p3 >> TWO_LANES
    pairs = pair | pair >> LANE | some & some >> LANE
    threes = three | three >> LANE | pair & some >> LANE | some & pair >> LANE
    return (some | some >> LANE) & LANE_MASK, pairs & LANE_MASK, threes & LANE_MASK


# An array with a hand's planes in each row


@jit
def planes_of(table, row):
    """The planes in the first columns of a row."""
    return int(table[row, 0]), int(table[row, 1]), int(table[row, 2]), int(table[row, 3])


@jit
def put_planes(table, row, planes):
    """Write planes to the first columns of a row."""
    table[row, 0], table[row, 1], table[row, 2], table[row, 3] = planes


# Runs


@jit
def with_high_aces(plane):
    """The plane with every ace also at place 14."""
    return plane | (plane & ACES) << ACE_TO_ACE


@jit
def as_held(places):
    """Places as the plane bits of the cards that fill them: place 14 also as the ace's. (Bit 14 then means nothing.)"""
    return places | places >> ACE_TO_ACE & ACES


@jit
def run_starts(held, jokers, length):
    """Places, in all lanes, where a run of `length` (3 or 4) can begin that lacks at most `jokers` natural cards.

    `held` is a plane with high aces. No longer run can begin elsewhere, as it lacks no fewer and needs a natural card.
    """
    a = held
    b = held >> 1
    c = held >> 2
    d = held >> 3 if length == OPENING_RUN else -1
    starts = EVERY_SUIT * ((1 << HIGH_ACE + 2 - length) - (1 << LOW_ACE))
    if jokers == 0:
        return a & b & c & d & starts
    if jokers == 1:
        return (a & b & (c | d) | c & d & (a | b)) & starts
    if jokers == 2 and length == OPENING_RUN:
        return (a & b | c & d | (a | b) & (c | d)) & starts
    if jokers == 2:
        return (a | b | c) & starts
    return (a | b | c | held >> 3) & starts if jokers == 3 else starts


@jit_inline
def run_shape(plane):
    """Cards that stand in natural runs of four and of three, beside a neighbour, and one place from a neighbour."""
    held = with_high_aces(plane)
    two = held & held >> 1
    three = two & held >> 2
    four = three & held >> 3
    gap = held & held >> 2
    return (
        as_held(four | four << 1 | four << 2 | four << 3),
        as_held(three | three << 1 | three << 2),
        as_held(two | two << 1),
        as_held(gap | gap << 2),
    )
