"""The functions of the contract (`kernels.protocol`) in compiled code: each call resolves to the function of the game
that the type of `rules` belongs to, as plain Python that numba compiles into the caller."""

from collections.abc import Callable, Mapping
from typing import Any

from numba import types
from numba.extending import overload

from kernels import protocol
from kernels.compiler.jit import OPTIONS

_PER_DECISION = ("to_act", "is_over", "apply", "random_action")
"""Functions that become part of the loop's own machine code: a call, with all rules and arrays passed on, costs as
much as what a quick game does in them."""


def _connect(name: str, function: Callable[..., Any]) -> None:
    how: Any = {**OPTIONS, "forceinline": name in _PER_DECISION}

    @overload(function, strict=False, jit_options=how)
    def resolve(rules, *arguments):
        if isinstance(rules, (types.NamedTuple, types.NamedUniTuple)):
            found = protocol.implementation(rules.instance_class, name)
            return getattr(found, "py_func", found)
        return None


def connect(functions: Mapping[str, Callable[..., Any]]) -> None:
    """Let compiled code find these functions in the games."""
    for name, function in functions.items():
        _connect(name, function)
