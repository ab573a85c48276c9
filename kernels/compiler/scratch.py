"""Small arrays on the stack where numba compiles, plain numpy arrays elsewhere.

An array from the heap costs more than a short search needs it for. One from here lives as long as the call of the
function that asked for it: pass it down, never return it.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array


def _plain(rows, columns):
    return np.empty((rows, columns), np.int64)


@intrinsic(prefer_literal=True)
def _on_stack(context, rows, columns):
    shape = [size.literal_value for size in (rows, columns)]
    kind = types.Array(types.int64, 2, "C")

    def generate(context, builder, signature, arguments):
        word = context.get_value_type(types.int64)
        size = context.get_abi_sizeof(word)
        space = cgutils.alloca_once(builder, ir.ArrayType(word, shape[0] * shape[1]))
        array = make_array(kind)(context, builder)
        populate_array(
            array,
            data=builder.bitcast(space, word.as_pointer()),
            shape=[context.get_constant(types.intp, length) for length in shape],
            strides=[context.get_constant(types.intp, length) for length in (shape[1] * size, size)],
            itemsize=context.get_constant(types.intp, size),
            meminfo=None,
        )
        return array._getvalue()

    return kind(rows, columns), generate


integers: Any = _plain if numba.config.DISABLE_JIT else _on_stack  # type: ignore[attr-defined]
"""An int64 array [rows, columns] of no particular contents; both must be constants."""
