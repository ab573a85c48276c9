"""A game decision by decision: what tests look at a state with, and change it by."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kernels import engine, policies, protocol
from kernels.notation import FACES
from simcli.config.scenario import Scenario
from simcli.play.simulate import Table

MAX_DECISIONS = 20_000
"""No round of any game has more."""


class Walk:
    """A table of a scenario, its stock always settled, to walk through one game or to lay a position on."""

    def __init__(self, chosen: Scenario, game: int = 0) -> None:
        self.table = Table(chosen)
        self.rules = self.table.rules
        self.work = self.table.work
        self.state = self.work.state
        self.state.eager = 1
        self.game = game

    def step(self, verb: int, number: int = 0) -> int:
        """One move of the engine; see its verbs."""
        work = self.work
        return engine.step(self.rules, work.policy, work.params, self.state, work.streams, work.actions, verb, number)

    def actions(self) -> list[int]:
        """Every legal action."""
        found: list[int] = []
        count = self.step(engine.COUNT)
        while len(found) < count:
            self.step(engine.COUNT, len(found))
            found += self.work.actions[: count - len(found)].tolist()
        return found

    def choice(self, policy: int = policies.EXPERT, seat: int | None = None) -> int:
        """What a player, by number, does on a seat; the one to act if none is given."""
        work = self.work
        seat = self.step(engine.TO_ACT) if seat is None else seat
        numbers = np.full_like(work.policy, policy)
        params = work.params[seat : seat + 1]
        return int(
            engine.step(self.rules, numbers, params, self.state, work.streams, work.actions, engine.CHOOSE, seat)
        )

    def count_cards(self) -> list[int]:
        """How often each face lies anywhere."""
        counts = np.zeros(FACES, np.int64)
        protocol.count_cards(self.rules, self.state, counts)
        return counts.tolist()

    def redeal(self, seat: int) -> None:
        """Deal what the seat cannot see anew."""
        protocol.hide(self.rules, self.state, seat)
        protocol.redeal_hidden(self.rules, self.state, self.work.streams, seat)

    def row(self) -> Any:
        """Score the ended round; its record."""
        self.step(engine.SCORE)
        row = engine.new_rows(self.table.kernel, 1)[0]
        protocol.record(self.rules, self.state, row)
        return row

    def deal(self, number: int = 1) -> None:
        """Deal a round of the game; the first one begins the match."""
        if number == 1:
            protocol.new_match(self.rules, self.state)
        self.state.round_no = number
        self.step(engine.START, self.game)
        self.step(engine.DEAL)

    def rounds(self, most: int = 3) -> Iterator[int]:
        """Deal and score the rounds of the game; the decisions are the caller's."""
        for number in range(1, most + 1):
            self.deal(number)
            yield number
            self.step(engine.SCORE)
            if protocol.match_over(self.rules, self.state):
                return

    def decisions(self) -> Iterator[int]:
        """The seats to act, one after the other, until the round is over."""
        for _ in range(MAX_DECISIONS):
            if self.step(engine.IS_OVER):
                return
            yield self.step(engine.TO_ACT)
        raise AssertionError("the round does not end")


def restore(state: Any, kept: Any) -> None:
    """Put a state back to a copy of it."""
    for field in kept.dtype.names:
        state[field] = kept[field]
