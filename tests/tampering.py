"""Good transcripts with one line tampered with, and the first line that this makes impossible.

That line is found without a referee: from the state in which the line tampered with was written, every legal action is
carried out and written down, as long as one of them gives the very lines that follow.
"""

import copy
import io
import json
import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from kernels import engine
from kernels.notation import parse_card
from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.play.simulate import Table, compiled_rules
from simcli.transcript.replay import Finding, Findings
from simcli.transcript.write import steps
from tests.transcripts import Lines
from tests.walk import Walk

SEATS = ("p", "leader", "first", "winner", "leads")
"""Fields that hold a seat."""
JUNK: tuple[Any, ...] = (None, True, -1, 10**14, 1.5, "?", [], [["?"]], [None], {})
NEW_STOCK = ("recycle", "remake")


class Case(NamedTuple):
    """A transcript with one line tampered with: what was done, the number of that line (from 0), the first impossible
    line if that is clear, and the lines."""

    what: str
    at: int
    impossible: int | None
    lines: Lines


def lines_and_states(game: Game, table: Table, number: int) -> tuple[Lines, list[Any]]:
    """One match as it is read from a file, numbers of legal actions included; and the state before each line."""
    written = list(steps(game, table, number))
    return [json.loads(json.dumps(step.event)) for step in written], [copy.deepcopy(step.before) for step in written]


def findings(chosen: Scenario, data: bytes, partial: bool = False) -> list[Finding]:
    """What a replay finds."""
    rules, game = compiled_rules(chosen), Game(chosen.game)
    judge = Findings(lambda name, partial: game.transcript.Referee(game, rules, partial), partial)
    return list(judge.check(io.BytesIO(data)))


def as_file(lines: Lines) -> bytes:
    """Lines as they are in a file."""
    return "\n".join(map(json.dumps, lines)).encode()


def first_named(chosen: Scenario, lines: Lines) -> int:
    """The first line that a replay names, counted from 0; more than there are if it names none."""
    return min((finding.line - 1 for finding in findings(chosen, as_file(lines))), default=len(lines) + 1)


# Tampering


