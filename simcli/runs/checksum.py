"""A checksum that stands in the bytes it covers, its own digits taken as zeros: no other byte can change unnoticed."""

import hashlib

from simcli.errors import VIOLATION, UserError

BLANK = "0" * 64
"""What stands in the place of the digits while they are computed: SHA-256 has 64."""


class Damaged(UserError):
    """A file that is not as it was written: why, and what mends it."""

    def __init__(self, place: str, reason: str, remedy: str = "") -> None:
        super().__init__(place, f"{reason}; {remedy}" if remedy else reason, VIOLATION)
        self.reason = reason


def fill_in(blank: bytes, before: bytes) -> bytes:
    """The bytes with their checksum in the place of BLANK, which stands behind the last `before`."""
    start, end = _span(blank, before, "a new file")
    return blank[:start] + hashlib.sha256(blank).hexdigest().encode() + blank[end:]


def check(data: bytes, before: bytes, place: str) -> None:
    """Raise Damaged, calling the file `place`, unless the checksum behind the last `before` is that of the bytes."""
    start, end = _span(data, before, place)
    digest = hashlib.sha256(data[:start])
    digest.update(BLANK.encode())
    digest.update(memoryview(data)[end:])
    if digest.hexdigest().encode() != data[start:end]:
        raise Damaged(place, "damaged: its checksum does not fit its bytes")


def _span(data: bytes, before: bytes, place: str) -> tuple[int, int]:
    start = data.rfind(before) + len(before)
    end = start + len(BLANK)
    if start < len(before) or data[end : end + 1] != b'"':
        raise Damaged(place, "damaged, or not a file of this program: it has no checksum")
    return start, end
