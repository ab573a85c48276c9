"""Several settings on the same deals: game by game."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import NamedTuple

import numpy as np
import polars as pl

from simcli.ask.estimators import Estimator
from simcli.ask.questions import Question
from simcli.config.scenario import Scenario
from simcli.play import threads
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats.paired import Side
from simcli.stats.tallies import cells
from simcli.tables import frames

_PIECE_GAMES = 2_000


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


def by_game(question: Question, frame: pl.DataFrame, first: int, games: int) -> Side:
    """Eligible rows and their total of games first..first+games-1."""
    block = Estimator(question).evaluate(frame)
    found = cells(block.game)
    place = block.game[np.searchsorted(found.of_row, np.arange(len(found.rows)))] - first
    totals = found.total(block.target)
    side = Side(np.zeros(games, np.int64), np.zeros(games, totals.dtype))
    side.rows[place] = found.rows
    side.total[place] = totals
    return side


def together(sides: Sequence[Side]) -> Side:
    """The same games of several plays as one."""
    return Side(np.sum([side.rows for side in sides], axis=0), np.sum([side.total for side in sides], axis=0))


def table(scenario: Scenario, rows: np.ndarray, question: Question, more: Iterable[str] = ()) -> pl.DataFrame:
    """The table a question is about, with its columns and some more."""
    return frames.table(scenario, rows, question.table, question.columns | set(more))
