"""Building the tables of `slams_tables`: what every pattern of one suit in two packs, and every pair of suits, can do.

Only compiled when there is no saved table. The places of a suit are gone through as in `slams_rows`, once for every
pattern that begins alike; a row here is 16 bytes, for 0 to 15 slots.
"""

import numpy as np

from kernels.compiler.jit import jit, jit_with_arrays
from kernels.redox.slam.planes import HIGH_ACE_PLACE, RANKS
from kernels.redox.slam.rows import ENDS, STATE_RUNS, STEPS, STEPS_OF_OVERLAP
from kernels.redox.slam.words import NIBBLE, SLOTS, join_words, reverse

DECKS = 2
DIGITS = DECKS + 1
PATTERNS = DIGITS**RANKS
STATES = int(STEPS[: STEPS_OF_OVERLAP[DECKS], 1:3].max()) + 1
STRIDE = SLOTS + DECKS
"""A row may be written a little too far; nobody reads that."""
CELLS = STATES * 2 * STRIDE
NEVER = -64
LAST_SLOT = SLOTS - 1
NO_COVER = 15
NO_COVERS = 0xFF
NO_CLASS = 0xFFFF


STEPS_OPEN = STEPS[: STEPS_OF_OVERLAP[DECKS]].copy()
STEPS_KING = STEPS_OPEN[[STATE_RUNS[new][0] == 0 for new in STEPS_OPEN[:, 2]]].copy()
STEPS_LAST = STEPS_OPEN[ENDS[STEPS_OPEN[:, 2]]].copy()
"""The steps that matter at the last place but one, where no run can begin, and at the last, where all end."""


@jit
def _clear(cells):
    for i in range(len(cells)):
        cells[i] = NEVER


@jit
def _raise_row(before, old, after, new, gain):
    for i in range(SLOTS):
        kept = np.int8(before[old + i] + gain)
        after[new + i] = max(after[new + i], kept)


@jit
def _advance(steps, before, after, held):
    """`slams_rows.advance` for two packs, on bytes."""
    _clear(after)
    for n in range(len(steps)):
        used = steps[n, 3]
        gain = min(used, held)
        old = steps[n, 1] * 2 * STRIDE
        new = steps[n, 2] * 2 * STRIDE + used
        _raise_row(before, old + STRIDE, after, new + STRIDE, gain)
        _raise_row(before, old, after, new + steps[n, 4] * STRIDE, gain)


@jit
def _finish(cells, row):
    """Raise a row (free, then with a run of four) to what the states after the last place give."""
    for state in range(STATES):
        if ENDS[state]:
            _raise_row(cells, state * 2 * STRIDE, row, 0, 0)
            _raise_row(cells, state * 2 * STRIDE + STRIDE, row, 0, 0)
            _raise_row(cells, state * 2 * STRIDE + STRIDE, row, STRIDE, 0)


@jit
def _word(row, at):
    """A row as 16 nibbles, lowest for no slots."""
    word = 0
    for slots in range(SLOTS):
        word |= max(0, int(row[at + slots])) << NIBBLE * slots
    return word


@jit
def _cover(row, at, naturals):
    """Fewest blanks with which runs hold all the cards."""
    for slots in range(SLOTS):
        if row[at + slots] == naturals:
            return slots - naturals
    return NO_COVER


@jit
def _slot(keys, first, second):
    """Where a pair of words is, or belongs, in a table of numbers."""
    mask = len(keys) - 1
    mixed = first ^ second * 0x9E3779B1
    mixed ^= mixed >> 29
    at = (mixed * 0x85EBCA6B >> 17 ^ mixed) & mask
    while keys[at, 2] >= 0 and (keys[at, 0] != first or keys[at, 1] != second):
        at = at + 1 & mask
    return at


@jit
def _number(keys, count, first, second):
    """The number of a pair of words, a new one if it is new. `count` [1] is how many there are."""
    at = _slot(keys, first, second)
    if keys[at, 2] < 0:
        keys[at, 0] = first
        keys[at, 1] = second
        keys[at, 2] = count[0]
        count[0] += 1
    return keys[at, 2]


