"""Plays as numbers: what may be led, what beats what lies on the table, and what a play takes from a hand.

An action is kind | rank << 4 | size << 8 | red << 12. `rank` is the first place of a straight; `red` marks a straight
whose ten is red. Passing, showing and declining to show are kinds of their own, without the rest.
"""

from kernels.jit import jit
from kernels.redten.bits import lowest
from kernels.redten.packed import (
    ACE,
    BLACK_TEN,
    BOTH_JOKERS,
    LITTLE,
    PLACES,
    RANK_MASK,
    RED_BIT,
    RED_TEN,
    TEN_PLACE,
    at_least,
    places,
    ranks_at,
    take,
)

PASS, SINGLE, PAIR, STRAIGHT, BOMB, JOKER_BOMB, RED_TEN_BOMB, DECLINE, SHOW = range(9)
KINDS = ("pass", "single", "pair", "straight", "bomb", "joker_bomb", "red_ten_bomb", "decline", "show")
NOTHING = 0
"""On the table before a lead; as an action it is to pass."""

_RANK = 4
_SIZE = 8
_RED = 12
_DIGIT = 15
RED_STRAIGHT = 1 << _RED
SHORTEST, LONGEST = 3, PLACES
SMALL_BOMB, LARGE_BOMB = 3, 4
JOKERS_ACTION = JOKER_BOMB | LITTLE << _RANK | 2 << _SIZE
RED_TENS_ACTION = RED_TEN_BOMB | RED_TEN << _RANK | 2 << _SIZE


@jit
def code(kind, rank, size):
    """The action of this kind, rank (or first place) and number of cards."""
    return kind | rank << _RANK | size << _SIZE


@jit
def kind_of(action):
    """Kind of an action."""
    return action & _DIGIT


@jit
def rank_of(action):
    """Rank of a play, or the first place of a straight."""
    return action >> _RANK & _DIGIT


@jit
def size_of(action):
    """Number of cards of a play."""
    return action >> _SIZE & _DIGIT


@jit
def ranks_of(action):
    """Mask of the ranks that a play takes its cards from."""
    kind = kind_of(action)
    if kind == STRAIGHT:
        ranks = ranks_at(((1 << size_of(action)) - 1) << rank_of(action))
        return ranks ^ (RED_BIT | 1 << BLACK_TEN) if action & RED_STRAIGHT else ranks
    if kind == JOKER_BOMB:
        return BOTH_JOKERS
    return 1 << rank_of(action)


@jit
def without(hand, action):
    """The packed hand after a play that it holds."""
    kind = kind_of(action)
    ranks = ranks_of(action)
    hand = take(hand, ranks)
    if kind == STRAIGHT:
        return take(hand, 1 << ACE) if size_of(action) == LONGEST else hand
    if kind != JOKER_BOMB:
        for _ in range(1, size_of(action)):
            hand = take(hand, ranks)
    return hand


@jit
def _put(actions, place, action):
    """Write one action where the buffer reaches; returns the next place."""
    if 0 <= place < len(actions):
        actions[place] = action
    return place + 1


@jit
def _put_ranks(actions, place, ranks, kind, size):
    """One play of this kind and size for each rank of a mask, lowest first."""
    while ranks:
        place = _put(actions, place, code(kind, lowest(ranks), size))
        ranks &= ranks - 1
    return place


@jit
def _put_straights(actions, place, ranks, starts, size):
    """Straights of one length from each start of a mask, with a black ten and with a red one."""
    black = ranks >> BLACK_TEN & 1
    red = ranks >> RED_TEN & 1
    while starts:
        first = lowest(starts)
        starts &= starts - 1
        straight = code(STRAIGHT, first, size)
        over_ten = first <= TEN_PLACE < first + size
        if black or not over_ten:
            place = _put(actions, place, straight)
        if red and over_ten:
            place = _put(actions, place, straight | RED_STRAIGHT)
    return place


@jit
def starts_of(hand, size):
    """Mask of the places where a straight of this length can start."""
    held = places(hand & RANK_MASK)
    if size == LONGEST and at_least(hand, 2) >> ACE & 1 == 0:
        return 0
    starts = held
    for step in range(1, size):
        starts &= held >> step
    return starts


@jit
def _put_all_straights(actions, place, hand):
    """Every straight of a hand, the shorter ones first."""
    ranks = hand & RANK_MASK
    held = places(ranks)
    starts = held & held >> 1 & held >> 2
    size = SHORTEST
    while starts:
        if size == LONGEST and at_least(hand, 2) >> ACE & 1 == 0:
            break
        place = _put_straights(actions, place, ranks, starts, size)
        starts &= held >> size
        size += 1
    return place


@jit
def _put_bombs(actions, place, hand, small_above, large_above):
    """Bombs: three alike of these ranks, then four alike of those, then the two that beat them all."""
    place = _put_ranks(actions, place, at_least(hand, SMALL_BOMB) & small_above, BOMB, SMALL_BOMB)
    place = _put_ranks(actions, place, at_least(hand, LARGE_BOMB) & large_above, BOMB, LARGE_BOMB)
    if hand & BOTH_JOKERS == BOTH_JOKERS:
        place = _put(actions, place, JOKERS_ACTION)
    return _put_red_tens(actions, place, hand)


@jit
def _put_red_tens(actions, place, hand):
    return _put(actions, place, RED_TENS_ACTION) if at_least(hand, 2) & RED_BIT else place


@jit
def leads(hand, actions, place):
    """Write every play of a hand from `place` on; returns the place after the last."""
    place = _put_ranks(actions, place, at_least(hand, 1), SINGLE, 1)
    place = _put_ranks(actions, place, at_least(hand, 2) & ~RED_BIT, PAIR, 2)
    place = _put_all_straights(actions, place, hand)
    return _put_bombs(actions, place, hand, RANK_MASK, RANK_MASK)


@jit
def above(rank):
    """Mask of the ranks, or places, beyond one."""
    return RANK_MASK & ~((2 << rank) - 1)


@jit
def answers(hand, table, actions, place):
    """Write every play of a hand that beats the one on the table; returns the place after the last."""
    kind = kind_of(table)
    higher = above(rank_of(table))
    size = size_of(table)
    if kind == SINGLE:
        place = _put_ranks(actions, place, at_least(hand, 1) & higher, SINGLE, 1)
    elif kind == PAIR:
        place = _put_ranks(actions, place, at_least(hand, 2) & ~RED_BIT & higher, PAIR, 2)
    elif kind == STRAIGHT:
        place = _put_straights(actions, place, hand & RANK_MASK, starts_of(hand, size) & higher, size)
    elif kind == BOMB:
        small = higher if size == SMALL_BOMB else 0
        large = RANK_MASK if size == SMALL_BOMB else higher
        return _put_bombs(actions, place, hand, small, large)
    else:
        return _put_red_tens(actions, place, hand) if kind == JOKER_BOMB else place
    return _put_bombs(actions, place, hand, RANK_MASK, RANK_MASK)
