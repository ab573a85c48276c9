"""Several settings on the same deals: batches of games, and one question on several sides of them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import NamedTuple

import numpy as np
import polars as pl

from simcli.asking.answers import QUANTILE_LEVELS, Answer, make
from simcli.asking.estimators import Block, Estimator, Key
from simcli.asking.questions import PROPORTION, QUANTILES, Question
from simcli.config.scenario import Scenario
from simcli.play import threads
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats import stopping
from simcli.stats.intervals import Interval
from simcli.stats.paired import Difference, Paired, Side
from simcli.stats.tallies import Cells, cells
from simcli.tables import frames

_PIECE_GAMES = 2_000
_ROUNDING = 1e-14
"""A difference smaller than this, of the largest value, is the rounding of the values."""

UNKNOWN = Difference(None, Interval(-math.inf, math.inf, "no eligible rows"), None)


# Games


class Batch(NamedTuple):
    """The same games of every setting, as records."""

    first: int
    games: int
    rows: list[np.ndarray]


def play(
    scenarios: Sequence[Scenario], games: int, jobs: int, progress: Progress, interrupts: Interrupts
) -> Iterator[Batch]:
    """Games 0..games-1 of every scenario, batch by batch; ends early when interrupted."""
    pieces = [(first, min(_PIECE_GAMES, games - first)) for first in range(0, games, _PIECE_GAMES)]
    with ExitStack() as stack:
        sources = [
            stack.enter_context(
                closing(threads.parts(scenario, iter(pieces), jobs, progress=progress, interrupts=interrupts))  # type: ignore[type-var]
            )
            for scenario in scenarios
        ]
        for first, count in pieces:
            rows = [piece[1] for piece in (next(source, None) for source in sources) if piece is not None]
            if len(rows) < len(scenarios):
                return
            yield Batch(first, count, rows)


def table(scenario: Scenario, rows: np.ndarray, question: Question, more: Iterable[str] = ()) -> pl.DataFrame:
    """The table a question is about, with its columns and some more."""
    return frames.table(scenario, rows, question.table, question.columns | set(more))


def sides(block: Block, first: int, games: int) -> dict[Key, Side]:
    """Eligible rows and their total of games first..first+games-1: of everything, and of each group."""
    found = {(): _side(block, cells(block.game), None, first, games)}
    if block.group is not None:
        by_group = block.cells()
        found |= {key: _side(block, by_group, number, first, games) for number, key in enumerate(block.keys)}
    return found


def _side(block: Block, inside: Cells, group: int | None, first: int, games: int) -> Side:
    game = np.zeros(len(inside.rows), np.int64)
    game[inside.of_row] = block.game - first
    totals = inside.total(block.target)
    chosen = slice(None) if group is None else inside.group == group
    side = Side(np.zeros(games, np.int64), np.zeros(games, totals.dtype))
    side.rows[game[chosen]] = inside.rows[chosen]
    side.total[game[chosen]] = totals[chosen]
    return side


# Differences


class Pairs:
    """Two sides of the same games, group by group."""

    def __init__(self, proportion: bool) -> None:
        self._proportion = proportion
        self._games = 0
        self._by_key: dict[Key, Paired] = {}

    def add(self, one: Mapping[Key, Side], other: Mapping[Key, Side], games: int) -> None:
        """Count the same games of both; a group may be new, or have no row in them."""
        nothing = Side(np.zeros(games, np.int64), np.zeros(games, np.int64))
        for key in dict.fromkeys([*self._by_key, *one, *other]):
            if key not in self._by_key:
                self._by_key[key] = Paired(self._proportion)
                self._by_key[key].add_empty(self._games)
            self._by_key[key].add(one.get(key, nothing), other.get(key, nothing))
        self._games += games

    def difference(self, key: Key, level: float) -> Difference:
        """The first estimate less the second."""
        return self._by_key[key].difference(level) if key in self._by_key else UNKNOWN

    def error(self, key: Key) -> float:
        """Standard error of the difference."""
        return self._by_key[key].error() if key in self._by_key else 0.0


class Comparison:
    """One question on several sides of the same games: the estimates of each, and their differences from the first."""

    def __init__(self, questions: Sequence[Question | None]) -> None:
        """One question for each side, None where it cannot be asked. Raises ValueError if it cannot be on any."""
        self.question = next(question for question in questions if question is not None)
        self.estimators = [None if question is None else Estimator(question) for question in questions]
        self._pairs = [Pairs(self.question.kind == PROPORTION) for _ in questions[1:]]
        self._largest = 0.0

    def add(self, tables: Sequence[pl.DataFrame | None], first: int, games: int) -> None:
        """Count games first..first+games-1, one table for each side that is asked; rows are in order of the game."""
        counted: list[Mapping[Key, Side]] = []
        for estimator, frame in zip(self.estimators, tables, strict=True):
            if estimator is None or frame is None:
                counted.append({})
                continue
            block = estimator.evaluate(frame)
            estimator.count(block)
            counted.append({} if self.question.kind == QUANTILES else sides(block, first, games))
            self._largest = max(self._largest, float(np.abs(block.target.astype(np.float64)).max(initial=0.0)))
        for pairs, other in zip(self._pairs, counted[1:], strict=True):
            pairs.add(other, counted[0], games)

    def answer(self, place: int, scenario: Scenario, games: int) -> Answer | None:
        """What a side answers by itself; None where it is not asked."""
        estimator = self.estimators[place]
        if estimator is None:
            return None
        return make(scenario, estimator, stopping.Rule(games), games, stopping.GAMES, {})

    def difference(self, place: int, key: Key, level: float) -> Difference:
        """A side's estimate of a group, or of a quantile by its number, less the first side's."""
        one, other = self.estimators[place], self.estimators[0]
        if one is None or other is None:
            return UNKNOWN
        if self.question.kind == QUANTILES:
            return _quantiles_apart(one, other, QUANTILE_LEVELS[key[0]], level)
        return self._settled(self._pairs[place - 1].difference(key, level))

    def error(self, place: int, key: Key) -> float:
        """Standard error of the difference."""
        return self._pairs[place - 1].error(key)

    def _settled(self, found: Difference) -> Difference:
        """Without what is nothing but the rounding of floating-point values."""
        if found.value is None:
            return found
        noise = _ROUNDING * self._largest
        value, low, high = (0.0 if abs(number) <= noise else number for number in (found.value, *found.interval[:2]))
        if not value:
            low, high = min(0.0, low), max(0.0, high)
        return found._replace(value=value, interval=Interval(low, high, found.interval.method))


def _quantiles_apart(one: Estimator, other: Estimator, p: float, level: float) -> Difference:
    """The difference of two quantiles; its limits hold however the two depend on each other."""
    if not one.values.eligible or not other.values.eligible:
        return UNKNOWN
    each = (1 + level) / 2
    mine, theirs = one.values.quantile(p, each), other.values.quantile(p, each)
    method = f"both quantiles at {100 * each:.6g}%"
    return Difference(mine[0] - theirs[0], Interval(mine[1] - theirs[2], mine[2] - theirs[1], method), None)
