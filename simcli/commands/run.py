"""`run`: simulate into a run folder; the same command again goes on where it stopped."""

from pathlib import Path
from typing import Annotated

import typer

from simcli.options import Config, Format, Games, Jobs, Output, Quiet, Results, Seed, Sets, job_count, load_scenario

ShardOption = Annotated[
    str | None, typer.Option("--shard", metavar="I/N", help="Only every Nth part, from part I on (0 to N-1).")
]


def main(
    config: Config,
    sets: Sets = None,
    games: Games = None,
    seed: Seed = None,
    jobs: Jobs = None,
    shard: ShardOption = None,
    results: Results = "results",
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Simulate into a folder RESULTS/NAME-IDENTITY and print the summary.

    Whatever stops the run, the same command goes on and ends with the same bytes. More games extend the run.
    """
    threads = job_count(jobs)
    from simcli.plan import parse_shard

    share = parse_shard(shard)
    scenario = load_scenario(config, sets, games, seed, quiet)
    from simcli import runfolder, runs
    from simcli.produce import Threads

    folder = runfolder.begin(Path(results), scenario)
    runs.carry_out(folder, runs.Order(scenario.games, share, Threads(threads), output, quiet))
