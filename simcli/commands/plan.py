"""`simcli plan`: a pilot, and from it games, precision or level of a long run."""

from typing import Annotated

from simcli.cli.options import (
    Config,
    Format,
    Games,
    Given,
    Jobs,
    Level,
    Output,
    Per,
    Precision,
    Quiet,
    Seed,
    Sets,
    argument,
    game_count,
    given_only,
    job_count,
    load_scenario,
    positive,
    print_seed,
)
from simcli.errors import UserError

DEFAULT_LEVEL = 0.95


def main(
    config: Config,
    question: Annotated[str, argument("QUESTION", "A question of the config, or an event.")],
    precision: Precision = None,
    level: Level = None,
    games: Games = None,
    given: Given = None,
    per: Per = None,
    sets: Sets = None,
    seed: Seed = None,
    jobs: Jobs = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Play a short pilot, and say what a long run would take.

    Give two of precision, level and number of games, and the third is computed. With a precision or a number of games
    alone, the level is 0.95.
    """
    threads = job_count(jobs)
    count = None if games is None else game_count("-n", games)
    chance = None if level is None else positive("--level", level)
    if chance is not None and chance >= 1:
        raise UserError(f"--level {level}", "a level lies between 0 and 1")
    if level is None and (precision is None or count is None):
        chance = DEFAULT_LEVEL
    scenario = load_scenario(config, sets, None, seed)
    from simcli.ask import answering, pilot
    from simcli.cli.printing import print_fields
    from simcli.play.threads import Interrupts
    from simcli.progress import Progress

    request = answering.Request(
        config, sets or (), (question,), given_only(given=given, per=per), games=pilot.PILOT_GAMES
    )
    asked = answering.prepare(request, scenario)
    print_seed(scenario, quiet)
    with Interrupts() as interrupts, Progress(asked.total, quiet) as progress:
        answering.answer(asked, threads, progress, interrupts)
    print_fields(pilot.plan(pilot.read(asked.collector, progress.rate), count, precision, chance), output)
