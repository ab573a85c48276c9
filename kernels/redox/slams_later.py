"""Placeholders until the exact slam kernels are in place: no hand is a slam."""

from kernels.jit import jit


def slam_tables():
    return ()


@jit
def is_slam(tables, p0, p1, p2, p3, jokers, min_naturals):
    return False


@jit
def slam_distance(tables, p0, p1, p2, p3, jokers, min_naturals):
    return 0


@jit
def slam_split(rules, state, seat, found):
    return 0
