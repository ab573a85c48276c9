"""Functions that others call have no machine code until Python calls them, in this process or a later one.

Here they are called by eight threads at once, whichever comes first.
"""

import ast
import hashlib
import inspect
import os
import subprocess
import sys

import pytest
from numba.core import caching, codegen, cpu, dispatcher, registry

MODULE = """
from kernels.compiler.jit import jit

@jit
def low(x):
    return x * x + 1

@jit
def inner(x):
    return low(x) + low(x + 1)

@jit
def outer(x):
    return inner(x) + low(2 * x)
"""

SCRIPT = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import functions
sys.setswitchinterval(1e-6)
for name in sys.argv[1:]:
    together = Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        print(*set(pool.map(lambda x: (together.wait(), getattr(functions, name)(x))[1], [3] * 8)))
print(*(int(version.library.is_inner) for f in (functions.low, functions.inner, functions.outer)
        for version in f.overloads.values()))
"""

LOW, INNER, OUTER = "10", "27", "64"


KNOWN = {
    (caching, "Cache"): "5dca0703",
    (caching, "IndexDataCacheFile"): "4391a067",
    (codegen, "CPUCodeLibrary"): "f26816e9",
    (codegen, "JITCodeLibrary"): "0df9019d",
    (codegen, "JITCPUCodegen"): "8984321d",
    (cpu, "CPUContext"): "1f9d85ad",
    (dispatcher, "Dispatcher"): "19bab412",
    (registry, "CPUDispatcher"): "7b349cf8",
}
"""Classes of numba that `lean` and `cache` replace parts of or rely on, with a hash of their source."""


@pytest.mark.parametrize(("module", "name"), KNOWN, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_replaced_in_numba_is_as_it_was(module, name):
    """If this fails: read what has changed, see whether `lean` and `cache` still fit, and renew the hash."""
    tree = ast.parse(inspect.getsource(module))
    (node,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    assert hashlib.sha256(ast.dump(node).encode()).hexdigest()[:8] == KNOWN[module, name]


@pytest.fixture
def call(tmp_path):
    """Call functions of a module in a new process that shares the cache with those before."""
    (tmp_path / "functions.py").write_text(MODULE)

    def run(*names):
        environment = {**os.environ, "SIMCLI_CACHE": str(tmp_path), "PYTHONPATH": f"{os.getcwd()}:{tmp_path}"}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT, *names], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def test_only_what_python_calls_has_machine_code(call):
    assert call("outer") == [OUTER, "1 1 0"]


def test_an_inner_function_gets_machine_code_when_python_calls_it(call):
    assert call("outer", "inner", "low", "outer") == [OUTER, INNER, LOW, OUTER, "0 0 0"]


def test_a_later_process_finds_what_the_cache_has(call):
    assert call("outer") == [OUTER, "1 1 0"]
    assert call("inner") == [INNER, "0"]
    assert call("inner", "low") == [INNER, LOW, "0 0"]
    assert call("low", "inner", "outer") == [LOW, INNER, OUTER, "0 0 0"]


def test_scipy_is_not_loaded_with_the_kernels_but_can_be_later():
    script = "import kernels.engine, sys; assert 'scipy.linalg' not in sys.modules; import scipy.linalg"
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)
