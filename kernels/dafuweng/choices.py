"""What a player of Da Fu Weng may do: actions as integers, and the options of a hand or of a card turned up."""

import numpy as np

from kernels.compiler import bits
from kernels.compiler.jit import jit, jit_inline
from kernels.dafuweng import hands
from kernels.dafuweng.options import HAND, MAX_PLAYERS

EMPTY_HAND, CANNOT_PLAY = range(2)  # rules.death
FORBIDDEN, LAST_JOKER = range(2)  # rules.suicide
KEEP, PLAY = range(2)  # rules.revive_gain

NONE = np.int64(-1)
EVEN_SEATS = sum(1 << seat for seat in range(0, MAX_PLAYERS, 2))
ODD_SEATS = EVEN_SEATS << 1

# An action is a place and an option: a slot of the hand, a pair of slots, the card turned up, or declining.
PAIRS = ((0, 1), (0, 2), (1, 2))
FIRST_PAIR = HAND
FLIP = FIRST_PAIR + len(PAIRS)
DECLINE = FLIP + 1
PLACES = DECLINE + 1
PLACE_BITS = 3
PLACE_MASK = (1 << PLACE_BITS) - 1


@jit_inline
def regroup(rules, state):
    """Who can be a target of what, after a death or a revival."""
    present = int(state.living) | int(state.awaiting)
    state.reach[hands.ACE] = state.living
    state.reach[hands.FIVE] = present
    state.reach[hands.SEVEN] = state.living
    state.reach[hands.JOKER] = ((1 << rules.players) - 1) & ~present


@jit
def _find_armed(rules, state):
    """A seven needs a card to take; where an empty hand kills, all who live have one."""
    armed = 0
    for seat in range(rules.players):
        if state.hand[seat] != 0:
            armed |= 1 << seat
    state.reach[hands.SEVEN] = armed & int(state.living)


@jit_inline
def options_of(rules, state, kind):
    """What the seat whose turn it is may do with a card of this kind, as a set of options."""
    variant = int(rules.queen_low > hands.QUEEN_VALUE)
    allowed = int(hands.ALLOWED[variant, state.n, kind])
    return allowed & int(state.reach[kind]) & ~(1 << int(state.turn))


@jit_inline
def survey_hand(rules, state):
    """Note what the seat whose turn it is may play, and return in how many ways."""
    hand = int(state.hand[state.turn])
    if rules.death == CANNOT_PLAY:
        _find_armed(rules, state)
    choices = 0
    jokers = 0
    for slot in range(HAND):
        kind = hands.kind_in(hand, slot)
        options = options_of(rules, state, kind)
        jokers += int(kind == hands.JOKER)
        state.options[slot] = options
        choices += bits.ones(options)
    state.places = HAND
    if rules.decks > 1:
        choices -= _drop_doubles(state, hand)
    if jokers > 1:
        choices += _survey_pairs(state, hand)
    if rules.suicide == LAST_JOKER and jokers > 0 and choices > 0 and _may_decline(rules, state, hand):
        _open_places(state)
        state.options[DECLINE] = 1 << hands.PLAIN
        choices += 1
    state.choices = choices
    return choices


@jit
def _open_places(state):
    """Let the places beyond the single cards count, empty at first."""
    if state.places == HAND:
        for place in range(HAND, PLACES):
            state.options[place] = 0
        state.places = PLACES


@jit
def _drop_doubles(state, hand):
    """Leave equal cards their options once; returns how many choices that takes away."""
    dropped = 0
    for slot in range(1, hands.size(hand)):
        for other in range(slot):
            if hands.card_in(hand, slot) == hands.card_in(hand, other):
                dropped += bits.ones(int(state.options[slot]))
                state.options[slot] = 0
    return dropped


@jit
def _pair_name(hand, place):
    """A number for the two jokers of a pair of slots, the same for the same two; NONE if they are not jokers."""
    first, second = PAIRS[place - FIRST_PAIR]
    if hands.kind_in(hand, first) != hands.JOKER or hands.kind_in(hand, second) != hands.JOKER:
        return NONE
    return hands.card_in(hand, first) + hands.card_in(hand, second)


@jit
def _survey_pairs(state, hand):
    """Note whom two jokers may kill; returns in how many ways."""
    _open_places(state)
    targets = int(state.reach[hands.FIVE]) & ~(1 << int(state.turn))
    choices = 0
    for place in range(FIRST_PAIR, FIRST_PAIR + len(PAIRS)):
        name = _pair_name(hand, place)
        fresh = name != NONE
        for other in range(FIRST_PAIR, place):
            fresh = fresh and _pair_name(hand, other) != name
        if fresh:
            state.options[place] = targets
            choices += bits.ones(targets)
    return choices


@jit
def _may_decline(rules, state, hand):
    """Whether only jokers can be played and every team-mate lives."""
    for slot in range(hands.size(hand)):
        if state.options[slot] != 0 and hands.kind_in(hand, slot) != hands.JOKER:
            return False
    team = EVEN_SEATS << (int(state.turn) & 1)
    everybody = (1 << rules.players) - 1
    return int(state.living) & team & everybody == team & everybody


@jit
def survey_flip(rules, state):
    """Note what the card turned up may do, if that is a choice; returns the number of choices."""
    if rules.death == CANNOT_PLAY:
        _find_armed(rules, state)
    kind = int(hands.KIND[state.flipped + 1])
    options = options_of(rules, state, kind)
    if not hands.AIMED[kind] and kind != hands.TEN and kind != hands.QUEEN:
        options = 0
    for place in range(PLACES):
        state.options[place] = 0
    state.options[FLIP] = options
    state.places = PLACES
    state.choices = bits.ones(options)
    return state.choices
