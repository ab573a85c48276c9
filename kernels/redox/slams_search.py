"""The most natural cards of a hand that can stay in a slam, whatever its plots hold of jokers.

A slam is some sets, each of another rank (two sets of one rank are one set), and runs. The search goes over the ranks
that get a set and over the cards given to it; the runs of what is left are a table's or `slow_row`'s matter. A set
of t cards takes max(3, t) slots. For a set of three cards or fewer nothing is gained by leaving one of its cards to
a run: a blank does as well there, and the set needs its three slots anyway. So only ranks of four cards or more
have choices.
"""

import numpy as np

from kernels.jit import jit
from kernels.redox.slams_planes import RANKS, SHORTEST_PLOT, choices, rank_count, take_choice
from kernels.redox.slams_rows import NEVER, ROW, SLOTS, hand_row

FULL_SET = SHORTEST_PLOT
BOUNDS = (FULL_SET + 1) * SLOTS
"""Bounds laid flat: [cards of the richest rank, 0..3][slots]."""


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
def _more_sets(tables, planes, first, slots, kept, best, need, bounds, richest):
    """The best of `best` and what one more set or more, of ranks from `first` on, leads to."""
    if kept + bounds[richest[first] * SLOTS + slots] <= best:
        return best
    row = np.empty(ROW, dtype=np.int64)
    for rank in range(first, RANKS):
        ways = choices(planes, rank)
        enough = min(FULL_SET, rank_count(planes, rank))
        for choice in range(ways - 1, 0, -1):
            left, taken = take_choice(planes, rank, choice)
            after = slots - max(taken, SHORTEST_PLOT)
            if taken < enough or after < 0:
                continue
            if kept + taken + bounds[richest[rank + 1] * SLOTS + after] <= best:
                continue
            hand_row(tables, left, row)
            best = max(best, kept + taken + row[need * SLOTS + after])
            best = _more_sets(tables, left, rank + 1, after, kept + taken, best, need, bounds, richest)
    return best


@jit
def most_kept(tables, planes, slots, need):
    """The most natural cards of the hand in plots of together at most `slots` slots.

    `need` 1 asks for a run of four or more among them. Negative if there is no way.
    """
    row = np.empty(ROW, dtype=np.int64)
    bounds = np.empty(BOUNDS, dtype=np.int64)
    richest = np.empty(RANKS + 1, dtype=np.int64)
    hand_row(tables, planes, row)
    fill_bounds(row, need, bounds)
    richest_after(planes, richest)
    best = max(NEVER, row[need * SLOTS + slots])
    return _more_sets(tables, planes, 0, slots, 0, best, need, bounds, richest)
