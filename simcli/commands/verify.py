"""`simcli verify`: check that a run is what it claims to be."""

import secrets
from pathlib import Path
from random import Random
from typing import Annotated

from simcli.cli.options import Format, Output, Quiet, Run, Text, Texts, number, option
from simcli.errors import DONE, VIOLATION

Parts = Annotated[str, option("--parts", "K", "How many parts to recompute, chosen at random; or all.")]
ByNumber = Annotated[Texts, option("--game", "I", "A game to play again (repeatable).")]
Seed = Annotated[Text, option("--seed", "SEED", "Chooses the parts; drawn at random by default.")]


def main(
    run: Run,
    parts: Parts = "2",
    game: ByNumber = None,
    seed: Seed = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Check every part's checksum and outcomes, and recompute some parts: their bytes must be the same.

    Exit code 5 if anything is wrong.
    """
    sample = None if parts == "all" else number("--parts", parts, 0)
    games = [number("--game", text, 0) for text in game or ()]
    chooser = Random(secrets.randbits(64) if seed is None else number("--seed", seed, 0))
    from simcli.cli.printing import note, print_json
    from simcli.runs.runfolder import open_run
    from simcli.runs.verifying import verify

    folder = open_run(Path(run))
    folder.must_hold(folder.scenario, "in this program")
    verdict = verify(folder, sample, games, chooser)
    if not quiet:
        for violation in verdict.violations:
            note(violation)
    if output is Output.json:
        print_json(verdict.describe())
    else:
        print(*verdict.lines(), sep="\n")
    return VIOLATION if verdict.violations else DONE
