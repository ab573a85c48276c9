"""`simcli sweep`: a grid of settings on the same deals."""

from typing import Annotated

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
    Texts,
    given_only,
    job_count,
    load_scenario,
    option,
    print_seed,
)
from simcli.errors import exit_code


def main(
    config: Config,
    texts: Questions = None,
    axes: Annotated[Texts, option("-p --parameter", "KEY=V1,V2,...", "A key of the config and its values.")] = None,
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

    One row for each setting: its estimate with an interval, and its difference from the first setting, paired by game.
    """
    threads = job_count(jobs)
    base = load_scenario(config, sets, games, seed)
    from simcli.ask import comparing
    from simcli.cli.printing import print_rows
    from simcli.config import settings

    extra = given_only(mean=mean, given=given, per=per)
    work = comparing.Grid(settings.grid(config, sets or (), axes or (), base), texts or (), extra)
    print_seed(base, quiet)
    signal = comparing.play(work, base.games, threads, quiet)
    print_rows(work.table(), output)
    return exit_code(signal)
