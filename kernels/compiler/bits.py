"""Bits of an int64, as one machine instruction each where numba compiles, as plain Python elsewhere."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

_FLAG = ir.IntType(1)


@intrinsic
def _trailing_zeros(context, bits):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(_FLAG, 1))

    return types.int64(types.int64), generate


@intrinsic
def _leading_zeros(context, bits):
    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(_FLAG, 1))

    return types.int64(types.int64), generate


@intrinsic
def _ones(context, bits):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def lowest(bits):
    """Number of the lowest bit set; `bits` must not be 0."""
    plain = int(bits)
    return (plain & -plain).bit_length() - 1


def highest(bits):
    """Number of the highest bit set; `bits` must be positive."""
    return int(bits).bit_length() - 1


def ones(bits):
    """How many bits are set; `bits` must not be negative."""
    return int(bits).bit_count()


@overload(lowest)
def _lowest(bits):
    return lambda bits: _trailing_zeros(bits)  # type: ignore[call-arg]


@overload(highest)
def _highest(bits):
    return lambda bits: 63 - _leading_zeros(bits)  # type: ignore[call-arg]


@overload(ones)
def _count_ones(bits):
    return lambda bits: _ones(bits)  # type: ignore[call-arg]
