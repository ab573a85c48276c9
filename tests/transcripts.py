"""Games as transcripts, and what a referee finds in them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.play.simulate import Table, compiled_rules
from simcli.transcript import write

Lines = list[dict[str, Any]]


def matches(chosen: Scenario, numbers: Iterable[int], legal: bool = True) -> Iterator[Lines]:
    """The lines of each of some matches, as they are read from a file."""
    table = Table(chosen)
    for number in numbers:
        yield [json.loads(write.json_line(event)) for event in write.events(Game(chosen.game), table, number, legal)]


def lines_of(chosen: Scenario, numbers: Iterable[int], legal: bool = True) -> Lines:
    """The lines of some matches, one match after the other."""
    return [line for lines in matches(chosen, numbers, legal) for line in lines]


def described(chosen: Scenario, numbers: Iterable[int]) -> list[str]:
    """The same for people."""
    game, table = Game(chosen.game), Table(chosen)
    steps = (step for number in numbers for step in write.steps(game, table, number))
    return [game.transcript.describe(table.rules, step.before, step.event) for step in steps]


def referee(chosen: Scenario, partial: bool = False) -> Any:
    """A referee under the rules of a scenario."""
    game = Game(chosen.game)
    return game.transcript.Referee(game, compiled_rules(chosen), partial)


def judged(judge: Any, lines: Lines) -> list[tuple[int, str]]:
    """What a referee finds, each with the number of the line, from 0; the number of lines for what is missing."""
    found = [(number, text) for number, line in enumerate(lines) for text in judge.read(line)]
    return found + [(len(lines), text) for text in judge.finish()]


def findings(chosen: Scenario, lines: Lines, partial: bool = False) -> list[tuple[int, str]]:
    """The same by a new referee."""
    return judged(referee(chosen, partial), lines)
