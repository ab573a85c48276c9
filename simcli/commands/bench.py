"""`simcli bench`: speed, as ratios of things timed in one run."""

from typing import Annotated

import typer

from simcli.cli.options import Format, GameNames, Output, Quiet, number, option
from simcli.errors import DONE, VIOLATION

MAX_ROUNDS = 1000


def main(
    games: GameNames = None,
    rounds: Annotated[str, option("--rounds", "R", "How often each thing is timed.")] = "5",
    times: Annotated[bool, typer.Option("--times", help="Print the times themselves, too.")] = False,
    start: Annotated[bool, typer.Option("--start/--no-start", help="Time how the program starts, too.")] = True,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Measure speed as ratios; each is the median over several rounds, taken in turn in one run.

    The exit code is 5 if a promised ratio is missed. Keep the machine idle otherwise. The other programs that are
    measured come with `pip install 'simcli[bench]'`.
    """
    count = number("--rounds", rounds, 1, MAX_ROUNDS)

    from kernels.registry import GAMES
    from simcli.checks import baselines, bench
    from simcli.cli.printing import print_json, print_rows
    from simcli.config.loading import known_game
    from simcli.progress import Progress

    suites = [bench.references(), baselines.suite(), *([bench.start_up()] if start else [])]
    suites += [bench.game(known_game(name).name) for name in games or GAMES]
    seconds = bench.measure([thing for suite in suites for thing in suite.measures], count, Progress(None, quiet))
    ratios = list(bench.compare([ratio for suite in suites for ratio in suite.ratios], seconds))
    fastest = {name: min(each) for name, each in seconds.items()} if times else {}
    least = [{"what": name, "seconds": best, "a second": round(1 / best)} for name, best in fastest.items()]
    if output is Output.json:
        print_json({"ratios": ratios, **({"times": least} if times else {})})
    else:
        print_rows(ratios, output)
        print_rows(least, output, "Least times")
    return VIOLATION if any(row["kept"] is False for row in ratios) else DONE
