"""`compare` and `sweep`: which settings are played, and what the tables say."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from kernels.registry import Game
from simcli.asking import pairing
from simcli.asking.answers import QUANTILE_LEVELS, Answer, group_label, sortable
from simcli.asking.estimators import Estimator, Key
from simcli.asking.pairing import Comparison, Pairs
from simcli.asking.questions import MEAN, PROPORTION, QUANTILES, TABLE, Builder, Question
from simcli.asking.request import Request, build_one, build_questions, wanted
from simcli.config import settings
from simcli.config.scenario import Policy, Scenario
from simcli.config.settings import Setting
from simcli.errors import UserError
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats.intervals import Interval
from simcli.stats.paired import Difference
from simcli.tables import frames

Row = dict[str, Any]
POINTS = "points"
_NO_TABLE = "a table is not compared; ask for the share of one value, as in winner = 0"


def settings_of(request: Request, base: Scenario, one: str) -> "Duel | Grid":
    """What is compared: another config, or two settings, the second of which is the first of the texts.

    Raises UserError.
    """
    if settings.is_config(one, base):
        return configs(request, base, one)
    if not request.texts:
        raise UserError(
            "simcli compare", "Missing argument 'B': a policy, or KEY=VALUE,... (see simcli compare --help)"
        )
    other, *texts = request.texts
    return pair(replace(request, texts=texts), base, one, other)


def pair(request: Request, base: Scenario, one: str, other: str) -> "Duel | Grid":
    """Two policies at one table, or two settings each at their own. Raises UserError."""
    if all([settings.is_policy(text, base) for text in (one, other)]):
        return duels(request, base, one, other)
    return Grid(request, [settings.changed(request.target, request.sets, text, base) for text in (one, other)])


def configs(request: Request, base: Scenario, other: str) -> "Grid":
    """Two configs, the questions and the seed being the first's. Raises UserError."""
    return Grid(request, [Setting(request.target, base), settings.other_config(other, request.sets, base)])


def play(work: "Duel | Grid", games: int, jobs: int, quiet: bool) -> int:
    """Play the games in all settings, or until interrupted: returns the signal, or 0."""
    with Interrupts() as interrupts, Progress(work.plays * games, quiet) as progress:
        for note in work.notes:
            progress.say(note)
        work.play(games, jobs, progress, interrupts)
    return interrupts.signal


def _unexpected(question: Question) -> Question:
    """The question without what a config expects of its own setting."""
    return replace(question, expect=None)


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


def duels(request: Request, base: Scenario, one: str, other: str) -> "Duel":
    """Two policies, compared at points a round, or at what is asked, per seat. Raises UserError."""
    policies = settings.player(base, one), settings.player(base, other)
    if policies[0] == policies[1]:
        raise UserError(other, "two different policies are needed")
    if request.extra.get("per", "seat") != "seat":
        hint = f"policies={one} policies={other} gives each a table of its own"
        raise UserError("--per", f"two policies at one table are compared per seat; {hint}")
    extra = {**request.extra, "per": "seat"}
    if not request.texts and not request.targets:
        extra["mean"] = POINTS
    asked = [_unexpected(question) for question in build_questions(base, replace(request, extra=extra))]
    for question in asked:
        _check_seats(base, question)
    return Duel(base, policies, (one, other), asked)


def _check_seats(scenario: Scenario, question: Question) -> None:
    """Raise UserError for a table, and for a question about rounds: two policies at one table have the same ones."""
    if question.kind == TABLE:
        raise UserError(question.place, _NO_TABLE)
    if question.columns <= frames.schema(scenario, "rounds").keys():
        hint = "ask about seats, as in `seat = winner`, or give each policy its own table: policies=NAME"
        raise UserError(question.place, f"{question.text!r} is the same for both, who sit at one table; {hint}")


