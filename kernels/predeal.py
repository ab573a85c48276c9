"""Predealt cards: what some hands hold, or what lies open, when the first round of a game begins, by no chance.

They are laid aside from the pack. Who is dealt to first is drawn, where it is drawn at all, among the seats with which
every hand has room for its cards. Each card then lies at one of the places of its hand, all places equally likely, and
the rest of the pack is shuffled and dealt to the places left. So whatever was not given is uniform; of cards that the
pack has more than once, one copy is placed for each that is named, and the others may be anywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kernels import cards, rng
from kernels.compiler.jit import jit
from kernels.options import Deal

FREE = -1


def lay_aside(streams: Any, deal: Deal, hands: Mapping[str, Sequence[int]]) -> None:
    """Enter the cards given to hands, by the name of the hand, into a thread's streams. They must fit the deal."""
    given = [(card, deal.hands.index(name)) for name, held in hands.items() for card in held]
    streams.predealt_n = len(given)
    for number, (card, hand) in enumerate(given):
        streams.predealt[number] = card
        streams.predealt_to[number] = hand
    streams.first_seats = sum(1 << seat for seat in deal.first_seats(hands))
    for seat, order in enumerate(deal.orders):
        streams.deal_order[seat, : len(order)] = order


@jit
def is_predealt(state, streams):
    """Whether the round has predealt cards."""
    return streams.predealt_n > 0 and state.round_no == 1


@jit
def draw_first_seat(state, streams, players):
    """The seat that is dealt to first, by lot."""
    seat = rng.below(streams, rng.DEAL, players)
    while is_predealt(state, streams) and int(streams.first_seats) >> seat & 1 == 0:
        seat = rng.below(streams, rng.DEAL, players)
    return seat


@jit
def draw_deal(state, streams, first, count):
    """Draw the cards of a deal into `state.drawn`, in the order in which they are dealt if seat `first` comes first."""
    if is_predealt(state, streams):
        _draw_around_predealt(state, streams, int(first), count)
    else:
        cards.draw_many(state, streams, count)


@jit
def _draw_around_predealt(state, streams, first, count):
    for place in range(count):
        state.drawn[place] = FREE
    for number in range(streams.predealt_n):
        card = int(streams.predealt[number])
        _take_from_pack(state, card)
        state.drawn[_free_place(state, streams, first, count, int(streams.predealt_to[number]))] = card
    for place in range(count):
        if state.drawn[place] == FREE:
            state.drawn[place] = cards.draw(state, streams)


@jit
def _take_from_pack(state, card):
    """Take one copy of a card out of a pack that is not shuffled yet."""
    top = int(state.stock_n) - 1
    for place in range(top + 1):
        if state.stock[place] == card:
            state.stock[place] = state.stock[top]
            state.stock_n = top
            return


@jit
def _free_place(state, streams, first, count, hand):
    """One of the free places of a hand, all equally likely."""
    free = 0
    for place in range(count):
        free += int(state.drawn[place] == FREE and streams.deal_order[first, place] == hand)
    left = rng.below(streams, rng.DEAL, free)
    for place in range(count):
        if state.drawn[place] == FREE and streams.deal_order[first, place] == hand:
            if left == 0:
                return place
            left -= 1
    return 0
