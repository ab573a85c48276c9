"""Each player holds three cards and plays one; the highest rank wins the round."""

import numpy as np

from kernels import cards, policies, predeal
from kernels.compiler.jit import jit
from kernels.notation import SUIT_SIZE
from kernels.records import record_dtype
from tests.toy.columns import COLUMNS
from tests.toy.options import HAND, PARAMETERS, SEATS

HIDDEN = -1
STATE = np.dtype(
    [
        *cards.stock_fields(52),
        ("hands", "i1", (SEATS, HAND)),
        ("played", "i8", SEATS),
        ("turn", "i8"),
        ("points", "i8", SEATS),
    ],
    align=True,
)
RECORD = record_dtype(COLUMNS)
PARAMS = policies.parameter_dtype(PARAMETERS)


@jit
def new_match(rules, state):
    state.points[:] = 0


@jit
def collect(rules, state):
    cards.new_pack(state, 1, 0)


@jit
def deal(rules, state, streams):
    collect(rules, state)
    cards.shuffle_pack(rules, state, streams)
    predeal.draw_deal(state, streams, 0, HAND * rules.players)
    for i in range(HAND * rules.players):
        state.hands[i // HAND, i % HAND] = state.drawn[i]
    if state.eager:
        cards.settle(state, streams)
    state.turn = 0


@jit
def to_act(rules, state):
    return int(state.turn)


@jit
def legal(rules, state, actions, skip):
    for i in range(skip, HAND):
        actions[i - skip] = i
    return HAND


@jit
def apply(rules, state, streams, action):
    state.played[state.turn] = state.hands[state.turn, action]
    state.turn += 1


@jit
def is_over(rules, state):
    return state.turn == rules.players


@jit
def winner(rules, state):
    best = 0
    for seat in range(1, rules.players):
        if state.played[seat] % SUIT_SIZE > state.played[best] % SUIT_SIZE:
            best = seat
    return best


@jit
def score(rules, state):
    state.points[winner(rules, state)] += 1


@jit
def match_over(rules, state):
    return state.round_no == rules.rounds


@jit
def record(rules, state, row):
    row.round = state.round_no
    row.outcome = 0
    row.leader = 0
    row.turns = rules.players
    row.orbit = 1
    row.match_outcome = int(match_over(rules, state))
    row.winner = winner(rules, state)
    row.points[:] = 0
    row.points[row.winner] = 1


@jit
def count_cards(rules, state, counts):
    for i in range(state.stock_n):
        counts[state.stock[i]] += 1
    for seat in range(rules.players):
        for i in range(HAND):
            counts[state.hands[seat, i]] += 1


@jit
def hide(rules, state, seat):
    for other in range(state.turn, rules.players):
        for i in range(HAND):
            if other != seat:
                state.stock[state.stock_n] = state.hands[other, i]
                state.stock_n += 1
                state.hands[other, i] = HIDDEN
    cards.forget_order(state)


@jit
def redeal_hidden(rules, state, streams, seat):
    for other in range(rules.players):
        for i in range(HAND):
            if state.hands[other, i] == HIDDEN:
                state.hands[other, i] = cards.draw(state, streams)


@jit
def utility(rules, state, seat):
    return int(winner(rules, state) == seat)


@jit
def has_won(rules, state, seat):
    return utility(rules, state, seat)
