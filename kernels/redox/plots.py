"""Hands as bit planes, and every run, set and connection that a hand can lay.

Plane k (k = 0..3) of a hand has bit `suit * LANE + rank + 1` set if the hand holds at least k + 1 copies of that card;
the planes travel as a tuple of four int64, jokers are counted beside them. In the lane of a suit the *places* of a run
are bits 1 (low ace) to 14 (high ace); planes leave 14 unset and `reach` sets it.

A group of like actions is counted by a table and written only where it falls into the part that was asked for.
"""

import numpy as np

from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit
from kernels.notation import SMALL_JOKER, SUIT_SIZE
from kernels.redox import actions as act
from kernels.redox.slam.planes import (
    ACE_PLACE,
    EVERY_SUIT,
    HIGH_ACE_PLACE,
    LANE,
    OPENING_RUN,
    SHORTEST_PLOT,
    SUITS,
    count_bits,
    lane,
)
from kernels.redox.slam.planes import copies as rank_copies

LOW_ACE = ACE_PLACE
HIGH_ACE = HIGH_ACE_PLACE
PLACES = HIGH_ACE + 1
SHORTEST = SHORTEST_PLOT
OPENING = OPENING_RUN
BOTH_ACES = 1 << LOW_ACE | 1 << HIGH_ACE
ACES = EVERY_SUIT << LOW_ACE
EVERYWHERE = sum(1 << suit * LANE + place for suit in range(SUITS) for place in range(LOW_ACE, HIGH_ACE - 1))
"""Every place where a run may start."""
COURT = EVERY_SUIT << 11 | EVERY_SUIT << 12 | EVERY_SUIT << 13


def _ways_to_spare() -> np.ndarray:
    """[m, k]: number of ways to choose at most k of m places."""
    pascal = np.zeros((PLACES, PLACES), np.int64)
    pascal[0, 0] = 1
    for m in range(1, PLACES):
        pascal[m] = pascal[m - 1]
        pascal[m, 1:] += pascal[m - 1, :-1]
    return np.cumsum(pascal, axis=1)


SPARE_WAYS = _ways_to_spare()


@jit
def card_at(bit):
    """The card whose bit has this number in a plane."""
    return bit - 1 - (LANE - SUIT_SIZE) * (bit >> 4)


@jit
def with_card(planes, bit):
    """The planes with one more copy of the card whose plane bit is `bit` (0: a joker, nothing is added)."""
    p0, p1, p2, p3 = planes
    second = p0 & bit
    third = p1 & second
    return p0 | bit, p1 | second, p2 | third, p3 | (p2 & third)


@jit
def without_card(planes, bit):
    """The planes with one copy less of a card, if they hold it at all."""
    p0, p1, p2, p3 = planes
    gone3 = p3 & bit
    gone2 = p2 & bit & ~gone3
    gone1 = p1 & bit & ~p2
    gone0 = p0 & bit & ~p1
    return p0 & ~gone0, p1 & ~gone1, p2 & ~gone2, p3 & ~gone3


@jit
def copies(planes, bit):
    """How many copies of the card with this plane bit the planes hold."""
    p0, p1, p2, p3 = planes
    return int((p0 & bit) != 0) + int((p1 & bit) != 0) + int((p2 & bit) != 0) + int((p3 & bit) != 0)


@jit
def reach(plane):
    """A plane with the ace at both ends of each lane."""
    return plane | (plane & ACES) << (HIGH_ACE - LOW_ACE)


@jit
def window(low, high):
    """The places low..high as bits; none if high < low."""
    return (1 << high + 1) - (1 << low) if high >= low else 0


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
def run_starts(naturals, jokers, length):
    """Places (in all lanes) from which `length` places (3 or 4) miss at most `jokers` of the naturals (from `reach`).

    No run may start elsewhere: a longer one misses no fewer, and each needs a natural card. Places too near the high
    ace may be among them; mask with EVERYWHERE.
    """
    a = naturals
    b = naturals >> 1
    c = naturals >> 2
    d = naturals >> 3 if length > SHORTEST else -1
    if jokers == 0:
        return a & b & c & d
    if jokers == 1:
        return (a & b & (c | d)) | (c & d & (a | b))
    if jokers == 2 and length > SHORTEST:
        return (a & b) | (c & d) | ((a | b) & (c | d))
    if jokers == 2:
        return a | b | c
    return a | b | c | naturals >> 3 if jokers == 3 else EVERYWHERE


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
            n = act.emit(actions, skip, n, base | act.joker_bits(missing | jokers))
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
    naturals = reach(planes[0])
    starts = run_starts(naturals, jokers, shortest) & EVERYWHERE
    while starts:
        bit = lowest(starts)
        starts &= starts - 1
        suit = bit >> 4
        aces = rank_copies(planes, suit, 0)
        low = bit & LANE - 1
        n = _runs_from(rules, lane(naturals, suit), aces, jokers, shortest, suit, low, actions, skip, n)
    return n


@jit
def _choices(planes, jokers, rank, fewest, naturals, base, actions, skip, n):
    """Every choice of cards of one rank and jokers, with so many cards and so many naturals at least."""
    c0 = rank_copies(planes, 0, rank)
    c1 = rank_copies(planes, 1, rank)
    c2 = rank_copies(planes, 2, rank)
    c3 = rank_copies(planes, 3, rank)
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
                        n = act.emit(actions, skip, n, base | act.counts(n0, n1, n2, n3, wild))
    return n


@jit
def frequent_ranks(planes, least):
    """Ranks (bits 1..13 of one lane) of which the planes hold at least `least` (1..3) cards."""
    once = 0
    twice = 0
    often = 0
    for plane in planes:
        if plane:
            for suit in range(SUITS):
                here = lane(plane, suit)
                often |= twice & here
                twice |= once & here
                once |= here
    return often if least >= 3 else twice if least == 2 else once


@jit
def sets(rules, planes, jokers, actions, skip, n):
    """Every set: how many of each face, how many jokers."""
    ranks = frequent_ranks(planes, max(1, SHORTEST - jokers))
    while ranks:
        rank = lowest(ranks) - 1
        ranks &= ranks - 1
        n = _choices(planes, jokers, rank, SHORTEST, rules.min_naturals, act.set_of(rank), actions, skip, n)
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
    held = lane(reach(planes[0]), suit)
    aces = rank_copies(planes, suit, 0)
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
