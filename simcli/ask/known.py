"""Exact probabilities of questions that the deal alone decides."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from kernels.registry import Game
from simcli.ask.questions import SHARE, Question
from simcli.config.scenario import Scenario


@dataclass(frozen=True)
class Exact:
    """A probability that can be counted: favourable of total equally likely deals."""

    favourable: int
    total: int

    @property
    def p(self) -> float:
        """As a decimal."""
        return self.favourable / self.total

    def describe(self) -> dict[str, Any]:
        """For JSON; integers as text."""
        return {"favourable": str(self.favourable), "total": str(self.total), "p": self.p}


def known(scenario: Scenario, question: Question) -> Exact | None:
    """The exact probability of an event about one column that a uniformly shuffled deal decides, where it is known.

    The column's values fall into classes of known probability; the event must be all true or all false in each.
    """
    target = question.target
    if question.kind != SHARE or question.given or target is None or len(target.columns) != 1:
        return None
    if scenario.shuffle.kind != "uniform":
        return None
    (column,) = target.columns
    classes = _classes(scenario, question, column)
    favourable = 0
    for values, ways in classes:
        truths = pl.DataFrame({column: values}).select(pl.col(column), target.polars.alias("target "))["target "]
        if truths.null_count() or truths.n_unique() != 1:
            return None
        favourable += ways if truths[0] else 0
    return Exact(favourable, sum(ways for _, ways in classes)) if classes else None


def _classes(scenario: Scenario, question: Question, column: str) -> list[tuple[tuple[Any, ...], int]]:
    """Values that the column may have, class by class, and in how many deals; empty if unknown."""
    try:
        exact = Game(scenario.game).exact
    except ModuleNotFoundError:
        return []
    base = column if question.per == "seat" else column.rpartition("_")[0]
    if base in exact.DEALT and (question.per == "seat" or column.rpartition("_")[2].isdigit()):
        return list(exact.distribution(base, scenario.rules))
    return list(exact.distribution(column, scenario.rules)) if column in exact.DEALT_TO_ALL else []
