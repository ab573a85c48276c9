"""What the seat to act may do, counted and listed."""

import numpy as np

from kernels.compiler.bits import lowest, ones
from kernels.compiler.jit import jit
from kernels.erbaiwu import actions as act
from kernels.erbaiwu.masks import JOKERS, NATURALS, RANK, SEVENS, SUITS, has_two, rank_mask

REDUCE, DISCARD, PONG = range(3)
"""Phases: before the draw, after it, and another player's chance to pong."""

_THREES = np.array([0b0111, 0b1011, 0b1101, 0b1110], np.int64)
_TWOS = np.array([0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100], np.int64)
ONES = 0x1111111111111
"""One suit of every rank."""


@jit
def append_action(actions, skip, n, action):
    """List action number `n`, if the buffer that begins at number `skip` reaches it; returns the next number."""
    place = n - skip
    if 0 <= place < len(actions):
        actions[place] = action
    return n + 1


@jit
def append_each(actions, skip, n, kind, cards):
    """List the same kind of action for each card of a set."""
    while cards:
        n = append_action(actions, skip, n, act.single(kind, lowest(cards)))
        cards &= cards - 1
    return n


@jit
def _append_each_joker(actions, skip, n, kind, cards):
    while cards:
        n = append_action(actions, skip, n, act.joker_single(kind, lowest(cards)))
        cards &= cards - 1
    return n


@jit
def live_hand(state, seat):
    """The natural cards of a hand that are no outlaws."""
    return int(state.hands[seat]) & NATURALS & ~int(state.outlaws)


@jit
def free_to_discard(state, seat):
    """What a hand may discard after a draw."""
    return live_hand(state, seat) & ~SEVENS


@jit
def seven_shown(state):
    """Whether a 7 is on the table."""
    return int(state.chain) != 0


@jit
def jokers_ready(state, seat):
    """How many jokers the seat may lay now."""
    return ones(int(state.hands[seat]) & JOKERS) if seven_shown(state) else 0


@jit
def points_of(state, hand):
    """Points of a set of cards in the hand: outlaws count as such."""
    outlaws = hand & int(state.outlaws)
    points = ones(outlaws) * int(state.outlaw_points)
    hand ^= outlaws
    while hand:
        points += int(state.values[lowest(hand)])
        hand &= hand - 1
    return points


@jit
def only_sevens(hand):
    """Whether a hand is nothing but 7s, at least one."""
    return hand != 0 and hand & ~SEVENS == 0


@jit
def may_settle(state, seat):
    """Whether the hand is low enough, with a 7 on the table, to end the round."""
    if not seven_shown(state):
        return False
    hand = int(state.hands[seat])
    if state.held_sevens and only_sevens(hand):
        return True
    return points_of(state, hand) <= state.settle_max


@jit
def repeated_ranks(cards):
    """One suit's bit of every rank of which the set holds two, and of which it holds three, at least."""
    first = cards & ONES
    second = (cards >> 1) & ONES
    third = (cards >> 2) & ONES
    fourth = (cards >> 3) & ONES
    low = first & second
    high = third & fourth
    twos = low | high | ((first | second) & (third | fourth))
    threes = (low & (third | fourth)) | (high & (first | second))
    return twos, threes


@jit
def _append_splits(actions, skip, n, kind, rank, named, end, own, taken, jokers):
    """List every way to lay the cards `named` of a rank: each from the hand, or by a joker that may stand for it."""
    must = named & ~own
    if must & taken or ones(must) > jokers:
        return n
    free = named & own & ~taken if jokers else 0
    extra = free
    while True:
        stand_ins = must | extra
        if ones(stand_ins) <= jokers:
            n = append_action(actions, skip, n, act.group(kind, rank, named, stand_ins, end))
        if extra == 0:
            return n
        extra = (extra - 1) & free


@jit
def _append_strings_of(state, actions, skip, n, live, rank, jokers):
    own = (live >> (SUITS * rank)) & RANK
    taken = (int(state.outlaws) >> (SUITS * rank)) & RANK
    for named in _THREES:
        n = _append_splits(actions, skip, n, act.STRING, rank, int(named), 0, own, taken, jokers)
    return n


