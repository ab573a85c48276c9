"""Commits one part, or one longer part in its place, when told to: a process for tracers to interfere with.

`python -m tests.simcli.runs.committer RESULTS COUNT`: prints `ready`, waits for a line, commits games 0..COUNT-1, and
prints what became of them, or the error.
"""

import sys
from functools import cache
from pathlib import Path

import polars as pl

from kernels.registry import GAMES
from simcli.errors import UserError
from simcli.play.simulate import Table
from simcli.runs import partition, runfolder
from simcli.runs.partition import Part
from simcli.runs.runfolder import RunFolder
from simcli.tables import frames
from tests.simcli.toyruns import PART, scenario


def encoded(folder: RunFolder, count: int) -> bytes:
    """The bytes of part 0 with so many games."""
    return folder.encode(Part(0, 0, count), _rounds(count))


@cache
def _rounds(count: int) -> pl.DataFrame:
    return frames.rounds(scenario(), Table(scenario()).play(0, count))


def main(results: Path, count: int) -> None:
    """Commit when told to."""
    GAMES["toy"] = "tests.toy"
    partition.PART_GAMES = PART
    folder = runfolder.begin(results, scenario())
    data = encoded(folder, count)
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        print(folder.commit(Part(0, 0, count), data), flush=True)
    except (OSError, UserError) as error:
        print(f"error: {error}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
