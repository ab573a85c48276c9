"""Tallies: what a question needs to remember of the games, game by game as units.

A tally takes blocks of games in index order, keeps exact counts and sums, and stays small however many games there
are. The games of a block come as *cells*: one for each game that has eligible rows.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcli.errors import UserError
from simcli.stats.intervals import Exact, Sums

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_VALUES = 1_000_000
"""Different values whose quantiles can be kept."""
_INT_ROOM = 2.0**62
HEAVIEST = 20
HEAVY_SHARE = 0.25
"""A mean is called shaky when its HEAVIEST games carry more than HEAVY_SHARE of all absolute values."""


class Cells(NamedTuple):
    """Rows of a block gathered by game and group, in order: `rows` of each cell, and which cell each row is in."""

    group: Ints
    rows: Ints
    of_row: Ints

    def total(self, values: NDArray[np.generic]) -> Floats:
        """Sum of a value of the rows, a cell."""
        return np.bincount(self.of_row, values.astype(np.float64), len(self.rows)).astype(np.float64)

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


class ShareTally:
    """How many games have x eligible rows, y of them with the event: a count for each pair (x, y)."""

    def __init__(self) -> None:
        self.pairs: Counter[tuple[int, int]] = Counter()

    def add(self, x: Ints, y: Ints) -> None:
        """Count games; x >= 1, 0 <= y <= x."""
        for pair, count in count_pairs(x, y):
            self.pairs[pair] += count

    @property
    def hits(self) -> int:
        """Rows with the event."""
        return sum(y * n for (_, y), n in self.pairs.items())

    @property
    def eligible(self) -> int:
        """Eligible rows."""
        return sum(x * n for (x, _), n in self.pairs.items())

    def sums(self) -> Sums:
        """Sums over games, for intervals."""
        pairs = self.pairs.items()
        return Sums(
            games=self.pairs.total(),
            x=self.eligible,
            y=self.hits,
            xx=sum(x * x * n for (x, _), n in pairs),
            xy=sum(x * y * n for (x, y), n in pairs),
            yy=sum(y * y * n for (_, y), n in pairs),
            most=max((x for x, _ in self.pairs), default=1),
            hit=sum(n for (_, y), n in pairs if y > 0),
            missed=sum(n for (x, y), n in pairs if y < x),
        )


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

    def add_whole(self, total: int) -> None:
        """Add a whole number."""
        self._sum += total * self._SCALE

    @property
    def value(self) -> Fraction:
        """The sum so far."""
        return Fraction(self._sum, self._SCALE)


class MeanTally:
    """Sums over games of products of x, a game's rows, and y, their total; and the games that weigh most."""

    _POWERS = tuple((i, j) for j in range(1, 5) for i in range(5 - j))
    """Exponents of x and y."""

    def __init__(self) -> None:
        self.games = 0
        self._x = [0, 0, 0, 0, 0]
        self._sums = {powers: ExactSum() for powers in self._POWERS}
        self._size = ExactSum()
        self._heaviest = np.zeros(0)
        self.non_zero = 0

    def add(self, x: Ints, y: Floats) -> None:
        """Count games: their eligible rows, and the sum of the value over these."""
        self.games += len(x)
        for power in range(1, 5):
            self._x[power] += int((x**power).sum())
        if _powers_fit(x, y):
            whole = y.astype(np.int64)
            for (i, j), total in self._sums.items():
                total.add_whole(int((x**i * whole**j).sum()))
        else:
            xs = x.astype(np.float64)
            for (i, j), total in self._sums.items():
                total.add(xs**i * y**j)
        size = np.abs(y)
        self._size.add(size)
        self.non_zero += int(np.count_nonzero(y))
        self._heaviest = np.sort(np.concatenate([self._heaviest, size]))[-HEAVIEST:]

    @property
    def eligible(self) -> int:
        """Eligible rows."""
        return self._x[1]

    @property
    def total(self) -> Exact:
        """Sum of the value."""
        return self._sums[0, 1].value

    def sums(self) -> Sums:
        """Sums over games, for intervals."""
        _, x, xx, x3, x4 = self._x
        of = {powers: total.value for powers, total in self._sums.items()}
        return Sums(
            games=self.games, x=x, y=of[0, 1], xx=xx, xy=of[1, 1], yy=of[0, 2],
            x3=x3, xxy=of[2, 1], xyy=of[1, 2], y3=of[0, 3],
            x4=x4, x3y=of[3, 1], xxyy=of[2, 2], xy3=of[1, 3], y4=of[0, 4],
        )  # fmt: skip

    @property
    def warning(self) -> str:
        """What to mind about the mean, or nothing."""
        size = float(self._size.value)
        if self.games < HEAVIEST or self.non_zero < HEAVIEST:
            return f"only {self.non_zero} of {self.games} games have a value that is not 0; the interval may not hold"
        share = float(self._heaviest.sum()) / size
        if share > HEAVY_SHARE:
            return (
                f"the {HEAVIEST} largest of {self.games} games carry {share:.0%} of the sum; the interval may not hold"
            )
        return ""


def _powers_fit(x: Ints, y: Floats) -> bool:
    """Whether all products of four are whole numbers whose sums are of 64 bits: exact, and much faster."""
    largest = max(float(np.abs(y).max(initial=0)), float(x.max(initial=0)))
    return largest**4 * max(1, len(y)) < _INT_ROOM and bool((y == np.rint(y)).all())


class ValueTally:
    """How often each value occurs, for quantiles and histograms."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.games = 0
        self.eligible = 0
        self.most = 1
        self.values = np.zeros(0)
        self.counts = np.zeros(0, np.int64)

    def add(self, x: Ints, values: NDArray[np.generic]) -> None:
        """Count rows: x of each game, and the value of every row."""
        self.games += len(x)
        self.eligible += len(values)
        self.most = max(self.most, int(x.max(initial=1)))
        seen, counts = np.unique(values, return_counts=True)
        merged, place = np.unique(np.concatenate([self.values, seen]), return_inverse=True)
        if len(merged) > MOST_VALUES:
            raise UserError(self.place, f"more than {MOST_VALUES} different values; use a coarser expression")
        self.counts = np.bincount(place, np.concatenate([self.counts, counts])).astype(np.int64)
        self.values = merged

    def sums(self) -> Sums:
        """Sizes, for the ranks of quantiles."""
        return Sums(games=self.games, x=self.eligible, y=0, xx=0, xy=0, yy=0, most=self.most)

    def at(self, rank: int) -> float:
        """The order statistic of this rank, from 1; infinite beyond the ends."""
        if rank < 1:
            return -np.inf
        if rank > self.eligible:
            return np.inf
        return float(self.values[np.searchsorted(np.cumsum(self.counts), rank)])


class TableTally:
    """How the eligible rows of each game fall into the cells of a table: shares of all of them."""

    def __init__(self) -> None:
        self.all: Counter[int] = Counter()
        self.cells: dict[tuple[object, ...], ShareTally] = {}

    def share(self, key: tuple[object, ...]) -> ShareTally:
        """The tally of one cell of the table, games without it included."""
        full = ShareTally()
        full.pairs = self.cells[key].pairs.copy()
        inside: Counter[int] = Counter()
        for (x, _), count in full.pairs.items():
            inside[x] += count
        for x, count in (self.all - inside).items():
            full.pairs[x, 0] += count
        return full
