"""The tables of the fast slam functions: built once, saved beside the compiled code, read in milliseconds afterwards.

They answer for hands of at most 15 cards with at most two copies of a card. A *pattern* is a suit as a number of base
three, the ace lowest; a *class* is all patterns whose rows of runs are equal (3071 of them), the most common first.

Without saved tables and without compilation (NUMBA_DISABLE_JIT=1) they are empty, and every answer is worked out.
"""

import os
import tempfile
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from kernels.compiler import jit
from kernels.redox.slam import building, general


class SlamTables(NamedTuple):
    """What the compiled slam functions look up; pickled as a call of `tables`, since `exact` is an address."""

    patterns: NDArray[np.int32]
    """[2**13] the pattern that has one copy of the cards given by bits; two planes are added."""
    classes: NDArray[np.uint16]
    """[PATTERNS + PAIRS] the class of a pattern, then the pair of two classes a >= b at a * (a + 1) / 2 + b."""
    class_words: NDArray[np.int64]
    """[classes, 4] rows as words: free, with a run of four, and both with the nibbles in reverse."""
    pair_words: NDArray[np.int64]
    """[pairs, 4] the same for two suits together."""
    covers: NDArray[np.uint8]
    """[PATTERNS] fewest blanks with which runs hold all of a pattern; in the high nibble, with a run of four."""
    exact: int
    """Address of the function that answers what the tables do not; see `general`."""

    def __reduce__(self) -> tuple[Any, ...]:
        return tables, ()


ARRAYS = SlamTables._fields[:-1]
_CHECKSUMS = "checksums"
"""One more array: the CRC-32 of each table; a table with a flipped bit would play other games."""


@cache
def tables() -> SlamTables:
    """The tables, mapped from the cache folder, or built (some seconds) and saved there if that can be."""
    arrays = load(jit.cache_folder)
    if arrays is None and numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        arrays = {name: np.zeros(0, dtype=np.int64) for name in ARRAYS}
    elif arrays is None:
        arrays = building.build()
        save(jit.cache_folder, arrays)
    return SlamTables(**arrays, exact=general.address())


def _file(folder: Path, name: str) -> Path:
    return folder / f"slam_{name}.npy"


def load(folder: Path | None) -> dict[str, NDArray[Any]] | None:
    """The saved tables, mapped; None if one is missing or damaged."""
    if folder is None:
        return None
    try:
        arrays = {name: np.asarray(np.load(_file(folder, name), mmap_mode="c")) for name in ARRAYS}
        return arrays if np.array_equal(np.load(_file(folder, _CHECKSUMS)), _checksums(arrays)) else None
    except (OSError, EOFError, ValueError):
        return None


def _checksums(arrays: dict[str, NDArray[Any]]) -> NDArray[np.uint32]:
    return np.array([zlib.crc32(arrays[name].data) for name in ARRAYS], np.uint32)


def save(folder: Path | None, arrays: dict[str, NDArray[Any]]) -> None:
    """Save if that can be."""
    if folder is None:
        return
    with suppress(OSError):
        for name, array in {**arrays, _CHECKSUMS: _checksums(arrays)}.items():
            _save_whole(_file(folder, name), array)


def _save_whole(file: Path, array: NDArray[Any]) -> None:
    """Save under another name first, so that no process reads half a file."""
    handle, part = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as writing:
            np.save(writing, array)
        os.replace(part, file)
    except OSError:
        os.unlink(part)
        raise
