"""Files that are there whole or not at all, whoever else writes, and whenever the machine stops.

A file is written under a temporary name beside its place, synced, and then linked or renamed into place; the folder is
synced last. A temporary file is locked for as long as its writer lives, so what a dead writer left can be told apart
and removed. Readers never follow symbolic links.
"""

import contextlib
import errno
import fcntl
import os
import secrets
import socket
import stat
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EBADF}
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_LINK, _FOLDER, _OTHER = "is a symbolic link", "is a folder", "is not a plain file"
_NOT_PLAIN = {errno.ELOOP: _LINK, errno.EISDIR: _FOLDER, errno.ENXIO: _OTHER}
_TEMPORARY = ".tmp"
_ABANDONED_SECONDS = 24 * 3600
"""Age at which another machine's temporary file is taken to be abandoned; its locks may not reach us."""
LARGEST = 2**30
"""Bytes of the largest file that is read."""


class NotPlain(OSError):
    """Where a file should be there is none that can be read to its end: a folder, a device, a pipe, a link, a giant."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(errno.EINVAL, what, str(path))


def read(path: Path, limit: int = LARGEST) -> bytes:
    """All bytes of a plain file, of which there are no more than `limit`. Raises OSError, NotPlain among them."""
    descriptor = _open_plain(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        size = os.fstat(descriptor).st_size
        if size > limit:
            raise NotPlain(path, f"has {size} bytes, more than any file of a run")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(size + 1)
    finally:
        os.close(descriptor)


def _open_plain(path: Path, flags: int) -> int:
    """A descriptor of a plain file. Pipes do not make it wait, and links are not followed. Raises OSError."""
    try:
        descriptor = os.open(path, flags | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        if error.errno in _NOT_PLAIN:
            raise NotPlain(path, _NOT_PLAIN[error.errno]) from error
        raise
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotPlain(path, _FOLDER if stat.S_ISDIR(mode) else _OTHER)
    return descriptor


def create(path: Path, data: bytes) -> bool:
    """Write a file that must not be there yet; False, and nothing is touched, if it is."""
    return not os.path.lexists(path) and _publish(path, data, _link)


def replace(path: Path, data: bytes) -> None:
    """Write a file in the place of whatever is there; a folder is moved aside."""
    _publish(path, data, _rename)


def remove(path: Path) -> None:
    """Remove a file, whatever kind it is of; a folder is moved aside."""
    try:
        os.unlink(path)
    except IsADirectoryError:
        _move_aside(path)
    sync_folder(path.parent)


def append_line(path: Path, line: str) -> None:
    """Add one line in a single write."""
    descriptor = _open_plain(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK)
    try:
        _write_all(descriptor, line.encode() + b"\n")
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        os.close(descriptor)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, and sync the one above each new one."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for folder in missing:
        sync_folder(folder.parent)


def sync_folder(path: Path) -> None:
    """Make sure that the names in a folder survive a crash."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other writers out of a folder; where the file system has no locks, nothing does."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _lock(descriptor, wait=True)
        yield
    finally:
        os.close(descriptor)


def sweep(folder: Path) -> int:
    """Remove what dead writers left in a folder; returns how many files that were."""
    return sum(_remove_if_dead(path) for path in sorted(folder.glob(f".*{_TEMPORARY}")))


def _publish(path: Path, data: bytes, place: Callable[[Path, Path], bool]) -> bool:
    """Write a temporary file and put it in its place. Raises OSError that names the place."""
    try:
        return _written(path, data, place)
    except OSError as error:
        error.filename = str(path)
        raise


def _written(path: Path, data: bytes, place: Callable[[Path, Path], bool]) -> bool:
    while True:
        descriptor, temporary = open_temporary(path)
        try:
            _write_all(descriptor, data)
            os.fsync(descriptor)
            placed = place(temporary, path)
            sync_folder(path.parent)
            return placed
        except FileNotFoundError:
            # Another machine, whose locks do not reach ours, took the temporary file for abandoned. Once more.
            if not path.parent.is_dir():
                raise
        finally:
            _discard(temporary, descriptor)


def _discard(temporary: Path, descriptor: int) -> None:
    try:
        os.unlink(temporary)
    except OSError:
        pass  # renamed, swept, or for the next sweep
    finally:
        os.close(descriptor)


def open_temporary(path: Path) -> tuple[int, Path]:
    """A new locked file beside `path`. It may be swept before the lock holds: then there is another."""
    while True:
        temporary = path.parent / f".{path.name}.{host()}.{secrets.token_hex(8)}{_TEMPORARY}"
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        if _is_ours(descriptor):
            return descriptor, temporary
        _discard(temporary, descriptor)


def _is_ours(descriptor: int) -> bool:
    """Lock a new file; False if it was swept before the lock held."""
    try:
        _lock(descriptor, wait=True)
        return os.fstat(descriptor).st_nlink > 0
    except BaseException:
        os.close(descriptor)
        raise


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _link(temporary: Path, path: Path) -> bool:
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return not os.path.lexists(path) and _rename(temporary, path)
    return True


def _rename(temporary: Path, path: Path) -> bool:
    try:
        os.rename(temporary, path)
    except IsADirectoryError:
        _move_aside(path)
        os.rename(temporary, path)
    return True


def _move_aside(folder: Path) -> None:
    os.rename(folder, folder.parent / f"{folder.name}.{secrets.token_hex(4)}.aside")


def _remove_if_dead(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        elsewhere = f".{host()}." not in path.name
        if elsewhere and time.time() - os.fstat(descriptor).st_mtime < _ABANDONED_SECONDS:
            return False
        if not _lock(descriptor, wait=False):
            return False
        os.unlink(path)
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _lock(descriptor: int, wait: bool) -> bool:
    """Take the lock; False if another holds it, or if there are no locks here."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if isinstance(error, BlockingIOError) or error.errno in _NO_LOCKS:
            return False
        raise
    return True


def host() -> str:
    return f"{zlib.crc32(socket.gethostname().encode()):08x}"
