"""`simcli doctor`: warm kernels, and proof that they work here."""

from typing import Annotated, Any

import typer

from simcli.cli.options import Format, GameNames, Output, Quiet
from simcli.errors import DONE, VIOLATION


def main(
    games: GameNames = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games in each test.")] = False,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Compile the kernels of every game, and test that they give the same games, all legal, on this machine.

    The exit code is 5 if a test fails.
    """
    from kernels.registry import GAMES
    from simcli.checks import selftest
    from simcli.cli.printing import print_rows
    from simcli.config.loading import known_game
    from simcli.progress import Progress

    names = [known_game(name).name for name in games or GAMES]
    progress = Progress(None, quiet)
    if not quiet:
        for line in selftest.environment():
            progress.say(line)
    rows: list[dict[str, Any]] = []
    for name in names:
        rows += selftest.examine(name, progress, quick)
    print_rows(rows, output)
    return DONE if all(row["ok"] for row in rows) else VIOLATION
