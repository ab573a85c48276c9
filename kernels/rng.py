"""Counter-based random streams: Philox4x32-10, f(seed, game, round, purpose).

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A block of four 32-bit
words is a function of a 64-bit key (the seed) and a 128-bit counter (block, purpose and round, game), so any game
can be computed alone, and what one purpose draws never moves another: another policy gets the same deal.

All arithmetic stays in int64. Products of two 32-bit numbers may wrap, but their low 64 bits, and so the two halves
that are masked out, are right; plain Python integers give the same halves without wrapping.
"""

from typing import Any

import numpy as np

from kernels.compiler.jit import jit, jit_inline

DEAL = 0  # who leads first, the deal, the order of the stock
RESHUFFLE = 1  # the order of a stock made anew from played cards
CHANCE = 2  # any other chance inside a game
SEARCH = 3  # the keys of the streams that a searching policy imagines by
SEAT = 4  # + seat: what that seat's policy draws
MAX_SEATS = 10
PURPOSES = SEAT + MAX_SEATS
PLACES = 256
"""More than the cards of any pack."""

BLOCKS = 8  # blocks made at once, so that the compiler can use wide registers
WORDS = 4 * BLOCKS
WORD_BITS = 32
PURPOSE_BITS = 8

STREAMS = np.dtype(
    [
        ("key_low", "i8"),
        ("key_high", "i8"),
        ("round_no", "i8"),
        ("game_low", "i8"),
        ("game_high", "i8"),
        ("used", "i8", PURPOSES),  # words drawn so far
        ("words", "i8", (PURPOSES, WORDS)),  # the last WORDS made
        # What the first deal of a game leaves to no chance; see `kernels.predeal`.
        ("predealt_n", "i8"),
        ("predealt", "i1", PLACES),  # cards
        ("predealt_to", "i1", PLACES),  # the hand that each goes to
        ("first_seats", "i8"),  # seats that may be dealt to first, as bits
        ("deal_order", "i1", (MAX_SEATS, PLACES)),  # by the seat dealt to first: the hand that each place belongs to
    ]
)

_MASK = 0xFFFFFFFF
_MULTIPLIER_0 = 0xD2511F53
_MULTIPLIER_1 = 0xCD9E8D57
_WEYL_0 = 0x9E3779B9
_WEYL_1 = 0xBB67AE85


def new_streams(seed: int) -> Any:
    """Streams of every purpose, keyed by a seed of 0..2**64-1: a record of type STREAMS. `start_round` comes before the
    first draw."""
    streams = np.zeros(1, STREAMS).view(np.recarray)[0]
    streams.key_low = seed & _MASK
    streams.key_high = seed >> WORD_BITS
    return streams


@jit
def start_round(streams, game, round_number):
    """Point every stream at the start of one round (1..2**24-1) of one game (0..2**63-1)."""
    streams.round_no = round_number
    streams.game_low = game & _MASK
    streams.game_high = (game >> WORD_BITS) & _MASK
    for purpose in range(PURPOSES):
        streams.used[purpose] = 0


@jit_inline
def _philox_round(counter, k0, k1, number):
    """One of the ten rounds, numbered from 0, on a counter of four words."""
    c0, c1, c2, c3 = counter
    p0 = c0 * _MULTIPLIER_0
    p1 = c2 * _MULTIPLIER_1
    key0 = k0 + number * _WEYL_0 & _MASK
    key1 = k1 + number * _WEYL_1 & _MASK
    return p1 >> WORD_BITS & _MASK ^ c1 ^ key0, p1 & _MASK, p0 >> WORD_BITS & _MASK ^ c3 ^ key1, p0 & _MASK


@jit_inline
def philox(c0, c1, c2, c3, k0, k1):
    """One block of Philox4x32-10: four 32-bit words from a counter of four and a key of two. All are int64 of
    0..2**32-1."""
    # Ten rounds in a row and not a loop: compilers make wide code of a loop over blocks only if it holds no other.
    words = _philox_round((c0, c1, c2, c3), k0, k1, 0)
    words = _philox_round(words, k0, k1, 1)
    words = _philox_round(words, k0, k1, 2)
    words = _philox_round(words, k0, k1, 3)
    words = _philox_round(words, k0, k1, 4)
    words = _philox_round(words, k0, k1, 5)
    words = _philox_round(words, k0, k1, 6)
    words = _philox_round(words, k0, k1, 7)
    words = _philox_round(words, k0, k1, 8)
    return _philox_round(words, k0, k1, 9)


