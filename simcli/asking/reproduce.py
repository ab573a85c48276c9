"""The command that gives an answer again, as a shell reads it back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from simcli.config.loading import option_of
from simcli.errors import command_line
from simcli.stats import stopping

if TYPE_CHECKING:
    from simcli.asking.questions import Question
    from simcli.asking.request import Asked, Request
    from simcli.config.scenario import Scenario

Options = Sequence[tuple[str, object]]


def command(name: str, arguments: Iterable[str], options: Options) -> str:
    """`simcli NAME ARGUMENTS OPTIONS`; an argument or a value that begins with `-` is not taken for an option."""
    arguments = list(arguments)
    given = [word for option, value in options for word in _option(option, str(value))]
    if any(argument.startswith("-") for argument in arguments):
        return command_line(["simcli", name, *given, "--", *arguments])
    return command_line(["simcli", name, *arguments, *given])


def _option(name: str, value: str) -> list[str]:
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def common(extra: Mapping[str, object], sets: Iterable[str], limits: Options, seed: int | None) -> Options:
    """The options that commands have in common; no seed of a run, whose games are what they are."""
    keys = [(f"--{key}", value) for key, value in extra.items()]
    seeds = [] if seed is None else [("--seed", seed)]
    return [*keys, *map(option_of, sets), *limits, *seeds]


def of_answer(asked: "Asked", question: "Question") -> str:
    """The command that asks this question alone, and counts the same games by the same rule."""
    request = asked.request
    words = [] if question.option else [question.written]
    target = [(question.option, question.written)] if question.option else []
    seed = None if asked.of_run else asked.scenario.seed
    options = common(request.shared, request.sets, _limits(asked), seed)
    return command("ask", [request.target, *words], [*target, *options])


def of_variants(request: "Request", how: tuple[str, str], scenario: "Scenario") -> str:
    """The command that asks everything under all variants; `how` is the option that names them."""
    limits: list[tuple[str, object]] = [(f"--{name}", value) for name, value in request.rules]
    limits = limits or [("-n", request.games or scenario.games)]
    bounds = (("--min-games", request.min_games), ("--max-games", request.max_games))
    limits += [(name, value) for name, value in bounds if value is not None]
    options = common(request.extra, request.sets, limits, scenario.seed)
    return command("ask", [request.target, *request.texts], [how, *options])


def _limits(asked: "Asked") -> Options:
    """The stopping rule, and how many games it came to."""
    request, collector = asked.request, asked.collector
    games, stopped = collector.games, collector.stopped
    if collector.rule.kind == stopping.GAMES:
        if stopped == stopping.MAX_GAMES:
            return [("-n", request.games or asked.scenario.games), ("--max-games", games)]
        return [("-n", games or collector.rule.games)]
    found = [(f"--{name}", value) for name, value in request.rules]
    # Alone, a question may reach its precision sooner than several do together.
    least = games if len(collector.estimators) > 1 else request.min_games
    if least:
        found.append(("--min-games", least))
    if games and stopped not in (stopping.PRECISION, stopping.HITS, stopping.DECISION):
        found.append(("--max-games", games))
    return found
