"""The way from the fast slam functions to the exact ones, and the only one.

Compiled callers see a call through an address that the tables carry, so that the exact functions, which are large and
seldom needed, are not compiled again into every one of their callers, nor at all unless a question is asked. The
address is of a Python function: some microseconds a call, and it takes the GIL.
"""

import ctypes
from functools import cache

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernels.redox.slam import general

ARGUMENTS = 7
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * ARGUMENTS)


def _answer(question: int, p1: int, p2: int, p3: int, p4: int, jokers: int, min_naturals: int) -> int:
    from kernels.redox.slam.tables import tables  # which imports this module

    return int(general.answer(tables(), question, p1, p2, p3, p4, jokers, min_naturals))


@cache
def _callback() -> "ctypes._FuncPointer":
    return _PROTOTYPE(_answer)


def exact_address() -> int:
    """Where compiled code finds `general.answer` in this process."""
    return ctypes.cast(_callback(), ctypes.c_void_p).value or 0


if numba.config.DISABLE_JIT:

    def ask(address, question, p1, p2, p3, p4, jokers, min_naturals):
        """`general.answer`."""
        return _answer(question, p1, p2, p3, p4, jokers, min_naturals)

else:

    @intrinsic
    def ask(typingctx, address, question, p1, p2, p3, p4, jokers, min_naturals):
        """`general.answer` in compiled code, by its address."""

        def generate(context, builder, signature, arguments):
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word] * ARGUMENTS)
            function = builder.inttoptr(arguments[0], kind.as_pointer())
            return builder.call(function, arguments[1:])

        return types.int64(*[types.int64] * (ARGUMENTS + 1)), generate
