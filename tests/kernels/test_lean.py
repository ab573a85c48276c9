"""Functions that others call have no machine code until Python calls them, in this process or a later one.

Here they are called by eight threads at once, whichever comes first.
"""

import os
import subprocess
import sys

import pytest

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
