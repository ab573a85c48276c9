"""The files of compiled functions. Each begins with a checksum, so that a damaged one is not run but made anew; and a
folder that cannot be written costs time and nothing else.

numba writes each file under another name first, but a full disk or a machine that lost its power may still leave half
of one behind, at which numba would stop at every start; and a flipped bit may be a program that plays other games.
"""

import fcntl
import hashlib
import pickle
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import numba
from numba.core import caching
from numba.core.serialize import dumps

_CHECKSUM = 16
"""Bytes of it."""


def _checksum(name: str, data: bytes) -> bytes:
    """Of a file's contents and its name, so that no file is taken for another."""
    digest = hashlib.blake2b(name.encode(), digest_size=_CHECKSUM)
    digest.update(data)
    return digest.digest()


class Files:
    """The saved versions of one function, as numba asks for them: an index by version, and a file for each."""

    def __init__(self, cache_path: str, filename_base: str, source_stamp: Any) -> None:
        """source_stamp: of the function's source; what was saved under another is as if it were not there."""
        self._folder = Path(cache_path)
        self._name = filename_base
        self._stamp = (numba.__version__, source_stamp)

    def load(self, key: Any) -> Any:
        """A version, or None."""
        name = self._index().get(key)
        return None if name is None else self._read(name)

    def save(self, key: Any, data: Any) -> None:
        """Save a version if that can be; no two processes at once, or one might give its code the other's name."""
        with suppress(OSError), open(self._folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            index = self._index()
            names = (f"{self._name}.{number}.nbc" for number in count(1))
            name = index.get(key) or next(name for name in names if name not in index.values())
            # The code first: an index must not name what is not there, or is another's.
            self._write(name, data)
            self._write_index({**index, key: name})

    def flush(self) -> None:
        """Forget all versions."""
        self._write_index({})

    def _index(self) -> dict[Any, str]:
        stamp, index = self._read(f"{self._name}.nbi") or (None, {})
        return index if stamp == self._stamp else {}

    def _write_index(self, index: dict[Any, str]) -> None:
        self._write(f"{self._name}.nbi", (self._stamp, index))

    def _read(self, name: str) -> Any:
        """What a file holds; None if there is none, or it is damaged."""
        try:
            data = (self._folder / name).read_bytes()
        except OSError:
            return None
        whole = data[:_CHECKSUM] == _checksum(name, data[_CHECKSUM:])
        return pickle.loads(data[_CHECKSUM:]) if whole else None

    def _write(self, name: str, value: Any) -> None:
        """Write a file beside the old one and put it in its place. The folder is locked by whoever calls."""
        data = dumps(value)
        beside = self._folder / f"{name}.new"
        try:
            beside.write_bytes(_checksum(name, data) + data)
            beside.replace(self._folder / name)
        except OSError:
            beside.unlink(missing_ok=True)
            raise


def install() -> None:
    """Keep compiled functions this way from now on."""
    caching.IndexDataCacheFile = Files  # type: ignore[assignment,misc]