@jit
def _append_strings(state, actions, skip, n, live, jokers):
    twos, threes = repeated_ranks(live & ~SEVENS)
    ranks = threes
    if jokers == 1:
        ranks = twos
    elif jokers:
        cards = live & ~SEVENS
        ranks = (cards | (cards >> 1) | (cards >> 2) | (cards >> 3)) & ONES
    while ranks:
        n = _append_strings_of(state, actions, skip, n, live, lowest(ranks) >> 2, jokers)
        ranks &= ranks - 1
    return n


@jit
def _append_locks_at(state, actions, skip, n, live, end_bit, jokers):
    rank = end_bit >> 2
    end = 1 << (end_bit & 3)
    own = (live >> (SUITS * rank)) & RANK
    if ones(own) + jokers < 2:
        return n
    taken = (int(state.outlaws) >> (SUITS * rank)) & RANK
    for two in _TWOS:
        named = int(two)
        if named & end == 0:
            n = _append_splits(actions, skip, n, act.LOCK, rank, named, end, own, taken, jokers)
    return n


@jit
def _append_locks(state, actions, skip, n, live, jokers):
    ends = int(state.ends)
    while ends:
        n = _append_locks_at(state, actions, skip, n, live, lowest(ends), jokers)
        ends &= ends - 1
    return n


@jit
def append_reductions(state, actions, skip, n, seat):
    """List every reduction of the seat."""
    live = live_hand(state, seat)
    jokers = jokers_ready(state, seat)
    n = append_each(actions, skip, n, act.SHOW7, live & SEVENS)
    n = append_each(actions, skip, n, act.LAYOFF, live & int(state.open))
    n = append_each(actions, skip, n, act.LIFT, live & int(state.fourth))
    if jokers:
        named = int(state.outlaws)
        n = _append_each_joker(actions, skip, n, act.LAYOFF, int(state.open) & ~named)
        n = _append_each_joker(actions, skip, n, act.LIFT, int(state.fourth) & ~named)
    elif repeated_ranks(live)[0] == 0:
        return n
    n = _append_strings(state, actions, skip, n, live, jokers)
    return _append_locks(state, actions, skip, n, live, jokers)


@jit
def _append_discards(actions, skip, n, cards):
    if cards == 0:
        return append_action(actions, skip, n, act.KEEP)
    return append_each(actions, skip, n, act.DISCARD, cards)


@jit
def append_reduce_phase(state, actions, skip, seat):
    """List what a player may do before the draw."""
    n = append_reductions(state, actions, skip, 0, seat)
    if may_settle(state, seat):
        n = append_action(actions, skip, n, act.SETTLE)
    naturals = int(state.hands[seat]) & NATURALS
    if state.opening:
        return _append_discards(actions, skip, n, naturals & ~SEVENS)
    n = append_each(actions, skip, n, act.OUTLAW, naturals & int(state.outlaws))
    return append_action(actions, skip, n, act.DRAW)


@jit
def append_discard_phase(state, actions, skip, seat):
    """List what a player may do after the draw."""
    return _append_discards(actions, skip, 0, free_to_discard(state, seat))


@jit
def append_pongs(state, actions, skip, seat):
    """List each pair that may pong the last discard, and to let it pass."""
    discard = int(state.last)
    rank = discard >> 2
    own = (live_hand(state, seat) >> (SUITS * rank)) & RANK
    n = 0
    for two in _TWOS:
        if int(two) & ~own == 0:
            n = append_action(actions, skip, n, act.group(act.PONG, rank, int(two), 0, 0))
    return append_action(actions, skip, n, act.PASS)


@jit
def who_may_pong(state, bit, discarder):
    """The seat that holds two cards to pong this discard, or -1."""
    wanted = rank_mask(bit) & ~int(state.outlaws)
    for seat in range(state.players):
        if seat != discarder and has_two(int(state.hands[seat]) & wanted):
            return seat
    return -1
