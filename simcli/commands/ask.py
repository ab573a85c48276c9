"""`simcli ask`: how likely something is."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from simcli.cli.options import (
    Format,
    Games,
    Given,
    Jobs,
    Mean,
    Output,
    Per,
    Questions,
    Quiet,
    Results,
    Seed,
    Sets,
    job_count,
    load_scenario,
    number,
    tell_seed,
)
from simcli.errors import BUDGET, DONE, SIGNAL, UNEXPECTED, UserError

if TYPE_CHECKING:
    from simcli.ask.answering import Request
    from simcli.ask.answers import Answer
    from simcli.config.scenario import Scenario
    from simcli.run.runfolder import RunFolder

Target = Annotated[str, typer.Argument(metavar="CONFIG-or-RUN", help="A config, or the folder of a run.")]
Text = str | None


def _option(name: str, metavar: str, text: str) -> Any:
    return typer.Option(name, metavar=metavar, help=text)


def main(
    target: Target,
    texts: Questions = None,
    given: Given = None,
    by: Annotated[Text, _option("--by", "COLUMN,...", "An answer for each group.")] = None,
    per: Per = None,
    mean: Mean = None,
    quantiles: Annotated[Text, _option("--quantiles", "EXPR", "Quantiles and a histogram of a number.")] = None,
    table: Annotated[Text, _option("--table", "COLUMN,...", "Shares by the values of one or two columns.")] = None,
    level: Annotated[Text, _option("--level", "L", "Level of the interval; 0.95 if left out.")] = None,
    games: Games = None,
    precision: Annotated[Text, _option("--precision", "W", "Stop at this half-width: 2% or 0.1pp.")] = None,
    hits: Annotated[Text, _option("--hits", "K", "Stop at the K-th hit.")] = None,
    decide: Annotated[Text, _option("--decide", "TEST", "Stop when '< 0.5%' is decided.")] = None,
    max_games: Annotated[Text, _option("--max-games", "N", "Give up after so many games.")] = None,
    time_limit: Annotated[Text, _option("--time-limit", "SECONDS", "Give up after so long.")] = None,
    policies: Annotated[Text, _option("--policies", "all|P,...", "The answer under each policy.")] = None,
    vary: Annotated[Text, _option("--vary", "rules", "The answer under each known alternative of a rule.")] = None,
    sets: Sets = None,
    seed: Seed = None,
    jobs: Jobs = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the games as a run in the results folder.")] = False,
    results: Results = "results",
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Answer a question, simulating what is needed.

    A question is the name of one in the config, or a Boolean SQL expression over the columns of a round; several may
    be asked at once. Without any, all questions of the config are answered.
    """
    count = None if games is None else _count("-n", games)
    keys = {"given": given, "by": by, "per": per, "mean": mean, "quantiles": quantiles, "table": table, "level": level}
    limits = {"precision": precision, "hits": hits, "decide": decide, "max_games": max_games, "time_limit": time_limit}
    asked = _numbers(keys) | _numbers(limits)
    threads = job_count(jobs)
    folder, scenario = _open(target, sets, games, seed)

    from simcli.ask.answering import Request

    extra = {key: asked[key] for key in keys if key in asked}
    request = Request(target, sets or (), texts or (), extra, **{key: asked[key] for key in limits if key in asked})
    how = How(count, threads, output, quiet)
    if policies or vary:
        return _ask_variants(request, scenario, policies, vary, how)
    if keep and folder is None:
        folder = _kept(scenario, request, results, how)
    return _ask(request, scenario, folder, how)


class How(NamedTuple):
    """Options that do not change what is asked."""

    games: int | None
    jobs: int
    output: Output
    quiet: bool


def _numbers(options: Mapping[str, str | None]) -> dict[str, Any]:
    """The options that were given, those read that are numbers."""
    read = {"hits": _count, "max_games": _count, "level": _float, "time_limit": _float}
    found: dict[str, Any] = {}
    for name, text in options.items():
        if text is not None:
            found[name] = read[name](f"--{name.replace('_', '-')}", text) if name in read else text
    return found


