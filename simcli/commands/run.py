"""`simcli run`: games into a run folder; the same command continues where it stopped."""

from pathlib import Path

from simcli.cli.engines import EngineName, EngineOption, Scheduler, ShardOption, choose
from simcli.cli.options import (
    Config,
    Format,
    Games,
    Jobs,
    Output,
    Quiet,
    Results,
    Seed,
    Sets,
    load_scenario,
    print_seed,
)


def main(
    config: Config,
    sets: Sets = None,
    games: Games = None,
    seed: Seed = None,
    jobs: Jobs = None,
    shard: ShardOption = None,
    engine: EngineOption = EngineName.threads,
    scheduler: Scheduler = None,
    results: Results = "results",
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Simulate into a folder RESULTS/NAME-IDENTITY and print the summary.

    Whatever stops the run, the same command continues it, and it ends with the same bytes. More games extend it.
    """
    from simcli.run.partition import parse_shard

    which = parse_shard(shard)
    scenario = load_scenario(config, sets, games, seed)
    player = choose(engine, scheduler, jobs)
    from simcli.ask import questions
    from simcli.cli.runs import carry_out
    from simcli.run import runfolder
    from simcli.run.making import RunRequest

    questions.check(scenario)
    folder = runfolder.begin(Path(results), scenario)
    print_seed(scenario, quiet)
    carry_out(folder, RunRequest(scenario.games, which, player, quiet), output)
