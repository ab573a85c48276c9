"""One question's tallies, and the evaluation of its expressions on a block of games."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from simcli.asking.questions import MEAN, PROPORTION, QUANTILES, Question
from simcli.errors import UserError
from simcli.stats import intervals
from simcli.stats.frequencies import Ints, Numbers
from simcli.stats.intervals import Interval
from simcli.stats.stopping import Bets
from simcli.stats.tallies import Cells, MeanTally, ProportionTally, TableTally, ValueTally, cells, count_pairs
from simcli.tables.expressions import Kind, select

EXAMPLES = 3
"""Games named as examples of an event."""
MAX_GROUPS = 1_000

Key = tuple[Any, ...]
"""Values of the columns of a group."""


@dataclass(frozen=True)
class Block:
    """Rows of one table for some games in a row, with the target and the given of one question."""

    game: Ints
    target: Any
    group: Ints | None
    keys: Sequence[Key]

    def cells(self) -> Cells:
        return cells(self.game, self.group)


class Estimator:
    """One question's tallies."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.proportions: dict[Key, ProportionTally] = {(): ProportionTally()}
        self.means: dict[Key, MeanTally] = {(): MeanTally()}
        self.values = ValueTally(question.place)
        self.cells = TableTally()
        self.examples: list[int] = []

    # What rules see

    @property
    def bets(self) -> Bets:
        """Games by the length that was expected of them at most, eligible rows and hits."""
        return self.proportions[()].bets

    @property
    def estimate(self) -> float | None:
        """The estimate so far, of everything."""
        return self._whole().estimate

    def interval(self, error: float = 1.0) -> Interval | None:
        """Its interval, at the question's level; its error probability is multiplied by `error`."""
        return interval_of(self.question, self._whole(), 1 - (1 - self.question.level) * error)

    def error(self) -> float:
        """The standard error of the estimate."""
        return intervals.standard_error(self._whole().sample())

    def _whole(self) -> ProportionTally | MeanTally:
        return self.means[()] if self.question.kind == MEAN else self.proportions[()]

    # Taking games

    def hit_games(self, frame: pl.DataFrame) -> Ints:
        """Games of the rows with the event, in order."""
        block = self.evaluate(frame)
        return np.asarray(block.game[block.target])

    def add(self, frame: pl.DataFrame) -> None:
        """Count the rows of whole games."""
        self.count(self.evaluate(frame))

    def count(self, block: Block) -> None:
        """Count rows that have been evaluated."""
        if not len(block.game):
            return
        kind = self.question.kind
        if kind == PROPORTION:
            self._add_proportion(block)
        elif kind == MEAN:
            self._add_mean(block)
        elif kind == QUANTILES:
            self.values.add(cells(block.game).rows, block.target)
        else:
            self._add_table(block)

    def _add_proportion(self, block: Block) -> None:
        whole = cells(block.game)
        self.proportions[()].add(whole.rows, whole.how_many(block.target))
        if len(self.examples) < EXAMPLES:
            fresh = dict.fromkeys([*self.examples, *block.game[block.target][: 64 * EXAMPLES].tolist()])
            self.examples = list(fresh)[:EXAMPLES]
        if block.group is not None:
            by_group = block.cells()
            hits = by_group.how_many(block.target)
            for number, key in enumerate(block.keys):
                chosen = by_group.group == number
                self._of_group(self.proportions, ProportionTally, key).add(by_group.rows[chosen], hits[chosen])

    def _add_mean(self, block: Block) -> None:
        whole = cells(block.game)
        self.means[()].add(whole.rows, _finite(whole.total(block.target), self.question))
        if block.group is not None:
            by_group = block.cells()
            totals = by_group.total(block.target)
            for number, key in enumerate(block.keys):
                chosen = by_group.group == number
                self._of_group(self.means, MeanTally, key).add(by_group.rows[chosen], totals[chosen])

    def _add_table(self, block: Block) -> None:
        whole = cells(block.game)
        for rows, count in zip(*np.unique(whole.rows, return_counts=True), strict=True):
            self.cells.all[int(rows)] += int(count)
        first = np.flatnonzero(np.diff(block.game, prepend=block.game[:1] - 1))
        by_group = block.cells()
        games = np.zeros(len(by_group.rows), np.int64)
        games[by_group.of_row] = block.game
        x = whole.rows[np.searchsorted(block.game[first], games)]
        for number, key in enumerate(block.keys):
            chosen = by_group.group == number
            tally = self._of_group(self.cells.cells, ProportionTally, key)
            for pair, count in count_pairs(x[chosen], by_group.rows[chosen]):
                tally.pairs[pair] += count

    def _of_group(self, tallies: dict[Key, Any], make: type, key: Key) -> Any:
        if key not in tallies:
            if len(tallies) > MAX_GROUPS:
                raise UserError(self.question.place, f"more than {MAX_GROUPS} groups; use coarser columns")
            tallies[key] = make()
        return tallies[key]

    # Evaluation

    def evaluate(self, frame: pl.DataFrame) -> Block:
        """Eligible rows, what is asked of each, and its group. Raises UserError for a row without a value."""
        question = self.question
        wanted = [pl.col("game")]
        if question.target is not None:
            wanted.append(question.target.polars.alias("target "))
        if question.given is not None:
            wanted.append(question.given.polars.alias("given "))
        found = select(frame, *wanted, *(pl.col(name).alias(f"by {name}") for name in question.by))
        if question.given is not None:
            _require_values(found, "given ", question.given.text, question.place)
            found = found.filter(pl.col("given "))
        target = None
        if question.target is not None:
            _require_values(found, "target ", question.target.text, question.place)
            target = found["target "].to_numpy()
            if question.target.kind is Kind.REAL:
                _require_finite(found["game"], target, question)
        group, keys = _groups([found[f"by {name}"] for name in question.by])
        return Block(found["game"].to_numpy(), target, group, keys)


