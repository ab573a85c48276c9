"""`simcli compare`: two settings on the same deals."""

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
    argument,
    given_only,
    job_count,
    load_scenario,
    print_seed,
)
from simcli.errors import exit_code

Setting = Annotated[str, argument("SETTING", "A policy, or KEY=VALUE,... on top of CONFIG.")]


def main(
    config: Config,
    one: Setting,
    other: Setting,
    texts: Questions = None,
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
    """Compare two settings on the same deals; differences are paired by game.

    Two policies sit at the same table on alternate seats, and every deal is played again with the seats turned; what
    is compared is their points a round, or an event or a mean per seat. Other settings each play at a table of their
    own, and the questions of the config are compared, or those named.
    """
    threads = job_count(jobs)
    base = load_scenario(config, sets, games, seed)
    from simcli.ask import comparing
    from simcli.cli.printing import print_rows

    extra = given_only(mean=mean, given=given, per=per)
    work = comparing.pair(config, sets or (), base, (one, other), texts or (), extra)
    print_seed(base, quiet)
    signal = comparing.play(work, base.games, threads, quiet)
    print_rows(work.pairs(), output)
    return exit_code(signal)
