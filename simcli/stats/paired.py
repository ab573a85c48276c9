"""Differences between two settings on the same games.

Game number g of both is dealt alike, so what the deal does to both cancels in a difference. Estimates are ratios of
sums over games, and their difference moves with each game by its deviation from the one ratio less that from the
other (linearised: Cochran 1977, section 6), which makes the interval that of a mean.
"""

import math
from typing import NamedTuple

import numpy as np

from simcli.stats import intervals
from simcli.stats.frequencies import Floats, Frequencies, Ints, Numbers
from simcli.stats.intervals import Interval, Sample
from simcli.stats.tallies import Total, centred


class Side(NamedTuple):
    """Games of one setting: int64 eligible rows, 0 of them in some, and their totals, int64 or float64."""

    rows: Ints
    total: Numbers


class Difference(NamedTuple):
    """The first estimate less the second, None where a side has no row, with its interval.

    `saves`: how many times as many games it would take if the settings did not share theirs, where that can be said.
    """

    value: float | None
    interval: Interval
    saves: float | None

    def turned(self) -> "Difference":
        """The second estimate less the first."""
        low, high, method = self.interval
        value = None if self.value is None else 0.0 - self.value
        return Difference(value, Interval(0.0 - high, 0.0 - low, method), self.saves)


class Paired:
    """Two settings, each a proportion (`share`) or each a mean, from the same games."""

    def __init__(self, share: bool) -> None:
        self.share = share
        self.games = 0
        self._totals = (Total(), Total())
        self._frequencies = Frequencies(labels=2, values=2)

    def add(self, one: Side, other: Side) -> None:
        """Count the same games of both settings."""
        self.games += len(one.rows)
        for total, side in zip(self._totals, (one, other), strict=True):
            total.add(side.rows, side.total)
        self._frequencies.add(np.stack([one.rows, other.rows], axis=1), np.stack([one.total, other.total], axis=1))

    def add_empty(self, games: int) -> None:
        """Count games in which neither setting has a row."""
        self.games += games
        if games:
            nothing = np.zeros((1, 2), np.int64)
            self._frequencies.add(nothing, nothing, np.array([games]))

    def difference(self, level: float) -> Difference:
        """The first estimate less the second, with an interval by games."""
        if not all(total.rows for total in self._totals):
            return Difference(None, Interval(-math.inf, math.inf, "no eligible rows"), None)
        value = float(self._totals[0].mean - self._totals[1].mean)
        (one, other), count = self._deviations()
        ends = (one.low - other.high, one.high - other.low)
        low, high, method = intervals.difference(one.moves - other.moves, count, level, ends, certain=self.share)
        together = self.error()
        apart = math.hypot(_error(one.moves, count), _error(other.moves, count))
        saves = (apart / together) ** 2 if 0 < together < math.inf else None
        low, high = value + low, value + high
        if self.share:
            low, high = max(-1.0, low), min(1.0, high)
        return Difference(value, Interval(low, high, method), saves)

    def error(self) -> float:
        """Standard error of the difference; 0 where a side has no row."""
        if not all(total.rows for total in self._totals):
            return 0.0
        (one, other), count = self._deviations()
        return _error(one.moves - other.moves, count)

    def _deviations(self) -> "tuple[tuple[_Moves, _Moves], Floats]":
        """How each setting's estimate moves with a game, and how often there are such games."""
        rows, totals, count = self._frequencies.rows()
        one, other = (
            self._moves(centred(rows[:, i], totals[:, i], count, total.mean)) for i, total in enumerate(self._totals)
        )
        return (one, other), count.astype(np.float64)

    def _moves(self, sample: Sample) -> "_Moves":
        rows = sample.eligible / sample.games
        moves = sample.deviations() / rows
        if not self.share:
            return _Moves(moves, float(moves.min()), float(moves.max()))
        estimate = sample.origin + sample.slope
        return _Moves(moves, -estimate * sample.most / rows, (1 - estimate) * sample.most / rows)


class _Moves(NamedTuple):
    """How much each game moves an estimate, times the number of games; the ends of what is possible, or was seen."""

    moves: Floats
    low: float
    high: float


def _error(moves: Floats, count: Floats) -> float:
    """Standard error of a mean over games; infinite for one game."""
    return intervals.standard_error(Sample(np.ones(len(count)), moves, count))
