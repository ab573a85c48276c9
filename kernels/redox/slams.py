"""Slams: whether a hand is one, how far it is from one, and how it splits.
"""

from kernels.jit import jit
from kernels.redox.slams_planes import count_naturals
from kernels.redox.slams_rows import FREE, NEED
from kernels.redox.slams_search import most_kept


def tables():
    return 0


@jit
def slam_distance(tables, p1, p2, p3, p4, jokers, min_naturals):
    naturals = count_naturals(p1, p2, p3, p4)
    return naturals - most_kept(tables, (p1, p2, p3, p4), naturals + jokers, NEED)


@jit
def is_slam(tables, p1, p2, p3, p4, jokers, min_naturals):
    return slam_distance(tables, p1, p2, p3, p4, jokers, min_naturals) == 0


@jit
def is_partition(tables, p1, p2, p3, p4, jokers, min_naturals):
    naturals = count_naturals(p1, p2, p3, p4)
    return naturals == most_kept(tables, (p1, p2, p3, p4), naturals + jokers, FREE)
