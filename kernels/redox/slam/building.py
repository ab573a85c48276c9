"""Building the tables: what every pattern of one suit in two packs, and every pair of suits, can do.

Only compiled where there are no saved tables. The places of a suit are gone through as in `search`, once for all
patterns that begin alike, with rows of 16 bytes for 0 to 15 slots.
"""

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.compiler.jit import jit, jit_with_arrays
from kernels.redox.options import HIGH_ACE, OPENING_RUN, RANKS, SUITS
from kernels.redox.slam.search import ENDS, STATES, STEPS, STEPS_OF_OVERLAP, clear
from kernels.redox.slam.sets import DECKS, DIGITS, PATTERNS
from kernels.redox.slam.words import DIGIT, MAX_SLOTS, NIBBLE, NIBBLES, join_words, reverse

COMMON = 2048
"""Pairs of the most common classes are tabled."""
PAIRS = COMMON * (COMMON + 1) // 2
STATES_OF_TWO = sum(sum(runs) <= DECKS for runs in STATES)
STRIDE = NIBBLES + DECKS
"""A row may be written a little too far; nobody reads that."""
STEPS_OPEN = STEPS[: STEPS_OF_OVERLAP[DECKS]].copy()
STEPS_KING = STEPS_OPEN[[STATES[new][0] == 0 for new in STEPS_OPEN[:, 2]]].copy()
STEPS_LAST = STEPS_OPEN[ENDS[STEPS_OPEN[:, 2]]].copy()
"""The steps that matter at the last place but one, where no run can begin, and at the last, where all end."""


# Patterns


@jit
def _raise_row(before, old, after, new, gain):
    for i in range(NIBBLES):
        kept = np.int8(before[old + i] + gain)
        after[new + i] = max(after[new + i], kept)


@jit
def _advance(steps, before, after, held):
    """From one place to the next, where the suit holds `held` cards."""
    clear(after)
    for n in range(len(steps)):
        used = steps[n, 3]
        gain = min(used, held)
        old = steps[n, 1] * 2 * STRIDE
        new = steps[n, 2] * 2 * STRIDE + used
        _raise_row(before, old + STRIDE, after, new + STRIDE, gain)
        _raise_row(before, old, after, new + steps[n, 4] * STRIDE, gain)


@jit
def _finish(cells, row):
    """Raise a row to what the states after the last place give."""
    for state in range(STATES_OF_TWO):
        if ENDS[state]:
            _raise_row(cells, state * 2 * STRIDE, row, 0, 0)
            _raise_row(cells, state * 2 * STRIDE + STRIDE, row, 0, 0)
            _raise_row(cells, state * 2 * STRIDE + STRIDE, row, STRIDE, 0)


@jit
def _word(row, at):
    """A row as 16 nibbles, lowest for no slots."""
    word = 0
    for slots in range(NIBBLES):
        word |= max(0, int(row[at + slots])) << NIBBLE * slots
    return word


@jit
def _leaf(levels, digits, cells, row, words):
    """The words of the patterns that differ only in the aces."""
    naturals = 0
    index = 0
    for place in range(RANKS, 1, -1):
        naturals += digits[place]
        index = (index + digits[place]) * DIGITS
    for aces in range(min(DECKS, MAX_SLOTS - naturals) + 1):
        clear(row)
        for low in range(aces + 1):
            _advance(STEPS_LAST, levels[low, RANKS], cells, aces - low)
            _finish(cells, row)
        words[index + aces, 0] = _word(row, 0)
        words[index + aces, 1] = _word(row, STRIDE)


@jit
def _is_first_of_two(digits):
    """Whether the pattern comes no later than its mirror image, deuces for kings."""
    for place in range(2, RANKS + 1):
        if digits[place] != digits[RANKS + 2 - place]:
            return digits[place] < digits[RANKS + 2 - place]
    return True


@jit
def _next_pattern(digits):
    """The next pattern, as a number with the king's digit lowest; the first place that changed, 1 after the last."""
    place = RANKS
    while place > 1 and digits[place] == DECKS:
        digits[place] = 0
        place -= 1
    digits[place] += 1
    return place


@jit_with_arrays
def _fill_words(words):
    """Fill int64[PATTERNS, 2] of 0 with the rows of all patterns of 15 cards or fewer, one of two mirror images only.

    `levels` holds the cells after each place of the pattern that is at hand, for each number of low aces.
    """
    levels = np.empty((DIGITS, HIGH_ACE, 2 * STATES_OF_TWO * STRIDE), dtype=np.int8)
    cells = np.empty(2 * STATES_OF_TWO * STRIDE, dtype=np.int8)
    row = np.empty(2 * STRIDE, dtype=np.int8)
    digits = np.zeros(HIGH_ACE, dtype=np.int64)
    clear(cells)
    for slots in range(NIBBLES):
        cells[slots] = 0
    for low in range(DIGITS):
        _advance(STEPS_OPEN, cells, levels[low, 1], low)
    place = 2
    while place > 1:
        for later in range(place, RANKS):
            for low in range(DIGITS):
                _advance(STEPS_OPEN, levels[low, later - 1], levels[low, later], digits[later])
        if _is_first_of_two(digits):
            for low in range(DIGITS):
                _advance(STEPS_KING, levels[low, RANKS - 1], levels[low, RANKS], digits[RANKS])
            _leaf(levels, digits, cells, row, words)
        place = _next_pattern(digits)


