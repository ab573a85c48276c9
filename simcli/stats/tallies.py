"""Tallies: what a question needs to remember of the games, game by game as units.

A tally takes blocks of games in index order, keeps exact counts and sums, and stays small however many games there
are. The games of a block come as *cells*: one for each game that has eligible rows.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcli.errors import UserError
from simcli.stats import intervals
from simcli.stats.frequencies import Floats, Frequencies, Ints, Numbers
from simcli.stats.intervals import Exact, Interval, Sample

MAX_VALUES = 1_000_000
"""Different values whose quantiles can be kept."""
KEPT_GAMES = 20_000
"""Games whose values are kept together, for how the rows of a game depend on each other."""
EARLY_GAMES = 100
"""Games before which nothing is known of a game's length."""
_INT_ROOM = 2**63


class Cells(NamedTuple):
    """Rows of a block gathered by game and group, in order: `rows` of each cell, and which cell each row is in."""

    group: Ints
    rows: Ints
    of_row: Ints

    def total(self, values: NDArray[np.generic]) -> Numbers:
        """Sum of a value of the rows, a cell: whole numbers stay whole where 64 bits hold the sums."""
        if np.issubdtype(values.dtype, np.floating) or not self._fit(values):
            return np.bincount(self.of_row, values.astype(np.float64), len(self.rows)).astype(np.float64)
        totals = np.zeros(len(self.rows), np.int64)
        np.add.at(totals, self.of_row, values.astype(np.int64))
        return totals

    def _fit(self, values: NDArray[np.generic]) -> bool:
        largest = max(int(values.max(initial=0)), -int(values.min(initial=0)))
        return largest * int(self.rows.max(initial=0)) < _INT_ROOM

    def how_many(self, truth: NDArray[np.bool_]) -> Ints:
        """Number of rows for which something is true, a cell."""
        return np.bincount(self.of_row[truth], minlength=len(self.rows)).astype(np.int64)


def cells(game: Ints, group: Ints | None = None) -> Cells:
    """Cells of rows that are in order of `game`; `group` numbers the groups from 0."""
    if group is None:
        new = np.diff(game, prepend=game[:1] - 1) != 0
        of_row = np.cumsum(new) - 1
        count = int(of_row[-1]) + 1 if len(of_row) else 0
        return Cells(np.zeros(count, np.int64), np.bincount(of_row, minlength=count).astype(np.int64), of_row)
    groups = int(group.max()) + 1 if len(group) else 1
    codes, of_row, rows = np.unique(game * groups + group, return_inverse=True, return_counts=True)
    return Cells(codes % groups, rows.astype(np.int64), of_row)


