"""`simcli ask`: how likely something is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli import options
from simcli.cli.options import Text, option
from simcli.errors import BUDGET, DONE, UNEXPECTED, UserError, exit_code

if TYPE_CHECKING:
    from simcli.asking.answers import Answer
    from simcli.asking.request import Asked, Request
    from simcli.config.scenario import Scenario
    from simcli.runs.runfolder import RunFolder


def main(
    target: options.Target,
    texts: options.Questions = None,
    given: options.Given = None,
    by: options.By = None,
    per: options.Per = None,
    mean: options.Mean = None,
    quantiles: options.Quantiles = None,
    table: Annotated[
        Text, option("--table", "COLUMN,...", "Estimate the share of each value, of 1 or 2 columns.")
    ] = None,
    level: options.Level = None,
    games: options.Games = None,
    precision: options.Precision = None,
    hits: Annotated[Text, option("--hits", "K", "Stop at the K-th hit.")] = None,
    decide: Annotated[Text, option("--decide", "TEST", "Stop when TEST, such as '< 0.5%', is decided.")] = None,
    min_games: Annotated[Text, option("--min-games", "N", "Do not stop at a precision before this many games.")] = None,
    max_games: Annotated[Text, option("--max-games", "N", "Give up after this many games.")] = None,
    time_limit: Annotated[Text, option("--time-limit", "TIME", "Give up after this long: 30, 30s, 1m or 2h.")] = None,
    policies: Annotated[Text, option("--policies", "all|P,...", "Compare the answers under these policies.")] = None,
    vary: Annotated[Text, option("--vary", "rules", "Compare the answers under known alternatives of rules.")] = None,
    sets: options.Sets = None,
    hands: options.Hands = None,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the games as a run in the results folder.")] = False,
    results: options.Results = "results",
    no_styles: Annotated[
        bool, typer.Option("--no-styles", help="Do not say what the answer is under other styles of play.")
    ] = False,
    output: options.Format = options.Output.table,
    quiet: options.Quiet = False,
) -> int:
    """Answer a question, simulating what is needed.

    A question is the name of one in the config, or a Boolean SQL expression over the columns of a round; several may
    be asked at once. Without any, all questions of the config are answered.
    """
    limits = options.limits(games, precision, hits, decide, min_games, max_games, time_limit)
    extra = options.question_keys(level, given=given, by=by, per=per, mean=mean, quantiles=quantiles, table=table)
    threads = options.job_count(jobs)
    sets = options.changes(sets, hands)
    folder, scenario = options.open_target(target, sets, games, seed)

    from simcli.asking.request import Request, prepare
    from simcli.cli.answers import print_answers

    request = Request(target, sets, texts or (), extra, **limits)
    if policies or vary:
        if folder is not None or keep:
            raise UserError("--policies, --vary", options.NO_OTHER_GAMES if folder else "cannot be kept (--keep)")
        return _variants(request, scenario, (policies, vary), threads, output, quiet)
    if keep:
        if folder is not None:
            raise UserError(f"{target} --keep", "a run's games are kept; `simcli resume RUN -n N` adds more")
        folder = _kept(scenario, request, results, threads, quiet)
    found, signal = _answers([prepare(request, scenario, folder)], threads, quiet, styled=not no_styles)
    print_answers(found[0], output)
    return _exit_code(found[0], signal)


def _variants(
    request: "Request",
    scenario: "Scenario",
    chosen: tuple[str | None, str | None],
    threads: int,
    output: options.Output,
    quiet: bool,
) -> int:
    """Answer under each of some policies, or under each alternative of the rules, side by side."""
    from simcli.asking import reproduce, variants
    from simcli.cli.answers import print_variants

    policies, vary = chosen
    ready, refused = variants.prepare_all(request, variants.choose(scenario, policies, vary), quiet)
    found, signal = _answers([asked for _, asked in ready], threads, quiet, refused)
    how = ("--policies", policies) if policies else ("--vary", str(vary))
    again = reproduce.of_variants(request, how, scenario)
    print_variants(list(zip((variant for variant, _ in ready), found, strict=False)), output, again)
    return _exit_code([answer for answers in found for answer in answers], signal)


def _kept(scenario: "Scenario", request: "Request", results: str, threads: int, quiet: bool) -> "RunFolder":
    """The run folder with the games asked for, made first."""
    from simcli.asking.request import build_questions
    from simcli.cli.printing import note
    from simcli.runs import making, runfolder
    from simcli.runs.partition import WHOLE

    if request.rules or request.max_games or request.time_limit:
        raise UserError("--keep", "goes with a fixed number of games (-n)")
    build_questions(scenario, request)
    folder = runfolder.begin(Path(results), scenario)
    options.print_seed(scenario, quiet)
    making.fill(folder, making.RunRequest(request.games or scenario.games, WHOLE, making.Threads(threads), quiet))
    if not quiet:
        note(f"kept in {folder}")
    return folder


def _answers(
    work: "list[Asked]", threads: int, quiet: bool, notes: list[str] | None = None, styled: bool = False
) -> "tuple[list[list[Answer]], int]":
    """The answers to each request until one is interrupted, and by which signal (0: none)."""
    from simcli.asking import styles
    from simcli.asking.request import answer
    from simcli.cli.printing import note
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress

    for text in () if quiet else notes or ():
        note(text)
    if work[0].folder is None:
        options.print_seed(work[0].scenario, quiet)
    found = []
    with Interrupts() as interrupts:
        for asked in work:
            with Progress(asked.total, quiet) as progress:
                found.append(answer(asked, threads, progress, interrupts))
            if styled and not interrupts():
                with Progress(None, quiet) as progress:
                    found[-1] = styles.compare(asked, found[-1], threads, progress, interrupts)
            if interrupts():
                break
    return found, interrupts.signal


def _exit_code(answers: "list[Answer]", signal: int) -> int:
    if signal:
        return exit_code(signal)
    if any(answer.stopped in ("max_games", "time_limit") for answer in answers):
        return BUDGET
    return UNEXPECTED if any(answer.expected is False for answer in answers) else DONE
