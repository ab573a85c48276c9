"""What the runs of one suit can hold: the most of its natural cards, for every number of slots.

A *row* answers for one suit: `row[need][slots]` is the most natural cards that runs of this suit hold in at most
`slots` slots (cards and blanks; a blank is a slot for a joker or a card from outside), `need` 1 asking for a run of
four or more among them. Sets take their cards away before the row is asked for.

It is found place by place, from the low ace to the high one. Of two runs that overlap the one that began first may
end first, and at no place need more runs overlap than the suit holds copies of a card there or elsewhere: a spare one
can be joined to another. So the open runs are three numbers, how many have one card, two, three or more.
"""

import numpy as np

from kernels.compiler.jit import jit, jit_with_arrays
from kernels.redox.slam.planes import (
    ACE_PLACE,
    COPIES,
    HIGH_ACE_PLACE,
    LANE,
    LARGEST_HAND,
    OPENING_RUN,
    SUITS,
    lane,
)
from kernels.redox.slam.words import DIGIT, LAST, NIBBLE

NEVER = -64
"""Kept cards where no way exists; stays negative whatever is added to it."""
FREE = 0
NEED = 1
NEEDS = 2
SLOTS = LARGEST_HAND + 1
"""Slots are 0 to 20."""
ROW = NEEDS * SLOTS
"""A row laid flat: `FREE` first, then `NEED`."""
REMEMBERED = 64
"""Distinct patterns of a suit whose rows one call remembers."""


def _open_runs(most):
    """All (one card, two cards, three or more) of at most `most` open runs, fewest runs first."""
    triples = np.ndindex(most + 1, most + 1, most + 1)
    return sorted((t for t in triples if sum(t) <= most), key=sum)


def _steps(states):
    """All (overlap, from, to, slots, made four) from one place to the next, least overlap first."""
    number = {state: n for n, state in enumerate(states)}
    steps = []
    for ones, twos, longer in states:
        for kept in range(longer + 1):
            for opened in range(COPIES - ones - twos - kept + 1):
                after = (opened, ones, twos + kept)
                overlap = max(ones + twos + longer, sum(after))
                steps.append((overlap, number[ones, twos, longer], number[after], sum(after), int(kept > 0)))
    return sorted(steps)


STATE_RUNS = _open_runs(COPIES)
STATES = len(STATE_RUNS)
STEPS = np.array(_steps(STATE_RUNS), dtype=np.int64)
STEPS_OF_OVERLAP = np.searchsorted(STEPS[:, 0], np.arange(COPIES + 1), side="right")
ENDS = np.array([ones == 0 and twos == 0 for ones, twos, _ in STATE_RUNS])
"""States in which every open run may end."""
CELLS = STATES * ROW


@jit
def clear(cells):
    """Set a flat array to NEVER."""
    for i in range(len(cells)):
        cells[i] = NEVER


@jit
def start(cells):
    """The state before the first place: no open run, nothing used."""
    clear(cells)
    for slots in range(SLOTS):
        cells[slots] = 0


@jit
def _raise_to(cells, at, kept):
    if kept > cells[at]:
        cells[at] = kept


@jit
def _step_need(before, old, after, new, used, gain):
    for slots in range(SLOTS - used):
        _raise_to(after, new + slots + used, before[old + slots] + gain)


@jit
def advance(before, after, overlap, held):
    """From one place to the next, where the suit holds `held` cards; at most `overlap` runs at once.

    `before` and `after` are flat: [STATES][NEEDS][SLOTS], most kept cards.
    """
    clear(after)
    for n in range(STEPS_OF_OVERLAP[overlap]):
        old = int(STEPS[n, 1]) * ROW
        new = int(STEPS[n, 2]) * ROW
        used = int(STEPS[n, 3])
        gain = min(used, held)
        _step_need(before, old + NEED * SLOTS, after, new + NEED * SLOTS, used, gain)
        _step_need(before, old, after, new + int(STEPS[n, 4]) * SLOTS, used, gain)


@jit
def finish(cells, row):
    """Raise a row to what the states after the last place give."""
    for state in range(STATES):
        if ENDS[state]:
            for i in range(ROW):
                _raise_to(row, i, cells[state * ROW + i])
    for slots in range(SLOTS):
        _raise_to(row, slots, row[NEED * SLOTS + slots])


