"""Where a picture's numbers come from: the games of a run, or new ones of a config, asked once for all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from simcli.asking import reproduce
from simcli.asking.answers import Answer
from simcli.asking.collector import Collector
from simcli.asking.estimators import Estimator
from simcli.asking.questions import TARGETS, Builder, Question, target_of
from simcli.asking.request import Asked, Request, answer, recorded
from simcli.config.scenario import Scenario
from simcli.errors import Stopped
from simcli.play import threads
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.runs.runfolder import RunFolder
from simcli.stats import stopping
from simcli.tables import frames

PILOT = 1_000
"""Games by which the scale of a picture is chosen."""

Keys = Mapping[str, Any]
"""What is asked, with the keys of a config's question."""


@dataclass(frozen=True)
class Source:
    """Games 0..games-1 of a scenario: those of a run first, where there is one. `target` is as on the command line."""

    label: str
    target: str
    sets: tuple[str, ...]
    scenario: Scenario
    games: int
    jobs: int
    folder: RunFolder | None = None
    quiet: bool = True

    @cached_property
    def builder(self) -> Builder:
        """Checks what is asked."""
        return Builder(self.scenario)

    def question(self, keys: Keys) -> Question:
        """A question from its keys, as the command line asks it. Raises UserError."""
        (built,) = self.builder.build("question", keys, lambda key: key)
        key = target_of(built.kind)
        return replace(built, written=str(keys[key]), option="" if key == "event" else f"--{key}")

    def values(self, number: str, given: str | None, per: str) -> np.ndarray:
        """A number's values in the first games."""
        question = self.question({"mean": number, "given": given, "per": per})
        return np.asarray(Estimator(question).evaluate(self._table(question)).target)

    def _table(self, question: Question) -> Any:
        return frames.table(self.scenario, self._pilot, question.table, question.columns)

    @cached_property
    def _pilot(self) -> np.ndarray:
        if self.folder is not None:
            rows = next(recorded(self.folder))
            return rows[: int(np.searchsorted(rows["game"], PILOT))]
        pieces = [(0, min(PILOT, self.games))]
        ((_, rows),) = threads.parts(self.scenario, pieces, 1, progress=Progress(None, self.quiet))
        return np.asarray(rows)

    def answers(self, asked: Sequence[Keys | Question]) -> list[Answer]:
        """The answers to questions, or to what their keys ask, in their order, from one pass over the games.

        Each has the command that gives it by itself. Raises Stopped, and UserError for a question that does not fit.
        """
        questions = [each if isinstance(each, Question) else self.question(each) for each in asked]
        work = self.asked(questions, self.games)
        with Interrupts() as interrupts, Progress(self.games, self.quiet) as progress:
            found = answer(work, self.jobs, progress, interrupts)
        if interrupts():
            raise Stopped(interrupts.signal)
        return [
            replace(each, reproduce=reproduce.of_answer(self._alone(work, keys), each.question))
            for keys, each in zip(asked, found, strict=True)
        ]

    def asked(self, questions: Sequence[Question], games: int) -> Asked:
        """Questions about games 0..games-1, ready to be answered."""
        collector = Collector(self.scenario, questions, stopping.Rule(games))
        return Asked(Request(self.target, self.sets, games=games), collector, self.folder)

    def _alone(self, work: Asked, asked: Keys | Question) -> Asked:
        """What was asked, as if it had been one question."""
        keys = {} if isinstance(asked, Question) else asked
        extra = {key: value for key, value in keys.items() if key not in TARGETS and key != "per" and value}
        extra |= {"per": "seat"} if keys.get("per") == "seat" else {}
        return work._replace(request=replace(work.request, extra=extra))
