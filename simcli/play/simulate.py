"""From a scenario to records: the bridge between configs and compiled code.

A `Table` holds one thread's buffers. Games are played in slices short enough for an interrupt to be answered at once;
the GIL is released inside a slice, and neither slices nor threads change a single record.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kernels import engine, policies, predeal, rng
from kernels.compiler import jit
from kernels.options import PLAIN_POLICIES, POLICIES, SEARCH, compile_rules, parameters_of
from kernels.registry import Game
from kernels.search import Searcher, new_searcher
from simcli.config.scenario import Scenario

_ROWS = 8192
_FIRST_SLICE = 64
_SLICE_SECONDS = 0.05
"""Games played between two looks at whether to stop: few at first, then what takes about this long."""


def compiled_rules(scenario: Scenario) -> Any:
    """The scenario's rules as compiled code sees them."""
    game = Game(scenario.game)
    rules = compile_rules(
        game.options.Rules, game.options.OPTIONS, scenario.rules, scenario.shuffle.kind, scenario.shuffle.passes
    )
    return game.kernel.prepare(rules)


def plain_params(game: Game) -> np.ndarray:
    """The parameters of all plain players at their defaults, as parameter records, one a seat."""
    params = np.zeros(rng.MAX_SEATS, game.kernel.PARAMS)
    for policy in PLAIN_POLICIES:
        for parameter in parameters_of(game.options.PARAMETERS, policy):
            params[parameter.name] = parameter.default
    return params


def seats(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """Policy numbers and parameter records, one a seat."""
    numbers = np.full(rng.MAX_SEATS, policies.RANDOM, np.int64)
    params = plain_params(Game(scenario.game))
    for seat, policy in enumerate(scenario.policies):
        numbers[seat] = POLICIES.index(policy.name)
        for name, value in policy.params.items():
            params[name][seat] = value
    return numbers, params


def never() -> bool:
    """A `stopped` that lets play go on."""
    return False


def ignore(games: int) -> None:
    """A `played` that does nothing."""


class Table:
    """One thread's place to play games of one scenario. `rules`: those of `compiled_rules`, where there already."""

    def __init__(self, scenario: Scenario, rules: Any = None) -> None:
        self.scenario = scenario
        self.kernel = Game(scenario.game).kernel
        self.rules = compiled_rules(scenario) if rules is None else rules
        self._seats = seats(scenario)
        self.work = self._workspace()
        self._rows = engine.new_rows(self.kernel, _ROWS)
        self._slice_games = _FIRST_SLICE if self.work.searcher is None else 1

    def _workspace(self, trace: int = 0) -> engine.Workspace:
        scenario = self.scenario
        searcher, position = self._searcher(), self._position()
        work = engine.new_workspace(self.kernel, *self._seats, scenario.seed, trace, searcher, position)
        deal = Game(scenario.game).options.deal(scenario.rules) if scenario.predeal else None
        if deal is not None:
            predeal.lay_aside(work.streams, deal, scenario.predeal)
        return work

    def _searcher(self) -> Searcher | None:
        if policies.SEARCH not in self._seats[0]:
            return None
        return new_searcher(self.kernel, plain_params(Game(self.scenario.game)))

    def _position(self) -> engine.Position | None:
        given = self.scenario.position
        if given is None:
            return None
        states = np.zeros(2, self.kernel.STATE).view(np.recarray)
        states[engine.BEGINNING] = np.frombuffer(given.state, self.kernel.STATE)[0]
        return engine.Position(states, given.seat)

    def play(
        self,
        first: int,
        count: int,
        stopped: Callable[[], bool] = never,
        played: Callable[[int], None] = ignore,
    ) -> np.ndarray:
        """Records of games first..first+count-1, in order; fewer, but whole games, once `stopped()` is true.

        `played` is called with the number of games of each slice.
        """
        blocks = []
        game = first
        end = first + count
        while game < end and not stopped():
            start = time.perf_counter()
            done, filled = self._slice(game, min(self._slice_games, end - game))
            blocks.append(self._rows[:filled].copy())
            game += done
            played(done)
            self._adapt(done, time.perf_counter() - start)
        return np.concatenate(blocks) if blocks else engine.new_rows(self.kernel, 0)

    def _adapt(self, done: int, seconds: float) -> None:
        wanted = done * _SLICE_SECONDS / max(seconds, 1e-6)
        self._slice_games = max(1, min(int(wanted), 2 * self._slice_games))

    def _slice(self, first: int, count: int) -> tuple[int, int]:
        work = self.work
        while True:
            done, filled, _ = engine.play(
                self.rules, work.policy, work.params, work.state, work.streams, work.actions,
                self._rows, work.trace, work.moves, first, count, work.searcher, work.position,
            )  # fmt: skip
            if done:
                return done, filled
            self._rows = engine.new_rows(self.kernel, 2 * len(self._rows))

    def trace(self, game: int) -> tuple[np.ndarray, np.ndarray]:
        """One game decision by decision: the states, and the moves that led to them (see `kernels.engine.play`)."""
        capacity = 1024
        while True:
            work = self._workspace(trace=capacity)
            work.state.eager = 1
            _, _, steps = engine.play(
                self.rules, work.policy, work.params, work.state, work.streams, work.actions,
                self._rows, work.trace, work.moves, game, 1, work.searcher, work.position,
            )  # fmt: skip
            if steps <= capacity:
                return work.trace[:steps], work.moves[:steps]
            capacity = steps


# Warming up


def _warm_mark(scenario: Scenario) -> Path | None:
    """The file that says so; a table where a seat searches, or games begin from a position, has kernels of its own."""
    searches = any(policy.name == SEARCH for policy in scenario.policies)
    name = scenario.game + ".search" * searches + ".position" * (scenario.position is not None)
    return jit.cache_folder / f"{name}.warm" if jit.cache_folder else None


def is_warm(scenario: Scenario) -> bool:
    """Whether the scenario's kernels have been compiled for this machine and wait in the cache."""
    mark = _warm_mark(scenario)
    return mark is not None and mark.exists()


def warm(table: Table, scenario: Scenario) -> None:
    """Load the scenario's compiled kernels, or compile them; call it before several threads play. Records nothing."""
    table.play(0, 1)
    mark = _warm_mark(scenario)
    if mark is not None and not mark.exists():
        try:
            mark.touch()
        except OSError:
            return
