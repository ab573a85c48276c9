"""`simcli run`: games into a run folder; the same command continues where it stopped."""

from pathlib import Path

from simcli.cli.engines import EngineName, EngineOption, Scheduler, ShardOption, choose
from simcli.cli.options import (
    Config,
    Format,
    Games,
    Hands,
    Jobs,
    Output,
    Quiet,
    Results,
    Seed,
    Sets,
    Summary,
    changes,
    load_scenario,
)
from simcli.config.loading import option_of
from simcli.errors import command_line


def main(
    config: Config,
    sets: Sets = None,
    hands: Hands = None,
    games: Games = None,
    seed: Seed = None,
    jobs: Jobs = None,
    shard: ShardOption = None,
    engine: EngineOption = EngineName.threads,
    scheduler: Scheduler = None,
    results: Results = "results",
    summary: Summary = False,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Simulate into a folder RESULTS/NAME-IDENTITY and answer the questions of the config.

    Whatever stops the run, the same command continues it, and it ends with the same bytes. More games extend it.
    """
    from simcli.runs.partition import parse_shard

    which = parse_shard(shard)
    sets = changes(sets, hands)
    scenario = load_scenario(config, sets, games, seed)
    player = choose(engine, scheduler, jobs)
    from simcli.asking import questions
    from simcli.asking.request import Request
    from simcli.cli.printing import note
    from simcli.cli.runs import Shown, carry_out
    from simcli.runs import runfolder
    from simcli.runs.making import RunRequest

    questions.check(scenario)
    folder = runfolder.begin(Path(results), scenario)
    if "seed" not in scenario.places and not quiet:
        again = ["simcli", "run", config, *(word for text in sets for word in option_of(text))]
        again += ["-n", str(scenario.games), "--seed", str(scenario.seed), "--results", results]
        note(f"seed {scenario.seed} (drawn); the same run again: {command_line(again)}")
    shown = Shown(output, quiet, summary, Request(config, sets), scenario)
    return carry_out(folder, RunRequest(scenario.games, which, player, quiet), shown)
