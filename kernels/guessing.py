"""A referee that goes on after a fault by keeping every reading of it that may be the right one.

Once a line is wrong, nobody knows what happened at the table: the line may be changed, too much, or the next after one
that is missing. So the referee plays on from each of these standings side by side, and keeps those that the lines to
come contradict least. What it reports is what the best of them finds.
"""

import copy
from collections import deque
from types import SimpleNamespace
from typing import Any, NamedTuple

from kernels import engine
from kernels.referee import Event, Referee

MOST = 100
"""Readings kept at a time."""
FEW = 3
"""Readings that are split further when a line contradicts all of them."""
PATIENCE = 8
"""Wrong lines after which a round is followed in one reading only: it was played by other rules."""


class Standing(NamedTuple):
    """Where a referee stands, and how many faults it has found since it began to guess."""

    faults: int
    state: Any
    expected: list[Event]
    fields: dict[str, Any]


class Guessing(Referee):
    """A referee with several readings; `judge` is what a line means to one of them."""

    KEPT: tuple[str, ...] = ("dealt", "rounds", "_beyond")
    """Attributes that are part of a standing, beside the state and the lines due."""

    def __init__(self, game: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(game, rules, partial)
        self._readings: list[Standing] = []
        self._guesses = 0

    def judge(self, event: Event) -> list[str]:
        """What is wrong with a line from where the referee stands."""
        return super().read(event)

    def repaired(self, event: Event) -> list[Event]:
        """What a wrong `deal` line may have been."""
        return []

    def read(self, event: Event) -> list[str]:
        """What is wrong with a line in the reading that fits best."""
        is_deal = isinstance(event, dict) and event.get("e") == "deal"
        if is_deal or not self.dealt:
            self._prefer(event)
            self._guesses = 0
            problems = self.judge(event)
            if problems and is_deal and self.dealt:
                self._guess_deal(event)
            return problems
        if self._readings:
            return self._read_all(event)
        before = self._stand(0)
        problems = self.judge(event)
        if problems:
            self._guesses += 1
            self._settle_on(self._rivals(before, event))
        return problems

    def finish(self) -> list[str]:
        """What is missing at the end, in the reading that fits best."""
        self._prefer(None)
        return super().finish()

    def _prefer(self, event: Event | None) -> None:
        """Stand at the one reading that ends best, or goes best with the next deal."""
        readings, self._readings = self._readings, []
        tried = []
        for standing in readings:
            self._go_to(standing)
            problems = super().finish() if event is None else self.judge(event)
            tried.append(len(problems))
        if readings:
            self._go_to(readings[tried.index(min(tried))])

    def _stand(self, faults: int) -> Standing:
        fields = {name: copy.copy(getattr(self, name)) for name in self.KEPT}
        return Standing(faults, copy.deepcopy(self.state), [dict(due) for due in self._expected], fields)

    def _go_to(self, standing: Standing) -> None:
        for name in standing.state.dtype.names:
            self.state[name] = standing.state[name]
        self._expected = deque(dict(due) for due in standing.expected)
        for name, value in standing.fields.items():
            setattr(self, name, copy.copy(value))

    def _settle_on(self, readings: list[Standing]) -> None:
        """Stand at the first of the readings, and keep the others if there are any."""
        self._readings = readings[:MOST] if len(readings) > 1 else []
        self._go_to(readings[0])

    def _read_all(self, event: Event) -> list[str]:
        tried = []
        for before in self._readings:
            self._go_to(before)
            problems = self.judge(event)
            tried.append((problems, before, self._stand(before.faults + len(problems))))
        least = min(after.faults for _, _, after in tried)
        best = [entry for entry in tried if entry[2].faults == least]
        readings = [after for _, _, after in best]
        if all(problems for problems, _, _ in best):
            self._guesses += 1
            readings = []
            for _, before, after in best[: FEW if self._guesses <= PATIENCE else 1]:
                self._go_to(after)
                readings += self._rivals(before, event)
        self._settle_on(readings)
        return best[0][0]

    def _rivals(self, before: Standing, event: Event) -> list[Standing]:
        """The line as it was judged; then what else may have happened, if a decision was due before it."""
        after = self._stand(before.faults + 1)
        if self._guesses > PATIENCE:
            return [after]
        self._go_to(before)
        if before.expected or not self.dealt or self.step(engine.IS_OVER):
            return [after]
        rivals = [after, before._replace(faults=after.faults)]
        garbled = bool(self._check_shape(event))
        count = self.step(engine.COUNT)
        for action in [int(action) for action in self._work.actions[: min(count, engine.ACTIONS)]]:
            self._go_to(before)
            kind = self._decide(action)
            if garbled or (kind == event["e"] and event.get("legal", count) == count):
                rivals.append(self._stand(after.faults))
            if not garbled and not self.judge(event):
                rivals.append(self._stand(after.faults))
        return rivals

    def _decide(self, action: int) -> str:
        """Make a decision that no line tells; returns the kind of line it would be."""
        made = copy.deepcopy(self.state)
        move = SimpleNamespace(seat=self.step(engine.TO_ACT), action=action, legal=self.step(engine.COUNT))
        self.step(engine.APPLY, action)
        lines = self.game.transcript.events(self.rules, made, move, self.state)
        self._expected.extend(lines[1:])
        self._close_if_over(self.state)
        return str(lines[0]["e"])

    def _guess_deal(self, event: Event) -> None:
        readings = []
        for deal in self.repaired(event):
            self.start(deal)
            readings.append(self._stand(0))
        if readings:
            self._settle_on(readings)
