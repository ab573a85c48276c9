"""Da Fu Weng: the rules in action. RULES.md says them in words."""

import numpy as np

from kernels import cards, policies, predeal, rng
from kernels.compiler import bits
from kernels.compiler.jit import jit, jit_inline
from kernels.dafuweng import hands
from kernels.dafuweng.choices import (
    CANNOT_PLAY,
    DECLINE,
    EMPTY_HAND,
    EVEN_SEATS,
    FIRST_PAIR,
    FLIP,
    NONE,
    ODD_SEATS,
    PAIRS,
    PLACE_BITS,
    PLACE_MASK,
    PLACES,
    PLAY,
    options_of,
    regroup,
    survey_flip,
    survey_hand,
)
from kernels.dafuweng.columns import COLUMNS, OUTCOMES
from kernels.dafuweng.diary import DIARY, DIED, FLIPPED, PLAYED, note
from kernels.dafuweng.options import HAND, MAX_DECKS, MAX_PLAYERS, PARAMETERS
from kernels.dafuweng.pack import collect as collect
from kernels.dafuweng.pack import count_cards as count_cards
from kernels.dafuweng.pack import deal_to_hidden, draw, draw_to_hand
from kernels.dafuweng.pack import hide as hide
from kernels.notation import FACES
from kernels.records import record_dtype

MAX_CARDS = MAX_DECKS * FACES

WHYS = ("stuck", "brute", "emptied", "killed", "flip", "suicide")
STUCK, BRUTE_DEATH, EMPTIED, KILLED, FLIP_DEATH, SUICIDE = map(np.int64, range(len(WHYS)))
"""Of numpy's type: numba compiles a function anew for each plain number it is called with."""

TEAM_0, TEAM_1, DRAW, LIMIT = range(len(OUTCOMES))
OPEN = -1
"""Result of a game that goes on."""

COUNTERS = (
    "first_dead_turn",
    "after_king",
    "deaths",
    "revivals",
    "failed_revivals",
    "kills",
    "brute_modes",
    "exchanges",
    "n_99",
)

STATE = np.dtype(
    cards.stock_fields(MAX_CARDS)
    + DIARY
    + [
        ("discards", "i1", MAX_CARDS),
        ("discards_n", "i8"),
        ("hand", "i8", MAX_PLAYERS),
        ("n", "i8"),
        ("direction", "i8"),  # 1 or -1
        ("living", "i8"),  # sets of seats
        ("awaiting", "i8"),
        ("reach", "i8", hands.KINDS),  # options that each kind of card has by who lives, awaits, is dead
        ("brute", "i8"),  # 1: brute mode is on
        ("opener", "i8"),  # who turned it on and has not played since; NONE
        ("turn", "i8"),  # whose turn it is
        ("pointed", "i8"),  # 1: by a five
        ("chosen", "i8"),  # whom a five has just chosen; NONE
        ("extra", "i8"),  # 1: the turn of one just revived who plays what they gained
        ("flipped", "i8"),  # the card turned up that waits for a choice; NONE
        ("options", "i8", PLACES),  # what the seat to act may do, as sets of options
        ("places", "i8"),  # how many of them count
        ("choices", "i8"),  # number of legal actions
        ("turns", "i8"),
        ("turns_of", "i8", MAX_PLAYERS),
        ("last_seat", "i8"),  # who had the last turn
        ("last_kind", "i8"),  # and the kind of card it was about
        ("leader", "i8"),
        ("first_dead", "i8"),
        ("result", "i8"),
        ("points", "i8", MAX_PLAYERS),
        ("recorded_took", "i8"),  # what a seven takes, as a transcript records it: the card + 1; 0 none
        ("recorded_stock_n", "i8"),  # and for the order of a stock made anew
        ("recorded_stock", "i1", MAX_CARDS),
    ]
    + [(name, "i8") for name in COUNTERS],
    align=True,
)
RECORD = record_dtype(COLUMNS)
PARAMS = policies.parameter_dtype(PARAMETERS)


