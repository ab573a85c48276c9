"""What is printed: nothing that a terminal would take for a command, and ASCII for what it cannot show."""

import codecs
import io
import re
from typing import TextIO

from kernels.notation import SUITS, SYMBOLS

HANDLER = "simcli"
"""Name of the error handler for characters that an encoding lacks."""

_CARD = re.compile(f"([{SYMBOLS}])(10|[A2-9JQK])?")
_ASCII = {"█": "#", "±": "+-", "≤": "<=", "≥": ">="}
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Control characters but for tab and line feed, and those that reorder or hide text."""


def escaped(text: str) -> str:
    """The text with each character that could command a terminal as JSON writes it, so that JSON stays the same."""
    return _COMMANDS.sub(lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    import json

    return json.dumps(character)[1:-1]


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """What to print for the first character that cannot be encoded, and where to go on: `As` for `♠A`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    if card := _CARD.match(error.object, error.start):
        return (card[2] or "").replace("10", "T") + SUITS[SYMBOLS.index(card[1])], card.end()
    character = error.object[error.start]
    return _ASCII.get(character) or _escape(character), error.start + 1


codecs.register_error(HANDLER, _in_ascii)


class Guarded(io.TextIOWrapper):
    """A stream for answers, in which nothing commands a terminal."""

    def write(self, text: str) -> int:
        return super().write(escaped(text))

    def command(self, code: str) -> None:
        """Send the terminal a code of the program's own."""
        super().write(code)


def guarded(stream: TextIO) -> TextIO:
    """Standard output, guarded; the stream given is used up."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    encoding, lines, direct = stream.encoding, stream.line_buffering, stream.write_through
    return Guarded(stream.detach(), encoding, HANDLER, line_buffering=lines, write_through=direct)
