"""Makes the parts that a run is still missing, and keeps its summary.

Every part is put in place by the same few lines (`deliver`), whichever engine plays it: threads here, or the workers
of a cluster.
"""

import shlex
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl

from simcli.errors import BUDGET, Stopped, UserError
from simcli.play import threads
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.run import summary
from simcli.run.partition import WHOLE, MissingParts, Part, Shard
from simcli.run.runfolder import Damage, RunFolder
from simcli.tables import frames


class Receipt(NamedTuple):
    """What became of a part."""

    part: Part
    fate: str  # runfolder.WRITTEN, EQUAL or KEPT
    tally: summary.Tally


class Engine(Protocol):
    """Whoever makes parts."""

    def make(
        self, folder: RunFolder, todo: Iterable[Part], progress: Progress, interrupts: Interrupts
    ) -> Iterator[Receipt]:
        """Make parts, in any order. Ends early, with whole parts only and within a second, once interrupted."""


class RunRequest(NamedTuple):
    """What a folder is to hold, and who makes it."""

    games: int
    shard: Shard
    engine: Engine
    quiet: bool

    def go_on(self, folder: RunFolder) -> str:
        """The command that goes on with the run."""
        words = ["simcli", "resume", str(folder), "-n", str(self.games)]
        return shlex.join(words + (["--shard", str(self.shard)] if self.shard != WHOLE else []))


def deliver(folder: RunFolder, rows: np.ndarray) -> Receipt:
    """Put the records of a whole part in place."""
    first, last = int(rows["game"][0]), int(rows["game"][-1])
    part = Part(first // folder.size, first, last + 1 - first)
    rounds = frames.rounds(folder.scenario, rows)
    fate = folder.commit(part, folder.encode(part, rounds))
    return Receipt(part, fate, summary.tally(folder.scenario.game, rounds))


class Threads:
    """Makes parts on threads of this process."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def make(
        self, folder: RunFolder, todo: Iterable[Part], progress: Progress, interrupts: Interrupts
    ) -> Iterator[Receipt]:
        """As the protocol says."""
        first = next(parts := iter(todo), None)
        if first is None:
            return
        made = threads.parts(
            folder.scenario,
            ((part.first, part.count) for part in chain((first,), parts)),
            self.jobs,
            progress=progress,
            interrupts=interrupts,
            reduce=lambda rows: deliver(folder, rows),
        )
        for _, receipt in made:
            yield receipt


class TallyCache:
    """The tally of parts made so far, so that they need not be read again."""

    def __init__(self) -> None:
        self._parts: dict[int, Part] = {}
        self._tally = summary.Tally()

    def add(self, receipt: Receipt) -> None:
        """Take in a part that was made."""
        self._parts[receipt.part.index] = receipt.part
        self._tally += receipt.tally

    def whole(self, folder: RunFolder) -> summary.Tally:
        """The tally of all games in the folder from 0 on without a gap."""
        there = folder.sound_prefix()
        if not self._parts.items() <= {part.index: part for part in there}.items():
            self._parts, self._tally = {}, summary.Tally()
        rest = (part.index for part in there if part.index not in self._parts)
        return self._tally + summary.total(summary.tally(folder.scenario.game, folder.rows(index)) for index in rest)


# Filling a folder


def missing_parts(folder: RunFolder, games: int, shard: Shard = WHOLE) -> tuple[MissingParts, list[Damage]]:
    """The parts that a run of this many games is missing, and the damaged ones among them. Raises UserError."""
    sound, damaged = folder.survey()
    held = {part.index: part.count for part in sound}
    return MissingParts(games, folder.size, shard, held), damaged


def fill(folder: RunFolder, request: RunRequest) -> TallyCache:
    """Make what the folder is missing. Raises Stopped or UserError with the command to go on."""
    folder.sweep()
    missing, damaged = missing_parts(folder, request.games, request.shard)
    folder.log("begin", games=request.games, shard=str(request.shard), missing=len(missing), command=sys.argv)
    try:
        with Interrupts() as interrupts, Progress(missing.games, request.quiet) as progress:
            for damage in damaged:
                progress.say(f"{folder.part_path(damage.index)}: {damage.reason}; its games are played again")
            progress.say(f"{folder}: {missing}")
            return _make(folder, request.engine, missing, progress, interrupts)
    except (Stopped, OSError, UserError) as stop:
        raise _with_command(stop, folder, request.go_on(folder)) from stop
    finally:
        folder.sweep()  # workers that were killed cannot tidy up


def _make(
    folder: RunFolder, engine: Engine, missing: MissingParts, progress: Progress, interrupts: Interrupts
) -> TallyCache:
    cache = TallyCache()
    for receipt in engine.make(folder, missing, progress, interrupts):
        cache.add(receipt)
    if interrupts():
        raise Stopped(interrupts.signal)
    return cache


def _with_command(stop: Stopped | OSError | UserError, folder: RunFolder, command: str) -> BaseException:
    """The same, with the command to go on where there is something to go on with."""
    if isinstance(stop, Stopped):
        return Stopped(stop.signal, command)
    if isinstance(stop, UserError):
        return (
            UserError(stop.place, f"{stop.message}; continue with: {command}", BUDGET) if stop.code == BUDGET else stop
        )
    why = (stop.strerror or str(stop) or type(stop).__name__).lower()
    return UserError(str(stop.filename or folder), f"{why}; what is done is kept; continue with: {command}", BUDGET)


def conclude(
    folder: RunFolder, games: int = 1, cache: TallyCache | None = None
) -> tuple[summary.Tally, pl.DataFrame | None]:
    """The tally of games 0, 1, ..., and their summary, written too; no summary if there are fewer than `games`."""
    with folder.locked():
        whole = (cache or TallyCache()).whole(folder)
        table = _write_summary(folder, whole) if whole.games >= games else None
    folder.log("end", games=whole.games)
    return whole, table


def _write_summary(folder: RunFolder, whole: summary.Tally) -> pl.DataFrame:
    table = summary.summarise(whole)
    for name, data in summary.files(table, whole, folder.about()).items():
        folder.put(name, data)
    return table
