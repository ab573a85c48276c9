"""A kill, an I/O error and a full disk at every system call that a part's commit makes.

CI injects them in this process, at every call of `os` that writes; the campaign lets strace inject them into another
process, call by call. Afterwards a part is there whole or not at all, and the next commit ends with the right bytes.
"""

import contextlib
import errno
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from simcli.runs import runfolder
from simcli.runs.checksum import Damaged
from simcli.runs.partition import Part
from simcli.runs.runfolder import RunFolder
from tests.simcli.runs.committer import encoded
from tests.simcli.toyruns import PART, ROOT, scenario

pytestmark = pytest.mark.usefixtures("toy")

SHORT = 400
CALLS = ("open", "write", "fsync", "link", "rename", "unlink", "close")
SYSTEM_CALLS = (
    "openat",
    "flock",
    "write",
    "fsync",
    "link",
    "linkat",
    "rename",
    "unlink",
    "close",
    "newfstatat",
    "read",
)
MAX_OF_ONE_CALL = 40
MIN_CALLS = 9

Prepare = Callable[[RunFolder], None]


def nothing(folder: RunFolder) -> None:
    """Nothing is there before."""


def short(folder: RunFolder) -> None:
    """A short part is there."""
    folder.commit(Part(0, 0, SHORT), encoded(folder, SHORT))


def damaged(folder: RunFolder) -> None:
    """A damaged part is there."""
    folder.part_path(0).write_bytes(encoded(folder, PART)[:-5])


BEFORE = {"nothing": nothing, "short": short, "damaged": damaged}


class Killed(BaseException):
    """Stands for the end of the process: nothing that follows in it has any effect."""


class Faulty:
    """`os` with a fault at call number `when`; after a kill, every call that writes fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fault: str, when: int) -> None:
        self.calls: list[str] = []
        self.fault = fault
        self.when = when
        self.dead = False
        for name in CALLS:
            monkeypatch.setattr(os, name, self._wrap(name, getattr(os, name)))

    def _wrap(self, name: str, call: Any) -> Any:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            if self.dead and name != "close":
                raise Killed
            self.calls.append(name)
            if len(self.calls) == self.when:
                return self._strike(name, call, arguments)
            return call(*arguments, **options)

        return wrapped

    def _strike(self, name: str, call: Any, arguments: Any) -> Any:
        if self.fault == "kill":
            self.dead = True
            if name == "close":
                call(*arguments)  # a dead process holds no files
            raise Killed
        if self.fault == "short write" and name == "write":
            return call(arguments[0], memoryview(arguments[1])[:100])
        if self.fault == "short write":
            return call(*arguments)
        if name == "close":
            call(*arguments)
        raise OSError(getattr(errno, self.fault), os.strerror(getattr(errno, self.fault)))


def strike(folder: RunFolder, data: bytes, fault: str, when: int) -> int:
    """Commit with a fault at call number `when`; returns how many calls there were."""
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(OSError, Killed):
        faulty = Faulty(patch, fault, when)
        folder.commit(Part(0, 0, PART), data)
    return len(faulty.calls)


def judge(folder: RunFolder, data: bytes, earlier: bytes | None) -> None:
    """The part is as before, or whole; once more, and it is whole, and nothing else is there."""
    path = folder.part_path(0)
    found = path.read_bytes() if path.exists() else None
    assert found in (earlier, data)
    folder.sweep()
    folder.commit(Part(0, 0, PART), data)
    assert path.read_bytes() == data
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    ("fault", "before"),
    [("kill", before) for before in BEFORE] + [("EIO", "short"), ("ENOSPC", "nothing"), ("short write", "damaged")],
)
def test_a_fault_at_every_call_of_a_commit(tmp_path: Path, fault: str, before: str) -> None:
    data = encoded(runfolder.begin(tmp_path / "data", scenario()), PART)
    for when in count(1):
        folder = runfolder.begin(tmp_path / str(when), scenario())
        BEFORE[before](folder)
        path = folder.part_path(0)
        earlier = path.read_bytes() if path.exists() else None
        calls = strike(folder, data, fault, when)
        judge(folder, data, earlier)
        if calls < when:
            break
    assert calls >= MIN_CALLS


# The campaign


def strace_works() -> str:
    """Why strace cannot be used here; empty if it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    words = ["strace", "-qq", "-e", "inject=getpid:retval=7", sys.executable, "-c", "import os; print(os.getpid())"]
    tried = subprocess.run(words, capture_output=True, text=True, check=False)
    return "" if tried.stdout.strip() == "7" else f"strace cannot inject here: {tried.stderr.strip()[-80:]}"


@contextlib.contextmanager
def waiting_committer(results: Path) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.simcli.runs.committer", str(results), str(PART)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT), "POLARS_MAX_THREADS": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def traced_commit(results: Path, call: str, action: str, when: int) -> tuple[int, bool]:
    """Let a process commit, its main thread under strace; its exit code, and whether the injection struck."""
    log = results.parent / "strace.log"
    with waiting_committer(results) as process:
        words = ["strace", "-o", str(log), "-e", f"trace={call}", "-e", f"inject={call}:{action}:when={when}"]
        tracer = subprocess.Popen([*words, "-p", str(process.pid)], stderr=subprocess.PIPE, text=True)
        assert tracer.stderr is not None
        tracer.stderr.readline()  # attached
        process.communicate("go\n", timeout=30)
        tracer.wait(timeout=30)
        tracer.stderr.close()
    text = log.read_text()
    return process.returncode, "(INJECTED)" in text or "killed by SIGKILL" in text


@pytest.mark.campaign
def test_campaign_faults_at_every_system_call(tmp_path: Path) -> None:
    reason = strace_works()
    if reason:
        print(f"\nskipped: {reason}")
        pytest.skip(reason)
    data = encoded(runfolder.begin(tmp_path / "data", scenario()), PART)
    seen: Counter[str] = Counter()
    start = time.monotonic()
    for call in SYSTEM_CALLS:
        for action in ("signal=KILL", "error=EIO", "error=ENOSPC"):
            seen += strike_all(tmp_path, data, call, action)
    print(f"\n{time.monotonic() - start:.0f} s, faults injected: {sum(seen.values())}")
    print(", ".join(f"{what}: {count}" for what, count in sorted(seen.items())))
    assert {"fsync error=EIO", "write error=ENOSPC", "flock signal=KILL"} <= set(seen)


def strike_all(tmp_path: Path, data: bytes, call: str, action: str) -> Counter[str]:
    """Inject at the first, second, ... such call of the commit of a full part in the place of a short one."""
    seen: Counter[str] = Counter()
    for when in range(1, MAX_OF_ONE_CALL):
        results = tmp_path / f"{call}-{action}-{when}"
        folder = runfolder.begin(results, scenario())
        short(folder)
        earlier = folder.part_path(0).read_bytes()
        code, struck = traced_commit(results, call, action, when)
        assert code in (0, 1, -9), re.sub("=", " ", action)
        judge(folder, data, earlier)
        shutil.rmtree(results)
        if not struck:
            return seen
        seen[f"{call} {action}"] += 1
    raise AssertionError(f"no end of {call}")


def test_a_commit_over_damage_is_noticed_by_readers_until_then(tmp_path: Path) -> None:
    folder = runfolder.begin(tmp_path, scenario())
    damaged(folder)
    with pytest.raises(Damaged):
        folder.rows(0)
