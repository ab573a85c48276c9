"""Makes the parts that a run is still missing, and keeps its summary.

Every part is put in place by the same few lines (`deliver`), whichever engine plays it: threads here, or the workers
of a cluster.
"""

import contextlib
import mmap
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
from simcli.runs import summary
from simcli.runs.checksum import Damaged
from simcli.runs.partition import WHOLE, MissingParts, Part, Shard
from simcli.runs.runfolder import Damage, RunFolder
from simcli.tables import frames

_MEMORY = 2**27
"""Bytes that a summary takes at most. They are asked for first: where polars gets no memory, it ends the process."""


class Receipt(NamedTuple):
    """What became of a part."""

    part: Part
    fate: str  # runfolder.WRITTEN, EQUAL or KEPT
    tally: summary.Tally | None = None
    """What was counted in it, where it was played in this process."""


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
        return folder.resume("-n", str(self.games), *(["--shard", str(self.shard)] if self.shard != WHOLE else []))


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
        """Take in a part that was made, if it was counted."""
        if receipt.tally is None:
            return
        self._parts[receipt.part.index] = receipt.part
        self._tally += receipt.tally

    def whole(self, folder: RunFolder) -> summary.Tally:
        """The tally of all games in the folder from 0 on without a gap."""
        there = folder.unbroken()
        if not self._parts.items() <= {part.index: part for part in there}.items():
            self._parts, self._tally = {}, summary.Tally()
        rest = (part.index for part in there if part.index not in self._parts)
        return self._tally + summary.total(summary.tally(folder.scenario.game, folder.rows(index)) for index in rest)


# Filling a folder


def missing_parts(folder: RunFolder, games: int, shard: Shard = WHOLE) -> tuple[MissingParts, list[Damage]]:
    """The parts that a run of this many games is missing, and the damaged ones there are. Raises UserError."""
    sound, damaged = folder.survey()
    held = {part.index: part.count for part in sound}
    return MissingParts(games, folder.size, shard, held), damaged


def fill(folder: RunFolder, request: RunRequest) -> TallyCache:
    """Make what the folder is missing. Raises Stopped or UserError with the command to go on."""
    with naming(folder, request.go_on(folder)):
        folder.sweep()
        missing, damaged = missing_parts(folder, request.games, request.shard)
        folder.log("begin", games=request.games, shard=str(request.shard), missing=len(missing), command=sys.argv)
        try:
            with Interrupts() as interrupts, Progress(missing.games, request.quiet) as progress:
                _tidy(folder, damaged, request.games, progress)
                progress.say(_announce(folder, missing, request))
                cache = make_parts(folder, request.engine, missing, progress, interrupts)
                if folder.restore():
                    progress.say(f"warning: {folder}: run.json was deleted meanwhile; it is written again")
                return cache
        finally:
            folder.sweep()  # workers that were killed cannot tidy up


def _tidy(folder: RunFolder, damaged: Iterable[Damage], games: int, progress: Progress) -> None:
    """Say what becomes of damaged parts, and remove those that hold none of the games asked for."""
    for damage in damaged:
        beyond = damage.index * folder.size >= games
        if beyond:
            folder.discard(damage.index)
        fate = "removed, as the games asked for end before it" if beyond else "its games are played again"
        progress.say(f"{folder.part_path(damage.index)}: {damage.reason}; {fate}")


def _announce(folder: RunFolder, missing: MissingParts, request: RunRequest) -> str:
    """What is about to be played, in words."""
    if missing:
        parts = f": {missing.named()}" if missing.reach else ""
        return f"playing {missing.games:,} games into {folder}{parts}"
    if missing.reach > request.games:
        return f"{folder} holds {missing.reach:,} games, more than the {request.games:,} asked for; none is played"
    return f"{folder}: nothing is missing"


def make_parts(
    folder: RunFolder, engine: Engine, missing: MissingParts, progress: Progress, interrupts: Interrupts
) -> TallyCache:
    """Make the missing parts; the tally of those made. Raises Stopped."""
    cache = TallyCache()
    for receipt in engine.make(folder, missing, progress, interrupts):
        cache.add(receipt)
    if interrupts():
        raise Stopped(interrupts.signal)
    return cache


@contextlib.contextmanager
def naming(folder: RunFolder, command: str) -> Iterator[None]:
    """Add the command that goes on to whatever stops the work on a folder while this is entered."""
    try:
        yield
    except Stopped as stop:
        raise Stopped(stop.signal, command) from stop
    except Damaged as error:
        raise UserError(error.place, f"{error.reason}; continue with: {command}", BUDGET) from error
    except UserError as error:
        if error.code != BUDGET:
            raise
        raise UserError(error.place, f"{error.message}; continue with: {command}", BUDGET) from error
    except OSError as error:
        if not folder.path.is_dir():
            raise UserError(str(folder), "the run's folder was deleted meanwhile", BUDGET) from error
        why = (error.strerror or str(error) or type(error).__name__).lower()
        raise _undone(str(error.filename or folder), why, command) from error
    except MemoryError as error:
        raise _undone(str(folder), "out of memory", command) from error


def _undone(place: str, why: str, command: str) -> UserError:
    return UserError(place, f"{why}; what is done is kept; continue with: {command}", BUDGET)


def conclude(
    folder: RunFolder, request: RunRequest | None = None, cache: TallyCache | None = None
) -> tuple[summary.Tally, pl.DataFrame | None]:
    """The tally of games 0, 1, ..., and their summary, written too; none as long as other shards are missing.

    Raises UserError, naming the command that goes on, if anything else stands in the way.
    """
    wanted = request.games if request else 1
    with naming(folder, request.go_on(folder) if request else folder.resume()), folder.locked():
        mmap.mmap(-1, _MEMORY).close()
        whole = (cache or TallyCache()).whole(folder)
        if whole.games < wanted and (request is None or request.shard == WHOLE):
            raise UserError(str(folder), f"game {whole.games} is missing", BUDGET)
        table = _write_summary(folder, whole) if whole.games >= wanted else None
        folder.log("end", games=whole.games)
        return whole, table


def _write_summary(folder: RunFolder, whole: summary.Tally) -> pl.DataFrame:
    table = summary.summarise(whole)
    for name, data in summary.files(table, whole, folder.about()).items():
        folder.put(name, data)
    return table
