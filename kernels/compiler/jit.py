"""The one decorator for compiled code, and the folder its cache lives in.

numba's own cache does not notice an edit in a function that is called from another file, so results would go
stale. The cache folder is therefore named by a hash of every kernel source, numba's version, Python's version and
the processor; it is set before anything is decorated. Folders that nobody used for 30 days are removed.
"""

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy

from kernels.compiler import cache, lean

_PLAIN = frozenset(
    ("transcript", "referee", "exact.py", "hand.py", "bench.py", "hypergeometric.py", "measure.py", "pictures.py",
     "protocol.py", "registry.py")
)  # fmt: skip
"""Folders and files of plain Python: nothing compiled calls what stands there, so a word changed there compiles no
game anew."""
_UNUSED_SECONDS = 30 * 24 * 3600
PLAIN_NUMBA = bool(os.environ.get("SIMCLI_PLAIN_NUMBA"))
"""Whether numba is left as it is: it then gives the same code in twice the time, and trusts every file of its cache."""


def _load_without_blas() -> None:
    """Load numba's array functions without scipy, where numba looks for linear algebra that no kernel uses: it would
    cost every start a tenth of a second."""
    if "scipy.linalg" in sys.modules or numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]


def source_hash() -> str:
    """Hash of all compiled sources and of what else decides the compiled code, as 16 hexadecimal digits."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if _PLAIN.isdisjoint(place.parts):
            digest.update(str(place).encode())
            digest.update(path.read_bytes())
    machine = (numba.__version__, PLAIN_NUMBA, sys.version, platform.machine(), llvm.get_host_cpu_name())
    digest.update(repr(machine).encode())
    digest.update(llvm.get_host_cpu_features().flatten().encode())
    return digest.hexdigest()[:16]


def _cache_home() -> Path:
    home = os.environ.get("SIMCLI_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return Path(home) / "simcli" if home else Path.home() / ".cache" / "simcli"


def _remove_unused(home: Path, keep: Path) -> None:
    limit = time.time() - _UNUSED_SECONDS
    for folder in home.iterdir():
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def prepare_cache_folder() -> Path | None:
    """The folder for what is compiled, made and tried out; None if none can be used."""
    try:
        home = _cache_home()
        folder = home / source_hash()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.stat().st_uid != os.getuid():
            return None
        os.utime(folder)
        tempfile.TemporaryFile(dir=folder).close()
        _remove_unused(home, folder)
    except (OSError, RuntimeError):  # RuntimeError: this user has no home
        return None
    return folder


if not PLAIN_NUMBA:
    lean.install()
    cache.install()
    _load_without_blas()
cache_folder: Path | None = prepare_cache_folder()
if cache_folder is not None:
    numba.config.CACHE_DIR = str(cache_folder)  # type: ignore[attr-defined]


OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
"""How kernels are compiled. Those that make no arrays do not count references to those they are given, which would
cost more than the rest of a short function; whoever calls a kernel must hold on to its arrays."""

ZERO = numpy.int64(0)
"""Zero as an argument: numba compiles a function a second time for an argument that is a literal."""


def _compile(function: Callable[..., Any], **extra: Any) -> Callable[..., Any]:
    compiled = numba.njit(cache=cache_folder is not None, **{**OPTIONS, **extra})
    return compiled(function)  # type: ignore[no-any-return]


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel: no Python objects, the GIL released, kept in the cache folder where there is one.

    Dividing by zero is not checked for in compiled code.
    """
    return _compile(function)


def jit_inline(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a small function that is to become part of its callers' machine code: a call costs more than it does."""
    return _compile(function, forceinline=True)


def jit_with_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that makes arrays or gets some from a kernel that it calls: references to them are counted."""
    return _compile(function, _nrt=True)
