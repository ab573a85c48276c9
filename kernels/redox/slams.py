"""Slams: whether a hand is one, how far it is from one, and how it splits.
"""

from kernels.jit import jit
from kernels.redox.slams_planes import OPENING_RUN, SHORTEST_PLOT, count_naturals
from kernels.redox.slams_rows import FREE, NEED
from kernels.redox.slams_search import most_kept
from kernels.redox.slams_strict import exchanges_suffice


def tables():
    return 0


@jit
def most_debt(size, min_naturals, kept):
    """No more new natural cards than this are owed by plots of `size` cards that each keep one of `kept` cards."""
    most_plots = (size - OPENING_RUN) // SHORTEST_PLOT + 1
    return max((min_naturals - 1) * (most_plots - 1), min_naturals * most_plots - kept)


@jit
def slam_distance(tables, p1, p2, p3, p4, jokers, min_naturals):
    naturals = count_naturals(p1, p2, p3, p4)
    planes = (p1, p2, p3, p4)
    size = naturals + jokers
    kept = most_kept(tables, planes, size, NEED)
    exchanges = naturals - kept
    if naturals >= 2 and (min_naturals == 1 or exchanges >= most_debt(size, min_naturals, kept)):
        return exchanges
    while not exchanges_suffice(tables, planes, jokers, min_naturals, exchanges, NEED):
        exchanges += 1
    return exchanges


@jit
def _holds(tables, p1, p2, p3, p4, jokers, min_naturals, need):
    naturals = count_naturals(p1, p2, p3, p4)
    planes = (p1, p2, p3, p4)
    if most_kept(tables, planes, naturals + jokers, need) < naturals:
        return False
    if naturals >= 2 and min_naturals == 1:
        return True
    if naturals == 0:
        return jokers == 0 and need == FREE
    return exchanges_suffice(tables, planes, jokers, min_naturals, 0, need)


@jit
def is_slam(tables, p1, p2, p3, p4, jokers, min_naturals):
    return _holds(tables, p1, p2, p3, p4, jokers, min_naturals, NEED)


@jit
def is_partition(tables, p1, p2, p3, p4, jokers, min_naturals):
    return _holds(tables, p1, p2, p3, p4, jokers, min_naturals, FREE)
