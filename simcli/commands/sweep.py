"""`simcli sweep`: a grid of settings on the same deals."""

from typing import Annotated

from simcli.cli import options
from simcli.cli.options import Texts, option
from simcli.errors import exit_code


def main(
    config: options.Config,
    texts: options.Questions = None,
    axes: Annotated[Texts, option("-p --parameter", "KEY=V1,V2,...", "A key of the config and its values.")] = None,
    mean: options.Mean = None,
    given: options.Given = None,
    per: options.Per = None,
    games: options.Games = None,
    sets: options.Sets = None,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    output: options.Format = options.Output.table,
    quiet: options.Quiet = False,
) -> int:
    """Answer questions in every setting of a grid, on the same deals.

    One row for each setting: its estimate with an interval, and its difference from the first setting, paired by game.
    """
    threads = options.job_count(jobs)
    base = options.load_scenario(config, sets, games, seed)
    from simcli.ask import comparing
    from simcli.cli.answers import print_comparison
    from simcli.config import settings

    extra = options.given_only(mean=mean, given=given, per=per)
    work = comparing.Grid(settings.grid(config, sets or (), axes or (), base), texts or (), extra)
    options.print_seed(base, quiet)
    signal = comparing.play(work, base.games, threads, quiet)
    print_comparison(work.table(), output)
    return exit_code(signal)
