"""Players of Da Fu Weng."""

from kernels import policies
from kernels.jit import jit


@jit
def greedy(rules, params, state, streams, actions, seat):
    return _any(rules, state, streams, actions, seat)


@jit
def expert(rules, params, state, streams, actions, seat):
    return _any(rules, state, streams, actions, seat)


@jit
def _any(rules, state, streams, actions, seat):
    from_engine = policies.pick(streams, seat, 1)
    return from_engine