# Set-up


@jit
def new_match(rules, state):
    """Nobody has died in a last game."""
    state.first_dead = NONE


@jit
def deal(rules, state, streams):
    """Three cards each, one at a time, from the first to die in the last game, or from anyone."""
    collect(rules, state)
    cards.shuffle_pack(rules, state, streams)
    first = int(state.first_dead)
    if first == NONE:
        first = predeal.draw_first_seat(state, streams, rules.players)
    predeal.draw_deal(state, streams, first, HAND * rules.players)
    if state.eager:
        cards.settle(state, streams)
    lay_out(rules, state, first)
    seat = first
    for i in range(rules.players):
        hand = 0
        for slot in range(HAND):
            card = int(state.drawn[slot * rules.players + i])
            hand |= (card + 1) << (hands.SLOT_BITS * slot)
        state.hand[seat] = hand
        seat = seat + 1 if seat + 1 < rules.players else 0
    open_game(rules, state)


@jit
def lay_out(rules, state, first):
    """Everything as it is before the first card."""
    state.discards_n = 0
    state.n = 0
    state.direction = 1
    state.living = (1 << rules.players) - 1
    state.awaiting = 0
    state.brute = 0
    state.opener = NONE
    state.turn = first
    state.leader = first
    state.pointed = 0
    state.chosen = NONE
    state.extra = 0
    state.flipped = NONE
    state.turns = 0
    for seat in range(rules.players):
        state.turns_of[seat] = 0
    state.first_dead = NONE
    state.result = OPEN
    state.recorded_took = 0
    state.recorded_stock_n = 0
    state.diary_n = 0
    state.first_dead_turn = 0
    state.after_king = 0
    state.last_kind = hands.NO_KIND
    state.deaths = 0
    state.revivals = 0
    state.failed_revivals = 0
    state.kills = 0
    state.brute_modes = 0
    state.exchanges = 0
    state.n_99 = 0


@jit
def open_game(rules, state):
    """Let the first player begin; hands and all else are in place."""
    for kind in range(hands.KINDS):
        state.reach[kind] = hands.SIGNS
    regroup(rules, state)
    survey_hand(rules, state)


# What may be done


@jit
def to_act(rules, state):
    """Whose turn it is."""
    return int(state.turn)


@jit
def legal(rules, state, actions, skip):
    """Slot by slot: take or add, targets by seat; then pairs of jokers, the card turned up, declining."""
    number = -skip
    for place in range(state.places):
        options = int(state.options[place])
        while options != 0:
            if 0 <= number < len(actions):
                actions[number] = place | (hands.lowest(options) << PLACE_BITS)
            number += 1
            options &= options - 1
    return int(state.choices)


@jit
def random_action(rules, state, streams, actions, seat):
    """The action of a random number in the order of `legal`, found by counting."""
    number = policies.pick(streams, seat, int(state.choices))
    if state.places > HAND:
        return _numbered(state, number)
    first = bits.ones(int(state.options[0]))
    second = first + bits.ones(int(state.options[1]))
    place = int(number >= first) + int(number >= second)
    number -= first * int(number >= first) + (second - first) * int(number >= second)
    return place | (hands.nth(int(state.options[place]), number) << PLACE_BITS)


@jit
def _numbered(state, number):
    """The action of a number, place by place."""
    place = 0
    count = bits.ones(int(state.options[0]))
    while number >= count:
        number -= count
        place += 1
        count = bits.ones(int(state.options[place]))
    return place | (hands.nth(int(state.options[place]), number) << PLACE_BITS)


# What a turn does


