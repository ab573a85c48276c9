"""Hands as bit planes: the cards of a hand in four integers, and how cards are counted and taken from them.

Plane k (k = 0..3) has bit `suit * LANE + rank + 1` set if the hand holds at least k + 1 copies of that card. A suit's
lane thus has the ace at place 1 and the king at place 13; place 14, the high ace, is never set in a plane. Jokers are
counted beside the planes. All values are non-negative int64, so plain Python integers give the same results.
"""

from kernels.compiler.bits import ones as count_bits
from kernels.compiler.jit import jit

SUITS = 4
RANKS = 13
COPIES = 4
LANE = 16
LANE_MASK = (1 << LANE) - 1
ACE_PLACE = 1
HIGH_ACE_PLACE = 14
LONGEST_RUN = 14
SHORTEST_PLOT = 3
OPENING_RUN = 4
LARGEST_HAND = 20
EVERY_SUIT = 1 | 1 << LANE | 1 << 2 * LANE | 1 << 3 * LANE


@jit
def count_naturals(p1, p2, p3, p4):
    """Natural cards of a hand."""
    return count_bits(p1) + count_bits(p2) + count_bits(p3) + count_bits(p4)


@jit
def lane(plane, suit):
    """The 16 bits of one suit."""
    return plane >> suit * LANE & LANE_MASK


@jit
def copies(planes, suit, rank):
    """How many copies of a card a hand holds; `planes` is the tuple of its four planes."""
    place = suit * LANE + rank + 1
    p1, p2, p3, p4 = planes
    return (p1 >> place & 1) + (p2 >> place & 1) + (p3 >> place & 1) + (p4 >> place & 1)


@jit
def rank_count(planes, rank):
    """How many cards of a rank a hand holds."""
    same = EVERY_SUIT << rank + 1
    p1, p2, p3, p4 = planes
    return count_bits(p1 & same) + count_bits(p2 & same) + count_bits(p3 & same) + count_bits(p4 & same)


@jit
def take_card(planes, suit, rank):
    """The planes without one copy of a card that they hold."""
    bit = 1 << suit * LANE + rank + 1
    p1, p2, p3, p4 = planes
    if p4 & bit:
        return p1, p2, p3, p4 ^ bit
    if p3 & bit:
        return p1, p2, p3 ^ bit, p4
    if p2 & bit:
        return p1, p2 ^ bit, p3, p4
    return p1 ^ bit, p2, p3, p4


@jit
def choices(planes, rank):
    """Number of ways to choose any of the cards of a rank, equal cards being alike (none chosen counts as one)."""
    ways = 1
    for suit in range(SUITS):
        ways *= copies(planes, suit, rank) + 1
    return ways


@jit
def take_choice(planes, rank, choice):
    """Take the cards that `choice` (0 to `choices` - 1) stands for: the planes left and how many were taken.

    `choice` is a number of mixed base with a digit for each suit: copies taken. The largest one takes all.
    """
    taken = 0
    left = planes
    for suit in range(SUITS):
        base = copies(planes, suit, rank) + 1
        for _ in range(choice % base):
            left = take_card(left, suit, rank)
        taken += choice % base
        choice //= base
    return left, taken
