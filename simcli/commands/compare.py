"""`simcli compare`: two settings on the same deals."""

from typing import Annotated

from simcli.cli import completion, options
from simcli.cli.options import Text, argument
from simcli.errors import exit_code

One = Annotated[
    str,
    argument(
        "A",
        "A policy, by name or as {name: expert, params: {...}}; KEY=VALUE,... on top of CONFIG; a config.",
        completion.settings,
    ),
]
Other = Annotated[Text, argument("B", "A policy, or KEY=VALUE,...; none after another config.", completion.settings)]


def main(
    config: options.Config,
    one: One,
    other: Other = None,
    texts: options.Questions = None,
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
    """Compare two settings on the same deals; differences are paired by game.

    Two policies sit at the same table on alternate seats, and every deal is played again with the seats turned; what
    is compared is their points a round, or an event or a number per seat. Other settings each play at a table of their
    own, and the questions of the config are compared, or those named. `compare A.yaml B.yaml` compares two configs, at
    the questions, seed and number of games of the first.
    """
    threads = options.job_count(jobs)
    extra = options.question_keys(mean=mean, quantiles=quantiles, given=given, by=by, per=per, level=level)
    sets = options.changes(sets, hands)
    base = options.load_scenario(config, sets, games, seed)
    from simcli.asking import comparing, reproduce
    from simcli.asking.request import Request
    from simcli.cli.answers import print_comparison

    asked = [text for text in (other, *(texts or ())) if text is not None]
    work = comparing.settings_of(Request(config, sets, asked, extra), base, one)
    options.print_seed(base, quiet)
    signal = comparing.play(work, base.games, threads, quiet)
    limits = [("-n", work.games or base.games)]
    again = reproduce.command("compare", [config, one, *asked], reproduce.common(extra, sets, limits, base.seed))
    print_comparison(comparing.pairs(work), output, again)
    return exit_code(signal)
