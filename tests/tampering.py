"""Good transcripts with one line tampered with, and which lines a replay of them names."""

import io
import json
import random
from collections.abc import Iterator
from typing import Any

from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.play.simulate import Table, compiled_rules
from simcli.transcript.replay import Findings, events

Lines = list[dict[str, Any]]
SEATS = ("p", "leader", "first", "winner", "leads")
"""Fields that hold a seat."""


def lines_of(chosen: Scenario, number: int) -> Lines:
    """One match as it is read from a file, numbers of legal actions included."""
    return [json.loads(json.dumps(event)) for event in events(Game(chosen.game), Table(chosen), number, True)]


def named(chosen: Scenario, lines: Lines) -> list[int]:
    """The lines that a replay names, counted from 0, each once."""
    rules, game = compiled_rules(chosen), Game(chosen.game)
    judge = Findings(lambda name, partial: game.transcript.Referee(game, rules, partial), False)
    file = io.BytesIO("\n".join(map(json.dumps, lines)).encode())
    return sorted({finding.line - 1 for finding in judge.check(file)})


def changed(line: dict[str, Any], deal: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The line with one value changed, in ways that no rules allow: another seat, number, word of yes or no."""
    for name, value in line.items():
        if isinstance(value, bool):
            yield line | {name: not value}
        elif name in SEATS and isinstance(value, int):
            yield line | {name: (value + 1) % len(deal["hands"])}
        elif name == "legal":
            yield line | {name: value + 1}
        elif name in ("n", "points", "place", "multiplier", "turns"):
            yield line | {name: [value[0] + 1, *value[1:]] if isinstance(value, list) else value + 1}


def tampered(lines: Lines) -> Iterator[tuple[str, Lines, set[int]]]:
    """What was done to a transcript, the transcript, and the lines of which one is to be named."""
    deal = lines[0]
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        yield "doubled", [*before, line, line, *after], {at + 1}
        if not after:
            continue
        yield "left out", [*before, *after], {at}
        if line != after[0]:
            yield "swapped", [*before, after[0], line, *after[1:]], {at, at + 1}
        for other in changed(line, deal):
            yield "changed", [*before, other, *after], {at}


def campaign(chosen: Scenario, games: int, samples: int) -> dict[str, list[int]]:
    """For each way of tampering, how many were tried, how many named the line, how many that alone."""
    counts: dict[str, list[int]] = {}
    for number in range(games):
        cases = list(tampered(lines_of(chosen, number)))
        for what, lines, where in random.Random(number).sample(cases, min(samples, len(cases))):
            found = named(chosen, lines)
            tally = counts.setdefault(what, [0, 0, 0])
            tally[0] += 1
            tally[1] += bool(where & set(found))
            tally[2] += bool(found) and set(found) <= where
    return counts
