"""From what is asked to the answers: questions, a stopping rule, games of a run, and new ones."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kernels.registry import Game
from simcli.asking import questions, reproduce
from simcli.asking.answers import Answer
from simcli.asking.collector import Collector
from simcli.asking.questions import Question
from simcli.config.loading import MAX_GAMES, Hand
from simcli.config.scenario import Scenario
from simcli.errors import UserError
from simcli.play import threads
from simcli.play.threads import Interrupts, Piece
from simcli.progress import Progress
from simcli.runs.runfolder import RunFolder
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
    min_games: int | None = None
    max_games: int | None = None
    time_limit: float | None = None

    @property
    def targets(self) -> dict[str, Any]:
        """Keys that are questions by themselves."""
        return {key: value for key, value in self.extra.items() if key in questions.TARGETS}

    @property
    def shared(self) -> dict[str, Any]:
        """Keys that apply to all questions."""
        return {key: value for key, value in self.extra.items() if key not in questions.TARGETS}

    @property
    def rules(self) -> list[tuple[str, object]]:
        """The stopping rules that were asked for, each with its value."""
        rules = (("precision", self.precision), ("hits", self.hits), ("decide", self.decide))
        return [(name, value) for name, value in rules if value is not None]


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
    def of_run(self) -> bool:
        """Whether a run is asked directly, not through a config."""
        return self.folder is not None and self.folder.path == Path(self.request.target)

    @property
    def total(self) -> int | None:
        """How many games it takes at most, if that was said."""
        rule = self.collector.rule
        return rule.games if rule.kind == stopping.GAMES or self.request.max_games else None


def prepare(request: Request, scenario: Scenario, folder: RunFolder | None = None) -> Asked:
    """A request made ready; asked of a run without any limit, it is answered from the games there. Raises UserError."""
    if folder is not None and folder.path == Path(request.target) and request.games is None and not request.rules:
        request = replace(request, games=folder.prefix()[-1].end)
    asked = build_questions(scenario, request)
    return Asked(request, Collector(scenario, asked, make_rule(request, asked, scenario)), folder)


def build_questions(scenario: Scenario, request: Request) -> list[Question]:
    """The questions asked, checked; without any, all that the config names. Raises UserError."""
    builder = questions.Builder(scenario)
    return [question for text in wanted(scenario, request) for question in build_one(builder, text, request)]


def wanted(scenario: Scenario, request: Request) -> list[str | None]:
    """What is asked, by its text, or None for what options ask. Raises UserError if there is nothing to ask."""
    found = [*request.texts, *([None] if request.targets else [])]
    if not found and not scenario.questions:
        raise UserError("question", "nothing is asked, and the config has no questions")
    return found or list(scenario.questions)


def build_one(builder: questions.Builder, text: str | None, request: Request) -> list[Question]:
    """The questions that one of what is wanted comes to. Raises UserError."""
    if text is not None:
        found = _written(builder, text, request.shared)
        if any(isinstance(change, Hand) for change in request.sets):
            return [replace(question, expect=None) for question in found]  # a config's is about all deals
        return found
    asked = {**request.targets, **request.shared}
    found = []
    for question in builder.build("question", asked, lambda key: f"--{key}"):
        option = questions.target_of(question.kind)
        found.append(replace(question, written=str(asked[option]), option=f"--{option}"))
    return found


def _written(builder: questions.Builder, text: str, shared: Mapping[str, Any]) -> list[Question]:
    """The questions that the config has under this name, or else the event that is written out."""
    scenario = builder.scenario
    name, target = questions.split_name(scenario, text)
    named = builder.named(name)
    if named is None:
        built = builder.build("question", {"event": text, **shared}, places(scenario, "question", None, shared))
        return [replace(built[0], written=text)]
    asked = {key: value for key, value in named.items() if not target or key == target or key not in questions.TARGETS}
    built = builder.build(name, {**asked, **shared}, places(scenario, name, named, shared))
    alone = len(built) == 1 and not target
    return [replace(each, written=name if alone else f"{name}.{questions.target_of(each.kind)}") for each in built]


def places(scenario: Scenario, name: str, named: Mapping[str, Any] | None, shared: Mapping[str, Any]) -> Any:
    """Where each key of a question is, for messages: in an option, in the config, or as an event by itself."""

    def place(key: str) -> str:
        if key in shared:
            return f"--{key}"
        return "event" if named is None else scenario.places.get(f"questions.{name}.{key}", f"{name}.{key}")

    return place


def make_rule(request: Request, asked: Sequence[Question], scenario: Scenario) -> stopping.Rule:
    """The one stopping rule that was asked for."""
    chosen = [name for name, _ in request.rules]
    games, limit = request.games, request.max_games or MAX_GAMES
    if len(chosen) > 1 or (chosen and games is not None):
        words = [f"--{name}" for name in chosen] + (["-n"] if games is not None else [])
        raise UserError(" ".join(words), "exclude each other; --max-games limits the number of games")
    if request.min_games is not None and request.precision is None:
        raise UserError("--min-games", "goes with --precision")
    if not chosen:
        wanted = games or scenario.games
        return stopping.Rule(min(wanted, limit), cut=wanted > limit)
    most = _most_rows(scenario, asked[0])
    if request.precision is not None:
        rule = stopping.precision(request.precision, limit, bounded=any(each.kind != questions.MEAN for each in asked))
        return replace(rule, least=min(request.min_games or 0, limit))
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
        if asked.folder is not None:
            asked.folder.must_hold(asked.scenario, "in this program")
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
    return [replace(each, reproduce=reproduce.of_answer(asked, each.question)) for each in collector.answers()]
