"""Every run, set and connection that a hand can lay, and what cards cost. Hands are planes (see `planes`).

A group of like actions is counted by a table and written only where it falls into the part that was asked for.
"""

from math import comb

import numpy as np

from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit
from kernels.notation import SMALL_JOKER, SUIT_SIZE
from kernels.redox import actions as act
from kernels.redox.options import HIGH_ACE, LOW_ACE, MIN_PLOT
from kernels.redox.planes import (
    ACES,
    EVERY_SUIT,
    LANE,
    copies,
    copies_of_rank,
    count_bits,
    lane,
    ranks_held,
    run_starts,
    window,
    with_high_aces,
)

PLACES = HIGH_ACE + 1
BOTH_ACES = 1 << LOW_ACE | 1 << HIGH_ACE
COURT = EVERY_SUIT << 11 | EVERY_SUIT << 12 | EVERY_SUIT << 13


SPARE_WAYS = np.cumsum([[comb(m, k) for k in range(PLACES)] for m in range(PLACES)], axis=1)
"""[m, k]: number of ways to choose at most k of m places."""


@jit
def card_points(rules, card):
    """What one card left in hand costs."""
    if card >= SMALL_JOKER:
        return rules.scoring_joker
    rank = card % SUIT_SIZE
    if rank == 0:
        return rules.scoring_ace
    return rank + 1 if rank < 10 else rules.scoring_face


@jit
def hand_points(rules, planes, jokers):
    """What a hand costs its holder."""
    total = jokers * rules.scoring_joker
    for plane in planes:
        total += count_bits(plane & ACES) * rules.scoring_ace
        total += count_bits(plane & COURT) * rules.scoring_face
        number = plane & ~(ACES | COURT)
        while number:
            total += lowest(number) & LANE - 1
            number &= number - 1
    return total


@jit
def _placements(actions, skip, n, base, missing, held, spare, lone_ace):
    """Count, and write as far as asked for, the ways to fill places with naturals and jokers.

    missing: places that need a joker; held: places with a natural in hand, of which at most `spare` get a joker all
    the same; lone_ace: both ends are wanted and one ace is held, so that one of them must be a joker.
    """
    m = count_bits(held)
    ways = int(SPARE_WAYS[m, min(m, spare)])
    if lone_ace:
        ways -= int(SPARE_WAYS[m - 2, min(m - 2, spare)])
    if n + ways <= skip or n >= skip + len(actions):
        return n + ways
    jokers = 0
    while True:
        if count_bits(jokers) <= spare and not (lone_ace and (jokers & BOTH_ACES) == 0):
            n = act.append_action(actions, skip, n, base | act.joker_bits(missing | jokers))
        jokers = (jokers - held) & held
        if jokers == 0:
            return n


@jit
def _runs_from(rules, held, aces, jokers, shortest, suit, low, actions, skip, n):
    """All runs of one suit that start at one place; held: the suit's lane with the high ace."""
    missed = 0
    for high in range(low, HIGH_ACE + 1):
        missed += 1 - (held >> high & 1)
        if missed > jokers:
            return n
        length = high - low + 1
        naturals = length - missed
        if length >= shortest and naturals >= rules.min_naturals:
            places = window(low, high)
            n = _placements(
                actions,
                skip,
                n,
                act.run(suit, low, high),
                places & ~held,
                places & held,
                min(jokers - missed, naturals - rules.min_naturals),
                aces == 1 and (places & held & BOTH_ACES) == BOTH_ACES,
            )
    return n


@jit
def runs(rules, planes, jokers, shortest, actions, skip, n):
    """Every run of at least `shortest` cards: suit, start, length, and which places are jokers."""
    held = with_high_aces(planes[0])
    starts = run_starts(held, jokers, shortest)
    while starts:
        at = lowest(starts)
        starts &= starts - 1
        suit = at >> 4
        aces = copies(planes, suit * LANE + LOW_ACE)
        low = at & LANE - 1
        n = _runs_from(rules, lane(held, suit), aces, jokers, shortest, suit, low, actions, skip, n)
    return n


@jit
def _choices(planes, jokers, rank, fewest, naturals, base, actions, skip, n):
    """Every choice of cards of one rank and jokers, with so many cards and so many naturals at least."""
    c0, c1, c2, c3 = copies_of_rank(planes, rank)
    for n0 in range(c0 + 1):
        for n1 in range(c1 + 1):
            for n2 in range(c2 + 1):
                for n3 in range(c3 + 1):
                    taken = n0 + n1 + n2 + n3
                    first = max(0, fewest - taken)
                    if taken < naturals or first > jokers:
                        continue
                    if n + jokers - first < skip or n >= skip + len(actions):
                        n += jokers - first + 1
                        continue
                    for wild in range(first, jokers + 1):
                        n = act.append_action(actions, skip, n, base | act.counts(n0, n1, n2, n3, wild))
    return n


@jit
def sets(rules, planes, jokers, actions, skip, n):
    """Every set: how many of each face, how many jokers."""
    some, pairs, threes = ranks_held(planes)
    ranks = threes if jokers == 0 else pairs if jokers == 1 else some
    while ranks:
        rank = lowest(ranks) - 1
        ranks &= ranks - 1
        n = _choices(planes, jokers, rank, MIN_PLOT, rules.min_naturals, act.set_of(rank), actions, skip, n)
    return n


@jit
def set_connections(planes, jokers, plot, rank, actions, skip, n):
    """Every way to add cards to a set."""
    if jokers == 0 and not (planes[0] & EVERY_SUIT << rank + 1):
        return n
    return _choices(planes, jokers, rank, 1, 0, act.to_set(plot, rank), actions, skip, n)


@jit
def run_connections(planes, jokers, plot, suit, low, high, actions, skip, n):
    """Every way to extend a run: how far low and high, and which new places are jokers."""
    held = lane(with_high_aces(planes[0]), suit)
    aces = copies(planes, suit * LANE + LOW_ACE)
    missed_low = 0
    for new_low in range(low, LOW_ACE - 1, -1):
        if new_low < low:
            missed_low += 1 - (held >> new_low & 1)
        if missed_low > jokers:
            return n
        missed = missed_low
        for new_high in range(high, HIGH_ACE + 1):
            if new_high > high:
                missed += 1 - (held >> new_high & 1)
            if missed > jokers:
                break
            places = window(new_low, low - 1) | window(high + 1, new_high)
            if places:
                n = _placements(
                    actions,
                    skip,
                    n,
                    act.to_run(plot, suit, new_low, new_high),
                    places & ~held,
                    places & held,
                    jokers - missed,
                    aces == 1 and (places & held & BOTH_ACES) == BOTH_ACES,
                )
    return n
