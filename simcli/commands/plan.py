"""`simcli plan`: a pilot, and from it games, precision or level of a long run."""

from typing import Annotated

import typer

from simcli.cli.options import (
    Config,
    Format,
    Games,
    Given,
    Jobs,
    Output,
    Per,
    Quiet,
    Seed,
    Sets,
    job_count,
    load_scenario,
    number,
    tell_seed,
)
from simcli.errors import UserError


def main(
    config: Config,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A question of the config, or an event.")],
    precision: Annotated[
        str | None, typer.Option("--precision", metavar="W", help="Half-width wanted: 2% or 0.1pp.")
    ] = None,
    level: Annotated[str | None, typer.Option("--level", metavar="L", help="Level of the interval.")] = None,
    games: Games = None,
    given: Given = None,
    per: Per = None,
    sets: Sets = None,
    seed: Seed = None,
    jobs: Jobs = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Play a short pilot, and say what a long run would take.

    Of precision, level and number of games give two, and the third is solved; with one of precision and games alone
    the level is 0.95.
    """
    threads = job_count(jobs)
    count = None if games is None else number("-n", games, 1)
    if level is None and (precision is None or count is None):
        level = "0.95"
    try:
        wanted = None if level is None else float(level)
    except ValueError:
        raise UserError(f"--level {level}", "not a number") from None
    if wanted is not None and not 0 < wanted < 1:
        raise UserError(f"--level {level}", "a level lies between 0 and 1")
    scenario = load_scenario(config, sets, None, seed)
    from simcli.ask import answering, pilot
    from simcli.ask.collector import Fold
    from simcli.cli.printing import print_fields
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress
    from simcli.stats import stopping

    extra = {key: value for key, value in {"given": given, "per": per}.items() if value is not None}
    request = answering.Request(config, sets or (), (question,), extra)
    fold = Fold(scenario, answering.build_questions(scenario, request), stopping.Rule(pilot.PILOT_GAMES))
    tell_seed(scenario, quiet)
    with Interrupts() as interrupts, Progress(pilot.PILOT_GAMES, quiet) as progress:
        answering.answer(fold, answering.Source(scenario, threads, progress, interrupts), request)
    print_fields(pilot.plan(pilot.read(fold, progress.rate), count, precision, wanted), output)
