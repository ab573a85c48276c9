"""Blocks of games, in index order, into answers: counts question by question, and says when a rule stops."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl

from kernels.registry import Game
from simcli.asking.answers import Answer, make
from simcli.asking.estimators import Estimator
from simcli.asking.questions import MEAN, PROPORTION, QUANTILES, TABLE, Question
from simcli.config.scenario import Scenario
from simcli.errors import UserError
from simcli.stats import stopping
from simcli.tables import frames

_TWO_SIDED = 1.96
"""Standard errors on both sides of an estimate that are shown in passing."""


class Collector:
    """Counts blocks of games for some questions until a rule stops."""

    def __init__(self, scenario: Scenario, questions: Sequence[Question], rule: stopping.Rule) -> None:
        """Raises UserError where the rule does not suit the questions."""
        self.scenario = scenario
        self.rule = rule
        self.games = 0
        self.rounds = 0
        self.stopped = ""
        self.estimators = [Estimator(question) for question in questions]
        self._unfinished: Counter[str] = Counter()
        self._looks = stopping.looks()
        self._next_look = next(self._looks)
        _check_rule(rule, questions)

    def add(self, rows: np.ndarray) -> bool:
        """Count the next block of records, of whole games; true once stopped (what lies beyond is not counted)."""
        while len(rows) and not self.stopped:
            end = min(self._next_look, self.rule.games)
            inside = int(np.searchsorted(rows["game"], end))
            self._add_until_hit(rows[:inside])
            rows = rows[inside:]
            if not self.stopped and self.games == end:
                self._look()
        return bool(self.stopped)

    def finish(self, reason: str) -> None:
        """Say why there are no more blocks, unless a rule has stopped already."""
        self.stopped = self.stopped or reason

    def _look(self) -> None:
        if self.games == self._next_look:
            self._next_look = next(self._looks)
        looks = self.rule.kind in (stopping.PRECISION, stopping.DECISION) and self.games >= self.rule.least
        if looks and all(map(self.rule.stops, self.estimators)):
            self.stopped = self.rule.kind
        elif self.games == self.rule.games:
            self.stopped = self.rule.spent

    def _add_until_hit(self, rows: np.ndarray) -> None:
        if not isinstance(self.rule, stopping.Hits) or not len(rows):
            self._count(rows)
            return
        estimator = self.estimators[0]
        hit_games = estimator.hit_games(self._tables(rows)[estimator.question.table])
        missing = self.rule.hits - estimator.proportions[()].hits
        if len(hit_games) >= missing:
            rows = rows[: int(np.searchsorted(rows["game"], int(hit_games[missing - 1]) + 1))]
            self.stopped = stopping.HITS
        self._count(rows)
        if max((x for x, _ in estimator.proportions[()].pairs), default=0) > 1:
            raise UserError("--hits", "a game gave several eligible rows; inverse sampling needs one trial per game")

    def _count(self, rows: np.ndarray) -> None:
        if not len(rows):
            return
        tables = self._tables(rows)
        for estimator in self.estimators:
            estimator.add(tables[estimator.question.table])
        self.games = int(rows["game"][-1]) + 1
        self.rounds += len(rows)
        columns = Game(self.scenario.game).columns
        for name in columns.UNFINISHED:
            number = columns.COLUMNS["outcome"].words.index(name)
            self._unfinished[name] += int(np.count_nonzero(rows["outcome"] == number))

    def _tables(self, rows: np.ndarray) -> dict[str, pl.DataFrame]:
        wanted: dict[str, set[str]] = {}
        for estimator in self.estimators:
            wanted.setdefault(estimator.question.table, set()).update(estimator.question.columns)
        return {name: frames.table(self.scenario, rows, name, columns) for name, columns in wanted.items()}

    def glance(self) -> str:
        """The first question's estimate so far, in a few words, for progress."""
        estimator = self.estimators[0]
        estimate = estimator.estimate
        if estimator.question.kind in (QUANTILES, TABLE) or estimate is None:
            return ""
        half = _TWO_SIDED * estimator.error()
        if estimator.question.kind == MEAN:
            return f"{estimate:.4g} ± {half:.2g}"
        return f"{100 * estimate:.4g}% ± {100 * half:.2g}pp"

    def answers(self) -> list[Answer]:
        """The answers to the games counted so far."""
        unfinished = {name: count / self.rounds for name, count in self._unfinished.items() if count}
        stopped = self.stopped or self.rule.spent
        return [
            make(self.scenario, estimator, self.rule, self.games, stopped, unfinished) for estimator in self.estimators
        ]


def _check_rule(rule: stopping.Rule, questions: Sequence[Question]) -> None:
    place = f"--{'decide' if rule.kind == stopping.DECISION else rule.kind}"
    if rule.kind == stopping.PRECISION:
        if any(question.kind not in (PROPORTION, MEAN) or question.by for question in questions):
            raise UserError(place, "goes with a share or a mean, not with groups, tables or quantiles")
    elif rule.kind in (stopping.HITS, stopping.DECISION) and (
        len(questions) != 1 or questions[0].kind != PROPORTION or questions[0].by
    ):
        raise UserError(place, "takes one event at a time, without groups")
