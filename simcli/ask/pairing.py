"""Several settings on the same deals: each one's estimate, and paired differences with the game as the unit.

Game number g of every setting is dealt alike, so what the deal does to both cancels in a difference. Sums over games
of the settings' rows x and totals y, and of all their products, are enough for any ratio, difference and variance.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import stdtrit

from simcli.ask.estimators import Estimator
from simcli.ask.questions import Question
from simcli.config.scenario import Scenario
from simcli.play import threads
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats.intervals import Interval
from simcli.tables import frames

_PIECE_GAMES = 2_000
"""Fixed, so that floating-point sums do not depend on the number of threads."""

Vector = NDArray[np.float64]


class Moments:
    """Sums over games of some numbers a game, and of their products two by two."""

    def __init__(self, numbers: int) -> None:
        self.games = 0
        self.sums = np.zeros(numbers)
        self.products = np.zeros((numbers, numbers))

    def add(self, values: Vector) -> None:
        """Add games: float64[games, numbers]."""
        self.games += len(values)
        self.sums += values.sum(axis=0)
        self.products += values.T @ values

    def covariance(self) -> Vector:
        """Covariance of the numbers over games."""
        means = self.sums / self.games
        return (self.products / self.games - np.outer(means, means)) * self.games / max(1, self.games - 1)

    def variance(self, weights: Vector) -> float:
        """Variance of the mean over games of a weighted sum of the numbers."""
        return max(0.0, float(weights @ self.covariance() @ weights)) / max(1, self.games)


@dataclass(frozen=True)
class Difference:
    """One setting's estimate less another's; `fewer`: how many times as many games it would take unpaired."""

    value: float
    interval: Interval
    fewer: float | None


class Paired:
    """Estimates of several settings from the same games."""

    def __init__(self, settings: int) -> None:
        self.moments = Moments(2 * settings)

    def add(self, values: Sequence[Vector]) -> None:
        """Add games: for each setting float64[games, 2], eligible rows and their total."""
        self.moments.add(np.concatenate(values, axis=1))

    def eligible(self, setting: int) -> int:
        """Eligible rows of a setting."""
        return int(self.moments.sums[2 * setting])

    def estimate(self, setting: int) -> float:
        """Total over eligible rows; NaN if there are none."""
        x, y = self.moments.sums[2 * setting : 2 * setting + 2]
        return float(y / x) if x else math.nan

    def _weights(self, setting: int) -> Vector:
        """How the estimate moves with the numbers of a game."""
        weights = np.zeros(len(self.moments.sums))
        mean_x = self.moments.sums[2 * setting] / self.moments.games
        weights[2 * setting + 1] = 1 / mean_x
        weights[2 * setting] = -self.estimate(setting) / mean_x
        return weights

    def contrast(self, one: int, other: int) -> Vector:
        """How the difference of two estimates moves with the numbers of a game."""
        return self._weights(one) - self._weights(other)

    def difference(self, one: int, other: int, level: float) -> Difference:
        """One setting's estimate less the other's, with an interval by games."""
        value = self.estimate(one) - self.estimate(other)
        if math.isnan(value):
            return Difference(value, Interval(-math.inf, math.inf, "no eligible rows"), None)
        first, second = self._weights(one), self._weights(other)
        variance = self.moments.variance(self.contrast(one, other))
        apart = self.moments.variance(first) + self.moments.variance(second)
        return Difference(value, around(value, variance, self.moments.games, level), _ratio(apart, variance))


def around(value: float, variance: float, games: int, level: float) -> Interval:
    """Student's interval about a value."""
    if games < 2:
        return Interval(-math.inf, math.inf, "too few games")
    half = float(stdtrit(games - 1, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(value - half, value + half, "paired by games: t")


def _ratio(apart: float, paired: float) -> float | None:
    return apart / paired if paired > 0 else None


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


def by_game(question: Question, frame: pl.DataFrame, first: int, games: int) -> Vector:
    """float64[games, 2]: eligible rows and their total, of games first..first+games-1."""
    block = Estimator(question).evaluate(frame)
    place = block.game - first
    x = np.bincount(place, minlength=games)
    y = np.bincount(place, block.target.astype(np.float64), minlength=games)
    return np.stack([x.astype(np.float64), y], axis=1)


def table(scenario: Scenario, rows: np.ndarray, question: Question, more: Iterable[str] = ()) -> pl.DataFrame:
    """The table a question is about, with its columns and some more."""
    return frames.table(scenario, rows, question.table, question.columns | set(more))