class ProportionTally:
    """How many games have x eligible rows, y of them with the event: a count for each pair (x, y).

    `bets` has the same by the length to be expected of a game at most, from those before it: for `stopping`.
    """

    def __init__(self) -> None:
        self.pairs: Counter[tuple[int, int]] = Counter()
        self.bets: Counter[tuple[int, int, int]] = Counter()
        self._longest = 0

    def add(self, x: Ints, y: Ints) -> None:
        """Count games in the order of their numbers; x >= 1, 0 <= y <= x."""
        caps = self._caps(x)
        for cap in np.unique(caps):
            for pair, count in count_pairs(x[caps == cap], y[caps == cap]):
                self.bets[int(cap), *pair] += count
                self.pairs[pair] += count

    def _caps(self, x: Ints) -> Ints:
        """For each game what length its bets allow for; 0 for the first games."""
        before = np.maximum.accumulate(np.concatenate([[self._longest], x]))
        self._longest = int(before[-1])
        early = np.arange(self.games, self.games + len(x)) < EARLY_GAMES
        return np.where(early, 0, -(-before[:-1] * 5 // 4)).astype(np.int64)

    @property
    def hits(self) -> int:
        """Rows with the event."""
        return sum(y * n for (_, y), n in self.pairs.items())

    @property
    def eligible(self) -> int:
        """Eligible rows."""
        return sum(x * n for (x, _), n in self.pairs.items())

    @property
    def games(self) -> int:
        """Games with an eligible row."""
        return self.pairs.total()

    @property
    def estimate(self) -> float | None:
        """The proportion; None without eligible rows."""
        return self.hits / self.eligible if self.pairs else None

    def sample(self) -> Sample:
        """The games, for intervals."""
        pairs = sorted(self.pairs)
        x, y = np.array(pairs, np.float64).reshape(-1, 2).T
        return Sample(x, y, np.array([self.pairs[pair] for pair in pairs], np.float64))


def count_pairs(x: Ints, y: Ints) -> Iterator[tuple[tuple[int, int], int]]:
    """Each different pair of small numbers, and how often it occurs."""
    if not len(x):
        return
    base = int(y.max()) + 1
    counts = np.bincount(x * base + y)
    for code in np.flatnonzero(counts):
        yield (int(code) // base, int(code) % base), int(counts[code])


class ExactSum:
    """A sum of floating-point numbers without rounding, whatever their order."""

    _LOW_BITS = 26
    _SCALE = 1 << 1127  # the least exponent of a double's mantissa taken as a whole number is -1126

    def __init__(self) -> None:
        self._sum = 0

    def add(self, values: Floats) -> None:
        """Add numbers, all finite."""
        mantissas, exponents = np.frexp(values)
        whole = np.ldexp(mantissas, 53).astype(np.int64)
        high, low = whole >> self._LOW_BITS, whole & ((1 << self._LOW_BITS) - 1)
        first = int(exponents.min(initial=0))
        for exponent in np.flatnonzero(np.bincount(exponents - first)) + first:
            chosen = exponents == exponent
            part = (int(high[chosen].sum()) << self._LOW_BITS) + int(low[chosen].sum())
            self._sum += part << (int(exponent) - 53 + 1127)

    def add_exactly(self, other: "ExactSum") -> None:
        """Add what another has."""
        self._sum += other._sum

    @property
    def value(self) -> Fraction:
        """The sum so far."""
        return Fraction(self._sum, self._SCALE)


class Total:
    """The exact sums of eligible rows and of a value over them."""

    def __init__(self) -> None:
        self.rows = 0
        self._whole = 0
        self._real = ExactSum()

    def __add__(self, other: "Total") -> "Total":
        both = Total()
        both.rows = self.rows + other.rows
        both._whole = self._whole + other._whole
        both._real.add_exactly(self._real)
        both._real.add_exactly(other._real)
        return both

    def add(self, rows: Ints, total: Numbers) -> None:
        """Add games: their rows, and int64 or float64 totals."""
        self.rows += int(rows.sum())
        if total.dtype == np.int64:
            self._whole += exact_total(total)
        else:
            self._real.add(total.astype(np.float64))

    @property
    def value(self) -> Exact:
        """The sum of the value."""
        return self._whole + self._real.value

    @property
    def mean(self) -> Fraction:
        """The mean of the value; there must be a row."""
        return Fraction(self.value) / self.rows


class MeanTally:
    """How often games have x eligible rows with the total y; and the exact sums of both."""

    def __init__(self) -> None:
        self.games = 0
        self._total = Total()
        self._frequencies = Frequencies(labels=1, values=1)

    def add(self, x: Ints, y: Numbers) -> None:
        """Count games: their eligible rows, and the sum of the value over these."""
        self.games += len(x)
        self._total.add(x, y)
        self._frequencies.add(x[:, np.newaxis], y[:, np.newaxis])

    def __add__(self, other: "MeanTally") -> "MeanTally":
        """The games of both."""
        both = MeanTally()
        both.games = self.games + other.games
        both._total = self._total + other._total
        both._frequencies = self._frequencies + other._frequencies
        return both

    @property
    def eligible(self) -> int:
        """Eligible rows."""
        return self._total.rows

    @property
    def total(self) -> Exact:
        """The sum of the value."""
        return self._total.value

    @property
    def estimate(self) -> float | None:
        """The mean; None without eligible rows."""
        return float(self._total.mean) if self._total.rows else None

    def sample(self) -> Sample:
        """The games, for intervals; the origin is next to the mean. There must be a row."""
        labels, values, count = self._frequencies.rows()
        return centred(labels[:, 0], values[:, 0], count, self._total.mean)


def exact_total(values: Ints) -> int:
    """Sum of whole numbers, without overflow."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def centred(rows: Ints, totals: Numbers, count: Ints, mean: Fraction) -> Sample:
    """Games as a sample about the mean: what is near an offset of any size keeps its precision."""
    origin = np.asarray(round(mean) if np.array_equal(totals, np.rint(totals)) else float(mean), totals.dtype)
    excess = totals - origin * rows
    return Sample(rows.astype(np.float64), excess.astype(np.float64), count.astype(np.float64), origin.item())


class ValueTally:
    """How often each value occurs, for quantiles and histograms; and the first games one by one."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.games = 0
        self.eligible = 0
        self.most = 1
        self.values = np.zeros(0)
        self.counts = np.zeros(0, np.int64)
        self._first_rows: list[Ints] = []
        self._first_values: list[Numbers] = []

    def add(self, x: Ints, values: NDArray[np.generic]) -> None:
        """Count rows: x of each game, and the value of every row."""
        wanted = x[: max(0, KEPT_GAMES - self.games)]
        self._first_rows.append(wanted)
        self._first_values.append(np.asarray(values)[: int(wanted.sum())])
        self.games += len(x)
        self.eligible += len(values)
        self.most = max(self.most, int(x.max(initial=1)))
        seen, counts = np.unique(values, return_counts=True)
        merged, place = np.unique(np.concatenate([self.values, seen]), return_inverse=True)
        if len(merged) > MAX_VALUES:
            raise UserError(self.place, f"more than {MAX_VALUES} different values; use a coarser expression")
        self.counts = np.bincount(place, np.concatenate([self.counts, counts])).astype(np.int64)
        self.values = merged

    def quantile(self, p: float, level: float) -> tuple[float, float, float]:
        """The p-quantile and the limits of its interval, infinite where there are too few games. Needs a row."""
        up_to = self._proportions(level)
        low, high = intervals.quantile(p, len(self.values), up_to)
        place = int(np.searchsorted(np.cumsum(self.counts), max(1, math.ceil(p * self.eligible))))
        padded = [-math.inf, *self.values.tolist(), math.inf]
        return padded[place + 1], padded[low + 1], padded[high + 1]

    @property
    def method(self) -> str:
        """How the limits of quantiles are found."""
        return "order statistics" if self.most <= 1 else f"proportions inverted, {intervals.BY_GAMES}"

    def _proportions(self, level: float) -> Callable[[int], Interval]:
        """Intervals of the proportion of values up to the i-th (from 0; -1: none)."""
        ends = np.concatenate([[0], np.cumsum(self.counts)])
        if self.most <= 1:
            return lambda i: intervals.clopper_pearson(int(ends[i + 1]), self.eligible, level)
        rows, values = np.concatenate(self._first_rows), np.concatenate(self._first_values)
        games = np.repeat(np.arange(len(rows)), rows)

        def by_games(i: int) -> Interval:
            """That of the first games, for as many as there are, moved to the proportion of all."""
            inside = games[values <= self.values[i]] if i >= 0 else games[:0]
            tally = ProportionTally()
            tally.add(rows, np.bincount(inside, minlength=len(rows)))
            sample = tally.sample()
            found = intervals.proportion(sample._replace(counts=sample.counts * (self.games / len(rows))), level)
            shift = ends[i + 1] / self.eligible - tally.hits / tally.eligible
            return Interval(found.low + shift, found.high + shift, found.method)

        return by_games


class TableTally:
    """How the eligible rows of each game fall into the cells of a table: shares of all of them."""

    def __init__(self) -> None:
        self.all: Counter[int] = Counter()
        self.cells: dict[tuple[object, ...], ProportionTally] = {}

    def proportion(self, key: tuple[object, ...]) -> ProportionTally:
        """The tally of one cell of the table, games without it included."""
        full = ProportionTally()
        full.pairs = self.cells[key].pairs.copy()
        inside: Counter[int] = Counter()
        for (x, _), count in full.pairs.items():
            inside[x] += count
        for x, count in (self.all - inside).items():
            full.pairs[x, 0] += count
        return full