def changed(line: dict[str, Any], deal: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The line with one value changed, in ways that no rules allow: another seat, number, word of yes or no."""
    for name, value in line.items():
        if isinstance(value, bool):
            yield line | {name: not value}
        elif name in SEATS and isinstance(value, int):
            yield line | {name: (value + 1) % len(deal["hands"])}
        elif name == "legal":
            yield line | {name: value + 1}
        elif name in ("n", "points", "totals", "place", "multiplier", "turns"):
            yield line | {name: [value[0] + 1, *value[1:]] if isinstance(value, list) else value + 1}


def tampered(lines: Lines) -> Iterator[Case]:
    """Every way to leave out, repeat or move a line, and some to change one."""
    deal = lines[0]
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        yield Case("duplicated", at + 1, at + 1, [*before, line, *lines[at:]])
        for other in changed(line, deal):
            begins = line["e"] == "deal" and line["round"] == 1
            yield Case("changed", at, at + begins, [*before, other, *after])
        for junk in JUNK:
            name = random.Random(at).choice(list(line))
            if repr(junk) != repr(line[name]):
                yield Case("of the wrong type", at, at, [*before, line | {name: junk}, *after])
        if after:
            yield Case("left out", at, None, before + after)
        if after and line != after[0]:
            yield Case("swapped", at, None, [*before, after[0], line, *after[1:]])
    yield from with_another_card(lines)


def with_another_card(lines: Lines) -> Iterator[Case]:
    """Lines in which a card is another of the pack, which may be as legal."""
    source = random.Random(len(lines))
    pack = sorted({card for hand in lines[0]["hands"] for card in hand})
    for at, line in enumerate(lines[1:], 1):
        for name in ("card", "cards", "got", "drew", "took", "as"):
            value, card = line.get(name), source.choice(pack)
            if isinstance(value, str) and value != card:
                yield Case("with another card", at, None, [*lines[:at], line | {name: card}, *lines[at + 1 :]])
            elif isinstance(value, list) and value and card not in value:
                other = line | {name: [card, *value[1:]]}
                yield Case("with another card", at, None, [*lines[:at], other, *lines[at + 1 :]])


# The first impossible line


class Oracle:
    """Follows lines by trying every legal action."""

    def __init__(self, chosen: Scenario) -> None:
        self.walk = Walk(chosen)
        self.table = self.walk.table
        self.game = Game(chosen.game)

    def first_impossible(self, state: Any, lines: Lines, at: int) -> int | None:
        """The first line from number `at` on that nothing legal leads to, from the state before it. None if a new stock
        comes first, whose order no action tells, or if the round goes on to its end."""
        reached = {at: state}
        best = at
        while reached:
            at = min(reached)
            state = reached.pop(at)
            for written, after in self._choices(state, lines[at : at + 1]):
                if any(line["e"] in NEW_STOCK for line in written):
                    return None
                same = _matching(written, lines[at:])
                best = max(best, at + same)
                if same == len(written):
                    reached[at + same] = after
            if best == len(lines) or lines[best]["e"] == "deal":
                return None
        return best

    def _step(self, state: Any, verb: int, number: int = 0) -> int:
        self.walk.state = state
        return int(self.walk.step(verb, number))

    def _choices(self, state: Any, line: Lines) -> Iterator[tuple[Lines, Any]]:
        """What may come next, as lines, and the state it leads to."""
        rules, room = self.table.rules, self.game.transcript
        if self._step(state, engine.IS_OVER):
            after = copy.deepcopy(state)
            self._step(after, engine.SCORE)
            yield room.end_events(rules, state, after), after
            return
        self.walk.state = state
        actions = self.walk.actions()
        for action in actions:
            for hint in hints(state, line[0] if line else {}):
                after = copy.deepcopy(state)
                for name, value in hint.items():
                    after[name] = value
                move = SimpleNamespace(seat=self._step(state, engine.TO_ACT), action=action, legal=len(actions))
                self._step(after, engine.APPLY, action)
                yield room.events(rules, state, move, after), after


def hints(state: Any, line: dict[str, Any]) -> Iterator[dict[str, int]]:
    """What chance and equal cards leave open, as fields of the state of a game that has them."""
    if "joker_next" in state.dtype.names:
        yield from ({"joker_next": joker} for joker in (0, 1))
    elif "chosen" in state.dtype.names and line.get("e") == "play" and "kind" in line:
        yield {"chosen": sum({1 << parse_card(text) for text in line["cards"]})}
    elif line.get("took"):
        yield {"recorded_took": parse_card(line["took"]) + 1}
    else:
        yield {}


def _matching(written: Lines, lines: Lines) -> int:
    """How many of the lines written are those that follow."""
    same = 0
    for one, other in zip(written, lines, strict=False):
        if _plain(one) != _plain(other):
            break
        same += 1
    return same


def _plain(line: dict[str, Any]) -> str:
    """A line without the order of its cards."""
    return repr(sorted((name, sorted(map(str, v)) if isinstance(v, list) else v) for name, v in line.items()))


def cases(chosen: Scenario, number: int, samples: int) -> Iterator[tuple[Case, int]]:
    """So many cases of each kind from a match, with the first line that each makes impossible."""
    oracle = Oracle(chosen)
    lines, states = lines_and_states(oracle.game, oracle.table, number)
    source = random.Random(number)
    found: dict[str, list[Case]] = {}
    for case in tampered(lines):
        found.setdefault(case.what, []).append(case)
    for case in (case for kind in found.values() for case in source.sample(kind, min(samples, len(kind)))):
        place = case.impossible
        if place is None:
            # What is no decision follows from one: any other line in its place is impossible.
            decides = "legal" in lines[case.at]
            place = oracle.first_impossible(states[case.at], case.lines, case.at) if decides else case.at
        if place is not None:
            yield case, place
