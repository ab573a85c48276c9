"""The most natural cards of a hand that can stay in a slam, for hands of every size and up to four copies of a card.

A slam is some sets, each of another rank (two sets of one rank are one set), and runs. The search goes over the ranks
that get a set and over the cards given to it. A set of t cards takes max(3, t) *slots*: cards and blanks, a blank being
for a joker or a card from outside. For a set of three cards or fewer nothing is gained by leaving one of its cards to
a run: a blank does as well there, and the set needs its three slots anyway. So only ranks of four cards or more have
choices.

A *row* tells what the runs of one suit or of several hold: the most natural cards in at most so many slots, first for
any runs and then, from entry NEED on, with a run of four or more among them. The row of a suit is found place by place,
from the low ace to the high one. Of two runs that overlap the one that began first may end first, and at no place need
more runs overlap than the suit holds copies of a card there or elsewhere: a spare one can be joined to another. So the
open runs are three numbers, how many have one card, two, three or more.
"""

import numpy as np

from kernels.compiler.jit import jit, jit_with_arrays
from kernels.redox.options import HIGH_ACE, LOW_ACE, MAX_HAND, MIN_PLOT, OPENING_RUN, RANKS, SUITS
from kernels.redox.planes import (
    COPIES,
    EVERY_SUIT,
    LANE,
    copies,
    copies_of_rank,
    count_bits,
    lane,
    planes_of,
    put_planes,
    without_card,
)
from kernels.redox.slam.words import DIGIT, MAX_SLOTS, NIBBLE

NEVER = -64
"""Kept cards where no way exists; stays negative whatever is added to it."""
SLOTS = MAX_HAND + 1
"""Slots are 0 to 20."""
NEED = SLOTS
ROW = 2 * SLOTS
"""Entries of a row: for any runs, then, from NEED on, with a run of four or more among them."""
REMEMBERED = 64
"""Distinct patterns of a suit whose rows one call remembers."""


# The runs of a suit, place by place


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


STATES = _open_runs(COPIES)
STATE_COUNT = len(STATES)
STEPS = np.array(_steps(STATES), dtype=np.int64)
STEPS_OF_OVERLAP = np.searchsorted(STEPS[:, 0], np.arange(COPIES + 1), side="right")
ENDS = np.array([ones == 0 and twos == 0 for ones, twos, _ in STATES])
"""States in which every open run may end."""
CELLS = STATE_COUNT * ROW
"""What the ways so far can do, laid flat: a row for each state."""


@jit
def clear(cells):
    """Set a flat array to NEVER."""
    for i in range(len(cells)):
        cells[i] = NEVER


@jit
def _start(cells):
    """The state before the first place: no open run, nothing used."""
    clear(cells)
    for slots in range(SLOTS):
        cells[slots] = 0


@jit
def _raise_to(cells, at, kept):
    if kept > cells[at]:
        cells[at] = kept


@jit
def _raise_row(before, old, after, new, used, gain):
    for slots in range(SLOTS - used):
        _raise_to(after, new + slots + used, before[old + slots] + gain)


@jit
def _advance(before, after, overlap, held):
    """From one place to the next, where the suit holds `held` cards; at most `overlap` runs at once."""
    clear(after)
    for n in range(STEPS_OF_OVERLAP[overlap]):
        old = int(STEPS[n, 1]) * ROW
        new = int(STEPS[n, 2]) * ROW
        used = int(STEPS[n, 3])
        gain = min(used, held)
        _raise_row(before, old + NEED, after, new + NEED, used, gain)
        _raise_row(before, old, after, new + int(STEPS[n, 4]) * NEED, used, gain)


@jit
def _finish(cells, row):
    """Raise a row to what the states after the last place give."""
    for state in range(STATE_COUNT):
        if ENDS[state]:
            for i in range(ROW):
                _raise_to(row, i, cells[state * ROW + i])
    _raise_row(row, NEED, row, 0, 0, 0)


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
def _fill_row(planes, suit, row):
    """Fill the row of a suit by going through its places, once for each way to place its aces."""
    clear(row)
    overlap = max(1, most_copies(planes, suit))
    aces = copies(planes, suit * LANE + LOW_ACE)
    before = np.empty(CELLS, dtype=np.int64)
    after = np.empty(CELLS, dtype=np.int64)
    for low in range(aces + 1):
        _start(before)
        for place in range(LOW_ACE, HIGH_ACE + 1):
            held = copies(planes, suit * LANE + place) if place < HIGH_ACE else aces - low
            _advance(before, after, overlap, low if place == LOW_ACE else held)
            before, after = after, before
        _finish(before, row)