@jit
def _refill(streams, purpose):
    """Make the next BLOCKS blocks of a stream that has used up what was made."""
    first = int(streams.used[purpose]) >> 2
    what = int(purpose) | int(streams.round_no) << PURPOSE_BITS
    game_low = int(streams.game_low)
    game_high = int(streams.game_high)
    key_low = int(streams.key_low)
    key_high = int(streams.key_high)
    words = streams.words[purpose]
    for block in range(BLOCKS):
        w0, w1, w2, w3 = philox(first + block, what, game_low, game_high, key_low, key_high)
        words[4 * block] = w0
        words[4 * block + 1] = w1
        words[4 * block + 2] = w2
        words[4 * block + 3] = w3


@jit_inline
def made(streams, purpose):
    """Where in a stream's buffer its next word is; the buffer is filled if it is used up."""
    place = int(streams.used[purpose]) & WORDS - 1
    if place == 0:
        _refill(streams, purpose)
    return place


@jit_inline
def word(streams, purpose):
    """The next word of a stream, an int64 of 0..2**32-1. purpose: DEAL, RESHUFFLE, CHANCE, SEARCH, or SEAT + a seat."""
    place = made(streams, purpose)
    streams.used[purpose] += 1
    return int(streams.words[purpose, place])


@jit_inline
def split_word(value, bound, bits):
    """Scale a word of `bits` bits to 0..bound-1: that number, and the fraction left over (of `bits` bits).

    value * bound must stay below 2**63. Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS
    29(1), 2019.
    """
    product = value * bound
    return product >> bits, product & ((1 << bits) - 1)


@jit_inline
def is_biased(fraction, bound, bits):
    """Whether a word that left this fraction must be rejected, so that 0..bound-1 come up equally often."""
    return fraction < bound and fraction < (1 << bits) % bound


@jit_inline
def below(streams, purpose, bound):
    """An unbiased number of 0..bound-1, 1 <= bound < 2**30. A bound of 1 draws nothing."""
    if bound == 1:
        return 0
    value, fraction = split_word(word(streams, purpose), bound, WORD_BITS)
    while is_biased(fraction, bound, WORD_BITS):
        value, fraction = split_word(word(streams, purpose), bound, WORD_BITS)
    return value


@jit_inline
def below_two(streams, purpose, first_bound, second_bound):
    """Two independent unbiased numbers from one word; the product of the bounds must stay far below 2**32.

    Source: N. Brackett-Rozinsky and D. Lemire, "Batched ranged random integer generation", Software: Practice and
    Experience 55(1), 2025.
    """
    both = first_bound * second_bound
    while True:
        first, fraction = split_word(word(streams, purpose), first_bound, WORD_BITS)
        second, fraction = split_word(fraction, second_bound, WORD_BITS)
        if not is_biased(fraction, both, WORD_BITS):
            return first, second


@jit_inline
def falling_pairs(streams, purpose, bound, first, end, pairs):
    """What `below_two` gives below bound and bound - 1, then bound - 2 and bound - 3, and so on, from made words.

    The words are those at places `first` to `end` - 1 of the buffer; the numbers go to the same places of the two rows
    of `pairs` (int64 [2, WORDS]). False, and no word is used, if one of the words must be rejected.
    """
    words = streams.words[purpose]
    doubtful = 0
    for place in range(WORDS):
        high = bound - 2 * (place - first)
        number, fraction = split_word(int(words[place]), high, WORD_BITS)
        pairs[0, place] = number
        number, fraction = split_word(fraction, high - 1, WORD_BITS)
        pairs[1, place] = number
        doubtful |= (fraction < high * (high - 1)) & (place >= first) & (place < end)
    if doubtful:
        return False
    streams.used[purpose] += end - first
    return True
