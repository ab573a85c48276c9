"""What a user may run into, and the exit code of each: the one place where both are decided."""

import difflib
import os
import shlex
from collections.abc import Iterable

DONE = 0
INTERNAL = 1
USAGE = 2
BUDGET = 3
UNEXPECTED = 4
VIOLATION = 5
SIGNAL = 128
"""Exit codes; SIGNAL + its number when stopped by a signal."""

_MAX_LENGTH = 1000


class UserError(Exception):
    """Something the user can mend: where it is, and what is wrong there, in one line."""

    def __init__(self, place: str, message: str, code: int = USAGE) -> None:
        super().__init__(place, message)
        self.place = place
        self.message = message
        self.code = code

    def __str__(self) -> str:
        return printable(f"{self.place}: {self.message}")


class Stopped(BaseException):
    """The user or the system asked to stop. `go_on` is the command that goes on, where there is one.

    No Exception, like KeyboardInterrupt: it may arrive anywhere, and a library that tries things must not swallow it.
    """

    def __init__(self, signal: int, go_on: str = "") -> None:
        super().__init__(signal)
        self.signal = signal
        self.go_on = go_on

    @property
    def code(self) -> int:
        """Exit code: 130 interrupted, 143 terminated."""
        return exit_code(self.signal)


def exit_code(signal: int) -> int:
    """Exit code of a command that a signal has stopped, or that is done (0)."""
    return SIGNAL + signal if signal else DONE


def printable(text: str) -> str:
    """The text on one line: control characters and lone surrogates escaped, cut to a sensible length."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
    return line if len(line) <= _MAX_LENGTH else line[:_MAX_LENGTH] + " ..."


def command_line(words: Iterable[str]) -> str:
    """A command as a shell takes it, also where a word has characters that no terminal should get."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    plain = (c if c.isprintable() and c not in "\\'" else "".join(f"\\x{b:02x}" for b in os.fsencode(c)) for c in word)
    return f"$'{''.join(plain)}'"


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean X` for a misspelt word, or nothing."""
    close = difflib.get_close_matches(word[:80], list(known), n=1)
    return f"; did you mean {close[0]}" if close else ""


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """The message for a name that does not exist, with those that do."""
    names = list(known)
    return f"{kind} {shorten(word)} does not exist; there are {', '.join(names)}{suggestion(word, names)}"


def shorten(text: str, length: int = 60) -> str:
    """A value quoted in a message, cut if it is long."""
    return repr(cut(text, length))


def cut(text: str, length: int = 60) -> str:
    """The text, or its beginning and three dots if it is longer."""
    return text if len(text) <= length else text[: length - 3] + "..."
