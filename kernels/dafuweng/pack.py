"""The cards of Da Fu Weng: collected, drawn from the stock, counted, permuted where a player cannot see them."""

from kernels import cards
from kernels.compiler.jit import jit, jit_inline
from kernels.dafuweng import hands
from kernels.dafuweng.choices import NONE
from kernels.dafuweng.diary import REMADE, note
from kernels.dafuweng.options import JOKERS_PER_DECK


@jit
def collect(rules, state):
    """A new pack; for a shuffle that depends on it, last game's cards: discard pile, hands, the rest of the stock."""
    if state.round_no == 1 or rules.shuffle == cards.UNIFORM:
        cards.new_pack(state, rules.decks, JOKERS_PER_DECK)
        return
    collected = 0
    for i in range(state.discards_n):
        state.drawn[collected] = state.discards[i]
        collected += 1
    for seat in range(rules.players):
        hand = int(state.hand[seat])
        for slot in range(hands.size(hand)):
            state.drawn[collected] = hands.card_in(hand, slot)
            collected += 1
    for i in range(state.stock_n):
        state.drawn[collected] = state.stock[i]
        collected += 1
    for i in range(collected):
        state.stock[i] = state.drawn[i]
    state.stock_n = collected


@jit_inline
def draw(rules, state, streams):
    """The top card of the stock, which is made anew from the discard pile if it is empty."""
    if state.stock_n == 0:
        _remake(rules, state, streams)
    return cards.draw(state, streams)


@jit_inline
def draw_to_hand(rules, state, streams, seat):
    """The top card of the stock goes to a hand; returns it."""
    card = draw(rules, state, streams)
    state.hand[seat] = hands.with_slot(int(state.hand[seat]), card + 1)
    return card


@jit
def _remake(rules, state, streams):
    """The whole discard pile, shuffled, is the stock; in the order that a transcript records, if one does."""
    count = int(state.discards_n)
    for i in range(count):
        state.stock[i] = state.discards[i]
    state.stock_n = count
    state.discards_n = 0
    if state.recorded_stock_n == count:
        for i in range(count):
            state.stock[i] = state.recorded_stock[count - 1 - i]
        state.stock_mixed = 1
    else:
        cards.restock(rules, state, streams)
    state.recorded_stock_n = 0
    if state.eager:
        for i in range(count):
            state.remade[i] = state.stock[count - 1 - i]
        state.remade_n = count
        note(state, REMADE, NONE, NONE, NONE, hands.NO_KIND, hands.PLAIN, NONE, NONE)


@jit
def count_cards(rules, state, counts):
    """Stock, discard pile, hands, and the card turned up."""
    for i in range(state.stock_n):
        counts[state.stock[i]] += 1
    for i in range(state.discards_n):
        counts[state.discards[i]] += 1
    for seat in range(rules.players):
        hand = int(state.hand[seat])
        for slot in range(hands.size(hand)):
            counts[hands.card_in(hand, slot)] += 1
    if state.flipped != NONE:
        counts[state.flipped] += 1


@jit
def hide(rules, state, seat):
    """Cards that the seat has seen stay where it knows them to be."""
    for other in range(rules.players):
        hand = int(state.hand[other])
        for slot in range(hands.size(hand)):
            held = hands.slot_of(hand, slot)
            if other != seat and not hands.knows(held, seat):
                state.stock[state.stock_n] = hands.card_in(hand, slot)
                state.stock_n += 1
                hand ^= (held ^ (held | hands.CARD_MASK)) << (hands.SLOT_BITS * slot)
        state.hand[other] = hand
    cards.forget_order(state)
    state.diary_n = 0
    state.remade_n = 0
    state.recorded_took = 0
    state.recorded_stock_n = 0


@jit
def deal_to_hidden(rules, state, streams):
    """A card for each place that `hide` left without one; each place is as likely for each card."""
    for other in range(rules.players):
        hand = int(state.hand[other])
        for slot in range(hands.size(hand)):
            held = hands.slot_of(hand, slot)
            if held & hands.CARD_MASK == hands.CARD_MASK:
                dealt = (held & ~hands.CARD_MASK) | (cards.draw(state, streams) + 1)
                hand ^= (held ^ dealt) << (hands.SLOT_BITS * slot)
        state.hand[other] = hand
