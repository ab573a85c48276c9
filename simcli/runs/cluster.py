"""Spreads parts over the workers of a Dask cluster: one started here, or one that runs already.

A task plays one part and puts it into the run's folder, which all workers must see; what comes back is a receipt.
Workers may die at any time. A part is handed out again whenever the worker that held it died, so one that was near a
few deaths by chance costs nothing; only a part that still brings its worker down when it is alone in the cluster
is given up, and named.
"""

import contextlib
import errno
import hashlib
import importlib
import json
import logging
import os
import queue
import re
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

import polars as pl

from simcli.errors import BUDGET, UserError, printable, shorten
from simcli.play.simulate import Table
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.runs.making import Receipt, deliver
from simcli.runs.partition import Part
from simcli.runs.runfolder import RunFolder, open_run

_SOURCES = ("kernels", "simcli")
_TOGETHER = 2
"""Deaths around a part after which it must wait until it can be tried alone."""
_ALONE = 4
"""Deaths of workers that held nothing but this part after which it is given up."""
_CONNECT_SECONDS = 5
_NO_WORKER_SECONDS = 60
_LOOK_SECONDS = 0.1
_CLOSE_SECONDS = 1
_LOST_SECONDS = 5
_FETCH_SECONDS = 3

_ADDRESS = re.compile(r"((tcp|tls)://)?([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.%]+\]):([0-9]{1,5})")
_LAST_PORT = 65_535

_PLAIN = ("msgpack",)
"""How answers of workers are read: text, numbers, lists and maps. Whatever else a worker sends would be unpickled here,
which runs the code that it names."""

_NO_TEXT = "its worker answers what is no text of this program"
_OPEN = "whoever can reach it can run programs as its user, as the workers' and as yours; prefer tls://"

_KILLED_ON_PURPOSE = "ignore:resource_tracker"
"""What Python's tracker of resources must not say of workers that were killed; handed to it as its option -W."""

_own = threading.local()
_compiling = threading.Lock()


DONE, UNFIT, SYSTEM, USER, FAILED = "done", "unfit", "system", "user", "failed"
"""What a worker's answer may be: the fate of the part, why it must not play, an error of its system, of the user or
of the program."""

# On the worker


@cache
def versions() -> dict[str, str]:
    """Versions of all that decides a part's bytes: both sides must have the same."""
    found = {package: _digest(Path(str(importlib.import_module(package).__file__)).parent) for package in _SOURCES}
    return {**found, "polars": pl.__version__, "numba": importlib.import_module("numba").__version__}


def inspect_worker(path: str, identity: str, wanted: dict[str, str]) -> str:
    """Why this worker cannot play for that folder; empty if it can."""
    here = versions()
    for name, value in wanted.items():
        if here.get(name) != value:
            return f"has another version of {name}: {here.get(name)}, not {value}"
    try:
        found = open_run(Path(path)).identity
    except (OSError, UserError) as error:
        return f"does not see the run's folder ({printable(str(error))})"
    return "" if found == identity else f"sees run {found} in the run's folder"


def play_part(path: str, identity: str, wanted: dict[str, str], part: Part) -> str:
    """Play a part into the shared folder; what became of it, as JSON: one of DONE, UNFIT, SYSTEM, USER and FAILED."""
    try:
        reason = inspect_worker(path, identity, wanted)
        return json.dumps({UNFIT: reason} if reason else {DONE: _deliver(open_run(Path(path)), part)})
    except OSError as error:
        return json.dumps({SYSTEM: [error.errno, str(error.strerror or error), str(error.filename or path)]})
    except UserError as error:
        return json.dumps({USER: [error.place, error.message, error.code]})
    except Exception as error:
        return json.dumps({FAILED: f"{type(error).__name__}: {error}"})


def _deliver(folder: RunFolder, part: Part) -> str:
    if getattr(_own, "identity", None) != folder.identity:
        with _compiling:
            _own.table = Table(folder.scenario)
            _own.table.play(part.first, 1)
        _own.identity = folder.identity
    return deliver(folder, _own.table.play(part.first, part.count)).fate


