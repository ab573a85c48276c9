"""Actions as numbers: what is done, the rank, and three sets of suits of that rank: the cards named, those of them
that a joker stands for, and the end card of a lock. The faces of jokers are no part of an action."""

from kernels.compiler.jit import jit
from kernels.erbaiwu.masks import RANK, SUITS

SHOW7, LAYOFF, LOCK, STRING, LIFT, SETTLE, OUTLAW, DRAW, DISCARD, KEEP, PONG, PASS = range(12)

_KIND_BITS = 4
_NAMED_AT = 8
_JOKERS_AT = 12
_END_AT = 16


@jit
def group(kind, rank, named, jokers, end):
    """The action on several cards of one rank; `named`, `jokers` and `end` are sets of suits."""
    return kind | (rank << _KIND_BITS) | (named << _NAMED_AT) | (jokers << _JOKERS_AT) | (end << _END_AT)


@jit
def single(kind, bit):
    """The action on one natural card."""
    return kind | ((bit >> 2) << _KIND_BITS) | (1 << (_NAMED_AT + (bit & 3)))


@jit
def joker_single(kind, bit):
    """The action of one joker that stands for this card."""
    return single(kind, bit) | (1 << (_JOKERS_AT + (bit & 3)))


@jit
def kind_of(action):
    return action & RANK


@jit
def rank_of(action):
    return (action >> _KIND_BITS) & RANK


@jit
def named_by(action):
    """The cards that the action plays, by their names, as a mask."""
    return ((action >> _NAMED_AT) & RANK) << (SUITS * rank_of(action))


@jit
def jokers_of(action):
    """The cards that jokers stand for in the action, as a mask."""
    return ((action >> _JOKERS_AT) & RANK) << (SUITS * rank_of(action))


@jit
def end_of(action):
    """The end card of a lock, as a mask."""
    return ((action >> _END_AT) & RANK) << (SUITS * rank_of(action))
