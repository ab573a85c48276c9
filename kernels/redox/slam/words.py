"""Rows of runs as words: 16 nibbles, the most natural cards kept in at most 0, 1, ... 15 slots.

A row with a run of four in it is nought for fewer than four slots, which stands for no way. Sums of kept cards stay
within 15, so words can be added nibble by nibble. A word may be negative as an int64; all masks are positive.
"""

from kernels.compiler.jit import jit
from kernels.redox.options import OPENING_RUN

NIBBLE = 4
NIBBLES = 16
MAX_SLOTS = NIBBLES - 1
DIGIT = 15
EVEN = 0x0F0F0F0F0F0F0F0F
GUARD = 0x1010101010101010
BELOW_TOP = (1 << NIBBLE * MAX_SLOTS) - 1
FROM_FOUR = -(1 << NIBBLE * OPENING_RUN)
"""Nibbles for four slots or more."""
TO_ELEVEN = (1 << NIBBLE * (NIBBLES - OPENING_RUN)) - 1
"""In a reversed word, nibbles for four slots or more."""


@jit
def max_bytes(a, b):
    """Byte by byte the larger of two words of bytes from 0 to 15."""
    larger = (a | GUARD) - b & GUARD
    return b ^ (a ^ b) & larger - (larger >> NIBBLE)


@jit
def max_nibbles(a, b):
    """Nibble by nibble the larger of two words."""
    low = max_bytes(a & EVEN, b & EVEN)
    high = max_bytes(a >> NIBBLE & EVEN, b >> NIBBLE & EVEN)
    return low | high << NIBBLE


@jit
def largest_nibble(a, b):
    """The largest nibble of two words."""
    most = max_bytes(max_bytes(a & EVEN, a >> NIBBLE & EVEN), max_bytes(b & EVEN, b >> NIBBLE & EVEN))
    most = max_bytes(most, most >> 32)
    most = max_bytes(most, most >> 16)
    return max_bytes(most, most >> 8) & DIGIT


@jit
def reverse(word):
    """The nibbles in reverse."""
    backwards = 0
    for _ in range(NIBBLES):
        backwards = backwards << NIBBLE | word & DIGIT
        word >>= NIBBLE
    return _signed(backwards)


@jit
def _signed(word):
    """The word as an int64 even where integers are longer."""
    top = word >> NIBBLE * MAX_SLOTS & DIGIT
    return word & BELOW_TOP | top - (top >> NIBBLE - 1 << NIBBLE) << NIBBLE * MAX_SLOTS


@jit
def _spread(digit):
    """A word whose nibbles are all `digit`."""
    return digit * 0x1111111111111111


@jit
def join_words(free, need, free2, need2):
    """The rows of two groups of suits together: free, and with a run of four in either group."""
    both = 0
    both_need = 0
    for slots in range(NIBBLES):
        up = NIBBLE * slots
        more = _spread(free >> up & DIGIT)
        both = max_nibbles(both, free2 + more << up)
        both_need = max_nibbles(both_need, (need2 + more & FROM_FOUR) << up)
        if slots >= OPENING_RUN:
            both_need = max_nibbles(both_need, free2 + _spread(need >> up & DIGIT) << up)
    return _signed(both), _signed(both_need)


@jit
def kept_in(free, need, free2_reversed, need2_reversed, slots):
    """The most cards kept in at most `slots` (4..15) slots by two groups of suits, a run of four among them."""
    up = NIBBLE * (MAX_SLOTS - slots)
    with_first = (need + (free2_reversed >> up) & FROM_FOUR) << up
    with_second = free + (need2_reversed >> up) << up & TO_ELEVEN
    return largest_nibble(with_first, with_second)
