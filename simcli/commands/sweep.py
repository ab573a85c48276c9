"""`simcli sweep`: a grid of settings on the same deals."""

from typing import Annotated, Any

import typer

from simcli.cli.options import (
    Config,
    Format,
    Games,
    Given,
    Jobs,
    Mean,
    Output,
    Per,
    Questions,
    Quiet,
    Seed,
    Sets,
    job_count,
    load_scenario,
    tell_seed,
)
from simcli.errors import DONE, SIGNAL


def main(
    config: Config,
    texts: Questions = None,
    axes: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", metavar="KEY=V1,V2,...", help="A key of the config and its values."),
    ] = None,
    mean: Mean = None,
    given: Given = None,
    per: Per = None,
    games: Games = None,
    sets: Sets = None,
    seed: Seed = None,
    jobs: Jobs = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Answer questions in every setting of a grid, on the same deals.

    A row a setting: its estimate with an interval, and its difference from the first setting, paired by game.
    """
    threads = job_count(jobs)
    base = load_scenario(config, sets, games, seed)
    from simcli.ask import comparing
    from simcli.cli.printing import print_rows
    from simcli.config import settings
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress

    extra: dict[str, Any] = {k: v for k, v in {"mean": mean, "given": given, "per": per}.items() if v is not None}
    work = comparing.Grid(settings.grid(config, sets or (), axes or (), base), texts or (), extra)
    tell_seed(base, quiet)
    with Interrupts() as interrupts, Progress(work.plays * base.games, quiet) as progress:
        work.play(base.games, threads, progress, interrupts)
    print_rows(work.table(), output)
    return SIGNAL + interrupts.signal if interrupts.signal else DONE