@jit
def held_at(planes, suit, place):
    """Copies of the card at a place (1..13) of a suit."""
    p1, p2, p3, p4 = planes
    at = suit * 16 + place
    return (p1 >> at & 1) + (p2 >> at & 1) + (p3 >> at & 1) + (p4 >> at & 1)


@jit
def most_copies(planes, suit):
    """The most copies of one card in a suit (0..4)."""
    p1, p2, p3, p4 = planes
    if lane(p4, suit):
        return 4
    if lane(p3, suit):
        return 3
    return 2 if lane(p2, suit) else min(1, lane(p1, suit))


@jit_with_arrays
def fill_row(planes, suit, row):
    """Fill the row of a suit by going through its places, once for each way to place its aces."""
    clear(row)
    overlap = max(1, most_copies(planes, suit))
    aces = held_at(planes, suit, ACE_PLACE)
    before = np.empty(CELLS, dtype=np.int64)
    after = np.empty(CELLS, dtype=np.int64)
    for low in range(aces + 1):
        start(before)
        for place in range(ACE_PLACE, HIGH_ACE_PLACE + 1):
            held = held_at(planes, suit, place) if place < HIGH_ACE_PLACE else aces - low
            advance(before, after, overlap, low if place == ACE_PLACE else held)
            before, after = after, before
        finish(before, row)


@jit
def join(first, second, both):
    """Rows of two groups of suits into the row of both together."""
    clear(both)
    for a in range(SLOTS):
        for b in range(SLOTS - a):
            free = first[a] + second[b]
            need = max(first[SLOTS + a] + second[b], first[a] + second[SLOTS + b])
            _raise_to(both, a + b, free)
            _raise_to(both, SLOTS + a + b, need)


@jit
def _tabled_row(tables, planes, suit, row):
    """Fill the row of a suit without third copies from the tables, for 0 to 15 slots."""
    clear(row)
    first = int(tables.patterns[lane(planes[0], suit) >> 1])
    second = int(tables.patterns[lane(planes[1], suit) >> 1])
    words = tables.class_words[int(tables.classes[first + second])]
    for slots in range(LAST + 1):
        row[slots] = int(words[FREE]) >> NIBBLE * slots & DIGIT
        if slots >= OPENING_RUN:
            row[NEED * SLOTS + slots] = int(words[NEED]) >> NIBBLE * slots & DIGIT


@jit
def suit_key(planes, suit):
    """The lanes of a suit in all planes as one number."""
    p1, p2, p3, p4 = planes
    low = lane(p1, suit) | lane(p2, suit) << LANE
    return low | lane(p3, suit) << 2 * LANE | lane(p4, suit) << 3 * LANE


@jit
def remembered(keys, key):
    """Where a key is kept among `keys`, whose last entry counts them, and whether it was there already."""
    known = int(keys[len(keys) - 1])
    for i in range(known):
        if keys[i] == key:
            return i, True
    at = min(known, len(keys) - 2)
    keys[at] = key
    keys[len(keys) - 1] = at + 1
    return at, False


@jit
def suit_row(tables, memory, planes, suit, size, row):
    """Fill the row of a suit of a hand of `size` cards: from the tables, from memory, or worked out.

    `memory` is (keys int64[SUITS, REMEMBERED + 1] of 0, rows int64[SUITS, REMEMBERED, ROW]).
    """
    if size <= LAST and len(tables.covers) > 0 and most_copies(planes, suit) <= 2:
        _tabled_row(tables, planes, suit, row)
        return
    keys, rows = memory
    at, known = remembered(keys[suit], suit_key(planes, suit))
    if not known:
        fill_row(planes, suit, rows[suit, at])
    for i in range(ROW):
        row[i] = rows[suit, at, i]


@jit_with_arrays
def hand_row(tables, memory, planes, size, row):
    """Fill the row of all four suits of a hand of `size` cards together."""
    one = np.empty(ROW, dtype=np.int64)
    so_far = np.empty(ROW, dtype=np.int64)
    suit_row(tables, memory, planes, 0, size, row)
    for suit in range(1, SUITS):
        for i in range(ROW):
            so_far[i] = row[i]
        suit_row(tables, memory, planes, suit, size, one)
        join(so_far, one, row)
