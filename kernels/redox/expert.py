"""Players of REDOX."""

from kernels.jit import jit
from kernels.notation import SMALL_JOKER
from kernels.redox import actions as act
from kernels.redox import plots, table
from kernels.redox.game import legal

CARD_VALUE = 1000
"""Laying one card more is worth more than any points."""
SUPPORT_VALUE = 40
"""What a neighbour or an equal rank is worth in points when a card to shed is chosen."""


@jit
def support(planes, card):
    """How many cards of a hand stand near this face: equal ranks, and the same suit within two places."""
    bit = int(plots.BIT_OF_CARD[card])
    place = plots.lowest(bit) & plots.LANE - 1
    same = planes[0] & plots.EVERY_SUIT << place & ~bit
    lane = plots.lane(plots.reach(planes[0] & ~bit), plots.lowest(bit) >> 4)
    near = lane & plots.window(max(1, place - 2), place + 2)
    if place == plots.LOW_ACE:
        near |= lane & plots.window(plots.HIGH_ACE - 2, plots.HIGH_ACE)
    return plots.count_bits(same) + plots.count_bits(near & ~(1 << place))


@jit
def laid(action):
    """How many places of a set or of a whole run an action fills."""
    kind = act.kind(action)
    if kind == act.RUN or kind == act.TO_RUN:
        return act.high(action) - act.low(action) + 1
    cards = act.jokers(action)
    for suit in range(plots.SUITS):
        cards += act.count(action, suit)
    return cards


@jit
def _worth(rules, state, planes, action):
    """How much the simple player likes an action."""
    kind = act.kind(action)
    if kind == act.SLAM:
        return CARD_VALUE * CARD_VALUE
    if kind == act.DISCARD:
        return _worth_of_discard(rules, state, planes, action)
    if kind == act.TO_RUN:
        plot = act.plot(action)
        grown = int(state.plot_high[plot]) - int(state.plot_low[plot]) + 1
        return CARD_VALUE * (laid(action) - grown)
    return CARD_VALUE * laid(action)


@jit
def _worth_of_discard(rules, state, planes, action):
    """Shed high cards that stand alone; take from the pile what fits the hand."""
    card = act.card(action)
    if card == SMALL_JOKER:
        return -CARD_VALUE
    worth = plots.card_points(rules, card) - SUPPORT_VALUE * support(planes, card)
    top = int(state.pile[state.pile_n - 1])
    fits = top >= SMALL_JOKER or support(planes, top) >= 2
    return 2 * worth + int(fits == (act.source(action) == act.PILE))


@jit
def greedy(rules, params, state, streams, actions, seat):
    """Slams, else lays or connects as many cards as possible, else sheds the highest card that stands alone."""
    planes = table.planes_of(state.hand, seat)
    count = legal(rules, state, actions, 0)
    best = int(actions[0])
    most = _worth(rules, state, planes, best)
    for first in range(0, count, len(actions)):
        if first:
            legal(rules, state, actions, first)
        for i in range(min(len(actions), count - first)):
            action = int(actions[i])
            worth = _worth(rules, state, planes, action)
            if worth > most:
                best = action
                most = worth
    return best


@jit
def expert(rules, params, state, streams, actions, seat):
    return greedy(rules, params, state, streams, actions, seat)
