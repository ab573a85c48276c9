"""From a scenario to records: the bridge between configs and compiled code.

A `Table` holds one thread's buffers. Games are played in slices short enough for an interrupt to be answered at once;
the GIL is released inside a slice, and neither slices nor threads change a single record.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kernels import engine, policies, rng
from kernels.options import POLICIES, compile_rules
from kernels.registry import Game
from simcli.scenario import Scenario

_ROWS = 8192
_SLICE_GAMES = 512


def compiled_rules(scenario: Scenario) -> Any:
    """The scenario's rules as compiled code sees them."""
    game = Game(scenario.game)
    rules = compile_rules(
        game.options.Rules, game.options.OPTIONS, scenario.rules, scenario.shuffle.kind, scenario.shuffle.passes
    )
    prepare = getattr(game.kernel, "prepare", None)
    return prepare(rules) if prepare else rules


def seats(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """Policy numbers and parameter records, one a seat."""
    kernel = Game(scenario.game).kernel
    numbers = np.full(rng.MAX_SEATS, policies.RANDOM, np.int64)
    params = np.zeros(rng.MAX_SEATS, kernel.PARAMS)
    for seat, policy in enumerate(scenario.policies):
        numbers[seat] = POLICIES.index(policy.name)
        for name, value in policy.params.items():
            params[name][seat] = value
    return numbers, params


class Table:
    """One thread's place to play games of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.kernel = Game(scenario.game).kernel
        self.rules = compiled_rules(scenario)
        self._seats = seats(scenario)
        self._seed = scenario.seed
        self.work = engine.new_workspace(self.kernel, *self._seats, self._seed)
        self._rows = engine.new_rows(self.kernel, _ROWS)

    def play(self, first: int, count: int, stopped: Callable[[], bool] = lambda: False) -> np.ndarray:
        """Records of games first..first+count-1, in order; fewer, but whole games, once `stopped()` is true."""
        blocks = []
        game = first
        end = first + count
        while game < end and not stopped():
            done, filled = self._slice(game, min(_SLICE_GAMES, end - game))
            blocks.append(self._rows[:filled].copy())
            game += done
        return np.concatenate(blocks) if blocks else engine.new_rows(self.kernel, 0)

    def _slice(self, first: int, count: int) -> tuple[int, int]:
        work = self.work
        while True:
            done, filled, _ = engine.play(
                self.rules, work.policy, work.params, work.state, work.streams, work.actions,
                self._rows, work.trail, work.moves, first, count,
            )  # fmt: skip
            if done:
                return done, filled
            self._rows = engine.new_rows(self.kernel, 2 * len(self._rows))

    def trace(self, game: int) -> tuple[np.ndarray, np.ndarray]:
        """One game decision by decision: the states, and the moves that led to them (see `kernels.engine.play`)."""
        capacity = 1024
        while True:
            work = engine.new_workspace(self.kernel, *self._seats, self._seed, trail=capacity)
            work.state.eager = 1
            _, _, steps = engine.play(
                self.rules, work.policy, work.params, work.state, work.streams, work.actions,
                self._rows, work.trail, work.moves, game, 1,
            )  # fmt: skip
            if steps <= capacity:
                return work.trail[:steps], work.moves[:steps]
            capacity = steps
