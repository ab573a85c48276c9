"""`simcli compare`: two settings on the same deals."""

from typing import Annotated

from simcli.cli import options
from simcli.cli.options import argument
from simcli.errors import exit_code

Setting = Annotated[str, argument("SETTING", "A policy, or KEY=VALUE,... on top of CONFIG.")]


def main(
    config: options.Config,
    one: Setting,
    other: Setting,
    texts: options.Questions = None,
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
    """Compare two settings on the same deals; differences are paired by game.

    Two policies sit at the same table on alternate seats, and every deal is played again with the seats turned; what
    is compared is their points a round, or an event or a mean per seat. Other settings each play at a table of their
    own, and the questions of the config are compared, or those named.
    """
    threads = options.job_count(jobs)
    base = options.load_scenario(config, sets, games, seed)
    from simcli.ask import comparing
    from simcli.cli.answers import print_comparison

    extra = options.given_only(mean=mean, given=given, per=per)
    work = comparing.pair(config, sets or (), base, (one, other), texts or (), extra)
    options.print_seed(base, quiet)
    signal = comparing.play(work, base.games, threads, quiet)
    print_comparison(work.pairs(), output)
    return exit_code(signal)
