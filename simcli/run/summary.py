"""What a run comes to, column by column: counts, proportions, means.

A part is reduced to integers, which add up to the same sums in any order, so the summary's bytes depend on the
games alone. Proportions and means are over rounds; their intervals take the game as the unit, because rounds of one
match are dependent.
"""

import json
import math
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from kernels.records import Kind, of_kind
from kernels.registry import Game
from simcli.run import part_file
from simcli.stats import intervals
from simcli.stats.intervals import Sums

LEVEL = 0.95
_SIGNIFICANT = 9
_SAFE = 2**62
_SKIPPED = ("game", "round")

COLUMNS = {
    "column": pl.String,
    "value": pl.String,
    "count": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "sd": pl.Float64,
    "min": pl.Int64,
    "max": pl.Int64,
}
"""Columns of the summary. With a `value`, `count` rounds have it, in the proportion `mean`."""

Key = tuple[int, str, str]
"""Number of a column in its table, its name, and a value or nothing."""


@dataclass(frozen=True)
class Tallied:
    """What is counted of one number a round: sums over games, and over rounds."""

    by_game: Sums
    squares: int
    least: int
    most: int

    def __add__(self, other: "Tallied") -> "Tallied":
        return Tallied(
            _add(self.by_game, other.by_game),
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.most, other.most),
        )


@dataclass
class Tally:
    """What is counted in some games."""

    games: int = 0
    rounds: int = 0
    lengths: Sums = field(default_factory=lambda: Sums(0, 0, 0, 0, 0, 0, most=0))
    numbers: dict[Key, Tallied] = field(default_factory=dict)

    def __add__(self, other: "Tally") -> "Tally":
        if not (self.games and other.games):
            return self if self.games else other
        numbers = {key: self._of(key) + other._of(key) for key in self.numbers | other.numbers}
        lengths = _add(self.lengths, other.lengths)
        return Tally(self.games + other.games, self.rounds + other.rounds, lengths, numbers)

    def _of(self, key: Key) -> Tallied:
        """What is counted of a number; of a value that no round has, nothing."""
        never = self.lengths._replace(y=0, xy=0, yy=0, hit=0, missed=self.games, xxy=0, xyy=0, y3=0)
        return self.numbers.get(key, Tallied(never, 0, 0, 0))


class Games(NamedTuple):
    """How the rounds of a table fall into games."""

    firsts: np.ndarray
    lengths: np.ndarray
    single: bool  # every game has one round

    @classmethod
    def of(cls, rounds: pl.DataFrame) -> "Games":
        firsts = np.flatnonzero(np.diff(rounds["game"].to_numpy(), prepend=-1))
        lengths = np.diff(firsts, append=len(rounds)).astype(np.int64)
        return cls(firsts, lengths, len(firsts) == len(rounds))

    def measure(self, values: np.ndarray) -> Tallied:
        """Count one number a round."""
        least, most = int(values.min()), int(values.max())
        numbers = values.astype(np.int64)
        top = max(-least, most, 1) * int(self.lengths.max())
        numbers = numbers if len(numbers) * top**3 < _SAFE else numbers.astype(object)
        squares = int(numbers @ numbers)
        by_game = self._single(numbers, squares) if self.single else self._several(numbers)
        return Tallied(by_game, squares, least, most)

    def indicate(self, truth: np.ndarray) -> Tallied:
        """Count in how many rounds something is so."""
        hits = int(np.count_nonzero(truth))
        extremes = (int(hits == len(truth)), int(hits > 0))
        if not self.single:
            return Tallied(self._several(truth.astype(np.int64)), hits, *extremes)
        n = len(truth)
        sums = Sums(n, n, hits, n, hits, hits, 1, hits, n - hits, n, hits, hits, hits)
        return Tallied(sums, hits, *extremes)

    def _single(self, y: np.ndarray, squares: int) -> Sums:
        n, total = len(y), int(y.sum())
        hit, missed = np.count_nonzero(y > 0), np.count_nonzero(y < 1)
        return Sums(n, n, total, n, total, squares, 1, int(hit), int(missed), n, total, squares, int((y * y) @ y))

    def _several(self, numbers: np.ndarray) -> Sums:
        x, y = self.lengths.astype(numbers.dtype), np.add.reduceat(numbers, self.firsts)
        xx, yy = x * x, y * y
        return Sums(
            games=len(x),
            x=len(numbers),
            y=int(y.sum()),
            xx=int(xx.sum()),
            xy=int(x @ y),
            yy=int(yy.sum()),
            most=int(x.max()),
            hit=int(np.count_nonzero(y > 0)),
            missed=int(np.count_nonzero(y < x)),
            x3=int(xx @ x),
            xxy=int(xx @ y),
            xyy=int(x @ yy),
            y3=int(yy @ y),
        )