def _digest(package: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


# Here


class Dask:
    """Makes parts on a cluster: at `scheduler`, or on `jobs` workers started here."""

    def __init__(self, scheduler: str | None, jobs: int) -> None:
        self.scheduler = _checked(scheduler)
        self.jobs = jobs

    def make(
        self, folder: RunFolder, todo: Iterable[Part], progress: Progress, interrupts: Interrupts
    ) -> Iterator[Receipt]:
        """As the protocol of `making.Engine` says. Raises UserError when parts had to be given up."""
        first = next(parts := iter(todo), None)
        if first is None:
            return
        progress.say("starting the workers ..." if self.scheduler is None else f"joining {self.scheduler} ...")
        if self.scheduler is not None and not self.scheduler.startswith("tls://"):
            progress.say(f"warning: {self.scheduler} is not encrypted: {_OPEN}")
        with self._connected() as (client, tend):
            progress.begin()

            def tick() -> None:
                progress.tick()
                tend()

            dispatch = _Dispatch(client, folder, chain((first,), parts), tick, progress.say, interrupts)
            try:
                for receipt in dispatch.receipts():
                    progress.advance(receipt.part.count)
                    yield receipt
            except (OSError, _distributed().client.ClosedClientError) as error:
                if getattr(error, "errno", None) is not None:
                    raise  # what a worker's system says has a number; what Dask says of a lost connection has none
                place = "--engine dask" if self.scheduler is None else f"--scheduler {self.scheduler}"
                raise UserError(place, "the scheduler is gone", BUDGET) from error

    def _tend(self, local: Any) -> None:
        """Start workers again whose nanny is gone too, as happens to those that are killed while they start."""
        if local is not None and len(local.workers) < self.jobs:
            local.scale(self.jobs)

    @contextlib.contextmanager
    def _connected(self) -> Iterator[tuple[Any, Callable[[], None]]]:
        """A client, and what must be done now and then."""
        distributed = _distributed()
        with contextlib.ExitStack() as stack:
            local = stack.enter_context(_local_cluster(self.jobs)) if self.scheduler is None else None
            stack.enter_context(_silent())
            try:
                client = distributed.Client(
                    local or self.scheduler, timeout=_CONNECT_SECONDS, set_as_default=False, deserializers=_PLAIN
                )
            except (OSError, ValueError, TypeError, RuntimeError) as error:
                why = printable(str(error).splitlines()[0] if str(error) else type(error).__name__)
                raise UserError(f"--scheduler {self.scheduler}", f"no scheduler answers there ({why})") from error
            try:
                yield client, lambda: self._tend(local)
            finally:
                client.close(timeout=_CLOSE_SECONDS)


class _Dispatch:
    """Hands parts out and takes receipts in."""

    def __init__(
        self,
        client: Any,
        folder: RunFolder,
        todo: Iterable[Part],
        tick: Callable[[], None],
        say: Callable[[str], None],
        stopped: Callable[[], bool],
    ) -> None:
        self._client = client
        self._folder = folder
        self._path = str(folder.path.resolve())
        self._tick = tick
        self._say = say
        self._stopped = stopped
        self._fresh = iter(todo)
        self._waiting: deque[Part] = deque()
        self._suspects: deque[Part] = deque()
        self._done: queue.Queue[Any] = queue.Queue()
        self._running: dict[Any, Part] = {}
        self._deaths: Counter[Part] = Counter()
        self._given_up: dict[Part, str] = {}
        self._inspected: dict[str, str] = {}
        self._tries = 0
        self._last_worker = time.monotonic()

    def receipts(self) -> Iterator[Receipt]:
        """Receipts as they come. Raises UserError."""
        try:
            while self._is_busy() and not self._stopped():
                self._hand_out()
                self._tick()
                yield from self._landed()
        finally:
            self._client.cancel(list(self._running))
        if self._given_up and not self._stopped():
            part, why = next(iter(self._given_up.items()))
            more = f" (and {len(self._given_up) - 1} more parts)" if len(self._given_up) > 1 else ""
            raise UserError(str(part), f"given up: {why}{more}; the run is incomplete", BUDGET)

    def _is_busy(self) -> bool:
        self._look_ahead()
        return bool(self._waiting or self._suspects or self._running)

    def _look_ahead(self) -> None:
        """Have the next part waiting, if there is another."""
        if not self._waiting:
            self._waiting.extend(islice(self._fresh, 1))

    def _hand_out(self) -> None:
        slots = self._slots()
        while self._waiting and len(self._running) < sum(slots.values()):
            self._submit(self._waiting.popleft(), slots)
            self._look_ahead()
        if self._suspects and not self._running and slots:
            self._submit(self._suspects.popleft(), slots)

    def _submit(self, part: Part, slots: dict[str, int]) -> None:
        self._tries += 1
        future = self._client.submit(
            play_part,
            self._path,
            self._folder.identity,
            versions(),
            part,
            key=f"{self._folder.identity}-{part.first}-{part.count}-{self._tries}",
            workers=list(slots) if any(self._inspected.values()) else None,
            pure=False,
        )
        self._running[future] = part
        future.add_done_callback(self._done.put)

    def _slots(self) -> dict[str, int]:
        """Workers that may play, each with its number of threads. Raises UserError if there is none for too long."""
        while True:
            threads = self._client.nthreads()
            self._inspect([worker for worker in threads if worker not in self._inspected])
            slots = {worker: count for worker, count in threads.items() if self._inspected.get(worker) == ""}
            if slots:
                self._last_worker = time.monotonic()
                return slots
            if threads and all(self._inspected.get(worker) for worker in threads):
                worker = next(iter(threads))
                raise UserError(f"worker {worker}", f"refused: it {self._inspected[worker]}")
            if time.monotonic() - self._last_worker > _NO_WORKER_SECONDS:
                raise UserError("--engine dask", f"no worker for {_NO_WORKER_SECONDS} s; the run is incomplete", BUDGET)
            if self._running or self._stopped():
                return slots
            self._tick()
            time.sleep(_LOOK_SECONDS)

    def _inspect(self, workers: list[str]) -> None:
        if not workers:
            return
        arguments = (self._path, self._folder.identity, versions())
        try:
            answers = self._client.run(inspect_worker, *arguments, workers=workers, on_error="return")
        except TypeError as error:
            raise UserError("--engine dask", f"a worker is refused: {_NO_TEXT}") from error
        for worker, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # it is gone
            reason = answer if isinstance(answer, str) else f"cannot load this program ({answer})"
            self._inspected[worker] = reason
            if reason:
                self._say(printable(f"worker {worker} is refused: it {reason}"))

    def _landed(self) -> Iterator[Receipt]:
        try:
            future = self._done.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            return
        part = self._running.pop(future)
        text = self._fetched(future, part)
        if text is not None:
            yield from self._read(text, part)
        elif part not in self._given_up:
            self._settle(future, part)

    def _fetched(self, future: Any, part: Part) -> str | None:
        """What the worker says of a part; None if that is nothing, or went down with the worker that held it."""
        if future.status != "finished":
            return None
        try:
            text = future.result(timeout=_FETCH_SECONDS)
        except (TimeoutError, CancelledError):
            return None
        except TypeError:
            text = None
        if not isinstance(text, str):
            self._give_up(part, _NO_TEXT)
            return None
        return text

    def _read(self, text: str, part: Part) -> Iterator[Receipt]:
        """A receipt, if the answer is one. Raises what stops the run."""
        match _parsed(text):
            case {"done": str(fate)}:
                yield Receipt(part, fate)
            case {"unfit": str()}:  # by a worker that has just come
                self._waiting.append(part)
                self._inspected.clear()
            case {"system": [int() | None as number, str(why), str(place)]}:
                raise OSError(number or errno.EIO, why, place)
            case {"user": [str(place), str(message), int(code)]}:
                raise UserError(place, message, code)
            case {"failed": str(why)}:
                self._give_up(part, why)
            case _:
                self._give_up(part, _NO_TEXT)

    def _settle(self, future: Any, part: Part) -> None:
        """A part without an answer waits for its next turn or is given up."""
        error = future.exception() if future.status == "error" else None
        if isinstance(error, _distributed().KilledWorker):
            self._died(part)
        elif error is None:
            self._waiting.append(part)  # lost with its worker
        else:
            self._give_up(part, f"{type(error).__name__}: {error}")

    def _give_up(self, part: Part, why: str) -> None:
        self._given_up[part] = printable(why)
        self._say(f"{part} is given up: {self._given_up[part]}")

    def _died(self, part: Part) -> None:
        self._deaths[part] += 1
        if self._deaths[part] < _TOGETHER:
            self._waiting.append(part)
        elif self._deaths[part] < _TOGETHER + _ALONE:
            self._suspects.append(part)
        else:
            self._give_up(part, f"it brought down its worker {self._deaths[part]} times")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _checked(address: str | None) -> str | None:
    """The scheduler's address. Raises UserError."""
    if address is not None:
        match = _ADDRESS.fullmatch(address)
        if match is None or int(match[4]) > _LAST_PORT:
            raise UserError(
                "--scheduler", f"{shorten(address)} is not an address; write tls://HOST:PORT or tcp://HOST:PORT"
            )
    return address


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep what Dask logs from the user: what matters is said by what is raised."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@contextlib.contextmanager
def _local_cluster(jobs: int) -> Iterator[Any]:
    """A cluster of this machine's own, out of reach of others: encrypted, on the loopback, with no dashboard."""
    distributed = _distributed()
    dask = importlib.import_module("dask")
    try:
        security = distributed.Security.temporary()
    except ImportError as error:
        raise _not_installed() from error
    settings = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.worker.memory.terminate": False,
        "distributed.deploy.lost-worker-timeout": _LOST_SECONDS,
    }
    sys.warnoptions.append(_KILLED_ON_PURPOSE)
    with dask.config.set(settings):
        cluster = distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            host="127.0.0.1",
            security=security,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=50,
        )
    try:
        yield cluster
    finally:
        _end(cluster)


def _end(cluster: Any) -> None:
    """Close a cluster at once: its workers hold nothing that could be lost, and take long to leave by themselves."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)
    with contextlib.suppress(TimeoutError):
        cluster.close(timeout=_CLOSE_SECONDS)


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise _not_installed() from error


def _not_installed() -> UserError:
    return UserError("--engine dask", "needs Dask and cryptography: pip install 'simcli[dask]'")
