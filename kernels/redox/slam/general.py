"""How far a hand is from a slam, for every size, pack and rule; and the way from the fast functions to this one.

Compiled callers see a call through an address that the tables carry, so that the searches, which are large and seldom
needed, are not compiled again into every one of their callers, nor at all unless a question is asked. The address is
of a Python function: some microseconds a call, and it takes the GIL.
"""

import ctypes
from functools import cache

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernels.compiler.jit import jit
from kernels.redox.options import MIN_PLOT, OPENING_RUN
from kernels.redox.planes import count_naturals
from kernels.redox.slam.few_naturals import exchanges_suffice
from kernels.redox.slam.search import most_kept

ARGUMENTS = 7


@jit
def max_debt(size, min_naturals, kept):
    """No more new natural cards than this are owed by plots of `size` cards that each keep one of `kept` cards."""
    plots = (size - OPENING_RUN) // MIN_PLOT + 1
    return max((min_naturals - 1) * (plots - 1), min_naturals * plots - kept)


def distance(tables, planes, jokers, min_naturals, limit):
    """Least number of cards to exchange for a slam; any number above `limit` if it is larger than that.

    It is the number of natural cards that do not stay, unless plots need more new natural cards than that. With one
    natural card a plot, and two in the hand, they never do: plots without one can be joined to the others.
    """
    naturals = count_naturals(planes)
    size = naturals + jokers
    kept = most_kept(tables, planes, size)
    exchanges = naturals - kept
    if naturals >= 2 and (min_naturals == 1 or exchanges >= max_debt(size, min_naturals, kept)):
        return exchanges
    while exchanges <= limit and not exchanges_suffice(tables, planes, jokers, min_naturals, exchanges):
        exchanges += 1
    return exchanges


def _answer(p1: int, p2: int, p3: int, p4: int, jokers: int, min_naturals: int, limit: int) -> int:
    from kernels.redox.slam.store import tables  # which imports this module

    return int(distance(tables(), (p1, p2, p3, p4), jokers, min_naturals, limit))


@cache
def _callback() -> "ctypes._FuncPointer":
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * ARGUMENTS)(_answer)


def address() -> int:
    """Where compiled code finds `distance` in this process."""
    return ctypes.cast(_callback(), ctypes.c_void_p).value or 0


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def ask(address, *arguments):
        """`distance`."""
        return _answer(*arguments)

else:

    @intrinsic
    def ask(typingctx, address, p1, p2, p3, p4, jokers, min_naturals, limit):
        """`distance` in compiled code, by its address."""

        def generate(context, builder, signature, arguments):
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word] * ARGUMENTS)
            function = builder.inttoptr(arguments[0], kind.as_pointer())
            return builder.call(function, arguments[1:])

        return types.int64(*[types.int64] * (ARGUMENTS + 1)), generate