@jit
def apply(rules, state, streams, action):
    """Carry out a play, a choice for the card turned up, or declining, and all that follows by itself."""
    place = action & PLACE_MASK
    option = action >> PLACE_BITS
    state.diary_n = 0
    if place == FLIP:
        _flip(rules, state, streams, option)
    elif place == DECLINE:
        state.extra = 0
        _die(rules, state, int(state.turn), SUICIDE)
    elif place >= FIRST_PAIR:
        _play_pair(rules, state, streams, place, option)
    else:
        _play_card(rules, state, streams, place, option)
    _go_on(rules, state, streams)


@jit_inline
def _begin_turn(state):
    """Count a turn; returns how strong a card's leave to draw must be to be heard (see `hands.DRAWING`)."""
    seat = int(state.turn)
    if state.opener == seat:
        state.brute = 0
        state.opener = NONE
    state.turns += 1
    state.turns_of[seat] += 1
    state.last_seat = seat
    return hands.ALWAYS_DRAWS if state.extra and state.pointed else int(state.brute)


@jit_inline
def _discard(state, card):
    state.discards[state.discards_n] = card
    state.discards_n += 1


@jit
def _throw_hand(state, seat):
    """A whole hand to the played cards."""
    hand = int(state.hand[seat])
    for slot in range(hands.size(hand)):
        _discard(state, hands.card_in(hand, slot))
    state.hand[seat] = 0


@jit_inline
def _play_card(rules, state, streams, slot, option):
    """One card from the hand: its effect, a draw, and the deaths it brings, the target's first."""
    seat = int(state.turn)
    barrier = _begin_turn(state)
    hand = int(state.hand[seat])
    kind = hands.kind_in(hand, slot)
    card = hands.card_in(hand, slot)
    state.hand[seat] = hands.without(hand, slot)
    state.last_kind = kind
    _discard(state, card)
    took = _effect(rules, state, streams, kind, option)
    drew = NONE
    if hands.DRAWING[kind] > barrier:
        drew = draw_to_hand(rules, state, streams, seat)
    note(state, PLAYED, seat, card, NONE, kind, option, took, drew)
    if kind == hands.ACE or kind == hands.SEVEN:
        _judge(rules, state, option, EMPTIED)
    _judge(rules, state, seat, BRUTE_DEATH)
    state.extra = 0


@jit
def _play_pair(rules, state, streams, place, target):
    """Two jokers: the target's hand is thrown away, and one card drawn for the two."""
    seat = int(state.turn)
    barrier = _begin_turn(state)
    first, second = PAIRS[place - FIRST_PAIR]
    hand = int(state.hand[seat])
    state.hand[seat] = hands.without(hands.without(hand, second), first)
    state.last_kind = hands.JOKER
    _discard(state, hands.card_in(hand, first))
    _discard(state, hands.card_in(hand, second))
    _throw_hand(state, target)
    drew = NONE
    if barrier < hands.DRAWS:
        drew = draw_to_hand(rules, state, streams, seat)
    note(state, PLAYED, seat, hands.card_in(hand, first), hands.card_in(hand, second), hands.JOKER, target, NONE, drew)
    if (int(state.awaiting) >> target) & 1:
        _die(rules, state, target, KILLED)
    else:
        _judge(rules, state, target, KILLED)
    _judge(rules, state, seat, BRUTE_DEATH)
    state.extra = 0


@jit_inline
def _effect(rules, state, streams, kind, option):
    """What a card does besides the draw; returns the card a seven took, or NONE."""
    if hands.CHANGES_N[kind]:
        _change_n(state, kind, option)
    elif kind == hands.ACE:
        _exchange(state, int(state.turn), option)
    elif kind == hands.SEVEN:
        return _take(state, streams, int(state.turn), option)
    elif kind == hands.FOUR:
        state.direction = -state.direction
    elif kind == hands.FIVE:
        state.chosen = option
    elif kind == hands.BRUTE:
        _toggle_brute(state)
    elif kind == hands.JOKER:
        state.awaiting |= 1 << option
        regroup(rules, state)
    return NONE


