"""What a seat can make of what it sees: which cards are still out, who is with it, how good a hand and a play are.

Only the own hand, the plays made, the sizes of the hands and the red tens seen by all are read here.
"""

from kernels.compiler.bits import highest, lowest, ones
from kernels.compiler.jit import jit
from kernels.redten import plays
from kernels.redten.options import PLAYERS
from kernels.redten.packed import (
    BOTH_JOKERS,
    COLUMN,
    LEVEL,
    RANK_MASK,
    RED_BIT,
    RED_TENS,
    at_least,
    places,
)
from kernels.redten.plays import BOMB, JOKER_BOMB, PAIR, SINGLE, SMALL_BOMB, STRAIGHT, above

PERCENT = 100
_BEATERS = 3
"""A play stands in 3 of 3 + n cases, n being the plays that could beat it."""
_RARE = 4
"""Of so many ranks with three cards out, one at most is counted as a bomb in one hand."""


@jit
def unseen_by(state, seat):
    """The cards of the other hands together: as many bits in each rank's column as there are cards."""
    return int(state.unplayed) & ~int(state.hand[seat])


@jit
def ranks_unseen(unseen, count):
    """Mask of the ranks of which at least `count` (1..3) cards are unseen; a column's bits are always in a row."""
    for _ in range(1, count):
        unseen &= unseen >> LEVEL
    return (unseen | unseen >> LEVEL | unseen >> 2 * LEVEL | unseen >> 3 * LEVEL) & RANK_MASK


@jit
def higher_cards(unseen, rank):
    """How many unseen cards beat a single card of this rank."""
    return ones(unseen & (COLUMN * above(rank)))


# Sides.


@jit
def _cannot_hold(state, seat):
    """Whether it is known that no unseen red ten is with this seat: it showed a single one, for both or none may be."""
    return state.left[seat] == 0 or state.showing[seat] != 0


@jit
def _chance_of_red(state, seat, other, unseen_tens):
    """Percent for an unseen red ten to be with another seat, by the sizes of the hands."""
    if _cannot_hold(state, other):
        return 0
    cards = 0
    for candidate in range(PLAYERS):
        if candidate != seat and not _cannot_hold(state, candidate):
            cards += int(state.left[candidate])
    return min(PERCENT, PERCENT * unseen_tens * int(state.left[other]) // cards)


@jit
def friendship(state, seat, other):
    """From -100, surely an opponent, to 100, surely a partner."""
    red = state.side[seat] != 0
    seen = int(state.public_tens) | int(state.held[seat]) & RED_TENS
    chance = PERCENT
    if not int(state.public_reds) >> other & 1:
        chance = 0 if seen == RED_TENS else _chance_of_red(state, seat, other, 2 - ones(seen))
    return 2 * chance - PERCENT if red else PERCENT - 2 * chance


@jit
def fewest_left(state, seat, friends):
    """Cards of the shortest hand still in among likely partners, or among likely opponents."""
    least = plays.MAX_STRAIGHT
    for other in range(PLAYERS):
        left = int(state.left[other])
        if other != seat and 0 < left < least and (friendship(state, seat, other) > 0) == friends:
            least = left
    return least


# Hands and plays.


@jit
def strength(params, hand, unseen):
    """What a hand holds for control, less what its low ranks cost to get rid of."""
    value = 0
    ranks = hand & RANK_MASK
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        higher = higher_cards(unseen, rank)
        value += PERCENT * params.control // (PERCENT + higher * params.decay) - params.burden * higher // PERCENT
    value += params.bomb * ones(at_least(hand, SMALL_BOMB))
    if hand & BOTH_JOKERS == BOTH_JOKERS:
        value += params.joker_bomb
    if at_least(hand, 2) & RED_BIT:
        value += params.red_ten_bomb
    return value


@jit
def winners(hand, unseen):
    """How many of a hand's plays win their tricks: ranks that no unseen card beats, and bombs."""
    ranks = ranks_unseen(unseen, 1)
    top = above(highest(ranks)) if ranks else RANK_MASK
    count = ones(hand & top) + ones(at_least(hand, SMALL_BOMB) & ~top)
    return count + int(hand & BOTH_JOKERS == BOTH_JOKERS and top & BOTH_JOKERS == 0)


@jit
def _beaters(action, unseen):
    """How many plays of its kind, more or less, could beat one."""
    kind = plays.kind_of(action)
    rank = plays.rank_of(action)
    if kind == SINGLE:
        return higher_cards(unseen, rank)
    if kind == PAIR:
        return 2 * ones(ranks_unseen(unseen, 2) & above(rank) & ~RED_BIT)
    if kind == STRAIGHT:
        held = places(ranks_unseen(unseen, 1))
        starts = held
        for step in range(1, plays.size_of(action)):
            starts &= held >> step
        return ones(starts & above(rank))
    if kind == BOMB:
        return ones(ranks_unseen(unseen, SMALL_BOMB) & above(rank)) // _RARE
    return int(kind == JOKER_BOMB and ranks_unseen(unseen, 2) & RED_BIT != 0)


@jit
def stands(action, unseen):
    """Percent for a play to win its trick, as a rough guess."""
    size = max(_BEATERS, plays.size_of(action))
    return PERCENT * size // (size + _beaters(action, unseen))
