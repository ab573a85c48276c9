"""`compare` and `sweep`: which settings are played, and what the tables say."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from kernels.registry import Game
from simcli.ask import pairing
from simcli.ask.estimators import interval_of
from simcli.ask.questions import MEAN, SHARE, Builder, Question
from simcli.ask.request import places
from simcli.config import settings
from simcli.config.loading import make_policy
from simcli.config.scenario import Policy, Scenario
from simcli.config.settings import Setting
from simcli.errors import UserError
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats.paired import Difference, Paired, Side
from simcli.stats.tallies import MeanTally, ShareTally

Row = dict[str, Any]
POINTS = "points"


def questions_of(scenario: Scenario, texts: Sequence[str], extra: Mapping[str, Any]) -> list[Question]:
    """Shares and means to compare: those asked, else all of the config. Raises UserError."""
    builder = Builder(scenario)
    found: list[Question] = []
    for text in texts:
        named = builder.named(text)
        asked = {**({"event": text} if named is None else named), **extra}
        found += builder.build(text, asked, places(scenario, text, named, extra))
    if "mean" in extra and not texts:
        found += builder.build(str(extra["mean"]), extra, lambda key: f"--{key}")
    if not texts and "mean" not in extra:
        for name, named in scenario.questions.items():
            found += builder.build(name, {**named, **extra}, places(scenario, name, named, extra))
    found = [replace(question, expect=None) for question in found if question.kind in (SHARE, MEAN) and not question.by]
    if not found:
        raise UserError("question", "no share or mean to compare; name one, or write an event")
    return found


def pair(
    config: str,
    sets: Sequence[str],
    base: Scenario,
    texts: tuple[str, str],
    asked: Sequence[str],
    extra: Mapping[str, Any],
) -> "Duel | Grid":
    """Two policies at one table, or two settings each at their own. Raises UserError."""
    if all([settings.is_policy(text) for text in texts]):
        return duels(base, *texts, asked, extra)
    return Grid([settings.changed(config, sets, text, base) for text in texts], asked, extra)


def play(work: "Duel | Grid", games: int, jobs: int, quiet: bool) -> int:
    """Play the games in all settings, or until interrupted: returns the signal, or 0."""
    with Interrupts() as interrupts, Progress(work.plays * games, quiet) as progress:
        work.play(games, jobs, progress, interrupts)
    return interrupts.signal


# Policies against each other


def seatings(one: Policy, other: Policy, players: int) -> list[tuple[Policy, ...]]:
    """Each policy on every second seat, and the same turned by a seat until it repeats."""
    found: list[tuple[Policy, ...]] = []
    for turn in range(players):
        seating = tuple(one if (seat + turn) % players % 2 == 0 else other for seat in range(players))
        if seating not in found:
            found.append(seating)
    if players % 2:
        found += [tuple(other if policy == one else one for policy in seating) for seating in found]
    return found


def duels(base: Scenario, one: str, other: str, texts: Sequence[str], extra: Mapping[str, Any]) -> "Duel":
    """Two policies by name, compared at points a round, or at what is asked, per seat. Raises UserError."""
    if one == other:
        raise UserError(other, "two different policies are needed")
    asked = {**extra, "per": "seat"}
    if not texts and "mean" not in extra:
        asked["mean"] = POINTS
    options = Game(base.game).options
    policies = (make_policy(options, one), make_policy(options, other))
    return Duel(base, policies, questions_of(base, texts, asked))


class Duel:
    """Two policies at the same tables, on the same deals, seats changed about."""

    def __init__(self, base: Scenario, policies: tuple[Policy, Policy], questions: Sequence[Question]) -> None:
        self.policies = policies
        self.questions = questions
        self.scenarios = [replace(base, policies=seating) for seating in seatings(*policies, base.players)]
        self.paired = [_paired(question) for question in questions]
        self.single = [[_paired(question) for question in questions] for _ in self.scenarios]

    @property
    def plays(self) -> int:
        """How often each deal is played."""
        return len(self.scenarios)

    def play(self, games: int, jobs: int, progress: Progress, interrupts: Interrupts) -> None:
        """Play the games in every seating, or as many as there is time for."""
        for batch in pairing.play(self.scenarios, games, jobs, progress, interrupts):
            for number, question in enumerate(self.questions):
                both = [self._sides(question, place, batch) for place in range(self.plays)]
                for alone, sides in zip(self.single, both, strict=True):
                    alone[number].add(*sides)
                self.paired[number].add(*(pairing.together([sides[i] for sides in both]) for i in range(2)))

    def _sides(self, question: Question, place: int, batch: pairing.Batch) -> list[Side]:
        """Rows and totals by game of the seats of each policy."""
        scenario = self.scenarios[place]
        frame = pairing.table(scenario, batch.rows[place], question, ("seat",))
        found = []
        for policy in self.policies:
            seats = [seat for seat, who in enumerate(scenario.policies) if who == policy]
            mine = frame.filter(pl.col("seat").is_in(seats))
            found.append(pairing.by_game(question, mine, batch.first, batch.games))
        return found

    def pairs(self) -> list[Row]:
        """The first policy against the second, a row a question."""
        settings = tuple(Setting(policy.name, self.scenarios[0]) for policy in self.policies)
        rows = []
        for number, (question, paired) in enumerate(zip(self.questions, self.paired, strict=True)):
            found = paired.difference(question.level)._replace(saves=self._saved(number))
            rows.append(_row(question, (settings[0], settings[1]), paired, found))
        return rows

    def _saved(self, number: int) -> float | None:
        """How many times as many plays it would take with a new deal for each, seats not turned."""
        paired = self.paired[number].error()
        apart = math.hypot(*(alone[number].error() for alone in self.single)) / self.plays
        return (apart / paired) ** 2 if 0 < paired < math.inf else None


def _paired(question: Question) -> Paired:
    return Paired(question.kind == SHARE)


def _verdict(found: Difference, question: Question, scenario: Scenario) -> str:
    """How the first compares with the second, where the interval leaves no doubt."""
    if found.value is None or found.interval.low <= 0 <= found.interval.high:
        return "undecided"
    higher = found.interval.low > 0
    if question.text != POINTS:
        return "higher" if higher else "lower"
    return "better" if higher == Game(scenario.game).columns.HIGHER_WINS else "worse"


def _row(question: Question, settings: tuple[Setting, Setting], paired: Paired, found: Difference) -> Row:
    one, other = paired.estimates
    return {
        "question": question.name,
        "a": settings[0].label,
        "b": settings[1].label,
        "estimate_a": one,
        "estimate_b": other,
        "difference": found.value,
        "low": found.interval.low,
        "high": found.interval.high,
        "level": question.level,
        "a_is": _verdict(found, question, settings[0].scenario),
        "games": paired.games,
        "seed": settings[0].scenario.seed,
        "pairing_saves": found.saves,
        "method": found.interval.method,
    }


# Settings side by side


def _tally(question: Question) -> ShareTally | MeanTally:
    return MeanTally() if question.kind == MEAN else ShareTally()


class Grid:
    """Several settings on the same deals, for some questions."""

    def __init__(self, settings: Sequence[Setting], texts: Sequence[str], extra: Mapping[str, Any]) -> None:
        self.settings = settings
        self.games = 0
        self.questions = [questions_of(setting.scenario, texts, extra) for setting in settings]
        self.paired = [[_paired(question) for question in self.questions[0]] for _ in settings[1:]]
        self.tallies = [[_tally(question) for question in asked] for asked in self.questions]

    @property
    def plays(self) -> int:
        """How often each deal is played."""
        return len(self.settings)

    def play(self, games: int, jobs: int, progress: Progress, interrupts: Interrupts) -> None:
        """Play the games in every setting, or as many as there is time for."""
        scenarios = [setting.scenario for setting in self.settings]
        for batch in pairing.play(scenarios, games, jobs, progress, interrupts):
            self.games += batch.games
            for number in range(len(self.questions[0])):
                first, *others = (self._of(place, number, batch) for place in range(len(scenarios)))
                for paired, other in zip(self.paired, others, strict=True):
                    paired[number].add(first, other)

    def _of(self, place: int, number: int, batch: pairing.Batch) -> Side:
        question, scenario = self.questions[place][number], self.settings[place].scenario
        frame = pairing.table(scenario, batch.rows[place], question)
        side = pairing.by_game(question, frame, batch.first, batch.games)
        some = side.rows > 0
        self.tallies[place][number].add(side.rows[some], side.total[some])
        return side

    def pairs(self) -> list[Row]:
        """The first setting against the second, a row a question."""
        both = (self.settings[0], self.settings[1])
        rows = []
        for question, paired in zip(self.questions[0], self.paired[0], strict=True):
            rows.append(_row(question, both, paired, paired.difference(question.level)))
        return rows

    def table(self) -> list[Row]:
        """Every setting with its interval, and its difference from the first, a row each."""
        rows = []
        for number, question in enumerate(self.questions[0]):
            for place, setting in enumerate(self.settings):
                tally = self.tallies[place][number]
                own = interval_of(question.kind, tally, question.level)
                row: Row = {
                    "question": question.name,
                    "setting": setting.label,
                    "estimate": tally.estimate,
                    "low": own.low,
                    "high": own.high,
                    "difference": None,
                    "difference_low": None,
                    "difference_high": None,
                    "level": question.level,
                    "games": self.games,
                    "seed": setting.scenario.seed,
                    "pairing_saves": None,
                    "method": own.method,
                }
                if place:
                    found = self.paired[place - 1][number].difference(question.level).turned()
                    row |= {"difference": found.value, "difference_low": found.interval.low}
                    row |= {"difference_high": found.interval.high, "pairing_saves": found.saves}
                rows.append(row)
        return rows