def _require_values(found: pl.DataFrame, column: str, text: str, place: str) -> None:
    if found[column].null_count():
        game = found.filter(pl.col(column).is_null())["game"][0]
        raise UserError(place, f"{text!r} divides by zero in game {game}; guard it: x > 0 AND ..., CASE WHEN ...")


def _require_finite(game: pl.Series, target: Any, question: Question) -> None:
    wrong = np.flatnonzero(~np.isfinite(target))
    if len(wrong):
        raise UserError(question.place, f"{question.text!r} is beyond floating point in game {game[int(wrong[0])]}")


def _finite(totals: Numbers, question: Question) -> Numbers:
    if not np.isfinite(totals).all():
        raise UserError(question.place, f"the sum of {question.text!r} over a game is beyond floating point")
    return totals


def _groups(columns: Sequence[pl.Series]) -> tuple[Ints | None, list[Key]]:
    """The number of each row's group, and the groups' keys; None and nothing without columns."""
    if not columns:
        return None, []
    codes = np.zeros(len(columns[0]), np.int64)
    values: list[list[Any]] = []
    for column in columns:
        named = isinstance(column.dtype, pl.Enum)
        seen, code = np.unique((column.to_physical() if named else column).to_numpy(), return_inverse=True)
        names = column.dtype.categories if isinstance(column.dtype, pl.Enum) else None
        values.append([names[int(v)] for v in seen] if names is not None else seen.tolist())
        codes = codes * max(1, len(seen)) + code
    groups, group = np.unique(codes, return_inverse=True)
    return group.astype(np.int64), [_key(int(code), values) for code in groups]


def _key(code: int, values: Sequence[Sequence[Any]]) -> Key:
    key: list[Any] = []
    for column in reversed(values):
        key.append(column[code % max(1, len(column))])
        code //= max(1, len(column))
    return tuple(reversed(key))


def interval_of(question: Question, tally: ProportionTally | MeanTally, level: float) -> Interval:
    """The interval of a share or of a mean."""
    if question.kind != MEAN:
        return intervals.proportion(tally.sample(), level)
    if not tally.eligible:
        return Interval(-math.inf, math.inf, "no eligible rows")
    return intervals.mean(tally.sample(), level, question.bounds)
