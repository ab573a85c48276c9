"""Players of Da Fu Weng."""

import numpy as np

from kernels.dafuweng import hands
from kernels.dafuweng.game import FLIP, PLACE_BITS
from kernels.jit import jit, jit_inline

_SIMPLE = np.zeros(hands.KINDS, np.int64)
"""How gladly the simple player parts with a kind of card: high numbers first, escapes last."""
for _rank, _kind in enumerate(
    (
        hands.NINE, hands.EIGHT, hands.SIX, hands.THREE, hands.TWO, hands.KING, hands.JOKER, hands.BRUTE,
        hands.FIVE, hands.FOUR, hands.JACK, hands.QUEEN, hands.TEN, hands.SEVEN, hands.ACE,
    )
):  # fmt: skip
    _SIMPLE[_kind] = hands.KINDS - _rank
_RIGHT_TEAM = hands.KINDS
"""A target on the right team is worth more than any kind."""


@jit_inline
def kind_at(state, place, seat):
    """Kind of the card that an action at this place uses."""
    if place < hands.HAND:
        return hands.kind_in(int(state.hand[seat]), place)
    return int(hands.KIND[state.flipped + 1]) if place == FLIP else hands.JOKER


@jit
def _simple_worth(state, place, option, seat):
    kind = kind_at(state, place, seat)
    worth = int(_SIMPLE[kind])
    if option < hands.PLAIN:
        friend = int((option ^ seat) & 1 == 0)
        revives = int(kind == hands.JOKER and (place < hands.HAND or place == FLIP))
        worth += _RIGHT_TEAM * int(friend == revives)
    return worth


@jit
def greedy(rules, params, state, streams, actions, seat):
    """The highest number first, escapes kept; joker and targets for the own team's good."""
    best = -1
    chosen = 0
    for place in range(state.places):
        options = int(state.options[place])
        while options != 0:
            option = hands.lowest(options)
            worth = _simple_worth(state, place, option, seat)
            if worth > best:
                best = worth
                chosen = place | (option << PLACE_BITS)
            options &= options - 1
    return chosen


@jit
def expert(rules, params, state, streams, actions, seat):
    return greedy(rules, params, state, streams, actions, seat)
