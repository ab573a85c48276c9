"""`simcli resume`: list what a run is missing, and play it."""

from pathlib import Path
from typing import Annotated

import typer

from simcli.cli.engines import EngineName, EngineOption, Scheduler, ShardOption, choose
from simcli.cli.options import Format, Jobs, Output, Quiet, Run, Summary, Text, game_count, option
from simcli.errors import DONE

Total = Annotated[Text, option("-n --games", "N", "Games of the whole run; by default, as last asked for.")]
OnlyList = Annotated[bool, typer.Option("--list", help="Only list what is missing.")]


def main(
    run: Run,
    games: Total = None,
    jobs: Jobs = None,
    shard: ShardOption = None,
    engine: EngineOption = EngineName.threads,
    scheduler: Scheduler = None,
    only_list: OnlyList = False,
    summary: Summary = False,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """List the games that a run is missing, play them, and answer the questions of the run."""
    wanted = None if games is None else game_count("-n", games)
    from simcli.runs.partition import parse_shard

    which = parse_shard(shard)
    player = choose(engine, scheduler, jobs)
    from simcli.cli.runs import Shown, carry_out
    from simcli.runs import making, runfolder

    folder = runfolder.open_run(Path(run))
    folder.must_hold(folder.scenario, "in this program")
    request = making.RunRequest(wanted or folder.games_asked_for(), which, player, quiet)
    if only_list:
        missing, _ = making.missing_parts(folder, request.games, which)
        print(f"{folder}: {missing}")
        return DONE
    return carry_out(folder, request, Shown(output, quiet, summary))
