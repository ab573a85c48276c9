"""The most natural cards of a hand that can stay in a slam, whatever its plots hold of jokers.

A slam is some sets, each of another rank (two sets of one rank are one set), and runs. The search goes over the ranks
that get a set and over the cards given to it; the runs of what is left are `fill_row`'s matter. A set
of t cards takes max(3, t) slots. For a set of three cards or fewer nothing is gained by leaving one of its cards to
a run: a blank does as well there, and the set needs its three slots anyway. So only ranks of four cards or more
have choices.
"""

import numpy as np

from kernels.compiler.jit import jit, jit_with_arrays
from kernels.redox.slam.planes import LARGEST_HAND, RANKS, SHORTEST_PLOT, SUITS, choices, rank_count, take_choice
from kernels.redox.slam.rows import REMEMBERED, ROW, SLOTS, hand_row

FULL_SET = SHORTEST_PLOT
BOUNDS = (FULL_SET + 1) * SLOTS
"""Bounds laid flat: [cards of the richest rank, 0..3][slots]."""

MOST_SETS = LARGEST_HAND // SHORTEST_PLOT
RANK = 4
CHOICE = 5
LEFT_SLOTS = 6
KEPT = 7
DEBT = 8
LEVEL = 9
"""Columns of a level of the search: the planes left, then these."""


@jit
def fill_bounds(row, need, bounds):
    """For n = 0..3 and all slots: no more cards are kept by runs and any sets, no rank having more than n cards.

    With n = 3 a set may be larger too, every card in a slot of its own.
    """
    for n in range(FULL_SET + 1):
        for slots in range(SLOTS):
            most = row[need * SLOTS + slots]
            for size in range(SHORTEST_PLOT, slots + 1):
                gain = size if n == FULL_SET else size // SHORTEST_PLOT * n
                most = max(most, gain + row[need * SLOTS + slots - size])
            bounds[n * SLOTS + slots] = most


@jit
def richest_after(planes, richest):
    """For every rank: the cards of the richest rank from it on (at most 3)."""
    most = 0
    for rank in range(RANKS - 1, -1, -1):
        most = max(most, min(FULL_SET, rank_count(planes, rank)))
        richest[rank] = most
    richest[RANKS] = 0


@jit
def push(stack, depth, planes, first, slots, kept, debt):
    """Begin a level of the search: sets of ranks from `first` on, in what is left of a hand and of its slots.

    The search is a loop over a stack of levels ([MOST_SETS + 1, LEVEL]), as a compiled function that calls itself
    cannot be cached.
    """
    stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = planes
    stack[depth, RANK] = first
    stack[depth, CHOICE] = choices(planes, first) if first < RANKS else 0
    stack[depth, LEFT_SLOTS] = slots
    stack[depth, KEPT] = kept
    stack[depth, DEBT] = debt


@jit
def planes_of(stack, depth):
    """The hand left at a level."""
    return int(stack[depth, 0]), int(stack[depth, 1]), int(stack[depth, 2]), int(stack[depth, 3])


@jit
def next_choice(stack, depth):
    """Move a level on to its next set (RANK and CHOICE); False when there is none."""
    rank = int(stack[depth, RANK])
    choice = int(stack[depth, CHOICE]) - 1
    while choice <= 0 and rank < RANKS - 1:
        rank += 1
        choice = choices(planes_of(stack, depth), rank) - 1
    stack[depth, RANK] = rank
    stack[depth, CHOICE] = choice
    return choice > 0


@jit_with_arrays
def _best_with_sets(tables, memory, stack, best, need, bounds, richest):
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
        slots = int(stack[depth, LEFT_SLOTS]) - max(taken, SHORTEST_PLOT)
        kept = int(stack[depth, KEPT]) + taken
        if taken < min(FULL_SET, rank_count(planes, rank)) or slots < 0:
            continue
        if kept + bounds[richest[rank + 1] * SLOTS + slots] > best:
            hand_row(tables, memory, left, size, row)
            best = max(best, kept + int(row[need * SLOTS + slots]))
            depth += 1
            push(stack, depth, left, rank + 1, slots, kept, 0)
    return best


@jit_with_arrays
def most_kept(tables, planes, slots, need):
    """The most natural cards of the hand in plots of together at most `slots` slots.

    `need` 1 asks for a run of four or more among them. Negative if there is no way.
    """
    row = np.empty(ROW, dtype=np.int64)
    bounds = np.empty(BOUNDS, dtype=np.int64)
    richest = np.empty(RANKS + 1, dtype=np.int64)
    stack = np.empty((MOST_SETS + 1, LEVEL), dtype=np.int64)
    keys = np.zeros((SUITS, REMEMBERED + 1), dtype=np.int64)
    memory = (keys, np.empty((SUITS, REMEMBERED, ROW), dtype=np.int64))
    hand_row(tables, memory, planes, slots, row)
    fill_bounds(row, need, bounds)
    richest_after(planes, richest)
    best = int(row[need * SLOTS + slots])
    if bounds[richest[0] * SLOTS + slots] <= best:
        return best
    push(stack, 0, planes, 0, slots, 0, 0)
    return _best_with_sets(tables, memory, stack, best, need, bounds, richest)