@jit
def _tabled_row(tables, planes, suit, row):
    """Fill the row of a suit without third copies from the tables, for 0 to 15 slots."""
    clear(row)
    first = int(tables.patterns[lane(planes[0], suit) >> 1])
    second = int(tables.patterns[lane(planes[1], suit) >> 1])
    words = tables.class_words[int(tables.classes[first + second])]
    for slots in range(MAX_SLOTS + 1):
        row[slots] = int(words[0]) >> NIBBLE * slots & DIGIT
        if slots >= OPENING_RUN:
            row[NEED + slots] = int(words[1]) >> NIBBLE * slots & DIGIT


@jit
def _suit_key(planes, suit):
    """The lanes of a suit in all planes as one number."""
    p1, p2, p3, p4 = planes
    low = lane(p1, suit) | lane(p2, suit) << LANE
    return low | lane(p3, suit) << 2 * LANE | lane(p4, suit) << 3 * LANE


@jit
def remembered(keys, planes, suit):
    """Where the cards of a suit are in a memory, and whether they were there already.

    `keys` is int64[SUITS, REMEMBERED + 1] of 0; the last entry of a suit counts the others.
    """
    key = _suit_key(planes, suit)
    known = int(keys[suit, REMEMBERED])
    for i in range(known):
        if keys[suit, i] == key:
            return i, True
    at = min(known, REMEMBERED - 1)
    keys[suit, at] = key
    keys[suit, REMEMBERED] = at + 1
    return at, False


@jit
def _suit_row(tables, memory, planes, suit, size, row):
    """Fill the row of a suit of a hand of `size` cards: from the tables, from memory, or worked out."""
    if size <= MAX_SLOTS and len(tables.covers) > 0 and most_copies(planes, suit) <= 2:
        _tabled_row(tables, planes, suit, row)
        return
    keys, rows = memory
    at, known = remembered(keys, planes, suit)
    if not known:
        _fill_row(planes, suit, rows[suit, at])
    for i in range(ROW):
        row[i] = rows[suit, at, i]


# Hands


@jit
def _join(first, second, both):
    """Rows of two groups of suits into the row of both together."""
    clear(both)
    for a in range(SLOTS):
        for b in range(SLOTS - a):
            need = max(first[NEED + a] + second[b], first[a] + second[NEED + b])
            _raise_to(both, a + b, first[a] + second[b])
            _raise_to(both, NEED + a + b, need)


@jit_with_arrays
def hand_row(tables, memory, planes, size, row):
    """Fill the row of all four suits of a hand of `size` cards together."""
    one = np.empty(ROW, dtype=np.int64)
    so_far = np.empty(ROW, dtype=np.int64)
    _suit_row(tables, memory, planes, 0, size, row)
    for suit in range(1, SUITS):
        for i in range(ROW):
            so_far[i] = row[i]
        _suit_row(tables, memory, planes, suit, size, one)
        _join(so_far, one, row)


FULL_SET = MIN_PLOT
BOUNDS = (FULL_SET + 1) * SLOTS
"""Bounds laid flat: [cards of the richest rank, 0..3][slots]."""


@jit
def fill_bounds(row, bounds):
    """For n = 0..3 and all slots: no more cards are kept by runs and any sets, no rank having more than n cards.

    With n = 3 a set may be larger too, every card in a slot of its own.
    """
    for n in range(FULL_SET + 1):
        for slots in range(SLOTS):
            most = int(row[NEED + slots])
            for size in range(MIN_PLOT, slots + 1):
                gain = size if n == FULL_SET else size // MIN_PLOT * n
                most = max(most, gain + int(row[NEED + slots - size]))
            bounds[n * SLOTS + slots] = most


@jit
def rank_count(planes, rank):
    """How many cards of a rank a hand holds."""
    same = EVERY_SUIT << rank + 1
    p1, p2, p3, p4 = planes
    return count_bits(p1 & same) + count_bits(p2 & same) + count_bits(p3 & same) + count_bits(p4 & same)


