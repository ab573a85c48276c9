"""`resume`: list what a run lacks, and go on with it."""

from pathlib import Path
from typing import Annotated

import typer

from simcli.commands.run import ShardOption
from simcli.options import Format, Jobs, Output, Quiet, job_count, number

Run = Annotated[str, typer.Argument(metavar="RUN", help="A run's folder.")]
Total = Annotated[
    str | None,
    typer.Option("-n", "--games", metavar="N", help="Games of the whole run; as last asked for if left out."),
]
OnlyList = Annotated[bool, typer.Option("--list", help="Only list what is missing.")]


def main(
    run: Run,
    games: Total = None,
    jobs: Jobs = None,
    shard: ShardOption = None,
    only_list: OnlyList = False,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """List the games that a run lacks, play them, and print the summary."""
    threads = job_count(jobs)
    wanted = None if games is None else number("-n", games, 1)
    from simcli.plan import parse_shard

    share = parse_shard(shard)
    from simcli import runfolder, runs
    from simcli.produce import Threads

    folder = runfolder.open_run(Path(run))
    folder.must_hold(folder.scenario)
    order = runs.Order(wanted or folder.games_asked_for(), share, Threads(threads), output, quiet)
    if only_list:
        print(runs.list_missing(folder, order))
    else:
        runs.carry_out(folder, order)