@jit
def _leaf(levels, digits, cells, row, keys, count, classes, covers):
    """Number the rows of the patterns that differ only in the aces."""
    naturals = 0
    index = 0
    for place in range(RANKS, 1, -1):
        naturals += digits[place]
        index = (index + digits[place]) * DIGITS
    for aces in range(min(DECKS, LAST_SLOT - naturals) + 1):
        _clear(row)
        for low in range(aces + 1):
            _advance(STEPS_LAST, levels[low, RANKS], cells, aces - low)
            _finish(cells, row)
        classes[index + aces] = _number(keys, count, _word(row, 0), _word(row, STRIDE))
        free = _cover(row, 0, naturals + aces)
        covers[index + aces] = free | _cover(row, STRIDE, naturals + aces) << NIBBLE


@jit
def _is_first_of_two(digits):
    """Whether the pattern comes no later than its mirror image, deuces for kings."""
    for place in range(2, RANKS + 1):
        if digits[place] != digits[RANKS + 2 - place]:
            return digits[place] < digits[RANKS + 2 - place]
    return True


@jit
def _mirror(classes, covers):
    """Copy to every pattern what its mirror image has, where that has something."""
    for index in range(len(classes)):
        image = 0
        rest = index // DIGITS
        for _ in range(RANKS - 1):
            image = image * DIGITS + rest % DIGITS
            rest //= DIGITS
        image = image * DIGITS + index % DIGITS
        if classes[image] != NO_CLASS:
            classes[index] = classes[image]
            covers[index] = covers[image]


@jit
def _next_pattern(digits):
    """The next pattern, as a number with the king's digit lowest; the first place that changed, 1 after the last."""
    place = RANKS
    while place > 1 and digits[place] == DECKS:
        digits[place] = 0
        place -= 1
    digits[place] += 1
    return place


@jit
def _from_place(levels, digits, place):
    """Go through the places from one to the queen's again."""
    for later in range(place, RANKS):
        for low in range(DIGITS):
            _advance(STEPS_OPEN, levels[low, later - 1], levels[low, later], digits[later])


@jit_with_arrays
def fill_patterns(keys, classes, covers):
    """Number what every pattern can do, and its covers; return how many numbers there are.

    `keys` is int64[2**k, 3] of -1, `classes` and `covers` have an entry a pattern, `classes` all NO_CLASS.
    """
    levels = np.empty((DIGITS, HIGH_ACE_PLACE, CELLS), dtype=np.int8)
    cells = np.empty(CELLS, dtype=np.int8)
    row = np.empty(2 * STRIDE, dtype=np.int8)
    digits = np.zeros(HIGH_ACE_PLACE, dtype=np.int64)
    count = np.zeros(1, dtype=np.int64)
    _clear(cells)
    for slots in range(SLOTS):
        cells[slots] = 0
    for low in range(DIGITS):
        _advance(STEPS_OPEN, cells, levels[low, 1], low)
    place = 2
    while place > 1:
        _from_place(levels, digits, place)
        if _is_first_of_two(digits):
            for low in range(DIGITS):
                _advance(STEPS_KING, levels[low, RANKS - 1], levels[low, RANKS], digits[RANKS])
            _leaf(levels, digits, cells, row, keys, count, classes, covers)
        place = _next_pattern(digits)
    _mirror(classes, covers)
    return count[0]


@jit_with_arrays
def fill_pairs(words, common, keys, pairs):
    """Number what every pair of the first `common` classes can do; `pairs` is a triangle, row by row."""
    count = np.zeros(1, dtype=np.int64)
    at = 0
    for second in range(common):
        for first in range(second + 1):
            free, need = join_words(words[first, 0], words[first, 1], words[second, 0], words[second, 1])
            pairs[at] = _number(keys, count, free, need)
            at += 1
    return count[0]


@jit
def add_reversed(words):
    """Columns 2 and 3 become columns 0 and 1 with the nibbles in reverse."""
    for i in range(len(words)):
        words[i, 2] = reverse(words[i, 0])
        words[i, 3] = reverse(words[i, 1])
