"""Transcripts, the part that is the same for every game: games as events, and events checked move by move.

An event is one object of a JSON Lines transcript. A game's `transcript.py` holds

    KINDS                                    {event kind: {field: types it may have}}, `deal` included
    deal_event(rules, state)                 the `deal` line of a state just dealt, its whole stock settled
    events(rules, before, move, after)       the lines of one decision: what had to come before it, the decision itself,
                                             and all that follows up to the next decision
    end_events(rules, before, after)         the lines of a round's end, from the states before and after `score`
    describe(rules, before, event)           a line for people
    is_silent(event)                         optional: whether a line is a decision to do nothing that is written only
                                             with the numbers of legal actions
    class Referee(referee.Referee)           the checks below, filled in

`move` is a record with `seat`, `action` and `legal`; an event that carries the number of legal actions has it as
`legal`. Lines written without `--legal` lack that field, and so may lines to be checked.
"""

import copy
from collections import deque
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from kernels import engine, policies, rng
from kernels.registry import Game

Event = dict[str, Any]


class Illegal(ValueError):
    """A line that the rules do not allow, with the reason."""


class Late(str):
    """A fault that was found some lines after the one where it stands."""

    lines: int = 0


def late(text: str, lines: int) -> Late:
    """A fault that stands so many lines back."""
    fault = Late(text)
    fault.lines = lines
    return fault


