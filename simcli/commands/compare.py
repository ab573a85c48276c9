"""`simcli compare`: two settings on the same deals."""

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

Setting = Annotated[str, typer.Argument(metavar="SETTING", help="A policy, or KEY=VALUE,... on top of CONFIG.")]


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
    is compared are their points a round, or an event or a mean per seat. Other settings each get the table to
    themselves, and the questions of the config are compared, or those named.
    """
    threads = job_count(jobs)
    base = load_scenario(config, sets, games, seed)
    from simcli.ask import comparing
    from simcli.cli.printing import print_rows
    from simcli.config import settings
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress

    extra: dict[str, Any] = {k: v for k, v in {"mean": mean, "given": given, "per": per}.items() if v is not None}
    duel = settings.is_policy(one) and settings.is_policy(other)
    work: Any
    if duel:
        work = comparing.duels(base, one, other, texts or (), extra)
    else:
        chosen = [settings.changed(config, sets or (), text, base) for text in (one, other)]
        work = comparing.Grid(chosen, texts or (), extra)
    tell_seed(base, quiet)
    with Interrupts() as interrupts, Progress(work.plays * base.games, quiet) as progress:
        work.play(base.games, threads, progress, interrupts)
    print_rows(work.pairs(), output)
    return SIGNAL + interrupts.signal if interrupts.signal else DONE
