"""`simcli sweep`: a grid of settings on the same deals."""

from typing import Annotated

from simcli.cli import options
from simcli.cli.options import Texts, option
from simcli.errors import exit_code


def main(
    config: options.Config,
    texts: options.Questions = None,
    axes: Annotated[
        Texts, option("-p --parameter", "KEY=V1,V2,...", "A key of the config and its values; 3..6 is a range.")
    ] = None,
    mean: options.Mean = None,
    quantiles: options.Quantiles = None,
    given: options.Given = None,
    by: options.By = None,
    per: options.Per = None,
    level: options.Level = None,
    games: options.Games = None,
    sets: options.Sets = None,
    hands: options.Hands = None,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    output: options.Format = options.Output.table,
    quiet: options.Quiet = False,
) -> int:
    """Answer questions in every setting of a grid, on the same deals.

    One row for each setting: its estimate with an interval, and its difference from the first setting, paired by game.
    """
    threads = options.job_count(jobs)
    extra = options.question_keys(mean=mean, quantiles=quantiles, given=given, by=by, per=per, level=level)
    sets = options.changes(sets, hands)
    base = options.load_scenario(config, sets, games, seed)
    from simcli.asking import comparing, reproduce
    from simcli.asking.request import Request
    from simcli.cli.answers import print_comparison
    from simcli.config import settings

    request = Request(config, sets, texts or (), extra)
    work = comparing.Grid(request, settings.grid(config, request.sets, axes or (), base))
    options.print_seed(base, quiet)
    signal = comparing.play(work, base.games, threads, quiet)
    common = reproduce.common(extra, request.sets, [("-n", work.games or base.games)], base.seed)
    again = reproduce.command("sweep", [config, *request.texts], [*(("-p", axis) for axis in axes or ()), *common])
    print_comparison(comparing.table(work), output, again)
    return exit_code(signal)
