"""Players that work for every game, and the numbers players go by inside compiled code."""

from collections.abc import Sequence

import numpy as np

from kernels import rng
from kernels.compiler.jit import jit_inline
from kernels.options import POLICIES

RANDOM, GREEDY, EXPERT = range(len(POLICIES))


def parameter_dtype(parameters: dict[str, Sequence]) -> np.dtype:
    """The record of a seat's parameters: one integer for each parameter of any policy, by name."""
    return np.dtype([(knob.name, "i8") for knobs in parameters.values() for knob in knobs] or [("none", "i8")])


@jit_inline
def pick(streams, seat, count):
    """A number of 0..count-1, all equally likely, from the stream of the seat's policy."""
    return rng.below(streams, rng.SEAT + seat, count)
