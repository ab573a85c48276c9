"""Text that a user gives: a file, a pipe, or stdin. No more is read than makes sense."""

import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from simcli.errors import UserError, printable

MAX_CONFIG_BYTES = 200_000

_piped: dict[tuple[int, int] | None, bytes] = {}
"""What came through each pipe: a config is read more than once, a pipe only gives it once."""


def open_text(name: str) -> BinaryIO:
    """A file, a pipe or a terminal to read, or stdin for `-`. Raises UserError."""
    place = printable(name)
    try:
        file = _stdin() if name == "-" else Path(name).open("rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise UserError(place, (getattr(error, "strerror", None) or str(error)).lower()) from None
    if not _is_text(file.fileno()):
        file.close()
        raise UserError(place, "is a device; a file or a pipe is needed")
    return file


def _stdin() -> BinaryIO:
    if sys.stdin is None:
        raise ValueError("stdin is closed")
    return sys.stdin.buffer


def _is_text(number: int) -> bool:
    """Whether an open file may be text that ends: no folder, and no device but a terminal and the empty one."""
    status = os.fstat(number)
    kinds = stat.S_ISREG, stat.S_ISFIFO, stat.S_ISSOCK
    return any(kind(status.st_mode) for kind in kinds) or os.isatty(number) or _is_null(status)


def _is_null(status: os.stat_result) -> bool:
    return os.path.samestat(status, os.stat(os.devnull))


def read_config(path: Path, place: str) -> str:
    """The text of a config, UTF-8 and without control characters. Raises UserError at the place of what is wrong."""
    data = _read(path, place)
    if len(data) > MAX_CONFIG_BYTES:
        raise UserError(place, f"the file is too large; at most {MAX_CONFIG_BYTES:_} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(_place_of(place, data[: error.start].decode("utf-8")), "not UTF-8 text") from None
    for index, character in enumerate(text):
        if not character.isprintable() and character not in "\n\r\t\u3000\u00a0":
            raise UserError(_place_of(place, text[:index]), f"the character U+{ord(character):04X} is not allowed")
    return text


def _read(path: Path, place: str) -> bytes:
    try:
        status = path.stat()
    except OSError as error:
        raise UserError(place, (error.strerror or "cannot be read").lower()) from None
    pipe = (status.st_dev, status.st_ino) if stat.S_ISFIFO(status.st_mode) else None
    if pipe in _piped:
        return _piped[pipe]
    with open_text(str(path)) as file:
        data = file.read(MAX_CONFIG_BYTES + 1)
    if pipe is not None:
        _piped[pipe] = data
    return data


def _place_of(place: str, before: str) -> str:
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n")
    return f"{place}:{line}:{column}"
