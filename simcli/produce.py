"""Makes the parts that a run still lacks, and keeps its summary.

Every part is played, written and compared with what is there by the same few lines (`make`), whichever engine calls
them: threads here, or the workers of a cluster.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import chain, islice
from threading import Event, local
from typing import NamedTuple, Protocol

import polars as pl

from simcli import frames, plan, summary
from simcli.plan import WHOLE, Part, Shard
from simcli.runfolder import Damage, RunFolder
from simcli.simulate import Table

_LOOK_SECONDS = 0.1


class Receipt(NamedTuple):
    """What became of a part."""

    part: Part
    fate: str  # runfolder.WRITTEN, EQUAL or KEPT
    seconds: float
    written: int  # bytes
    tally: summary.Tally


class Engine(Protocol):
    """Whoever makes parts."""

    def make(self, folder: RunFolder, todo: Iterable[Part]) -> Iterator[Receipt]:
        """Make parts, in any order. Closing the iterator drops or finishes those in flight within a second."""


class Missing(NamedTuple):
    """What a run lacks."""

    parts: list[Part]
    damaged: list[Damage]


def make(folder: RunFolder, table: Table, part: Part, stopped: Callable[[], bool] = lambda: False) -> Receipt | None:
    """Play a part and put it in place; None if stopped on the way."""
    begun = time.perf_counter()
    rows = table.play(part.first, part.count, stopped)
    if not len(rows) or int(rows["game"][-1]) != part.end - 1:
        return None
    rounds = frames.rounds(folder.scenario, rows)
    data = folder.encode(part, rounds)
    fate = folder.commit(part, data)
    return Receipt(part, fate, time.perf_counter() - begun, len(data), summary.tally(rounds))


class Threads:
    """Makes parts on threads of this process."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def make(self, folder: RunFolder, todo: Iterable[Part]) -> Iterator[Receipt]:
        """As the protocol says."""
        stop = Event()
        own = local()

        def task(part: Part) -> Receipt | None:
            if stop.is_set():
                return None
            if not hasattr(own, "table"):
                own.table = Table(folder.scenario)
            return make(folder, own.table, part, stop.is_set)

        parts = iter(todo)
        first = next(parts, None)
        if first is None:
            return
        Table(folder.scenario).play(first.first, 1)  # compiles here: compiling on several threads is unsafe
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                yield from _in_flight(lambda part: pool.submit(task, part), chain((first,), parts), 2 * self.jobs)
            finally:
                stop.set()


def _in_flight(
    submit: Callable[[Part], "Future[Receipt | None]"], todo: Iterator[Part], most: int
) -> Iterator[Receipt]:
    """Receipts as they come, with at most so many parts handed out at a time."""
    running = {submit(part) for part in islice(todo, most)}
    while running:
        done, running = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
        for future in done:
            receipt = future.result()
            if receipt is not None:
                yield receipt
        running |= {submit(part) for part in islice(todo, most - len(running))}


def missing(folder: RunFolder, games: int, shard: Shard = WHOLE) -> Missing:
    """The parts that a run of so many games lacks, and the damaged ones among them. Raises UserError."""
    sound, damaged = folder.survey()
    held = {part.index: part.count for part in sound}
    wanted = (part for part in plan.parts(games, folder.size) if shard.holds(part))
    lacking = [part for part in wanted if held.get(part.index, 0) < part.count]
    return Missing(lacking, damaged)


def summarise(folder: RunFolder, whole: summary.Tally) -> pl.DataFrame:
    """Write the summary files; returns the table. The folder must be locked."""
    table = summary.summarise(whole)
    for name, data in summary.files(table, whole, {"name": folder.name, "identity": folder.identity}).items():
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
        there = folder.prefix()
        if not self._parts.items() <= {part.index: part for part in there}.items():
            self._parts, self._tally = {}, summary.Tally()
        rest = (part.index for part in there if part.index not in self._parts)
        return self._tally + summary.total(summary.tally(folder.rows(index)) for index in rest)
