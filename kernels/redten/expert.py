"""Players."""

from kernels.jit import jit
from kernels.redten.game import legal


@jit
def greedy(rules, params, state, streams, actions, seat):
    legal(rules, state, actions, 0)
    return int(actions[0])


@jit
def expert(rules, params, state, streams, actions, seat):
    return greedy(rules, params, state, streams, actions, seat)
