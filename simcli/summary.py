"""What a run comes to, column by column: counts, shares, means.

A part is boiled down to integers, which add up to the same sums in any order, so the summary's bytes depend on the
games alone. Shares and means are over rounds; their intervals take the game as the unit, because rounds of one match
hang together.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from simcli import intervals, parts
from simcli.intervals import Sums

LEVEL = 0.95
_SIGNIFICANT = 9
_SAFE = 2**62
_SKIPPED = ("game", "round")
_SEATS = frozenset({"winner", "leader", "settler", "first_plot_seat", "first_dead"})
"""Columns whose numbers are seats: counted, not averaged."""

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
"""Columns of the summary. With a `value`, `count` rounds have it and `mean` is their share; without, it is the mean."""

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
        keys = self.numbers | other.numbers
        numbers = {key: self._of(key) + other._of(key) for key in keys} if self.games else dict(other.numbers)
        lengths = _add(self.lengths, other.lengths)
        return Tally(self.games + other.games, self.rounds + other.rounds, lengths, numbers)

    def _of(self, key: Key) -> Tallied:
        """What is counted of a number; of a value that no round has, nothing."""
        never = self.lengths._replace(y=0, xy=0, yy=0, hit=0, missed=self.games, xxy=0, xyy=0, y3=0)
        return self.numbers.get(key, Tallied(never, 0, 0, 0))


def tally(rounds: pl.DataFrame) -> Tally:
    """Count one part's `rounds` table, which is in the order of games."""
    if rounds.is_empty():
        return Tally()
    firsts = np.flatnonzero(np.diff(rounds["game"].to_numpy(), prepend=-1))
    lengths = np.diff(firsts, append=len(rounds)).astype(np.int64)
    numbers = {key: _count(values, firsts, lengths) for key, values in _numbers(rounds)}
    ones = _count(np.ones(len(rounds), np.int64), firsts, lengths).by_game
    return Tally(len(firsts), len(rounds), ones, numbers)


def total(tallies: Iterable[Tally]) -> Tally:
    """The tally of all games of some tallies."""
    return sum(tallies, Tally())


def summarise(whole: Tally) -> pl.DataFrame:
    """The summary, a row for each column and value."""
    rows = [_row(column, value, whole.numbers[place, column, value]) for place, column, value in sorted(whole.numbers)]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def files(summary: pl.DataFrame, whole: Tally, about: Mapping[str, Any]) -> dict[str, bytes]:
    """The bytes of `summary.parquet`, `.csv` and `.json`; `about` says which run it is."""
    text = json.dumps(document(summary, whole, about), indent=1, ensure_ascii=False)
    return {
        "summary.parquet": parts.seal(summary, _head(whole, about)),
        "summary.csv": summary.write_csv().encode(),
        "summary.json": f"{text}\n".encode(),
    }


def document(summary: pl.DataFrame, whole: Tally, about: Mapping[str, Any]) -> dict[str, Any]:
    """The summary as JSON has it."""
    return {**_head(whole, about), "rows": summary.to_dicts()}


def _head(whole: Tally, about: Mapping[str, Any]) -> dict[str, Any]:
    return {**about, "schema": parts.SCHEMA, "games": whole.games, "rounds": whole.rounds, "level": LEVEL}


def _numbers(rounds: pl.DataFrame) -> Iterator[tuple[Key, np.ndarray]]:
    """The numbers that are counted: each numeric column, and an indicator for each value of the others."""
    for place, column in enumerate(rounds.iter_columns()):
        name = column.name
        if name in _SKIPPED:
            continue
        if column.dtype == pl.Boolean:
            yield (place, name, "true"), column.cast(pl.Int64).to_numpy()
        elif column.dtype.is_integer() and name not in _SEATS:
            yield (place, name, ""), column.cast(pl.Int64).to_numpy()
        else:
            for value in column.unique():
                if value != "":
                    yield (place, name, str(value)), (column == value).cast(pl.Int64).to_numpy()


def _count(values: np.ndarray, firsts: np.ndarray, lengths: np.ndarray) -> Tallied:
    x, y = lengths, np.add.reduceat(values, firsts)
    by_game = Sums(
        games=len(x),
        x=len(values),
        y=_sum(y),
        xx=_sum(x, x),
        xy=_sum(x, y),
        yy=_sum(y, y),
        most=int(x.max()),
        hit=int((y > 0).sum()),
        missed=int((y < x).sum()),
        x3=_sum(x, x, x),
        xxy=_sum(x, x, y),
        xyy=_sum(x, y, y),
        y3=_sum(y, y, y),
    )
    return Tallied(by_game, _sum(values, values), int(values.min()), int(values.max()))


def _sum(*factors: np.ndarray) -> int:
    """The sum of a product, exact also where int64 would overflow."""
    bound = len(factors[0])
    for factor in factors:
        bound *= max(1, abs(int(factor.min())), abs(int(factor.max())))
    kind = np.int64 if bound < _SAFE else object
    product = factors[0].astype(kind)
    for factor in factors[1:]:
        product = product * factor.astype(kind)
    return int(product.sum())


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