class Referee:
    """Follows one transcript and says what is wrong with each line.

    It plays the same state as the simulator: each decision is looked up among the legal actions and applied, and the
    lines that the rules say must follow are compared with those that do.
    """

    UNORDERED: frozenset[str] = frozenset()
    """Fields whose lists may stand in any order."""
    PRELUDES: frozenset[str] = frozenset()
    """Kinds of events that are written before the decision that needed them (a stock made anew)."""
    DECISIONS: frozenset[str] = frozenset()
    """Kinds of events that are a player's decision."""

    def __init__(self, game: Game, rules: Any, partial: bool = False) -> None:
        """rules: as compiled code sees them; partial: the order of the stock is not known."""
        self.game = game
        self.rules = rules
        self.partial = partial
        kernel = game.kernel
        self._work = engine.new_workspace(kernel, *_random_seats(kernel), 0)
        self.state = self._work.state
        self.state.eager = 1
        self.dealt = False
        self.midway = False
        """Whether lines without a deal stood before the next one, so that a round may be missing."""
        self.rounds = 0
        self._expected: deque[Event] = deque()
        self._preludes: list[Event] = []
        self._doubted = False
        """Whether the last prelude was wrong, which has been said."""
        self._beyond = False

    # What a game fills in.

    def start(self, event: Event) -> list[str]:
        """Set the state up from a `deal` line and name what is wrong with it; Illegal if nothing can be set up."""
        raise NotImplementedError

    def action_of(self, event: Event) -> int:
        """The action that a decision line stands for. Raises Illegal with the reason if it can be none."""
        raise NotImplementedError

    def check_stock(self, event: Event) -> None:
        """Compare a legal decision with the order of the stock as it was told."""

    def prime(self, preludes: list[Event], event: Event) -> None:
        """Put what chance brought, as far as only the transcript knows it, where `apply` will find it."""

    def doubts(self, prelude: Event) -> list[str]:
        """What is wrong with a prelude, as far as that shows before the decision that needed it."""
        return []

    def force(self, event: Event) -> list[Event]:
        """Follow an illegal decision as told, as far as that makes sense; returns the lines then due."""
        return []

    def knows_choices(self) -> bool:
        """Whether the hand of the seat to act is known, after lines that broke the rules."""
        return True

    def fields(self, event: Event) -> Mapping[str, Any]:
        """The fields that a line must have, and their types."""
        return self.game.transcript.KINDS[event["e"]]  # type: ignore[no-any-return]

    # What is the same for all.

    def snapshot(self) -> Any:
        """Everything that reading a line may change."""
        fixed = ("game", "rules", "state", "_work")
        return copy.deepcopy(self.state), {
            name: copy.copy(value) for name, value in vars(self).items() if name not in fixed
        }

    def return_to(self, snapshot: Any) -> None:
        """Forget the lines read since a snapshot, which is of no use afterwards."""
        state, others = snapshot
        for field in state.dtype.names:
            self.state[field] = state[field]
        vars(self).update(others)

    def step(self, verb: int, number: int = 0) -> int:
        """One verb of the engine on the state."""
        work = self._work
        return int(
            engine.step(self.rules, work.policy, work.params, self.state, work.streams, work.actions, verb, number)
        )

    def legal_actions(self) -> list[int]:
        """The legal actions, no more than fit into one look."""
        count = self.step(engine.COUNT)
        return [int(action) for action in self._work.actions[: min(engine.ACTIONS, count)]]

    def is_legal(self, action: int) -> bool:
        """Whether the action is among the legal ones now."""
        count = self.step(engine.COUNT)
        for first in range(0, count, engine.ACTIONS):
            if first:
                self.step(engine.COUNT, first)
            if action in self._work.actions[: min(engine.ACTIONS, count - first)]:
                return True
        return False

    def read(self, event: Event) -> list[str]:
        """Check the next line; returns what is wrong with it, one text for each thing."""
        problems = self._check_shape(event)
        if problems:
            self._skip_garbled(event)
            return problems
        kind = event["e"]
        if kind == "deal":
            return self._read_deal(event)
        if not self.dealt:
            return []
        if self._is_beyond(kind):
            named, self._beyond = self._beyond, True
            self.midway = True
            if named:
                return []
        if self._expected and not self._goes_on(kind):
            return self._read_consequence(event)
        problems = self._missing()
        if kind in self.PRELUDES:
            if self._preludes:
                return [*problems, "one such line stands here already"]
            self._preludes.append(event)
            doubts = self.doubts(event)
            self._doubted = bool(doubts)
            return problems + doubts
        if kind in self.DECISIONS:
            return problems + self._read_decision(event)
        return problems + self._read_other(event)

    def _skip_garbled(self, event: Any) -> None:
        """Take a line that cannot be read for the one that is due if it is of that kind."""
        if self._expected and isinstance(event, dict) and event.get("e") == self._expected[0]["e"]:
            self._expected.popleft()

    def _is_beyond(self, kind: str) -> bool:
        """Whether a line stands after the end of its round; of all that do so only the first is named."""
        return kind not in [due["e"] for due in self._expected] and bool(self.step(engine.IS_OVER))

    def _goes_on(self, kind: str) -> bool:
        """Whether a line of this kind can only mean that the lines due are left out."""
        return (
            kind in self.DECISIONS | self.PRELUDES
            and kind not in [due["e"] for due in self._expected]
            and not self.step(engine.IS_OVER)
        )

    def _missing(self) -> list[str]:
        """Name the lines that are due, and expect them no longer."""
        problems = [f"missing before this line: {_brief(due)}" for due in self._expected]
        self._expected.clear()
        return problems

    def _read_other(self, event: Event) -> list[str]:
        """Judge a line that is neither a decision nor due."""
        return [f"{event['e']!r} may not stand here"]

    def finish(self) -> list[str]:
        """What is missing at the end of the transcript."""
        problems = [f"missing: {_brief(event)}" for event in self._expected]
        if self.dealt and not problems and not self.step(engine.IS_OVER):
            problems.append("the transcript stops before the round is over")
        return problems

    def _check_shape(self, event: Event) -> list[str]:
        kinds = self.game.transcript.KINDS
        if not isinstance(event, dict) or not isinstance(event.get("e"), str) or event["e"] not in kinds:
            return [f"unknown event {str(event)[:60]}"]
        fields = self.fields(event)
        problems = [f"field {name!r} is missing" for name in fields if name not in event]
        problems += [
            f"field {name!r} has the wrong type"
            for name, kind in fields.items()
            if name in event and (not isinstance(event[name], kind) or isinstance(event[name], bool) != (kind is bool))
        ]
        return problems + [f"unknown field {name!r}" for name in event if name not in {*fields, "e", "legal"}]

    def _read_deal(self, event: Event) -> list[str]:
        problems = self.finish() if self.dealt else []
        self._expected.clear()
        self._preludes.clear()
        self.rounds += 1
        self.dealt = self._beyond = False
        try:
            problems += self.start(event)
        except Illegal as reason:
            return [*problems, str(reason)]
        self.dealt = True
        self.midway = False
        self._close_if_over(self.state)
        return problems

    def _read_decision(self, event: Event) -> list[str]:
        problems = []
        if self.step(engine.IS_OVER):
            return ["the round is over"]
        count = self.step(engine.COUNT)
        preludes, self._preludes = self._preludes, []
        try:
            action = self.action_of(event)
            if not self.is_legal(action):
                raise Illegal(f"not a legal action: {_brief(event)}")
        except Illegal as reason:
            self._expected.extend(self.force(event))
            self._close_if_over(self.state)
            return [str(reason)]
        if event.get("legal", count) != count and self.knows_choices():
            problems.append(f"legal is {event['legal']}, the rules give {count}")
        self.check_stock(event)
        before = copy.deepcopy(self.state)
        seat = self.step(engine.TO_ACT)
        self.prime(preludes, event)
        self.step(engine.APPLY, action)
        move = SimpleNamespace(seat=seat, action=action, legal=count)
        self._expected.extend(self.game.transcript.events(self.rules, before, move, self.state))
        self._close_if_over(self.state)
        for prelude in preludes:
            found = self._read_consequence(prelude)
            problems += [] if self._doubted else found
        return problems + self._read_consequence({**event, "legal": count})

    def _close_if_over(self, state: Any) -> None:
        if self.step(engine.IS_OVER):
            before = copy.deepcopy(state)
            self.step(engine.SCORE)
            self._expected.extend(self.game.transcript.end_events(self.rules, before, self.state))

    def _read_consequence(self, event: Event) -> list[str]:
        """Compare a line with the one that is due; if a later one fits, the lines between are missing."""
        kinds = [due["e"] for due in self._expected]
        if event["e"] not in kinds:
            return [f"{_brief(event)} instead of {_brief(self._expected[0])}"]
        fits = [due["e"] == event["e"] and not self._unlike(due, event) for due in self._expected]
        place = fits.index(True) if True in fits else kinds.index(event["e"])
        problems = [f"missing before this line: {_brief(self._expected.popleft())}" for _ in range(place)]
        return problems + self._unlike(self._expected.popleft(), event)

    def _unlike(self, due: Event, event: Event) -> list[str]:
        """What is wrong with a line where this one is due."""
        problems = [
            f"{name} is {_short(event[name])}, the rules give {_short(due.get(name))}"
            for name in event
            if name != "legal" and (name not in due or not self._same(name, event[name], due[name]))
        ]
        if "legal" in due and event.get("legal", due["legal"]) != due["legal"]:
            problems.append(f"legal is {event['legal']}, the rules give {due['legal']}")
        return problems

    def _same(self, name: str, given: Any, due: Any) -> bool:
        if name in self.UNORDERED:
            return _unordered(given) == _unordered(due)
        return bool(given == due)


def _unordered(value: Any) -> Any:
    if isinstance(value, list):
        if any(isinstance(part, list) for part in value):
            return [_unordered(part) for part in value]
        return sorted(value, key=str)
    return value


def _short(value: Any) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _brief(event: Event) -> str:
    return " ".join([event["e"], *(f"{k}={_short(v)}" for k, v in event.items() if k not in ("e", "legal"))])[:160]


def _random_seats(kernel: Any) -> tuple[Any, Any]:
    import numpy as np

    return np.full(rng.MAX_SEATS, policies.RANDOM, np.int64), np.zeros(rng.MAX_SEATS, kernel.PARAMS)


def duplicates_in(cards: Iterable[int], copies: Mapping[int, int]) -> list[int]:
    """Cards that occur more often than the pack holds them."""
    seen: dict[int, int] = {}
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
    return [card for card, count in seen.items() if count > copies.get(card, 0)]
