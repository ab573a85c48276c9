"""The tables of the fast slam functions: built once, saved beside the compiled code, read in milliseconds afterwards.

They answer for hands of at most 15 cards with at most two copies of a card. A *pattern* is a suit as a number of base
three, the ace lowest; a *class* is all patterns whose rows of runs are equal (3071 of them), the most common first.

Without a saved table and without compilation (NUMBA_DISABLE_JIT=1) they are empty, and every answer is worked out.
"""

import os
import tempfile
from contextlib import suppress
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from kernels.compiler import jit
from kernels.redox.slam import building
from kernels.redox.slam.ask import exact_address
from kernels.redox.slam.building import DECKS, DIGITS, LAST_SLOT, NO_CLASS, NO_COVERS, PATTERNS
from kernels.redox.slam.planes import RANKS, SUITS

COMMON = 2048
"""Pairs of the most common classes are tabled."""
PAIRS = COMMON * (COMMON + 1) // 2
KEYS = 1 << 17


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
    """Address of the function that answers what the tables do not; see `slams_ask`."""

    def __reduce__(self) -> tuple[Any, ...]:
        return tables, ()


_ARRAYS = SlamTables._fields[:-1]


@cache
def tables() -> SlamTables:
    """The tables, mapped from the cache folder, or built (some seconds) and saved there if that can be."""
    arrays = _load(jit.cache_folder)
    if arrays is None:
        if numba.config.DISABLE_JIT:
            arrays = _no_arrays()
        else:
            arrays = _build()
            _save(jit.cache_folder, arrays)
    return SlamTables(*(arrays[name] for name in _ARRAYS), exact=exact_address())


def _file(folder: Path, name: str) -> Path:
    return folder / f"slams_{name}.npy"


def _load(folder: Path | None) -> dict[str, NDArray[Any]] | None:
    """The saved tables, read as they are looked up in; None if one is missing or cut short."""
    if folder is None:
        return None
    try:
        return {name: np.asarray(np.load(_file(folder, name), mmap_mode="c")) for name in _ARRAYS}
    except (OSError, EOFError, ValueError):
        return None


def _save(folder: Path | None, arrays: dict[str, NDArray[Any]]) -> None:
    """Save if that can be."""
    with suppress(OSError):
        for name in _ARRAYS if folder is not None else ():
            _save_whole(_file(folder, name), arrays[name])  # type: ignore[arg-type]


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


def _no_arrays() -> dict[str, NDArray[Any]]:
    words = np.zeros((0, 4), dtype=np.int64)
    return {
        "patterns": np.zeros(0, dtype=np.int32),
        "classes": np.zeros(0, dtype=np.uint16),
        "class_words": words,
        "pair_words": words,
        "covers": np.zeros(0, dtype=np.uint8),
    }


def _build() -> dict[str, NDArray[Any]]:
    classes = np.full(PATTERNS, NO_CLASS, dtype=np.uint16)
    covers = np.full(PATTERNS, NO_COVERS, dtype=np.uint8)
    class_keys = _new_keys()
    count = building.fill_patterns(class_keys, classes, covers)
    order = _commonest_first(classes, count)
    renamed = np.zeros(NO_CLASS + 1, dtype=np.uint16)
    renamed[order] = np.arange(count)
    class_words = _words(class_keys, count)[order]
    pairs = np.zeros(PAIRS, dtype=np.uint16)
    pair_keys = _new_keys()
    pair_words = _words(pair_keys, building.fill_pairs(class_words, COMMON, pair_keys, pairs))
    return {
        "patterns": _patterns_of_bits(),
        "classes": np.concatenate([renamed[classes], pairs]),
        "class_words": class_words,
        "pair_words": pair_words,
        "covers": covers,
    }


def _new_keys() -> NDArray[np.int64]:
    return np.full((KEYS, 3), -1, dtype=np.int64)


def _words(keys: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The numbered pairs of words in order, and in reverse."""
    if count > NO_CLASS:
        raise OverflowError("more kinds of rows than numbers for them")
    words = np.zeros((count, 4), dtype=np.int64)
    used = keys[keys[:, 2] >= 0]
    words[used[:, 2], :2] = used[:, :2]
    building.add_reversed(words)
    return words


def _digits() -> NDArray[np.int8]:
    """Copies of every card in every pattern, [RANKS, PATTERNS]."""
    numbers = np.arange(PATTERNS)
    return np.stack([(numbers // DIGITS**rank % DIGITS).astype(np.int8) for rank in range(RANKS)])


def _commonest_first(classes: NDArray[np.uint16], count: int) -> NDArray[np.int64]:
    """Classes by their share of hands dealt from two packs."""
    digits = _digits()
    cards = DECKS * RANKS
    others = (SUITS - 1) * cards
    share = [comb(others, LAST_SLOT - n) if n <= LAST_SLOT else 0 for n in range(cards + 1)]
    weight = np.array(share, dtype=float)[digits.sum(axis=0)] * np.exp2((digits == 1).sum(axis=0))
    dealt = np.bincount(classes, weights=weight, minlength=NO_CLASS + 1)[:count]
    return np.argsort(-dealt, kind="stable")


def _patterns_of_bits() -> NDArray[np.int32]:
    bits = np.arange(1 << RANKS)
    return sum((bits >> rank & 1) * DIGITS**rank for rank in range(RANKS)).astype(np.int32)  # type: ignore[union-attr]
