"""Games as transcripts: text for people, JSON Lines for programs."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from kernels.engine import DEALT, SCORED
from kernels.referee.lines import Event
from kernels.registry import Game
from simcli.config import predeal
from simcli.play.simulate import Table


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


def json_lines(game: Game, table: Table, number: int, legal: bool = False) -> Iterator[str]:
    """One game for programs, a line an event."""
    return (json_line(event) for event in events(game, table, number, legal))


def text_lines(game: Game, table: Table, number: int, legal: bool = False) -> Iterator[str]:
    """One game for people: who plays, and then what happens."""
    scenario = table.scenario
    players = ", ".join(f"{seat} {policy}" for seat, policy in enumerate(scenario.policies))
    yield f"{scenario.game}, game {number} of seed {scenario.seed}; players {players}"
    if scenario.predeal:
        yield f"predealt: {predeal.for_people(scenario)}"
    for step in steps(game, table, number):
        line = game.transcript.describe(table.rules, step.before, step.event)
        if line:
            yield f"{line}  ({step.event['legal']} actions)" if legal and "legal" in step.event else line