class Duel:
    """Two policies at the same tables, on the same deals, seats changed about."""

    notes: Sequence[str] = ()

    def __init__(
        self, base: Scenario, policies: tuple[Policy, Policy], labels: tuple[str, str], questions: Sequence[Question]
    ) -> None:
        self.policies = policies
        self.games = 0
        self.scenarios = [replace(base, policies=seating) for seating in seatings(*policies, base.players)]
        self.settings = [Setting(label, self.scenarios[0]) for label in labels]
        self.comparisons = [Comparison([question, question]) for question in questions]
        self._single = [[Pairs(question.kind == PROPORTION) for question in questions] for _ in self.scenarios]

    @property
    def plays(self) -> int:
        """How often each deal is played."""
        return len(self.scenarios)

    def play(self, games: int, jobs: int, progress: Progress, interrupts: Interrupts) -> None:
        """Play the games in every seating, or as many as there is time for."""
        for batch in pairing.play(self.scenarios, games, jobs, progress, interrupts):
            self.games += batch.games
            for number, comparison in enumerate(self.comparisons):
                question = comparison.question
                seated = [self._sides(question, place, batch) for place in range(self.plays)]
                both = [pl.concat(side).sort("game", maintain_order=True) for side in zip(*seated, strict=True)]
                comparison.add(both, batch.first, batch.games)
                if question.kind != QUANTILES:
                    self._add_single(number, question, seated, batch)

    def _sides(self, question: Question, place: int, batch: pairing.Batch) -> list[pl.DataFrame]:
        """The seats of each policy."""
        scenario = self.scenarios[place]
        frame = pairing.table(scenario, batch.rows[place], question, ("seat",))
        seats = ([seat for seat, who in enumerate(scenario.policies) if who == policy] for policy in self.policies)
        return [frame.filter(pl.col("seat").is_in(mine)) for mine in seats]

    def _add_single(
        self, number: int, question: Question, seated: Sequence[Sequence[pl.DataFrame]], batch: pairing.Batch
    ) -> None:
        estimator = Estimator(question)
        for alone, tables in zip(self._single, seated, strict=True):
            one, other = (pairing.sides(estimator.evaluate(table), batch.first, batch.games) for table in tables)
            alone[number].add(one, other, batch.games)

    def saves(self, number: int, key: Key, found: Difference) -> float | None:
        """How many times as many plays it would take with a new deal for each, seats not turned."""
        paired = self.comparisons[number].error(1, key)
        apart = math.hypot(*(alone[number].error(key) for alone in self._single)) / self.plays
        return (apart / paired) ** 2 if 0 < paired < math.inf else None


# Settings side by side


class Grid:
    """Several settings on the same deals, for some questions."""

    def __init__(self, request: Request, settings: Sequence[Setting]) -> None:
        """Raises UserError for a question that can be asked in no setting; `notes` says where others cannot."""
        self.settings = settings
        self.games = 0
        self.notes: list[str] = []
        self.comparisons: list[Comparison] = []
        builders = [Builder(setting.scenario) for setting in settings]
        for text in wanted(settings[0].scenario, request):
            asked = list(self._asked(builders, text, request))
            several = max(len(each) for each in asked)
            for number in range(several):
                self._add([each[number] if each else None for each in asked])
        if not self.comparisons:
            raise UserError("questions", _NO_TABLE)

    def _add(self, questions: Sequence[Question | None]) -> None:
        table = next((question for question in questions if question and question.kind == TABLE), None)
        if table:
            self.notes.append(f"{table.name} is left out; {_NO_TABLE}")
        else:
            self.comparisons.append(Comparison(questions))

    def _asked(self, builders: Sequence[Builder], text: str | None, request: Request) -> Iterator[list[Question]]:
        """The questions that a text comes to in every setting, none where it does not fit."""
        refused: list[UserError] = []
        for setting, builder in zip(self.settings, builders, strict=True):
            try:
                yield [_unexpected(question) for question in build_one(builder, text, request)]
            except UserError as error:
                refused.append(error)
                self.notes.append(f"{setting.label}: {text or 'the question'} is left out; {error}")
                yield []
        if len(refused) == len(self.settings):
            raise refused[0]

    @property
    def plays(self) -> int:
        """How often each deal is played."""
        return len(self.settings)

    def play(self, games: int, jobs: int, progress: Progress, interrupts: Interrupts) -> None:
        """Play the games in every setting, or as many as there is time for."""
        scenarios = [setting.scenario for setting in self.settings]
        for batch in pairing.play(scenarios, games, jobs, progress, interrupts):
            self.games += batch.games
            for comparison in self.comparisons:
                tables = [
                    None if estimator is None else pairing.table(scenario, rows, estimator.question)
                    for scenario, rows, estimator in zip(scenarios, batch.rows, comparison.estimators, strict=True)
                ]
                comparison.add(tables, batch.first, batch.games)

    def saves(self, number: int, key: Key, found: Difference) -> float | None:
        """How many times as many games it would take with a new deal for each."""
        return found.saves


# Tables


class Own(NamedTuple):
    """What a setting comes to by itself: of everything, of a group, or a quantile."""

    estimate: float | None
    low: float | None = None
    high: float | None = None
    method: str = "not asked"


