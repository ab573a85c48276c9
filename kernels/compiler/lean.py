"""Machine code only for what Python calls: it more than halves the time that compiling takes.

numba optimises every function that it compiles, turns it into machine code, and does both again for a copy in each of
its callers. Here a function that is compiled because another one calls it is only simplified by itself; the outermost
one is optimised and turned into machine code, with all that it calls. Should Python call an inner function after all,
that one is turned into machine code then.

This reaches into numba, so it is only done for versions that it was tried with (see `kernels.jit`); another one makes
the same machine code in its own time.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core import cpu, environment
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.target_extension import dispatcher_registry, target_registry

_AS_WRITTEN = "as written"
_NATIVE = "native"
"""Kinds of libraries in the cache: without machine code, and with."""
_ENVIRONMENT = "_ZN08NumbaEnv"
"""How numba begins the names of what a function needs of Python."""

_get_executable = cpu.CPUContext.get_executable
_set_env = JITCPUCodegen.set_env


class _Compiling(threading.local):
    """How many functions wait for the one that is compiled now."""

    callers = 0

    @contextmanager
    def with_callers(self, callers: int) -> Iterator[None]:
        """For a while."""
        before, self.callers = self.callers, callers
        try:
            yield
        finally:
            self.callers = before


_compiling = _Compiling()


class _Library(JITCodeLibrary):
    """A function's code; `is_inner` as long as it has not been optimised and has no machine code."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.is_inner = _compiling.callers > 0
        self._bitcode: bytes | None = None

    def make_native(self) -> None:
        """Optimise the code and make machine code of it."""
        self.is_inner = False
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _optimize_final_module(self) -> None:
        if self.is_inner:
            self._drop_unused()
        else:
            super()._optimize_final_module()

    def _drop_unused(self) -> None:
        """Forget what is not used, among it addresses that must not be kept in the cache."""
        passes = llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(
            self._final_module, llvm.create_pass_builder(self._codegen._tm, llvm.create_pipeline_tuning_options())
        )

    def _finalize_final_module(self) -> None:
        if self.is_inner:
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            super()._finalize_final_module()

    def _get_module_for_linking(self) -> Any:
        if self._bitcode is not None:
            self._shared_module = llvm.parse_bitcode(self._bitcode)
            self._bitcode = None
        return super()._get_module_for_linking()

    def serialize_using_object_code(self) -> Any:
        """What the cache keeps."""
        if self.is_inner:
            return self.name, _AS_WRITTEN, self._final_module.as_bitcode()
        name, _, (machine_code, bitcode) = super().serialize_using_object_code()
        module = self._get_module_for_linking()
        defined = {
            value.name for values in (module.functions, module.global_variables) for value in values
            if not value.is_declaration
        }  # fmt: skip
        return name, _NATIVE, (machine_code, bitcode, defined)

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        with _compiling.with_callers(int(kind == _AS_WRITTEN)):
            library = codegen.create_library(name)
        library.enable_object_caching()
        if kind == _AS_WRITTEN:
            library._final_module = llvm.parse_bitcode(data)
            library._finalize_final_module()
            return library
        machine_code, library._bitcode, defined = data  # the bitcode is for callers: most have none
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols |= defined
        return library


def _executable(context: Any, library: Any, fndesc: Any, env: Any) -> Any:
    """What Python calls to run a function; a key that nobody calls for one without machine code."""
    if library.is_inner:
        return object().__dir__
    found = _get_executable(context, library, fndesc, env)
    for variable in library._final_module.global_variables:
        used = environment.lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
        if used is not None:
            library.codegen.set_env(variable.name, used)
    return found


def _set_present(codegen: Any, name: str, env: Any) -> None:
    """Tell machine code what it needs of Python, where there is machine code."""
    if codegen._engine.get_global_value_address(name):
        _set_env(codegen, name, env)


class _Dispatcher(CPUDispatcher):
    """A compiled function, all its versions."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Called for a call in another function."""
        with _compiling.with_callers(_compiling.callers + 1):
            return super().get_call_template(args, kws)

    def add_overload(self, version: Any) -> None:
        """Called with a new version."""
        if version.library.is_inner:
            self.overloads[tuple(version.signature.args)] = version
        else:
            super().add_overload(version)

    def compile(self, signature: Any) -> Any:
        """Make sure that there is a version; what runs it."""
        with global_compiler_lock:  # two threads must not make machine code of the same version
            entry = super().compile(signature)
            if _compiling.callers:
                return entry
            version = next(v for v in self.overloads.values() if v.entry_point is entry)
            return self._native(signature, version) if version.library.is_inner else entry

    def _native(self, signature: Any, version: Any) -> Any:
        version.library.make_native()
        entry = _executable(version.target_context, version.library, version.fndesc, version.environment)
        version = version._replace(entry_point=entry)
        version.target_context.insert_user_function(entry, version.fndesc, [version.library])
        self.add_overload(version)
        self._cache.save_overload(signature, version)
        return entry


def install() -> None:
    """Compile this way from now on."""
    JITCPUCodegen._library_class = _Library
    JITCPUCodegen.set_env = _set_present
    cpu.CPUContext.get_executable = _executable
    dict.__setitem__(dispatcher_registry, target_registry["cpu"], _Dispatcher)  # it refuses a second entry
