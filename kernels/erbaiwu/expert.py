"""Players of Er Bai Wu."""

from kernels.erbaiwu import choices
from kernels.jit import jit


@jit
def greedy(rules, params, state, streams, actions, seat):
    choices.put_discard_phase(state, actions, 0, seat)
    return int(actions[0])


@jit
def expert(rules, params, state, streams, actions, seat):
    return greedy(rules, params, state, streams, actions, seat)
