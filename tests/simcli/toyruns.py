"""Runs of the toy game, for tests of what lies on disk."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from simcli.cli.options import Output
from simcli.cli.runs import Shown, carry_out
from simcli.config.scenario import Policy, Scenario, Shuffle
from simcli.runs import runfolder
from simcli.runs.making import RunRequest, Threads
from simcli.runs.partition import WHOLE, Shard
from simcli.runs.runfolder import RunFolder

PART = 1000
CONFIG = "game: toy\nrules: {players: 3, rounds: 2}\npolicies: [greedy, random, expert]\nseed: 7\n"
ROOT = Path(__file__).parent.parent.parent


Questions = Mapping[str, Mapping[str, str]]


def scenario(seed: int = 7, name: str = "toy", rounds: int = 2, questions: Questions | None = None) -> Scenario:
    """Three players of every kind, as in CONFIG."""
    policies = (Policy("greedy"), Policy("random"), Policy("expert", {"courage": 1}))
    return Scenario(name, "toy", {"players": 3, "rounds": rounds}, policies, Shuffle(), seed, 1, questions or {})


def make(results: Path, games: int, shard: Shard = WHOLE, jobs: int = 1, **changes: int | str | Questions) -> RunFolder:
    """Run so many games into a results folder, or go on with them."""
    folder = runfolder.begin(results, scenario(**changes))  # type: ignore[arg-type]
    shown = Shown(Output.csv, quiet=False, summary=False)
    carry_out(folder, RunRequest(games, shard, Threads(jobs), quiet=False), shown)
    return folder


def digests(path: Path) -> dict[str, str]:
    """Hash of every file under a run's folder that the promise covers (all but the log), by name."""
    found = sorted(p for p in path.rglob("*") if p.is_file() and p.name != "log.jsonl")
    return {str(p.relative_to(path)): hashlib.sha256(p.read_bytes()).hexdigest() for p in found}


def flip(path: Path, bit: int) -> None:
    """Turn one bit of a file."""
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def command(arguments: Sequence[str | Path], part: int = PART) -> subprocess.Popen[str]:
    """Start a command line that knows the toy game."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.simcli.toycli", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "TOY_PART_GAMES": str(part)},
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def call(arguments: Sequence[str | Path], part: int = PART) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line that knows the toy game."""
    process = command(arguments, part)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err