def _count(option: str, text: str) -> int:
    from simcli.config.loading import MOST_GAMES

    return number(option, text, 1, MOST_GAMES)


def _float(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise UserError(f"{option} {text}", "not a positive number")
    return value


def _open(
    target: str, sets: Sequence[str] | None, games: str | None, seed: str | None
) -> "tuple[RunFolder | None, Scenario]":
    from pathlib import Path

    if not target or not Path(target).is_dir():
        return None, load_scenario(target, sets, games, seed)
    from simcli.ask.answering import open_target, refuse_changes

    folder = open_target(target)
    assert folder is not None
    refuse_changes(target, set=sets, seed=seed)
    return folder, folder.scenario


def _kept(scenario: "Scenario", request: "Request", results: str, how: How) -> "RunFolder":
    """The run folder with the games asked for, made first."""
    from pathlib import Path

    from simcli.ask import answering
    from simcli.cli import runs
    from simcli.run import runfolder
    from simcli.run.making import Threads
    from simcli.run.partition import WHOLE

    if request.precision or request.hits or request.decide:
        raise UserError("--keep", "goes with a fixed number of games (-n)")
    answering.build_questions(scenario, request)
    folder = runfolder.begin(Path(results), scenario)
    tell_seed(scenario, how.quiet)
    runs.fill(folder, runs.Order(how.games or scenario.games, WHOLE, Threads(how.jobs), how.quiet))
    if not how.quiet:
        runs.note(f"kept in {folder}")
    return folder


def _ask(request: "Request", scenario: "Scenario", folder: "RunFolder | None", how: How) -> int:
    from simcli.cli.answers import print_answers

    if folder is not None and how.games is None:
        how = how._replace(games=max((part.end for part in folder.prefix()), default=0) or None)
    answers, signal = _answers(request, scenario, folder, how)
    print_answers(answers, how.output)
    return _exit_code(answers, signal)


def _answers(
    request: "Request", scenario: "Scenario", folder: "RunFolder | None", how: How
) -> "tuple[list[Answer], int]":
    """The answers, and the signal that stopped the work, if one did."""
    from simcli.ask import answering
    from simcli.ask.collector import Fold
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress

    questions = answering.build_questions(scenario, request)
    rule = answering.make_rule(request, questions, how.games, scenario)
    fold = Fold(scenario, questions, rule)
    total = rule.games if rule.kind == "games" or request.max_games else None
    if folder is None:
        tell_seed(scenario, how.quiet)
    with Interrupts() as interrupts, Progress(total, how.quiet) as progress:
        source = answering.Source(scenario, how.jobs, progress, interrupts, folder)
        answers = answering.answer(fold, source, request)
    return answers, interrupts.signal


def _ask_variants(request: "Request", scenario: "Scenario", names: str | None, vary: str | None, how: How) -> int:
    """The answers under several policies or rules, side by side."""
    from simcli.ask import answering, variants
    from simcli.cli.answers import print_variants

    if names and vary:
        raise UserError("--policies --vary", "exclude each other")
    if vary not in (None, "rules"):
        raise UserError(f"--vary {vary}", "not allowed; only rules can be varied")
    found: list[tuple[variants.Variant, list[Answer]]] = []
    signal = 0
    for variant in variants.policies(scenario, names) if names else variants.rules(scenario):
        try:
            variants.check_kinds(answering.build_questions(variant.scenario, request))
        except UserError as error:
            if not found:
                raise
            print(f"{variant.label}: left out; {error}", file=sys.stderr)
            continue
        changed = replace(request, sets=[*request.sets, *variant.sets])
        answers, signal = _answers(changed, variant.scenario, None, how)
        found.append((variant, answers))
        if signal:
            break
    print_variants(found, how.output)
    return _exit_code([answer for _, answers in found for answer in answers], signal)


def _exit_code(answers: "Sequence[Answer]", signal: int) -> int:
    if signal:
        return SIGNAL + signal
    if any(answer.stopped in ("max_games", "time_limit") for answer in answers):
        return BUDGET
    return UNEXPECTED if any(answer.expected is False for answer in answers) else DONE
