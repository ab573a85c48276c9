"""The functions of the module: each takes values, calls what its command calls, and returns what that prints.

Arguments mean what the options of the same name mean. `policies`, `rules` and `shuffle` change the config's, as values
or as text: `policies="random"`, `policies=["expert", {"name": "expert", "params": {"calm": 0}}, ...]`,
`rules={"rounds": 3}`. `hand="As 2s"` or `hand={2: "Xb"}` gives cards to seat 0, or to each seat named. With `quiet`
nothing is said on stderr. Wrong input raises `simcli.UserError`.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcli.cli import options
from simcli.errors import UserError
from simcli.notebook.results import Answer, Count, Difference, Rows, Run, Transcript

if TYPE_CHECKING:
    from simcli.asking.request import Asked

Target = str | os.PathLike[str] | Run
"""A config by its path or name, or a run or its folder."""
Names = str | Iterable[str]
Hands = str | Mapping[int | str, str] | None
"""Cards that seat 0, or each seat named, holds when the first round begins; `face` where the game has one."""


def ask(
    target: Target,
    question: str | None = None,
    *,
    given: str | None = None,
    by: Names | None = None,
    per: str | None = None,
    mean: str | None = None,
    quantiles: str | None = None,
    table: Names | None = None,
    level: float | None = None,
    games: int | None = None,
    precision: str | None = None,
    hits: int | None = None,
    decide: str | None = None,
    min_games: int | None = None,
    max_games: int | None = None,
    time_limit: str | float | None = None,
    policies: Any = None,
    rules: Mapping[str, Any] | None = None,
    shuffle: Any = None,
    hand: Hands = None,
    styles: bool = True,
    seed: int | None = None,
    jobs: int | None = None,
    quiet: bool = False,
) -> Answer:
    """The answer to one question: the name of one in the config, an event, or what `mean`, `quantiles` or `table` ask.

    An interrupt ends the play, and the answer is about the games so far (`stopped` is `interrupted`).

    >>> import simcli
    >>> answer = simcli.ask("redten", mean="points", per="seat", by="side", games=500, seed=3, policies="random")
    >>> [(group["key"], round(group["estimate"], 2)) for group in answer.groups]
    [({'side': 0}, 0.09), ({'side': 1}, -0.11)]
    """
    extra = _keys(level, given=given, by=by, per=per, mean=mean, quantiles=quantiles, table=table)
    limits = _limits(games, precision, hits, decide, min_games, max_games, time_limit)
    asked = _asked(target, [question] if question else [], extra, limits, _sets(policies, rules, shuffle, hand), seed)
    names = [estimator.question.written for estimator in asked.collector.estimators]
    if len(names) != 1:
        raise UserError("question", f"there are {len(names)}: {', '.join(names)}; ask one, or all with ask_all")
    (found,) = _answers(asked, jobs, quiet, styles)
    return found


def ask_all(
    target: Target,
    questions: Sequence[str] = (),
    *,
    games: int | None = None,
    precision: str | None = None,
    policies: Any = None,
    rules: Mapping[str, Any] | None = None,
    shuffle: Any = None,
    hand: Hands = None,
    seed: int | None = None,
    jobs: int | None = None,
    quiet: bool = False,
) -> Rows[Answer]:
    """The answers to several questions from the same games; without any, to all that the config has.

    >>> import simcli
    >>> found = simcli.ask_all("redten", ["solo", "turns > 40"], games=500, seed=3, policies="random")
    >>> [answer.hits for answer in found]
    [128, 500]
    """
    limits = _limits(games, precision)
    asked = _asked(target, list(questions), {}, limits, _sets(policies, rules, shuffle, hand), seed)
    return Rows(_answers(asked, jobs, quiet))


def compare(
    config: str | os.PathLike[str],
    a: str | Mapping[str, Any],
    b: str | Mapping[str, Any] | None = None,
    questions: Names = (),
    *,
    mean: str | None = None,
    quantiles: str | None = None,
    given: str | None = None,
    by: Names | None = None,
    per: str | None = None,
    level: float | None = None,
    games: int | None = None,
    policies: Any = None,
    rules: Mapping[str, Any] | None = None,
    shuffle: Any = None,
    hand: Hands = None,
    seed: int | None = None,
    jobs: int | None = None,
    quiet: bool = False,
) -> Rows[Difference]:
    """Two policies at one table, two settings such as `{"rules.rounds": 3}`, or another config, on the same deals.

    >>> import simcli
    >>> (points,) = simcli.compare("redten", "greedy", "random", games=200, seed=3)
    >>> points.a_is, points.low > 0
    ('better', True)
    """
    from simcli.asking import comparing, reproduce
    from simcli.asking.request import Request

    threads = options.job_count(_text(jobs))
    name, sets = os.fspath(config), _sets(policies, rules, shuffle, hand)
    extra = _keys(level, mean=mean, quantiles=quantiles, given=given, by=by, per=per)
    base = options.load_scenario(name, sets, _text(games), _text(seed))
    one = _setting(a)
    asked = [*([] if b is None else [_setting(b)]), *([questions] if isinstance(questions, str) else questions)]
    work = comparing.settings_of(Request(name, sets, asked, extra), base, one)
    comparing.play(work, base.games, threads, quiet)
    again = reproduce.common(extra, sets, [("-n", work.games or base.games)], base.seed)
    command = reproduce.command("compare", [name, one, *asked], again)
    return Rows(Difference(**row, reproduce=command) for row in comparing.pairs(work))


def run(
    config: str | os.PathLike[str],
    *,
    games: int | None = None,
    policies: Any = None,
    rules: Mapping[str, Any] | None = None,
    shuffle: Any = None,
    hand: Hands = None,
    seed: int | None = None,
    results: str | os.PathLike[str] = "results",
    jobs: int | None = None,
    quiet: bool = False,
) -> Run:
    """The run of a config with so many games, kept in a folder under `results`; what is there already is not played.

    >>> import simcli, tempfile
    >>> made = simcli.run("redten", games=100, seed=3, policies="random", results=tempfile.mkdtemp(), quiet=True)
    >>> made.rounds.select("game", "outcome").collect().height
    100
    """
    from simcli.asking import questions
    from simcli.errors import Stopped
    from simcli.runs import runfolder
    from simcli.runs.making import RunRequest, Threads, conclude, fill
    from simcli.runs.partition import WHOLE

    threads = options.job_count(_text(jobs))
    scenario = options.load_scenario(
        os.fspath(config), _sets(policies, rules, shuffle, hand), _text(games), _text(seed)
    )
    questions.check(scenario)
    folder = runfolder.begin(Path(results), scenario)
    request = RunRequest(scenario.games, WHOLE, Threads(threads), quiet)
    try:
        conclude(folder, request, fill(folder, request))
    except Stopped as stop:
        raise KeyboardInterrupt(f"continue with: {stop.go_on}") from None
    return Run(folder)


def open(path: str | os.PathLike[str]) -> Run:
    """The run in a folder.

    >>> import simcli, tempfile
    >>> made = simcli.run("redten", games=100, seed=3, policies="random", results=tempfile.mkdtemp(), quiet=True)
    >>> simcli.open(made.path).games.select("game", "total_0").collect().height
    100
    """
    from simcli.runs.runfolder import open_run

    return Run(open_run(Path(path)))


def exact(game: str, event: str, *, rules: Mapping[str, Any] | None = None, recount: bool = False) -> Count:
    """In how many of all dealt hands an event happens, counted.

    >>> import simcli
    >>> simcli.exact("redox", "set", rules={"decks": 1}).p
    0.8284068302237849
    """
    from simcli.asking.exact import count

    return Count.of(count(game, event, _rule_texts(rules), recount))


def hand(game: str, cards: str, *, rules: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What a hand is worth, by name.

    >>> import simcli
    >>> simcli.hand("redten", "3h 3s 3d 4c")["plays"]
    2
    """
    from simcli.asking.hands import evaluator

    return evaluator(game, _rule_texts(rules))("CARDS", cards)


