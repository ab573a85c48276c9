"""The files of compiled functions. A damaged one, or a folder that cannot be written, costs time and nothing else.

numba writes each file under another name first, but a full disk or a machine that lost its power may still leave half
of one behind; numba would stop at it at every start.
"""

import fcntl
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from numba.core import caching


def _or_nothing(read: Callable[..., Any], *arguments: Any, nothing: Any) -> Any:
    """What is read; nothing if the file is damaged, about which unpickling may raise whatever there is."""
    try:
        return read(*arguments)
    except Exception:
        return nothing


class _Files(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The saved versions of one function: an index of them, and a file for each."""

    def load(self, key: Any) -> Any:
        """A version, or None."""
        return _or_nothing(super().load, key, nothing=None)

    def _load_index(self) -> Any:
        return _or_nothing(super()._load_index, nothing={})

    def save(self, key: Any, data: Any) -> None:
        """Save a version if that can be; no two processes at once, or one might give its code the other's name."""
        with suppress(OSError), open(Path(self._cache_path) / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            index = self._load_index()
            names = map(self._data_name, count(1))
            name = index.get(key) or next(name for name in names if name not in index.values())
            # The code first: an index must not name what is not there, or is another's.
            self._save_data(name, data)
            self._save_index({**index, key: name})


def install() -> None:
    """Keep compiled functions this way from now on."""
    caching.IndexDataCacheFile = _Files
