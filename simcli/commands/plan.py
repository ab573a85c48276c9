"""`simcli plan`: a pilot, and from it games, precision or level of a long run."""

from typing import Annotated

from simcli.cli import completion, options
from simcli.cli.options import argument
from simcli.errors import UserError

DEFAULT_LEVEL = 0.95


def main(
    config: options.Config,
    question: Annotated[str, argument("QUESTION", "A question of the config, or an event.", completion.questions)],
    precision: options.Precision = None,
    level: options.Level = None,
    games: options.Games = None,
    given: options.Given = None,
    per: options.Per = None,
    sets: options.Sets = None,
    hands: options.Hands = None,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    output: options.Format = options.Output.table,
    quiet: options.Quiet = False,
) -> None:
    """Play a short pilot, and say what a long run would take.

    Give two of precision, level and number of games, and the third is computed. With a precision or a number of games
    alone, the level is 0.95.
    """
    threads = options.job_count(jobs)
    count = None if games is None else options.game_count("-n", games)
    chance = None if level is None else options.positive("--level", level)
    if chance is not None and chance >= 1:
        raise UserError(f"--level {level}", "a level lies between 0 and 1")
    if level is None and (precision is None or count is None):
        chance = DEFAULT_LEVEL
    sets = options.changes(sets, hands)
    scenario = options.load_scenario(config, sets, None, seed)
    from simcli.asking import pilot, reproduce
    from simcli.asking.request import Request, answer, prepare
    from simcli.cli.answers import print_plan
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress

    extra = options.given_only(given=given, per=per)
    request = Request(config, sets, (question,), extra, games=pilot.PILOT_GAMES)
    asked = prepare(request, scenario)
    options.print_seed(scenario, quiet)
    with Interrupts() as interrupts, Progress(asked.total, quiet) as progress:
        answer(asked, threads, progress, interrupts)
    targets = options.given_only(precision=precision, level=level)
    common = reproduce.common(targets | extra, sets, [] if count is None else [("-n", count)], scenario.seed)
    found = pilot.plan(pilot.read(asked.collector, progress.rate), count, precision, chance)
    print_plan(found, scenario, output, reproduce.command("plan", [config, question], common))