def show(
    target: Target,
    game: int = 0,
    *,
    legal: bool = False,
    policies: Any = None,
    rules: Mapping[str, Any] | None = None,
    shuffle: Any = None,
    hand: Hands = None,
    seed: int | None = None,
    quiet: bool = False,
) -> Transcript:
    """One game move by move.

    >>> import simcli
    >>> transcript = simcli.show("redten", game=5, seed=3, policies="random", quiet=True)
    >>> transcript.text.splitlines()[0]
    'redten, game 5 of seed 3; players 0 random, 1 random, 2 random, 3 random'
    >>> transcript.events[-1]["e"]
    'end'
    """
    from kernels.registry import Game
    from simcli.config.loading import MAX_GAMES
    from simcli.play import threads
    from simcli.play.simulate import Table
    from simcli.progress import Progress
    from simcli.transcript import write

    number = options.number("--game", str(game), 0, MAX_GAMES)
    _, scenario = options.open_target(_name(target), _sets(policies, rules, shuffle, hand), None, _text(seed))
    table = Table(scenario, threads.prepare(scenario, Progress(None, quiet)))
    room = Game(scenario.game)
    text = "\n".join(write.text_lines(room, table, number, legal))
    return Transcript(text, list(write.events(room, table, number, legal)))


# Values as the command line has them


