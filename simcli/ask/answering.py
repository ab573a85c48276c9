"""From what is asked to the answers: questions, a stopping rule, games from a run or played anew."""

import shlex
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simcli.ask import questions
from simcli.ask.answers import Answer
from simcli.ask.collector import Fold
from simcli.ask.questions import Question
from simcli.config.scenario import Scenario
from simcli.errors import UserError
from simcli.play import threads
from simcli.play.threads import Interrupts, Piece
from simcli.progress import Progress
from simcli.run.runfolder import RunFolder, open_run
from simcli.stats import stopping
from simcli.tables import frames

_FIRST_PIECE = 1_000
_LARGEST_PIECE = 20_000
_GROWTH = 16
"""Without a fixed number of games, pieces are this fraction of the games before them, so few are played in vain."""

_UNCHANGEABLE = "a run's games are what they are; ask its config instead"


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    target: str
    sets: Sequence[str] = ()
    texts: Sequence[str] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of a question (given, by, ...) that apply to all, and targets (mean, ...) that stand for themselves."""
    precision: str | None = None
    hits: int | None = None
    decide: str | None = None
    max_games: int | None = None
    time_limit: float | None = None


def open_target(target: str) -> RunFolder | None:
    """The run that CONFIG-or-RUN names; None if it is a config."""
    path = Path(target)
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):
        return None
    return open_run(path) if is_folder else None


def refuse_changes(target: str, **options: object) -> None:
    """Refuse options that would change the games of a run."""
    for option, value in options.items():
        if value:
            raise UserError(f"{target} --{option}", _UNCHANGEABLE)


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
    """Where each key of a question stands, for messages: in an option, in the config, or as an event by itself."""

    def place(key: str) -> str:
        if key in shared:
            return f"--{key}"
        return "event" if named is None else scenario.places.get(f"questions.{name}.{key}", f"{name}.{key}")

    return place


def make_rule(request: Request, asked: Sequence[Question], games: int | None, scenario: Scenario) -> stopping.Rule:
    """The one stopping rule that was asked for."""
    chosen = [name for name, _ in _stopping_rules(request)]
    if len(chosen) > 1 or (chosen and games is not None):
        words = [f"--{name}" for name in chosen] + (["-n"] if games is not None else [])
        raise UserError(" ".join(words), "exclude each other; --max-games limits the number of games")
    if not chosen:
        return stopping.Rule(min(games or scenario.games, request.max_games or stopping.MOST_GAMES))
    limit = request.max_games or stopping.MOST_GAMES
    most = _most_rows(scenario, asked[0])
    if request.precision is not None:
        return stopping.precision(request.precision, limit)
    if request.hits is not None:
        return stopping.hits(request.hits, limit, most)
    assert request.decide is not None
    return stopping.decide(request.decide, limit, asked[0].level, most)


def _most_rows(scenario: Scenario, question: Question) -> int:
    """The largest number of rows that a game may give."""
    rounds = max_rounds(scenario)
    return rounds * (scenario.players if question.per == "seat" else 1)


def max_rounds(scenario: Scenario) -> int:
    """The largest number of rounds that a match of the scenario may have."""
    rules = scenario.rules
    for key in ("rounds", "match.rounds", "max_rounds"):
        value = rules.get(key)
        if isinstance(value, int):
            return value
    return 1


# Games


def pieces(rule: stopping.Rule, first: int, jobs: int) -> Iterator[Piece]:
    """Games from `first` on that the rule may need, in pieces."""
    if rule.kind == stopping.GAMES:
        for piece in threads.pieces(max(0, rule.games - first), jobs):
            yield Piece(first + piece.first, piece.games)
        return
    while first < rule.games:
        size = min(max(_FIRST_PIECE, first // _GROWTH), _LARGEST_PIECE, rule.games - first)
        yield Piece(first, size)
        first += size


def recorded(folder: RunFolder) -> Iterator[np.ndarray]:
    """Blocks of the games that a run holds from 0 on."""
    for part in folder.prefix():
        yield frames.records(folder.scenario, folder.rows(part.index))


@dataclass
class Source:
    """Where games come from: first those of a run, where there is one, then new ones."""

    scenario: Scenario
    jobs: int
    progress: Progress
    interrupts: Interrupts
    folder: RunFolder | None = None

    def blocks(self, rule: stopping.Rule) -> Generator[np.ndarray, None, None]:
        """Blocks of games 0, 1, ... as far as the rule may need them."""
        first = 0
        if self.folder is not None:
            for rows in recorded(self.folder):
                yield rows
                first = int(rows["game"][-1]) + 1
        if first < rule.games:
            wanted = pieces(rule, first, self.jobs)
            for _, rows in threads.parts(
                self.scenario, wanted, self.jobs, progress=self.progress, interrupts=self.interrupts
            ):
                yield rows


def answer(fold: Fold, source: Source, request: Request) -> list[Answer]:
    """Play until the rule, the time or the user stops; returns the answers to the games counted."""
    limit = request.time_limit
    blocks = source.blocks(fold.rule)
    try:
        for rows in blocks:
            if fold.add(rows):
                break
            source.progress.note = fold.glance()
            if source.interrupts():
                break
            if limit is not None and source.progress.seconds >= limit:
                fold.finish(stopping.TIME_LIMIT)
                break
    finally:
        blocks.close()
        source.progress.close()
    if source.interrupts():
        fold.finish(stopping.INTERRUPTED)
    return fold.answers({c.question.name: again(request, fold, c.question) for c in fold.countings})


def again(request: Request, fold: Fold, question: Question) -> str:
    """The command that gives an answer again."""
    named = question.name in fold.scenario.questions
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
        words += ["-n", str(fold.games)]
    elif fold.stopped not in (stopping.PRECISION, stopping.HITS, stopping.DECISION):
        words += ["--max-games", str(fold.games)]
    return shlex.join([*words, "--seed", str(fold.scenario.seed)])


def _stopping_rules(request: Request) -> list[tuple[str, object]]:
    """The stopping rules that were asked for, each with its value."""
    rules = (("precision", request.precision), ("hits", request.hits), ("decide", request.decide))
    return [(name, value) for name, value in rules if value is not None]
