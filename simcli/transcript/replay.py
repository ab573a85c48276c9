"""Games to transcripts and back: JSON Lines for programs, text for people, and the check of a file line by line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kernels.engine import DEALT, SCORED
from kernels.referee.base import Event, Late
from kernels.registry import Game
from simcli.errors import UserError, printable
from simcli.play.simulate import Table

LONGEST_LINE = 1_000_000
"""Bytes of a line in a transcript that is to be checked."""
MOST_DIGITS = 15
_NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Whatever nonsense a line may make a referee stumble over."""
CANNOT_FOLLOW = "cannot be followed"


# Games to events


class Step(NamedTuple):
    """An event with the state before it (for a deal, the state dealt)."""

    event: Event
    before: Any


def steps(game: Game, table: Table, number: int) -> Iterator[Step]:
    """All events of one game, `legal` included."""
    room = game.transcript
    states, moves = table.trace(number)
    for index, move in enumerate(moves):
        if move.action == DEALT:
            yield Step(room.deal_event(table.rules, states[index]), states[index])
            continue
        before, after = states[index - 1], states[index]
        if move.action == SCORED:
            made = room.end_events(table.rules, before, after)
        else:
            made = room.events(table.rules, before, move, after)
        for event in made:
            yield Step(event, before)


def events(game: Game, table: Table, number: int, legal: bool) -> Iterator[Event]:
    """The lines of one game's transcript; numbers of legal actions, and decisions to do nothing, only if `legal`."""
    for step in steps(game, table, number):
        if legal:
            yield step.event
        elif not game.transcript.is_silent(step.event):
            yield {key: value for key, value in step.event.items() if key != "legal"}


def json_line(event: Event) -> str:
    """An event as a line, without blanks, cards and names as they are."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


# Files to findings


class Finding(NamedTuple):
    """What is wrong with one line of a file."""

    line: int
    message: str


class Unjudged(Exception):
    """Nobody can check this game, with the reason."""


class Findings:
    """Checks a transcript, one line after the other, and counts what it holds."""

    def __init__(self, referees: Any, partial: bool) -> None:
        self._new_referee = referees
        self._partial = partial
        self._referee: Any = None
        self._game = ""
        self._undealt = False
        self._suspect: tuple[Any, Event] | None = None
        self._swapped = False
        """Whether the last line and the one before it are right in the other order."""
        self.rounds = 0
        self.events = 0
        self.violations = 0

    def check(self, file: BinaryIO) -> Iterator[Finding]:
        """Every finding of a file, in order."""
        number = 0
        held: list[Finding] = []
        for number, line in enumerate(_lines(file), 1):
            found = [self._finding(number, message) for message in self._line(line)]
            if self._swapped and held:
                held = [held[0]._replace(line=number - 1, message="belongs after the next line")]
            self._swapped = False
            yield from self._count(held)
            held = found
        yield from self._count(held)
        if not self.rounds and not self.violations:
            yield from self._count([Finding(1, "no `deal` line, so nothing to check")])
        yield from self._count([self._finding(max(number, 1), message) for message in self._finish()])

    def _count(self, findings: list[Finding]) -> list[Finding]:
        self.violations += len(findings)
        return findings

    def _finding(self, number: int, message: str) -> Finding:
        return Finding(number - (message.lines if isinstance(message, Late) else 0), printable(message))

    def _line(self, line: bytes | None) -> list[str]:
        if line is None:
            return [f"the line is longer than {LONGEST_LINE:_} bytes"]
        if not line.strip():
            return []
        self.events += 1
        try:
            event = parse_event(line)
        except ValueError as error:
            return [str(error)]
        return self._event(event)

    def _event(self, event: Event) -> list[str]:
        problems: list[str] = []
        if not isinstance(event.get("e"), str):
            return ["not an event: `e`, its kind, is missing or no text"]
        if event["e"] == "deal":
            self.rounds += 1
            try:
                problems = self._seat_referee(event)
            except Unjudged as reason:
                self._referee = None
                return [str(reason)]
        if self._referee is None:
            self._suspect = None, event
            return self._name_lack_of_deal()
        try:
            return problems + self._judge(event)
        except _NONSENSE as error:
            # Whatever nonsense a line holds, it is wrong, and the rest of its round cannot be judged.
            self._referee = None
            return [*problems, f"{CANNOT_FOLLOW} ({type(error).__name__}: {error})"]

    def _judge(self, event: Event) -> list[str]:
        """What is wrong with a line. Two lines of which each is right where the other stands are taken as swapped."""
        referee, suspect = self._referee, self._suspect
        self._suspect = None
        before = referee.snapshot()
        if suspect is not None and event["e"] != "deal":
            place, line = suspect
            referee.return_to(place)
            if _is_clean(referee, event, line):
                self._swapped = True
                return []
            referee.return_to(before)
            before = referee.snapshot()
        problems = list(referee.read(event))
        if event["e"] == "deal":
            if not problems and suspect is not None:
                self._read_early(suspect[1])
            return problems
        if problems:
            self._suspect = before, event
        return problems

    def _read_early(self, line: Event) -> None:
        """After a deal, read the line before it, if it belongs here."""
        before = self._referee.snapshot()
        self._swapped = _is_clean(self._referee, line)
        if not self._swapped:
            self._referee.return_to(before)

    def _name_lack_of_deal(self) -> list[str]:
        """A line without a deal; only the first of a file is named."""
        if self.rounds or self._undealt:
            return []
        self._undealt = True
        return ["no `deal` before this line"]

    def _seat_referee(self, deal: Event) -> list[str]:
        """A referee for the match that this deal begins or continues; what the match before lacks, if it begins one."""
        name = deal.get("game")
        starts = deal.get("round") == 1 or self._referee is None or name != self._game
        if not starts:
            return []
        problems = self._finish()
        unknown = self._undealt or (self._referee is None and self.rounds > 1)
        self._game = name if isinstance(name, str) else ""
        self._referee = self._new_referee(name, self._partial)
        self._referee.midway = unknown
        return problems

    def _finish(self) -> list[str]:
        return list(self._referee.finish()) if self._referee is not None else []


def _is_clean(referee: Any, *events: Event) -> bool:
    """Whether these lines are right in this order."""
    try:
        return not any(referee.read(event) for event in events)
    except _NONSENSE:
        return False


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Lines of a file; None for one that is too long, without ever holding all of it."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE + 1)
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
            raise ValueError(f"the field {key!r} stands twice")
        found[key] = value
    return found


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits is too large")
    return int(text)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no value")


def open_for_reading(name: str) -> BinaryIO:
    """A file to read, or stdin for `-`. Raises UserError."""
    if name == "-":
        import sys

        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UserError(printable(name), reason) from None
