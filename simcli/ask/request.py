"""From what is asked to the answers: questions, a stopping rule, games of a run, and new ones."""

import shlex
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from kernels.registry import Game
from simcli.ask import questions
from simcli.ask.answers import Answer
from simcli.ask.collector import Collector
from simcli.ask.questions import Question
from simcli.config.loading import MAX_GAMES
from simcli.config.scenario import Scenario
from simcli.errors import UserError
from simcli.play import threads
from simcli.play.threads import Interrupts, Piece
from simcli.progress import Progress
from simcli.run.runfolder import RunFolder
from simcli.stats import stopping
from simcli.tables import frames

_FIRST_PIECE = 1_000
_MAX_PIECE = 20_000
_GROWTH = 16
"""Without a fixed number of games, pieces are this fraction of the games before them, so few are played in vain."""


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    target: str
    sets: Sequence[str] = ()
    texts: Sequence[str] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of a question (given, by, ...) that apply to all; targets (mean, ...) are questions by themselves."""
    games: int | None = None
    precision: str | None = None
    hits: int | None = None
    decide: str | None = None
    max_games: int | None = None
    time_limit: float | None = None


class Asked(NamedTuple):
    """A request that can be answered: its questions and rule checked, and the run whose games come first, if any."""

    request: Request
    collector: Collector
    folder: RunFolder | None = None

    @property
    def scenario(self) -> Scenario:
        """What is played."""
        return self.collector.scenario

    @property
    def total(self) -> int | None:
        """How many games it takes at most, if that was said."""
        rule = self.collector.rule
        return rule.games if rule.kind == stopping.GAMES or self.request.max_games else None


def prepare(request: Request, scenario: Scenario, folder: RunFolder | None = None) -> Asked:
    """A request made ready; asked of a run without any limit, it is answered from the games there. Raises UserError."""
    if folder is not None and request.games is None and not _stopping_rules(request):
        request = replace(request, games=max((part.end for part in folder.prefix()), default=0) or None)
    asked = build_questions(scenario, request)
    return Asked(request, Collector(scenario, asked, make_rule(request, asked, scenario)), folder)


def build_questions(scenario: Scenario, request: Request) -> list[Question]:
    """The questions asked, checked; without any, all that the config names."""
    builder = questions.Builder(scenario)
    found: list[Question] = []
    own = {key: value for key, value in request.extra.items() if key in questions.TARGETS}
    shared = {key: value for key, value in request.extra.items() if key not in questions.TARGETS}
    for text in request.texts:
        named = builder.named(text)
        name = text if named is not None else "question"
        asked = {**(named if named is not None else {"event": text}), **shared}
        found += builder.build(name, asked, places(scenario, name, named, shared))
    if own:
        found += builder.build("question", {**own, **shared}, lambda key: f"--{key}")
    if not found:
        if not scenario.questions:
            raise UserError("question", "nothing is asked, and the config has no questions")
        for name, named in scenario.questions.items():
            found += builder.build(name, {**named, **shared}, places(scenario, name, named, shared))
    return found


def places(scenario: Scenario, name: str, named: Mapping[str, Any] | None, shared: Mapping[str, Any]) -> Any:
    """Where each key of a question is, for messages: in an option, in the config, or as an event by itself."""

    def place(key: str) -> str:
        if key in shared:
            return f"--{key}"
        return "event" if named is None else scenario.places.get(f"questions.{name}.{key}", f"{name}.{key}")

    return place


def make_rule(request: Request, asked: Sequence[Question], scenario: Scenario) -> stopping.Rule:
    """The one stopping rule that was asked for."""
    chosen = [name for name, _ in _stopping_rules(request)]
    games = request.games
    if len(chosen) > 1 or (chosen and games is not None):
        words = [f"--{name}" for name in chosen] + (["-n"] if games is not None else [])
        raise UserError(" ".join(words), "exclude each other; --max-games limits the number of games")
    if not chosen:
        return stopping.Rule(min(games or scenario.games, request.max_games or MAX_GAMES))
    limit = request.max_games or MAX_GAMES
    most = _most_rows(scenario, asked[0])
    if request.precision is not None:
        return stopping.precision(request.precision, limit)
    if request.hits is not None:
        return stopping.hits(request.hits, limit, most)
    assert request.decide is not None
    return stopping.decide(request.decide, limit, asked[0].level, most)


def _most_rows(scenario: Scenario, question: Question) -> int:
    """The largest number of rows that a game may give."""
    rounds = Game(scenario.game).options.most_rounds(scenario.rules)
    return rounds * (scenario.players if question.per == "seat" else 1)


# Games


def pieces(rule: stopping.Rule, first: int, jobs: int) -> Iterator[Piece]:
    """Games from `first` on that the rule may need, in pieces."""
    if rule.kind == stopping.GAMES:
        for piece in threads.pieces(max(0, rule.games - first), jobs):
            yield Piece(first + piece.first, piece.games)
        return
    while first < rule.games:
        size = min(max(_FIRST_PIECE, first // _GROWTH), _MAX_PIECE, rule.games - first)
        yield Piece(first, size)
        first += size


def recorded(folder: RunFolder) -> Iterator[np.ndarray]:
    """Blocks of the games that a run holds from 0 on."""
    for part in folder.prefix():
        yield frames.records(folder.scenario, folder.rows(part.index))


def blocks(asked: Asked, jobs: int, progress: Progress, interrupts: Interrupts) -> Generator[np.ndarray, None, None]:
    """Blocks of games 0, 1, ... as far as the rule may need them: first those of the run, then new ones."""
    first = 0
    if asked.folder is not None:
        for rows in recorded(asked.folder):
            yield rows
            first = int(rows["game"][-1]) + 1
    rule = asked.collector.rule
    if first < rule.games:
        wanted = pieces(rule, first, jobs)
        for _, rows in threads.parts(asked.scenario, wanted, jobs, progress=progress, interrupts=interrupts):
            yield rows


def answer(asked: Asked, jobs: int, progress: Progress, interrupts: Interrupts) -> list[Answer]:
    """Play until the rule, the time or the user stops; returns the answers to the games counted."""
    request, collector = asked.request, asked.collector
    limit = request.time_limit
    source = blocks(asked, jobs, progress, interrupts)
    try:
        for rows in source:
            if collector.add(rows):
                break
            progress.note = collector.glance()
            if interrupts():
                break
            if limit is not None and progress.seconds >= limit:
                collector.finish(stopping.TIME_LIMIT)
                break
    finally:
        source.close()
        progress.close()
    if interrupts():
        collector.finish(stopping.INTERRUPTED)
    return collector.answers({e.question.name: again(request, collector, e.question) for e in collector.estimators})


def again(request: Request, collector: Collector, question: Question) -> str:
    """The command that gives an answer again."""
    named = question.name in collector.scenario.questions
    words = ["simcli", "ask", request.target]
    if named:
        words.append(question.name)
    elif question.kind == questions.SHARE:
        words.append(question.text)
    for key, value in request.extra.items():
        if key not in questions.TARGETS or (not named and questions.TARGETS[key] == question.kind):
            words += [f"--{key}", str(value)]
    for text in request.sets:
        words += ["--set", text]
    words += [word for name, value in _stopping_rules(request) for word in (f"--{name}", str(value))]
    if not _stopping_rules(request):
        words += ["-n", str(collector.games)]
    elif collector.stopped not in (stopping.PRECISION, stopping.HITS, stopping.DECISION):
        words += ["--max-games", str(collector.games)]
    return shlex.join([*words, "--seed", str(collector.scenario.seed)])


def _stopping_rules(request: Request) -> list[tuple[str, object]]:
    """The stopping rules that were asked for, each with its value."""
    rules = (("precision", request.precision), ("hits", request.hits), ("decide", request.decide))
    return [(name, value) for name, value in rules if value is not None]
