"""`verify`: check that a run is what it claims to be."""

import secrets
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from simcli.cli.options import Format, Output, Quiet, number
from simcli.commands.resume import Run
from simcli.errors import DONE, VIOLATION

Parts = Annotated[
    str, typer.Option("--parts", metavar="K", help="How many parts to compute again, chosen at random; or all.")
]
ByNumber = Annotated[list[str] | None, typer.Option("--game", metavar="I", help="A game to play again (repeatable).")]
Seed = Annotated[str | None, typer.Option("--seed", metavar="SEED", help="Chooses the parts; drawn if left out.")]


def main(
    run: Run,
    parts: Parts = "2",
    game: ByNumber = None,
    seed: Seed = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Check every part's checksum and outcomes, and compute some parts again: their bytes must be the same.

    Exit code 5 if anything is wrong.
    """
    sample = None if parts == "all" else number("--parts", parts, 0)
    games = [number("--game", text, 0) for text in game or ()]
    chooser = Random(secrets.randbits(64) if seed is None else number("--seed", seed, 0))
    from simcli.cli.printing import note, print_json
    from simcli.run.runfolder import open_run
    from simcli.run.verifying import verify

    folder = open_run(Path(run))
    folder.must_hold(folder.scenario, "in this program")
    verdict = verify(folder, sample, games, chooser)
    if not quiet:
        for violation in verdict.violations:
            note(violation)
    if output is Output.json:
        print_json(verdict.to_dict())
    else:
        print(verdict.line())
    return VIOLATION if verdict.violations else DONE
