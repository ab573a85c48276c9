"""Plays as numbers: what may be led, what beats what lies on the table, and what a play takes from a hand.

An action is kind | rank << 4 | size << 8 | red << 12. `rank` is the first place of a straight; `red` marks a straight
whose ten is red. Passing, showing and declining to show are kinds of their own, without the rest.
"""

import numpy as np

from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit
from kernels.redten.packed import (
    ACE,
    BLACK_TEN,
    BOTH_JOKERS,
    LEVEL,
    LITTLE,
    PLACES,
    RANK_MASK,
    RED_BIT,
    RED_TEN,
    TEN_PLACE,
    TENS,
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
MIN_STRAIGHT, MAX_STRAIGHT = 3, PLACES
SMALL_BOMB, LARGE_BOMB = 3, 4
JOKERS_ACTION = JOKER_BOMB | LITTLE << _RANK | 2 << _SIZE
RED_TENS_ACTION = RED_TEN_BOMB | RED_TEN << _RANK | 2 << _SIZE
ALL_PLACES = (1 << PLACES) - 1
_BELOW_JOKERS = (1 << LITTLE) - 1
_LARGE_BOMBS = _BELOW_JOKERS << 3 * LEVEL
_BOMBS = _LARGE_BOMBS | _BELOW_JOKERS << 2 * LEVEL
"""Three and four alike, in a packed hand; no joker and no red ten can be among them."""
_ALIKE = np.array([SINGLE | 1 << _SIZE, PAIR | 2 << _SIZE, BOMB | 3 << _SIZE, BOMB | 4 << _SIZE], np.int64)
"""Codes of one to four cards of one rank, without the rank."""


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
        return take(hand, 1 << ACE) if size_of(action) == MAX_STRAIGHT else hand
    if kind != JOKER_BOMB:
        for _ in range(1, size_of(action)):
            hand = take(hand, ranks)
    return hand


@jit
def above(rank):
    """Mask of the ranks, or places, beyond one."""
    return RANK_MASK & ~((2 << rank) - 1)


@jit
def starts_of(hand, size):
    """Mask of the places where a straight of this length (3..14) can start."""
    held = places(hand & RANK_MASK)
    if size == MAX_STRAIGHT:
        return int(held == ALL_PLACES and at_least(hand, 2) >> ACE & 1)
    starts = held & held >> 1
    for step in range(2, size):
        starts &= held >> step
    return starts


@jit
def covers_ten(first, size):
    """Whether a straight from this place holds a ten."""
    return first <= TEN_PLACE < first + size


@jit
def alike_leads(hand):
    """Singles, pairs and bombs of one rank that may be led: bit 16 * (size - 1) + rank for each."""
    return hand & ~(RED_BIT << LEVEL)


@jit
def alike_answers(hand, table):
    """The same for those that beat the play on the table."""
    kind = kind_of(table)
    higher = above(rank_of(table))
    if kind == SINGLE:
        return alike_leads(hand) & (_BOMBS | higher)
    if kind == PAIR:
        return alike_leads(hand) & (_BOMBS | higher << LEVEL)
    if kind == STRAIGHT:
        return hand & _BOMBS
    if kind == BOMB:
        small = size_of(table) == SMALL_BOMB
        return hand & (_LARGE_BOMBS | higher << 2 * LEVEL if small else (higher & _BELOW_JOKERS) << 3 * LEVEL)
    return 0


@jit
def write_alike(alike, actions, place):
    """Write one play for each bit, from `place` on where the buffer reaches; returns the place after the last."""
    while alike:
        bit = lowest(alike)
        alike &= alike - 1
        if 0 <= place < len(actions):
            actions[place] = int(_ALIKE[bit >> _RANK]) | (bit & _DIGIT) << _RANK
        place += 1
    return place


@jit
def write_straights(hand, table, actions, place):
    """The same for the straights that may be led (the shorter ones first), or that beat the one on the table."""
    ranks = hand & RANK_MASK
    held = places(ranks)
    starts = held & held >> 1 & held >> 2
    if starts == 0:
        return place
    size = MIN_STRAIGHT
    longest = MAX_STRAIGHT
    if table != NOTHING:
        size = size_of(table)
        longest = size
        starts = starts_of(hand, size) & above(rank_of(table))
    tens = ranks & TENS
    while starts:
        rest = starts
        while rest:
            first = lowest(rest)
            rest &= rest - 1
            straight = STRAIGHT | first << _RANK | size << _SIZE
            over_ten = covers_ten(first, size)
            if over_ten and tens == RED_BIT:
                straight |= RED_STRAIGHT
            if 0 <= place < len(actions):
                actions[place] = straight
            place += 1
            if over_ten and tens == TENS:
                if 0 <= place < len(actions):
                    actions[place] = straight | RED_STRAIGHT
                place += 1
        starts &= held >> size
        size += 1
        if size > longest or (size == MAX_STRAIGHT and at_least(hand, 2) >> ACE & 1 == 0):
            break
    return place


@jit
def write_top_bombs(hand, kind, actions, place):
    """The same for the joker bomb and the red-ten bomb, if they beat what is of this kind."""
    if kind < JOKER_BOMB and hand & BOTH_JOKERS == BOTH_JOKERS:
        if 0 <= place < len(actions):
            actions[place] = JOKERS_ACTION
        place += 1
    if kind < RED_TEN_BOMB and at_least(hand, 2) & RED_BIT:
        if 0 <= place < len(actions):
            actions[place] = RED_TENS_ACTION
        place += 1
    return place
