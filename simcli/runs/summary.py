"""What a run comes to, column by column: counts, proportions, means.

A part is reduced to how many games have which totals. These counts add up to the same in any order, so the summary's
bytes depend on the games alone. Proportions and means are over rounds; their intervals take the game as the unit,
because rounds of one match are dependent.
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
from simcli.runs import part_file
from simcli.stats import intervals
from simcli.stats.tallies import MeanTally

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
    """What is counted of one number a round: its totals by game, and the sum of its squares over rounds."""

    by_game: MeanTally
    squares: int
    least: int
    most: int

    def __add__(self, other: "Tallied") -> "Tallied":
        return Tallied(
            self.by_game + other.by_game,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.most, other.most),
        )


@dataclass
class Tally:
    """What is counted in some games."""

    games: int = 0
    rounds: int = 0
    lengths: MeanTally = field(default_factory=MeanTally)
    """Each game's rounds, and 0 of any value."""
    numbers: dict[Key, Tallied] = field(default_factory=dict)

    def __add__(self, other: "Tally") -> "Tally":
        if not (self.games and other.games):
            return self if self.games else other
        numbers = {key: self._of(key) + other._of(key) for key in self.numbers | other.numbers}
        lengths = self.lengths + other.lengths
        return Tally(self.games + other.games, self.rounds + other.rounds, lengths, numbers)

    def _of(self, key: Key) -> Tallied:
        """What is counted of a number; of a value that no round has, nothing."""
        return self.numbers.get(key, Tallied(self.lengths, 0, 0, 0))


class Games(NamedTuple):
    """How the rounds of a table fall into games."""

    firsts: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, rounds: pl.DataFrame) -> "Games":
        firsts = np.flatnonzero(np.diff(rounds["game"].to_numpy(), prepend=-1))
        lengths = np.diff(firsts, append=len(rounds)).astype(np.int64)
        return cls(firsts, lengths)

    def measure(self, values: np.ndarray) -> Tallied:
        """Count one number a round."""
        least, most = int(values.min()), int(values.max())
        numbers = values.astype(np.int64)
        fits = len(numbers) * max(-least, most, 1) ** 2 < _SAFE
        exactly = numbers if fits else numbers.astype(object)
        return Tallied(self._by_game(numbers), int(exactly @ exactly), least, most)

    def indicate(self, truth: np.ndarray) -> Tallied:
        """Count in how many rounds something is so."""
        hits = int(np.count_nonzero(truth))
        return Tallied(self._by_game(truth.astype(np.int64)), hits, int(hits == len(truth)), int(hits > 0))

    def _by_game(self, numbers: np.ndarray) -> MeanTally:
        by_game = MeanTally()
        by_game.add(self.lengths, np.add.reduceat(numbers, self.firsts))
        return by_game


def tally(game: str, rounds: pl.DataFrame) -> Tally:
    """Count one part's `rounds` table, which is in the order of games."""
    if rounds.is_empty():
        return Tally()
    games = Games.of(rounds)
    seats = set(of_kind(Game(game).columns.COLUMNS, Kind.seat))
    lengths = games.indicate(np.zeros(len(rounds), np.bool_)).by_game
    return Tally(len(games.firsts), len(rounds), lengths, dict(_numbers(rounds, games, seats)))


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


def _row(column: str, value: str, counted: Tallied) -> tuple[Any, ...]:
    games = counted.by_game
    sample, rounds = games.sample(), games.eligible
    limits = intervals.proportion(sample, LEVEL) if value else intervals.mean(sample, LEVEL)
    shown = [_rounded(figure) for figure in (games.estimate or 0.0, limits.low, limits.high)]
    if value:
        return column, value, int(games.total), *shown, None, None, None
    spread = math.sqrt(counted.squares * rounds - int(games.total) ** 2) / rounds
    return column, None, rounds, *shown, _rounded(spread), counted.least, counted.most


def _rounded(value: float) -> float | None:
    """So few digits that no processor's last bit shows; JSON knows no infinity."""
    return float(f"{value:.{_SIGNIFICANT}g}") if math.isfinite(value) else None