def _pattern_words() -> NDArray[np.int64]:
    """The rows of every pattern as two words; those of more than 15 cards, which nobody looks up, are 0."""
    words = np.zeros((PATTERNS, 2), dtype=np.int64)
    _fill_words(words)
    by_rank = np.arange(PATTERNS).reshape([DIGITS] * RANKS)  # king first, ace last
    image = by_rank.transpose([*range(RANKS - 2, -1, -1), RANKS - 1]).ravel()
    return words | words[image]  # type: ignore[return-value]


# Classes and pairs


@jit
def _join_pairs(words, joined):
    """Fill a triangle, row by row, with the words of every pair of the first COMMON classes."""
    at = 0
    for second in range(COMMON):
        for first in range(second + 1):
            free, need = join_words(words[first, 0], words[first, 1], words[second, 0], words[second, 1])
            joined[at, 0] = free
            joined[at, 1] = need
            at += 1


@jit
def _add_reversed(words):
    """Columns 2 and 3 become columns 0 and 1 with the nibbles in reverse."""
    for i in range(len(words)):
        words[i, 2] = reverse(words[i, 0])
        words[i, 3] = reverse(words[i, 1])


def _numbered(words: NDArray[np.int64], weight: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.uint16], Any]:
    """The different pairs of words, those of most weight first, in columns 0 and 1, and in 2 and 3 in reverse.

    Also the number of each pair, and the weights.
    """
    of_column = [np.searchsorted(np.unique(column), column) for column in words.T]
    both = of_column[0] * len(words) + of_column[1]
    number = np.searchsorted(np.unique(both), both)
    weights = np.bincount(number, weights=weight)
    order = np.argsort(-weights, kind="stable")
    place = np.empty(len(order), dtype=np.uint16)
    place[order] = np.arange(len(order))
    number = place[number]
    different = np.zeros((len(order), 4), dtype=np.int64)
    different[number, :2] = words
    _add_reversed(different)
    return different, number, weights[order]


def _dealt_weight(digits: NDArray[np.int8]) -> Any:
    """How many hands dealt from two packs have each pattern."""
    cards = DECKS * RANKS
    naturals = digits.sum(axis=0)
    others = [comb((SUITS - 1) * cards, MAX_SLOTS - n) if n <= MAX_SLOTS else 0 for n in range(cards + 1)]
    return np.array(others, dtype=float)[naturals] * np.exp2((digits == 1).sum(axis=0))


def _covers(class_words: NDArray[np.int64], classes: NDArray[np.uint16], naturals: NDArray[Any]) -> NDArray[np.uint8]:
    """Fewest blanks with which runs hold all of each pattern; in the high nibble, with a run of four; 15: never."""
    slots = np.arange(NIBBLES)
    rows = class_words[:, :2, None] >> NIBBLE * slots & DIGIT
    rows[:, 1, :OPENING_RUN] = -1
    found = rows[:, :, None, :] == slots[:, None]  # [class, need, naturals, slots]
    blanks = np.where(found.any(axis=3), found.argmax(axis=3) - slots, MAX_SLOTS)
    both = (blanks[:, 0] | blanks[:, 1] << NIBBLE).astype(np.uint8)
    found_in: NDArray[np.uint8] = both[classes, np.minimum(naturals, MAX_SLOTS)]
    return found_in


def build() -> dict[str, NDArray[Any]]:
    """All tables, by name (see `SlamTables`)."""
    numbers = np.arange(PATTERNS)
    digits = np.stack([(numbers // DIGITS**rank % DIGITS).astype(np.int8) for rank in range(RANKS)])
    class_words, classes, weights = _numbered(_pattern_words(), _dealt_weight(digits))
    joined = np.zeros((PAIRS, 2), dtype=np.int64)
    _join_pairs(class_words, joined)
    second, first = np.tril_indices(COMMON)
    pair_words, pairs, _ = _numbered(joined, weights[first] * weights[second])
    bits = np.arange(1 << RANKS)
    patterns = sum((bits >> rank & 1) * DIGITS**rank for rank in range(RANKS))
    return {
        "patterns": np.asarray(patterns, dtype=np.int32),
        "classes": np.concatenate([classes, pairs]),
        "class_words": class_words,
        "pair_words": pair_words,
        "covers": _covers(class_words, classes, digits.sum(axis=0)),
    }