@jit_inline
def _change_n(state, kind, option):
    value = int(hands.VALUE[kind])
    n = int(state.n) - value if option == hands.TAKE else int(state.n) + value
    if kind == hands.KING:
        n = hands.TOP
    state.n = n
    state.n_99 |= int(n == hands.TOP)


@jit_inline
def _exchange(state, seat, target):
    """Swap hands; each knows what they gave."""
    mine = hands.seen_by(int(state.hand[seat]), seat)
    state.hand[seat] = hands.seen_by(int(state.hand[target]), target)
    state.hand[target] = mine
    state.exchanges += 1


@jit
def _take(state, streams, seat, target):
    """Move a random card; the two see which, the others lose track of the target's cards."""
    hand = int(state.hand[target])
    count = hands.size(hand)
    slot = 0
    if state.recorded_took:
        for i in range(count):
            if hands.card_in(hand, i) + 1 == state.recorded_took:
                slot = i
        state.recorded_took = 0
    else:
        slot = rng.below(streams, rng.CHANCE, count)
    taken = hands.slot_of(hand, slot)
    if count > 1:
        taken &= hands.CARD_MASK
        hand = hands.known_only_to(hand, seat)
    state.hand[target] = hands.without(hand, slot)
    state.hand[seat] = hands.with_slot(int(state.hand[seat]), hands.seen_by(taken, target))
    return (taken & hands.CARD_MASK) - 1


@jit
def _toggle_brute(state):
    if state.brute:
        state.brute = 0
        state.opener = NONE
    else:
        state.brute = 1
        state.opener = state.turn
        state.brute_modes += 1


# Death and revival


@jit_inline
def _judge(rules, state, seat, why):
    """An empty hand kills, unless only having nothing to play does."""
    if state.hand[seat] == 0 and rules.death == EMPTY_HAND:
        _die(rules, state, seat, why)


@jit
def _die(rules, state, seat, why):
    """Lay a player's cards down; brute mode loses its opener, and under `cannot_play` ends with them."""
    _throw_hand(state, seat)
    state.living &= ~(1 << seat)
    state.awaiting &= ~(1 << seat)
    regroup(rules, state)
    state.deaths += 1
    state.kills += int(why == KILLED)
    if state.first_dead == NONE:
        state.first_dead = seat
        state.first_dead_turn = state.turns
        state.after_king = int(state.last_kind == hands.KING and state.last_seat != seat)
    if state.opener == seat:
        state.opener = NONE
        if rules.death == CANNOT_PLAY:
            state.brute = 0
    note(state, DIED, seat, NONE, NONE, why, hands.PLAIN, NONE, NONE)


@jit
def _flip(rules, state, streams, option):
    """The turn of one who awaits it: the card turned up takes effect, and they live if it lets them."""
    seat = int(state.turn)
    barrier = hands.ALWAYS_DRAWS if state.pointed else int(state.brute)
    _begin_turn(state)
    card = int(state.flipped)
    kind = int(hands.KIND[card + 1])
    state.flipped = NONE
    state.last_kind = kind
    _discard(state, card)
    took = NONE
    drew = NONE
    alive = options_of(rules, state, kind) != 0 or hands.AIMED[kind] != 0
    if alive:
        state.living |= 1 << seat
        state.awaiting &= ~(1 << seat)
        regroup(rules, state)
        if option != NONE or not hands.AIMED[kind]:
            took = _effect(rules, state, streams, kind, option)
        state.extra = int(rules.revive_gain == PLAY and state.hand[seat] != 0)
        if state.hand[seat] == 0 and max(int(hands.DRAWING[kind]), hands.DRAWS) > barrier:  # type: ignore[operator]
            drew = draw_to_hand(rules, state, streams, seat)
        alive = state.hand[seat] != 0 or rules.death == CANNOT_PLAY
    state.revivals += int(alive)
    state.failed_revivals += int(not alive)
    note(state, FLIPPED, seat, card, int(alive), kind, option, took, drew)
    if option != NONE and (kind == hands.ACE or kind == hands.SEVEN):
        _judge(rules, state, option, EMPTIED)
    if not alive:
        _die(rules, state, seat, FLIP_DEATH)