@jit
def richest_after(planes, richest):
    """For every rank: the cards of the richest rank from it on (at most 3)."""
    most = 0
    for rank in range(RANKS - 1, -1, -1):
        most = max(most, min(FULL_SET, rank_count(planes, rank)))
        richest[rank] = most
    richest[RANKS] = 0


# The search is a loop over a stack of levels, as a compiled function that calls itself cannot be cached


LEVELS = MAX_HAND // MIN_PLOT + 1
RANK, CHOICE, LEFT_SLOTS, KEPT, DEBT, COLUMNS = range(COPIES, COPIES + 6)
"""Columns of a level: the planes left, then these."""


@jit
def _choices(planes, rank):
    """Number of ways to choose any of the cards of a rank, equal cards being alike (none chosen counts as one)."""
    a, b, c, d = copies_of_rank(planes, rank)
    return (a + 1) * (b + 1) * (c + 1) * (d + 1)


@jit
def take_choice(planes, rank, choice):
    """Take the cards that `choice` (0 to `_choices` - 1) stands for: the planes left and how many were taken.

    `choice` is a number of mixed base with a digit for each suit: copies taken. The largest one takes all.
    """
    taken = 0
    left = planes
    for suit in range(SUITS):
        at = suit * LANE + rank + 1
        base = copies(planes, at) + 1
        for _ in range(choice % base):
            left = without_card(left, 1 << at)
        taken += choice % base
        choice //= base
    return left, taken


@jit
def push(stack, depth, planes, first, slots, kept, debt):
    """Begin a level of the search: sets of ranks from `first` on, in what is left of a hand and of its slots."""
    put_planes(stack, depth, planes)
    stack[depth, RANK] = first
    stack[depth, CHOICE] = _choices(planes, first) if first < RANKS else 0
    stack[depth, LEFT_SLOTS] = slots
    stack[depth, KEPT] = kept
    stack[depth, DEBT] = debt


@jit
def next_choice(stack, depth):
    """Move a level on to its next set (RANK and CHOICE); False when there is none."""
    rank = int(stack[depth, RANK])
    choice = int(stack[depth, CHOICE]) - 1
    while choice <= 0 and rank < RANKS - 1:
        rank += 1
        choice = _choices(planes_of(stack, depth), rank) - 1
    stack[depth, RANK] = rank
    stack[depth, CHOICE] = choice
    return choice > 0


@jit_with_arrays
def _best_with_sets(tables, memory, stack, best, bounds, richest):
    """The best of `best` and what sets lead to; level 0 of the stack is the whole hand."""
    row = np.empty(ROW, dtype=np.int64)
    size = int(stack[0, LEFT_SLOTS])
    depth = 0
    while depth >= 0:
        if not next_choice(stack, depth):
            depth -= 1
            continue
        planes = planes_of(stack, depth)
        rank = int(stack[depth, RANK])
        left, taken = take_choice(planes, rank, int(stack[depth, CHOICE]))
        slots = int(stack[depth, LEFT_SLOTS]) - max(taken, MIN_PLOT)
        kept = int(stack[depth, KEPT]) + taken
        if taken < min(FULL_SET, rank_count(planes, rank)) or slots < 0:
            continue
        if kept + bounds[richest[rank + 1] * SLOTS + slots] > best:
            hand_row(tables, memory, left, size, row)
            best = max(best, kept + int(row[NEED + slots]))
            depth += 1
            push(stack, depth, left, rank + 1, slots, kept, 0)
    return best


@jit_with_arrays
def most_kept(tables, planes, slots):
    """The most natural cards of the hand in plots of together at most `slots` slots, a run of four or more among them.

    Negative if there is no way.
    """
    row = np.empty(ROW, dtype=np.int64)
    bounds = np.empty(BOUNDS, dtype=np.int64)
    richest = np.empty(RANKS + 1, dtype=np.int64)
    stack = np.empty((LEVELS, COLUMNS), dtype=np.int64)
    keys = np.zeros((SUITS, REMEMBERED + 1), dtype=np.int64)
    memory = (keys, np.empty((SUITS, REMEMBERED, ROW), dtype=np.int64))
    hand_row(tables, memory, planes, slots, row)
    fill_bounds(row, bounds)
    richest_after(planes, richest)
    best = int(row[NEED + slots])
    if bounds[richest[0] * SLOTS + slots] <= best:
        return best
    push(stack, 0, planes, 0, slots, 0, 0)
    return _best_with_sets(tables, memory, stack, best, bounds, richest)
