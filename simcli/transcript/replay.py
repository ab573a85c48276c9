"""Transcripts read back: a file checked line by line."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from kernels.referee.lines import Event
from simcli.errors import printable

MAX_LINE = 1_000_000
"""Bytes of a line in a transcript that is to be checked."""
MAX_DIGITS = 15
_NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Whatever nonsense a line may make a referee stumble over."""
MAKES_NO_SENSE = "makes no sense"


class Finding(NamedTuple):
    """What is wrong with one line of a file."""

    line: int
    message: str


class Unjudged(Exception):
    """Nobody can check this game, with the reason."""


class Findings:
    """Checks a transcript, one line after the other, and counts what it holds."""

    def __init__(self, referees: Any, partial: bool) -> None:
        """referees: makes a referee for a game's name and `partial`. Raises Unjudged if there can be none."""
        self._new_referee = referees
        self._partial = partial
        self._referee: Any = None
        self._game = ""
        self._undealt = False
        """Whether lines without a deal came before."""
        self._unknown_fields: set[str] = set()
        self.rounds = 0
        self.events = 0
        self.violations = 0

    def check(self, file: BinaryIO) -> Iterator[Finding]:
        """Every finding of a file, in order."""
        number = 0
        for number, line in enumerate(_lines(file), 1):
            yield from self._count(number, self._line(line))
        yield from self._count(max(number, 1), self._finish())
        if not self.rounds and not self.violations:
            yield from self._count(1, ["no `deal` line, so nothing to check"])

    def _count(self, number: int, messages: list[str]) -> Iterator[Finding]:
        for message in messages:
            self.violations += 1
            yield Finding(number, printable(message))

    def _line(self, line: bytes | None) -> list[str]:
        if line is None:
            return [f"the line is longer than {MAX_LINE:_} bytes"]
        if not line.strip():
            return []
        self.events += 1
        try:
            event = parse_event(line)
        except ValueError as error:
            return [str(error)]
        if not isinstance(event.get("e"), str):
            return ["not an event: `e`, its kind, is missing or no text"]
        return self._event(event)

    def _event(self, event: Event) -> list[str]:
        problems = self._seat_referee(event) if event["e"] == "deal" else []
        if self._referee is None:
            return problems or self._name_lack_of_deal()
        try:
            return problems + list(self._referee.read(event))
        except _NONSENSE as error:
            # Whatever nonsense a line holds, it is wrong, and the rest of its round cannot be judged.
            given_up = self._referee.give_up()
            return [*problems, f"{MAKES_NO_SENSE} ({type(error).__name__}: {error}); {given_up}"]

    def _name_lack_of_deal(self) -> list[str]:
        """A line without a deal; only the first of a file is named."""
        if self.rounds or self._undealt:
            return []
        self._undealt = True
        return ["no `deal` before this line"]

    def _seat_referee(self, deal: Event) -> list[str]:
        """A referee for the match that this deal begins or continues; what the match before lacks, if it begins one."""
        self.rounds += 1
        name = deal.get("game")
        if self._referee is not None and deal.get("round") != 1 and name == self._game:
            return []
        problems = self._finish()
        unknown = self._undealt or (self._referee is None and self.rounds > 1)
        self._game = name if isinstance(name, str) else ""
        try:
            self._referee = self._new_referee(name, self._partial)
        except Unjudged as reason:
            self._referee = None
            return [*problems, str(reason)]
        self._referee.carried = not unknown
        self._referee.unknown_fields = self._unknown_fields
        return problems

    def _finish(self) -> list[str]:
        return list(self._referee.finish()) if self._referee is not None else []


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Lines of a file; None for one that is too long, without ever holding all of it."""
    while line := file.readline(MAX_LINE + 1):
        if len(line) <= MAX_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE + 1)
        yield None


def parse_event(line: bytes) -> Event:
    """One line as an event. Raises ValueError with the reason."""
    try:
        event = json.loads(
            line.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constant, parse_int=_integer
        )
    except UnicodeDecodeError:
        raise ValueError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg.lower()} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("not an event: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not an event: {str(error)[:100]}") from None
    if not isinstance(event, dict):
        raise ValueError("not an event: an object {...} is needed")
    return event


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the field {key[:40]!r} is there twice")
        found[key] = value
    return found


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} digits is too large")
    return int(text)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no value")
