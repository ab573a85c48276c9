"""Players that work for every game, and the numbers players go by inside compiled code."""

from collections.abc import Mapping, Sequence

import numpy as np

from kernels import protocol, rng
from kernels.compiler.jit import ZERO, jit, jit_inline
from kernels.options import POLICIES, SEARCH_PARAMETERS, Parameter

RANDOM, GREEDY, EXPERT, SEARCH = range(len(POLICIES))


def parameter_dtype(parameters: Mapping[str, Sequence[Parameter]]) -> np.dtype[np.void]:
    """The record of a seat's parameters: one int64 for each parameter of any policy, by name."""
    names = [parameter.name for each in (*parameters.values(), SEARCH_PARAMETERS) for parameter in each]
    return np.dtype([(name, "i8") for name in names])


@jit_inline
def pick(streams, seat, count):
    """A number of 0..count-1, all equally likely, from the stream of the seat's policy."""
    return rng.below(streams, rng.SEAT + seat, count)


@jit
def imagine(rules, state, streams, seat):
    """Hidden cards lie anywhere, whatever the others have played."""
    protocol.redeal_hidden(rules, state, streams, seat)


@jit
def random_action(rules, state, streams, actions, seat):
    """Each legal action equally likely."""
    count = protocol.legal(rules, state, actions, ZERO)
    choice = pick(streams, seat, count)
    if choice < len(actions):
        return int(actions[choice])
    protocol.legal(rules, state, actions, choice)
    return int(actions[0])