# From one turn to the next


@jit_inline
def _go_on(rules, state, streams):
    """On to the next decision: turns pass, who awaits turns up a card, who has nothing to play dies."""
    while not _has_ended(rules, state):
        if not state.extra:
            _pass_turn(rules, state)
        if (int(state.awaiting) >> int(state.turn)) & 1:
            state.flipped = draw(rules, state, streams)
            if survey_flip(rules, state) > 0:
                return
            _flip(rules, state, streams, NONE)
        else:
            if survey_hand(rules, state) > 0:
                return
            state.extra = 0
            _die(rules, state, int(state.turn), STUCK)


@jit_inline
def _has_ended(rules, state):
    """Settle the result if a team has nobody alive, or the turns are used up."""
    living = int(state.living)
    if living & EVEN_SEATS == 0:
        state.result = DRAW if living == 0 else TEAM_1
    elif living & ODD_SEATS == 0:
        state.result = TEAM_0
    elif state.turns >= rules.max_turns:
        state.result = LIMIT
    return state.result != OPEN


@jit_inline
def _pass_turn(rules, state):
    """To the player a five chose, or to the next one who is not dead."""
    state.pointed = int(state.chosen != NONE)
    if state.pointed:
        state.turn = state.chosen
        state.chosen = NONE
        return
    state.turn = next_present(rules, state, int(state.turn))


@jit_inline
def next_present(rules, state, seat):
    """The next player after `seat`, in the direction of play, who is not dead."""
    present = int(state.reach[hands.FIVE])
    twice_round = present | (present << rules.players)
    if state.direction > 0:
        other = seat + 1 + bits.lowest(twice_round >> (seat + 1))
    else:
        other = bits.highest(twice_round & ((1 << (seat + rules.players)) - 1))
    return other - rules.players if other >= rules.players else other


# The end


@jit
def is_over(rules, state):
    """Whether the game has a result."""
    return state.result != OPEN


@jit
def score(rules, state):
    """One point for each member of the winning team, one off for the others."""
    for seat in range(rules.players):
        state.points[seat] = 0
        if state.result == TEAM_0 or state.result == TEAM_1:
            state.points[seat] = 1 if seat & 1 == state.result else -1


@jit
def match_over(rules, state):
    """Whether the match has had its number of games."""
    return state.round_no >= rules.rounds


@jit
def record(rules, state, row):
    """The game as one row; `orbit` is about who had the last turn, unless the turns were used up."""
    row.round = state.round_no
    row.outcome = state.result
    row.winner = NONE
    row.leader = state.leader
    row.turns = state.turns
    row.orbit = 0 if state.result == LIMIT else state.turns_of[state.last_seat]
    for seat in range(MAX_PLAYERS):
        row.points[seat] = state.points[seat] if seat < rules.players else 0
    row.first_dead = state.first_dead
    row.first_dead_turn = state.first_dead_turn
    row.after_king = state.after_king != 0
    row.deaths = state.deaths
    row.revivals = state.revivals
    row.failed_revivals = state.failed_revivals
    row.kills = state.kills
    row.brute_modes = state.brute_modes
    row.exchanges = state.exchanges
    row.n_99 = state.n_99 != 0
    row.match_outcome = int(state.round_no >= rules.rounds)


# For searches


@jit
def redeal_hidden(rules, state, streams, seat):
    """Whoever is to act has something to do, or they would have died."""
    deal_to_hidden(rules, state, streams)
    while state.turn != seat and state.flipped == NONE and survey_hand(rules, state) == 0:
        hide(rules, state, seat)
        deal_to_hidden(rules, state, streams)


@jit
def utility(rules, state, seat):
    return int(state.points[seat])


@jit
def has_won(rules, state, seat):
    return int(state.points[seat] > 0)