def pairs(work: Duel | Grid) -> list[Row]:
    """The first setting against the second, a row for each question and group."""
    one, other = work.settings[:2]
    rows = []
    for number, comparison in enumerate(work.comparisons):
        answers = [comparison.answer(place, setting.scenario, work.games) for place, setting in enumerate((one, other))]
        keys = _keys(comparison.question, answers)
        for key in keys:
            level = _level(comparison.question, key, len(keys) - 1)
            found = comparison.difference(1, key, level).turned()
            rows.append({
                "question": comparison.question.written,
                "kind": comparison.question.kind,
                "group": _label(comparison.question, key),
                "a": one.label,
                "b": other.label,
                "estimate_a": _own(answers[0], key).estimate,
                "estimate_b": _own(answers[1], key).estimate,
                "difference": found.value,
                "low": _finite(found.interval.low),
                "high": _finite(found.interval.high),
                "level": level,
                "a_is": _verdict(found, comparison.question, one.scenario),
                "games": work.games,
                "pairing_saves": work.saves(number, key, found),
                "method": found.interval.method,
                "game": one.scenario.game,
                "rules_hash_a": one.scenario.rules_hash,
                "rules_hash_b": other.scenario.rules_hash,
                "predeal_a": one.scenario.predealt or None,
                "predeal_b": other.scenario.predealt or None,
                "seed": one.scenario.seed,
            })  # fmt: skip
    return rows


def table(work: Grid) -> list[Row]:
    """Every setting with its interval, and its difference from the first, by question, setting and group."""
    rows = []
    for number, comparison in enumerate(work.comparisons):
        for place, setting in enumerate(work.settings):
            answer = comparison.answer(place, setting.scenario, work.games)
            keys = _keys(comparison.question, [answer])
            rows += [_of_setting(work, number, place, answer, key, len(keys) - 1) for key in keys]
    return rows


def _of_setting(work: Grid, number: int, place: int, answer: Answer | None, key: Key, groups: int) -> Row:
    comparison, setting = work.comparisons[number], work.settings[place]
    own = _own(answer, key)
    level = _level(comparison.question, key, groups)
    row: Row = {
        "question": comparison.question.written,
        "kind": comparison.question.kind,
        "setting": setting.label,
        "group": _label(comparison.question, key),
        "estimate": own.estimate,
        "low": own.low,
        "high": own.high,
        "difference": None,
        "difference_low": None,
        "difference_high": None,
        "level": level,
        "games": work.games,
        "pairing_saves": None,
        "method": own.method,
        "game": setting.scenario.game,
        "rules_hash": setting.scenario.rules_hash,
        "policies": [str(policy) for policy in setting.scenario.policies],
        "predeal": setting.scenario.predealt or None,
        "seed": setting.scenario.seed,
    }
    if place:
        found = comparison.difference(place, key, level)
        row |= {"difference": found.value, "difference_low": _finite(found.interval.low)}
        row |= {"difference_high": _finite(found.interval.high), "pairing_saves": work.saves(number, key, found)}
    return row


def _keys(question: Question, answers: Sequence[Answer | None]) -> list[Key]:
    """Everything and the groups that the answers have, or the numbers of the quantiles."""
    if question.kind == QUANTILES:
        return [(number,) for number in range(len(QUANTILE_LEVELS))]
    groups = {row.key for answer in answers if answer is not None for row in answer.rows}
    return [(), *sorted(groups, key=sortable)]


def _label(question: Question, key: Key) -> str:
    if question.kind == QUANTILES:
        return f"quantile {QUANTILE_LEVELS[key[0]]:g}"
    return group_label(question, key)


def _level(question: Question, key: Key, groups: int) -> float:
    """The level of one interval: those of groups hold together at the question's."""
    if question.kind == QUANTILES or not key:
        return question.level
    return 1 - (1 - question.level) / groups


def _own(answer: Answer | None, key: Key) -> Own:
    if answer is None:
        return Own(None)
    if answer.question.kind == QUANTILES:
        found = answer.quantiles[key[0]] if answer.quantiles else None
        return _own_of(found.value, found.interval) if found else Own(None, method="no eligible rows")
    row = next((row for row in (answer.total, *answer.rows) if row.key == key), None)
    return _own_of(row.estimate, row.interval) if row else Own(None, method="no eligible rows")


def _own_of(estimate: float | None, interval: Interval) -> Own:
    return Own(estimate, _finite(interval.low), _finite(interval.high), interval.method)


def _finite(limit: float) -> float | None:
    return limit if math.isfinite(limit) else None


def _verdict(found: Difference, question: Question, scenario: Scenario) -> str:
    """How the first compares with the second, where the interval leaves no doubt."""
    if found.value is None or found.interval.low <= 0 <= found.interval.high:
        return "undecided"
    higher = found.interval.low > 0
    if question.kind != MEAN or question.text != POINTS:
        return "higher" if higher else "lower"
    return "better" if higher == Game(scenario.game).columns.HIGHER_WINS else "worse"
