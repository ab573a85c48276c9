"""Everything that a page says, gathered: what the games hold in one pass, and what needs more play."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kernels.options import PLAIN_POLICIES
from kernels.pictures import CUMULATIVE, GROUPS, Picture
from kernels.registry import Game
from simcli.asking import pairing, reproduce, variants
from simcli.asking.answers import Answer
from simcli.asking.comparing import Grid
from simcli.asking.pairing import Comparison
from simcli.asking.questions import MEAN, PROPORTION, QUANTILES, Question
from simcli.asking.request import Request, blocks, build_one
from simcli.config.settings import Setting
from simcli.errors import Stopped, UserError
from simcli.pictures.charts import ROWS, Chart, Mark
from simcli.pictures.plans import Plan, plan
from simcli.pictures.sources import Keys, Source
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats.paired import Difference

MORE_GAMES = 4_000
"""Games of each other setting that is played for a page; few where a seat does not answer at once."""
FEW_GAMES = 50
_WINDOW = 2_000

ENDS, LENGTH, SEATS, DEAL, OWN = "ends", "length", "seats", "deal", "own"
"""Sections of pictures."""
_COMMON = (
    (ENDS, Picture("outcome", title="Outcomes")),
    (LENGTH, Picture("turns", title="Turns of a round")),
    (LENGTH, Picture("orbit > 0", CUMULATIVE, "orbit", title="Rounds that are over")),
    (SEATS, Picture("points", GROUPS, "seat", per="seat", title="Points of a round, by seat")),
    (SEATS, Picture("points", per="seat", title="How points are spread")),
)


class Asked(NamedTuple):
    """A question of the config, its answer in each setting, and the second less the first, if there are two."""

    name: str
    title: str
    answers: Sequence[Answer]
    difference: Difference | None


class Change(NamedTuple):
    """An alternative of a rule, what the rule is about, and how far it moves each question."""

    label: str
    meaning: str
    marks: Sequence[Mark]


class Varied(NamedTuple):
    """What each known alternative of the rules does to the questions of one number, on the same deals."""

    asked: Sequence[Answer]
    """The questions as they are answered with no rule changed."""
    changes: Sequence[Change]
    """The one that moves the first question most first."""
    games: int
    again: str


@dataclass(frozen=True)
class Material:
    """What a page is made of."""

    sources: Sequence[Source]
    questions: Sequence[Asked]
    charts: dict[str, list[Chart]]
    varied: Varied | None
    players: Sequence[Chart]
    example: tuple[int, str] | None
    """A game to look at, and the question whose event happens in it, if one does."""


def gather(sources: Sequence[Source]) -> Material:
    """Ask, and play, all that a page on one setting says, or on two. Raises UserError and Stopped."""
    named = [_named(source) for source in sources]
    plans = list(_plans(sources))
    answers = [source.answers([*each, *_wanted(plans)]) for source, each in zip(sources, named, strict=True)]
    charts: dict[str, list[Chart]] = {}
    for number, (section, wanted) in enumerate(plans):
        found = [
            (source.label, _slice(each, len(mine), plans, number))
            for source, mine, each in zip(sources, named, answers, strict=True)
        ]
        charts.setdefault(section, []).append(wanted.draw(found))
    questions = _questions(sources, named, answers)
    first = [asked.answers[0] for asked in questions]
    more = _can_play(sources[0])
    return Material(
        sources,
        questions,
        charts,
        _varied(sources[0], first) if more else None,
        _players(sources[0], first) if more else (),
        _example(questions) if more else None,
    )


def _can_play(source: Source) -> bool:
    """Whether this program plays the games that the run holds; one of another version plays others."""
    try:
        if source.folder is not None:
            source.folder.must_hold(source.scenario)
    except UserError:
        return False
    return True


def player_games(source: Source) -> int:
    """How many games each plain player plays."""
    return min(source.games, MORE_GAMES)


def varied_games(source: Source) -> int:
    """How many games of each alternative of a rule are played."""
    plain = all(policy.name in PLAIN_POLICIES for policy in source.scenario.policies)
    return min(source.games, MORE_GAMES if plain else FEW_GAMES)


# From the games themselves


def _named(source: Source) -> list[Question]:
    """The config's questions, but those that do not fit these rules."""
    found: list[Question] = []
    for name in source.scenario.questions:
        try:
            found += build_one(source.builder, name, Request(source.target, source.sets))
        except UserError:
            continue
    return found