def _name(target: Target) -> str:
    return str(target.path) if isinstance(target, Run) else os.fspath(target)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _joined(names: Names | None) -> str | None:
    return names if names is None or isinstance(names, str) else ",".join(names)


def _keys(level: float | None, by: Names | None, table: Names | None = None, **texts: str | None) -> dict[str, Any]:
    """The keys of a question that were given."""
    return options.question_keys(_text(level), by=_joined(by), table=_joined(table), **texts)


def _limits(games: int | None, precision: str | None, *others: Any) -> dict[str, Any]:
    return options.limits(_text(games), precision, *map(_text, others))


def _written(value: Any) -> str:
    """A value as `--set` takes it."""
    return value if isinstance(value, str) else json.dumps(value)


def _rule_texts(rules: Mapping[str, Any] | None) -> list[str]:
    return [f"rules.{key}={_written(value)}" for key, value in (rules or {}).items()]


def _sets(policies: Any, rules: Mapping[str, Any] | None, shuffle: Any, hand: Hands) -> list[str]:
    """The changes to the config, as `--set` and `--hand` take them."""
    others = (("policies", policies), ("shuffle", shuffle))
    sets = [*_rule_texts(rules), *(f"{key}={_written(value)}" for key, value in others if value is not None)]
    hands = {0: hand} if isinstance(hand, str) else hand or {}
    return options.changes(sets, [f"{seat}={cards}" for seat, cards in hands.items()])


def _setting(setting: str | Mapping[str, Any]) -> str:
    """A side of a comparison as the command line has it."""
    if isinstance(setting, str):
        return setting
    return ",".join(f"{key}={_written(value)}" for key, value in setting.items())


# Asking


def _asked(
    target: Target,
    questions: Sequence[str],
    extra: Mapping[str, Any],
    limits: Mapping[str, Any],
    sets: Sequence[str],
    seed: int | None,
) -> "Asked":
    """What is asked, checked. Raises UserError."""
    name = _name(target)
    folder, scenario = options.open_target(name, sets, _text(limits["games"]), _text(seed))
    from simcli.asking.request import Request, prepare

    return prepare(Request(name, sets, questions, extra, **limits), scenario, folder)


def _answers(asked: "Asked", jobs: int | None, quiet: bool, styled: bool = False) -> list[Answer]:
    from simcli.asking import styles
    from simcli.asking.request import answer
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress

    threads = options.job_count(_text(jobs))
    with Interrupts() as interrupts, Progress(asked.total, quiet) as progress:
        found = answer(asked, threads, progress, interrupts)
        if styled and not interrupts():
            found = styles.compare(asked, found, threads, Progress(None, quiet), interrupts)
        return list(map(Answer, found))
