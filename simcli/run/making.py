"""Makes the parts that a run still lacks, and keeps its summary.

Every part is put in place by the same few lines (`deliver`), whichever engine plays it: threads here, or the workers
of a cluster.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl

from simcli.play import threads
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.run import summary
from simcli.run.partition import WHOLE, Lacking, Part, Shard
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


class Missing(NamedTuple):
    """What a run lacks."""

    parts: Lacking
    damaged: list[Damage]


def deliver(folder: RunFolder, rows: np.ndarray) -> Receipt:
    """Put the records of a whole part in place."""
    first, last = int(rows["game"][0]), int(rows["game"][-1])
    part = Part(first // folder.size, first, last + 1 - first)
    rounds = frames.rounds(folder.scenario, rows)
    fate = folder.commit(part, folder.encode(part, rounds))
    return Receipt(part, fate, summary.tally(rounds))


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


def missing(folder: RunFolder, games: int, shard: Shard = WHOLE) -> Missing:
    """The parts that a run of so many games lacks, and the damaged ones among them. Raises UserError."""
    sound, damaged = folder.survey()
    held = {part.index: part.count for part in sound}
    return Missing(Lacking(games, folder.size, shard, held), damaged)


def summarise(folder: RunFolder, whole: summary.Tally) -> pl.DataFrame:
    """Write the summary files; returns the table. The folder must be locked."""
    table = summary.summarise(whole)
    for name, data in summary.files(table, whole, folder.about()).items():
        folder.put(name, data)
    return table


class Accounts:
    """The tally of parts made so far, so that they need not be read again."""

    def __init__(self) -> None:
        self._parts: dict[int, Part] = {}
        self._tally = summary.Tally()

    def add(self, receipt: Receipt) -> None:
        """Book a part that was made."""
        self._parts[receipt.part.index] = receipt.part
        self._tally += receipt.tally

    def whole(self, folder: RunFolder) -> summary.Tally:
        """The tally of all games in the folder from 0 on without a gap."""
        there = folder.sound_prefix()
        if not self._parts.items() <= {part.index: part for part in there}.items():
            self._parts, self._tally = {}, summary.Tally()
        rest = (part.index for part in there if part.index not in self._parts)
        return self._tally + summary.total(summary.tally(folder.rows(index)) for index in rest)