def _plans(sources: Sequence[Source]) -> Iterator[tuple[str, Plan]]:
    """The pictures, those of all games and the game's own, but those that do not fit."""
    room = Game(sources[0].scenario.game).pictures
    own = () if room is None else room.PICTURES
    listed = [*_COMMON, *((DEAL if picture.of_deal else OWN, picture) for picture in own)]
    yield DEAL, _leader()
    for section, picture in listed:
        try:
            found = plan(picture, sources)
            for keys in found.asked:
                for source in sources:
                    source.question(keys)
        except UserError:
            continue
        yield section, found


def _leader() -> Plan:
    """Points of who has the first turn, and of the others."""
    seats = (("begins", "seat = leader"), ("does not", "seat <> leader"))
    asked = tuple({"mean": "points", "per": "seat", "given": given} for _, given in seats)
    chart = Chart(ROWS, "Points of a round, by who begins", "who has the first turn", "mean of points", (), False)
    return Plan(asked, tuple(label for label, _ in seats), chart)


def _wanted(plans: Sequence[tuple[str, Plan]]) -> list[Keys]:
    return [keys for _, wanted in plans for keys in wanted.asked]


def _slice(answers: Sequence[Answer], first: int, plans: Sequence[tuple[str, Plan]], number: int) -> Sequence[Answer]:
    """The answers to one plan's questions, which follow those of the plans before it."""
    start = first + sum(len(wanted.asked) for _, wanted in plans[:number])
    return answers[start : start + len(plans[number][1].asked)]


def _questions(
    sources: Sequence[Source], named: Sequence[Sequence[Question]], answers: Sequence[Sequence[Answer]]
) -> list[Asked]:
    """The config's questions that all settings can be asked, in the order of the first."""
    by_name = [
        {question.written: answer for question, answer in zip(mine, each, strict=False)}
        for mine, each in zip(named, answers, strict=True)
    ]
    shared = [question for question in named[0] if all(question.written in found for found in by_name)]
    apart = _differences(sources, named, shared) if len(sources) > 1 else {}
    return [
        Asked(
            question.written,
            _title(sources[0], question),
            [found[question.written] for found in by_name],
            apart.get(question.written),
        )
        for question in shared
    ]


def _title(source: Source, question: Question) -> str:
    asked = source.scenario.questions.get(question.name, {})
    words = str(asked.get("title") or question.name.replace("_", " ")).rstrip(".")
    more = ": how it is spread" if question.kind == QUANTILES else ""
    return f"{words[0].upper()}{words[1:]}{more}"


def _is_single(question: Question) -> bool:
    """Whether it comes to one number."""
    return question.kind in (PROPORTION, MEAN) and not question.by


def _differences(
    sources: Sequence[Source], named: Sequence[Sequence[Question]], shared: Sequence[Question]
) -> dict[str, Difference]:
    """The second setting less the first, paired by game, for each question of one number."""
    theirs = {question.written: question for question in named[1]}
    compared = {each.written: Comparison([each, theirs[each.written]]) for each in shared if _is_single(each)}
    games = min(source.games for source in sources)
    windows = zip(*(_windows(source, games) for source in sources), strict=True)
    for number, rows in enumerate(windows):
        first = number * _WINDOW
        for comparison in compared.values():
            frames = [
                None if estimator is None else pairing.table(source.scenario, each, estimator.question)
                for source, each, estimator in zip(sources, rows, comparison.estimators, strict=True)
            ]
            comparison.add(frames, first, min(_WINDOW, games - first))
    return {name: found.difference(1, (), found.question.level) for name, found in compared.items()}


