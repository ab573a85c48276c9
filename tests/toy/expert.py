"""Players of the toy game."""

from kernels.compiler.jit import jit
from kernels.notation import SUIT_SIZE
from tests.toy.options import HAND


@jit
def greedy(rules, params, state, streams, actions, seat):
    best = 0
    for i in range(1, HAND):
        if state.hands[seat, i] % SUIT_SIZE > state.hands[seat, best] % SUIT_SIZE:
            best = i
    return best


@jit
def expert(rules, params, state, streams, actions, seat):
    return greedy(rules, params, state, streams, actions, seat) if params.courage else 0
