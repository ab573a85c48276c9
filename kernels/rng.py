"""Counter-based random streams: Philox4x32-10, f(seed, game, round, purpose).

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A block of four 32-bit
words is a function of a 64-bit key (the seed) and a 128-bit counter (block, purpose and round, game), so any game
can be computed alone, and what one purpose draws never moves another: another policy gets the same deal.

All arithmetic stays in int64. Products of two 32-bit numbers may wrap, but their low 64 bits, and so the two halves
that are masked out, are right; plain Python integers give the same halves without wrapping.
"""

import numpy as np

from kernels.jit import jit, jit_inline

DEAL = 0  # who leads first, the deal, the order of the stock
RESHUFFLE = 1  # the order of a stock made anew from played cards
CHANCE = 2  # any other chance inside a game
SEARCH = 3  # what a searching policy imagines
SEAT = 4  # + seat: what that seat's policy draws
MAX_SEATS = 10
PURPOSES = SEAT + MAX_SEATS

BLOCKS = 8  # blocks made at once, so that the compiler can use wide registers
WORDS = 4 * BLOCKS
WORD_BITS = 32

STREAM = np.dtype(
    [
        ("key_low", "i8"),
        ("key_high", "i8"),
        ("block", "i8"),
        ("purpose", "i8"),
        ("game_low", "i8"),
        ("game_high", "i8"),
        ("used", "i8"),
        ("words", "i8", WORDS),
    ]
)

_MASK = 0xFFFFFFFF
_MULTIPLIER_0 = 0xD2511F53
_MULTIPLIER_1 = 0xCD9E8D57
_WEYL_0 = 0x9E3779B9
_WEYL_1 = 0xBB67AE85
_ROUNDS = 10


def new_streams(seed: int) -> np.ndarray:
    """Streams of every purpose, keyed by a seed of 0..2**64-1: an array of PURPOSES records of type STREAM."""
    streams = np.zeros(PURPOSES, STREAM).view(np.recarray)
    streams["key_low"] = seed & _MASK
    streams["key_high"] = seed >> WORD_BITS
    streams["used"] = WORDS
    return streams


@jit
def start_round(streams, game, round_number):
    """Point every stream at the start of one round (from 1, below 2**24) of one game (from 0)."""
    for purpose in range(PURPOSES):
        stream = streams[purpose]
        stream.block = 0
        stream.used = WORDS
        stream.purpose = purpose | (round_number << 8)
        stream.game_low = game & _MASK
        stream.game_high = (game >> WORD_BITS) & _MASK


@jit
def philox(c0, c1, c2, c3, k0, k1):
    """One block: four 32-bit words from a counter of four and a key of two 32-bit words."""
    for _ in range(_ROUNDS):
        p0 = c0 * _MULTIPLIER_0
        p1 = c2 * _MULTIPLIER_1
        c0, c1, c2, c3 = (
            ((p1 >> 32) & _MASK) ^ c1 ^ k0,
            p1 & _MASK,
            ((p0 >> 32) & _MASK) ^ c3 ^ k1,
            p0 & _MASK,
        )
        k0 = (k0 + _WEYL_0) & _MASK
        k1 = (k1 + _WEYL_1) & _MASK
    return c0, c1, c2, c3


@jit
def _refill(stream):
    """Fill the stream's buffer with its next BLOCKS blocks."""
    first = int(stream.block)
    purpose = int(stream.purpose)
    game_low = int(stream.game_low)
    game_high = int(stream.game_high)
    key_low = int(stream.key_low)
    key_high = int(stream.key_high)
    for block in range(BLOCKS):
        w0, w1, w2, w3 = philox(first + block, purpose, game_low, game_high, key_low, key_high)
        stream.words[4 * block] = w0
        stream.words[4 * block + 1] = w1
        stream.words[4 * block + 2] = w2
        stream.words[4 * block + 3] = w3
    stream.block = first + BLOCKS
    stream.used = 0


@jit_inline
def word(streams, purpose):
    """The next 32-bit word of a stream, as a non-negative int64."""
    stream = streams[purpose]
    if stream.used == WORDS:
        _refill(stream)
    used = int(stream.used)
    stream.used = used + 1
    return int(stream.words[used])


@jit_inline
def split_word(value, bound, bits):
    """Scale a word of `bits` bits to 0..bound-1: that number, and the fraction left over (of `bits` bits).

    Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
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

    Source: Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024.
    """
    both = first_bound * second_bound
    while True:
        first, fraction = split_word(word(streams, purpose), first_bound, WORD_BITS)
        second, fraction = split_word(fraction, second_bound, WORD_BITS)
        if not is_biased(fraction, both, WORD_BITS):
            return first, second
