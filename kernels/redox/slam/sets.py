"""Sets as numbers: the rank, the copies taken of each suit (two bits a suit), and how many these are.

They are taken from hands of at most 15 cards with at most two copies of a card. What a set leaves of a suit is again
one of the *patterns* that the tables know: the cards of a suit as a number of base three, the ace lowest.
"""

import numpy as np

from kernels.compiler.jit import jit
from kernels.redox.options import RANKS, SUITS
from kernels.redox.planes import EVERY_SUIT, LANE, count_bits, lane
from kernels.redox.slam.words import DIGIT

MAX_SETS = 3
"""Sets of a slam of 15 cards: the run takes four, so there is no room for four sets."""
DECKS = 2
DIGITS = DECKS + 1
PATTERNS = DIGITS**RANKS
POWERS = DIGITS ** np.arange(RANKS)

COPY_BITS = 2
COPY_MASK = (1 << COPY_BITS) - 1
RANK_AT = SUITS * COPY_BITS
ALL_COPIES = (1 << RANK_AT) - 1
TAKEN_AT = RANK_AT + 4


@jit
def _pattern(tables, p1, p2, suit):
    return int(tables.patterns[lane(p1, suit) >> 1]) + int(tables.patterns[lane(p2, suit) >> 1])


@jit
def patterns_of(tables, p1, p2):
    """The patterns of the four suits."""
    return (
        _pattern(tables, p1, p2, 0),
        _pattern(tables, p1, p2, 1),
        _pattern(tables, p1, p2, 2),
        _pattern(tables, p1, p2, 3),
    )


@jit
def sum_of_copies(copies):
    """How many cards some copies of the suits are together."""
    pairs = (copies & 0x33) + (copies >> COPY_BITS & 0x33)
    return (pairs & DIGIT) + (pairs >> 2 * COPY_BITS)


@jit
def set_of(copies, rank):
    """The set of these copies of a rank."""
    return copies | rank << RANK_AT | sum_of_copies(copies) << TAKEN_AT


@jit
def taken_by(option):
    """How many cards a set takes."""
    return option >> TAKEN_AT & DIGIT


@jit
def rank_of(option):
    """The rank of a set."""
    return option >> RANK_AT & DIGIT


@jit
def without(patterns, option):
    """The patterns without the cards of a set."""
    unit = int(POWERS[rank_of(option)])
    a, b, c, d = patterns
    return (
        a - (option & COPY_MASK) * unit,
        b - (option >> COPY_BITS & COPY_MASK) * unit,
        c - (option >> 2 * COPY_BITS & COPY_MASK) * unit,
        d - (option >> 3 * COPY_BITS & COPY_MASK) * unit,
    )


@jit
def _copies_held(p1, p2, rank):
    """Copies a hand has of a rank's card in each suit, two bits a suit."""
    first = p1 >> rank + 1 & EVERY_SUIT
    both = first + (p2 >> rank + 1 & EVERY_SUIT)
    close = both | both >> LANE - COPY_BITS
    return (close | close >> 2 * (LANE - COPY_BITS)) & ALL_COPIES


@jit
def add_whole(options, n, p1, p2, ranks):
    """Add the set of all cards of each rank in a bit set. Returns the new number of options."""
    while ranks:
        rank = count_bits((ranks & -ranks) - 1) - 1
        ranks &= ranks - 1
        options[n] = set_of(_copies_held(p1, p2, rank), rank)
        n += 1
    return n
