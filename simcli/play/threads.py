"""Parts of games over threads: in index order, in bounded memory, and stopped within a second.

Compiled play releases the GIL, so a thread a core is enough. Whatever the number of threads, the parts that come out
are the same and come out in the same order.
"""

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import FrameType, TracebackType
from typing import Any, NamedTuple

import numpy as np

from kernels.compiler import jit
from simcli.config.scenario import Scenario
from simcli.errors import Stopped
from simcli.play import simulate
from simcli.progress import Progress

_AHEAD = 2
"""Parts in flight or waiting for their turn, for each thread."""
_TICK_SECONDS = 0.1


class Piece(NamedTuple):
    """Games first..first+games-1."""

    first: int
    games: int


def pieces(games: int, jobs: int, largest: int = 20_000) -> Iterator[Piece]:
    """Games 0..games-1 in pieces that keep every thread busy to the end."""
    size = max(1, min(largest, -(-games // (4 * jobs))))
    for first in range(0, games, size):
        yield Piece(first, min(size, games - first))


class Interrupts:
    """While entered, the first Ctrl-C or SIGTERM only sets `signal`; the second raises Stopped.

    `raising` makes the first raise too: for stretches that nobody can stop otherwise, such as compiling.
    """

    def __init__(self) -> None:
        self.signal = 0
        self.raising = False
        self._before: dict[int, Any] = {}

    def __call__(self) -> bool:
        """Whether to stop."""
        return self.signal != 0

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._receive)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        again = self.signal != 0
        self.signal = number
        if again or self.raising:
            raise Stopped(number)


def prepare(scenario: Scenario, progress: Progress, interrupts: Interrupts | None = None) -> Any:
    """Load or compile the kernels, on one thread; returns the compiled rules."""
    if not simulate.is_warm(scenario):
        kept = "once on this machine" if jit.cache_folder else "for now: set SIMCLI_CACHE to a folder that keeps them"
        progress.say(f"compiling the kernels of {scenario.game}, {kept} ...")
    if interrupts is not None:
        interrupts.raising = True
    table = simulate.Table(scenario)
    simulate.warm(table, scenario)
    if interrupts is not None:
        interrupts.raising = False
        if interrupts():
            raise Stopped(interrupts.signal)
    progress.begin()
    return table.rules


def parts(
    scenario: Scenario,
    wanted: Iterable[tuple[int, int]],
    jobs: int,
    *,
    progress: Progress | None = None,
    interrupts: Interrupts | None = None,
    reduce: Callable[[np.ndarray], Any] | None = None,
) -> Iterator[tuple[Piece, Any]]:
    """(piece, its records) for every (first, count) wanted, in that order.

    `reduce` is applied to the records where they were played, on that thread. Ends early, with whole pieces only,
    once `interrupts` says so; closing the iterator stops all threads within a slice.
    """
    progress = progress or Progress(None, quiet=True)
    rules = prepare(scenario, progress, interrupts)
    halt = threading.Event()
    local = threading.local()

    def play(piece: Piece) -> Any:
        if not hasattr(local, "table"):
            local.table = simulate.Table(scenario, rules)
        rows = local.table.play(*piece, halt.is_set, progress.advance)
        return None if halt.is_set() else reduce(rows) if reduce else rows

    with ThreadPoolExecutor(jobs, thread_name_prefix="games") as pool:
        flight: deque[tuple[Piece, Future[Any]]] = deque()
        try:
            for pair in wanted:
                piece = Piece(*pair)
                flight.append((piece, pool.submit(play, piece)))
                if len(flight) >= _AHEAD * jobs:
                    yield from _landed(flight, progress, interrupts)
                if interrupts is not None and interrupts():
                    return
            while flight and not (interrupts is not None and interrupts()):
                yield from _landed(flight, progress, interrupts)
        finally:
            halt.set()
            for _, future in flight:
                future.cancel()


def _landed(
    flight: deque[tuple[Piece, "Future[Any]"]], progress: Progress, interrupts: Interrupts | None
) -> Iterator[tuple[Piece, Any]]:
    """The oldest piece, once it is done; nothing if interrupted before."""
    piece, future = flight[0]
    while True:
        progress.tick()
        if interrupts is not None and interrupts():
            return
        try:
            result = future.result(timeout=_TICK_SECONDS)
        except TimeoutError:
            if future.done():
                raise
            continue
        flight.popleft()
        yield piece, result
        return