def tally(game: str, rounds: pl.DataFrame) -> Tally:
    """Count one part's `rounds` table, which is in the order of games."""
    if rounds.is_empty():
        return Tally()
    games = Games.of(rounds)
    seats = set(of_kind(Game(game).columns.COLUMNS, Kind.seat))
    ones = games.indicate(np.ones(len(rounds), np.bool_)).by_game
    return Tally(len(games.firsts), len(rounds), ones, dict(_numbers(rounds, games, seats)))


def total(tallies: Iterable[Tally]) -> Tally:
    """The tally of all games of some tallies."""
    return sum(tallies, Tally())


def summarise(whole: Tally) -> pl.DataFrame:
    """The summary, a row for each column and value."""
    rows = [_row(column, value, whole.numbers[place, column, value]) for place, column, value in sorted(whole.numbers)]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


PARQUET, CSV, JSON = "summary.parquet", "summary.csv", "summary.json"
"""The files of a summary."""


def files(summary: pl.DataFrame, whole: Tally, about: Mapping[str, Any]) -> dict[str, bytes]:
    """The bytes of `summary.parquet`, `.csv` and `.json`; `about` says which run it is."""
    text = json.dumps(document(summary, whole, about), indent=1, ensure_ascii=False)
    return {
        PARQUET: part_file.seal(summary, _head(whole, about)),
        CSV: summary.write_csv().encode(),
        JSON: f"{text}\n".encode(),
    }


def document(summary: pl.DataFrame, whole: Tally, about: Mapping[str, Any]) -> dict[str, Any]:
    """The summary as JSON has it."""
    return {**_head(whole, about), "rows": summary.to_dicts()}


def _head(whole: Tally, about: Mapping[str, Any]) -> dict[str, Any]:
    return {**about, "schema": part_file.SCHEMA, "games": whole.games, "rounds": whole.rounds, "level": LEVEL}


def _numbers(rounds: pl.DataFrame, games: Games, seats: Container[str]) -> Iterator[tuple[Key, Tallied]]:
    """What is counted: each numeric column, and each value of the others, among them those that hold seats."""
    for place, column in enumerate(rounds.iter_columns()):
        name = column.name
        if name in _SKIPPED:
            continue
        if column.dtype == pl.Boolean:
            yield (place, name, "true"), games.indicate(column.to_numpy())
        elif column.dtype.is_integer() and name not in seats:
            yield (place, name, ""), games.measure(column.to_numpy())
        else:
            codes = (column.to_physical() if column.dtype == pl.Enum else column).to_numpy()
            for code in _values(codes):
                value = str(column.dtype.categories[int(code)] if isinstance(column.dtype, pl.Enum) else code)
                if value:
                    yield (place, name, value), games.indicate(codes == code)


def _values(codes: np.ndarray) -> Iterable[Any]:
    """The different values; counting up is faster than sorting where few numbers are possible."""
    if codes.dtype.itemsize > 1:
        return np.unique(codes)
    return (code for code in range(int(codes.min()), int(codes.max()) + 1) if (codes == code).any())


def _add(one: Sums, other: Sums) -> Sums:
    added: list[Any] = [a + b for a, b in zip(one, other, strict=True)]
    return Sums._make(added)._replace(most=max(one.most, other.most))


def _row(column: str, value: str, counted: Tallied) -> tuple[Any, ...]:
    sums = counted.by_game
    limits = intervals.share(sums, LEVEL) if value else intervals.mean(sums, LEVEL)
    shown = [_rounded(figure) for figure in (int(sums.y) / sums.x, limits.low, limits.high)]
    if value:
        return column, value, int(sums.y), *shown, None, None, None
    spread = math.sqrt(counted.squares * sums.x - int(sums.y) ** 2) / sums.x
    return column, None, sums.x, *shown, _rounded(spread), counted.least, counted.most


def _rounded(value: float) -> float | None:
    """So few digits that no processor's last bit shows; JSON knows no infinity."""
    return float(f"{value:.{_SIGNIFICANT}g}") if math.isfinite(value) else None