def _windows(source: Source, games: int) -> Iterator[np.ndarray]:
    """The records of games 0..games-1, so many games at a time."""
    with Interrupts() as interrupts, Progress(games, source.quiet) as progress:
        waiting: list[np.ndarray] = []
        end = min(_WINDOW, games)
        for rows in blocks(source.asked([], games), source.jobs, progress, interrupts):
            waiting.append(rows)
            while end <= games and rows["game"][-1] >= end - 1:
                rows = np.concatenate(waiting)
                cut = int(np.searchsorted(rows["game"], end))
                yield rows[:cut]
                rows = rows[cut:]
                waiting = [rows]
                if end == games:
                    return
                end = min(end + _WINDOW, games)
                if not len(rows):
                    break
        if interrupts():
            raise Stopped(interrupts.signal)


def _example(questions: Sequence[Asked]) -> tuple[int, str]:
    for asked in questions:
        if asked.answers[0].examples:
            return asked.answers[0].examples[0], asked.title
    return 0, ""


# From other games


def _varied(source: Source, answers: Sequence[Answer]) -> Varied | None:
    """What the alternatives of the rules do."""
    wanted = [answer.question.written for answer in answers if _is_single(answer.question)]
    if not wanted:
        return None
    games = varied_games(source)
    request = Request(source.target, source.sets, wanted, games=games)
    grid = Grid(request, [Setting(each.label, each.scenario) for each in variants.rules(source.scenario)])
    with Interrupts() as interrupts, Progress(grid.plays * games, source.quiet) as progress:
        grid.play(games, source.jobs, progress, interrupts)
    if interrupts():
        raise Stopped(interrupts.signal)
    found = [comparison.answer(0, source.scenario, games) for comparison in grid.comparisons]
    again = "" if source.folder else reproduce.of_variants(request, ("--vary", "rules"), source.scenario)
    return Varied([answer for answer in found if answer is not None], _changes(source, grid, again), games, again)


def _changes(source: Source, grid: Grid, again: str) -> list[Change]:
    """How far each setting is from the first, the farthest first."""
    meanings = {option.key: option.doc for option in Game(source.scenario.game).options.OPTIONS}
    changes = []
    for place, setting in enumerate(grid.settings[1:], 1):
        marks = [_moved(comparison, place, setting.label, again) for comparison in grid.comparisons]
        changes.append(Change(setting.label, meanings[setting.label.partition("=")[0]], marks))
    return sorted(changes, key=lambda change: -abs(change.marks[0].value or 0.0))


def _moved(comparison: Comparison, place: int, label: str, again: str) -> Mark:
    found = comparison.difference(place, (), comparison.question.level)
    low, high = (limit if math.isfinite(limit) else None for limit in found.interval[:2])
    return Mark(label, found.value, low, high, again)


def _players(source: Source, answers: Sequence[Answer]) -> list[Chart]:
    """The questions of one number under each plain player: all shares in one chart, each mean in its own."""
    wanted = [answer.question for answer in answers if _is_single(answer.question)]
    if not wanted:
        return []
    found: list[tuple[str, list[Answer]]] = []
    for variant in variants.policies(source.scenario, ",".join(PLAIN_POLICIES)):
        sets, games = (*source.sets, *variant.sets), player_games(source)
        other = replace(source, label=variant.label, sets=sets, scenario=variant.scenario, folder=None, games=games)
        given = other.answers(wanted)
        # No command asks a run about other players than its own.
        found.append((variant.label, [replace(each, reproduce="") for each in given] if source.folder else given))
    return list(_player_charts(source, wanted, found))


def _player_charts(
    source: Source, wanted: Sequence[Question], found: Sequence[tuple[str, Sequence[Answer]]]
) -> Iterator[Chart]:
    shares = [place for place, question in enumerate(wanted) if question.kind == PROPORTION]
    if shares:
        labels = tuple(_title(source, wanted[place]) for place in shares)
        chart = Chart(ROWS, "Shares", "question and player", "share of what is counted", (), True)
        yield Plan(({},), labels, chart).draw([(name, [each[place] for place in shares]) for name, each in found])
    for place, question in enumerate(wanted):
        if question.kind == MEAN:
            title = _title(source, question)
            chart = Chart(ROWS, title, "player", f"mean of {question.text}", (), False)
            names = tuple(name for name, _ in found)
            yield Plan(({},), names, chart).draw([("mean", [each[place] for _, each in found])])
