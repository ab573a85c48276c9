"""Parts over the workers of a Dask cluster: real processes, and what happens when they are killed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.simcli.toyruns import CONFIG, ROOT, call, command, digests

pytest.importorskip("distributed", reason="needs the extra `dask`")
pytest.importorskip("cryptography", reason="needs the extra `dask`")
psutil = pytest.importorskip("psutil", reason="comes with distributed")

pytestmark = pytest.mark.usefixtures("workers_know_the_toy")

PART = 100_000
GAMES = 750_000
SETTLE_SECONDS = 5


@pytest.fixture
def workers_know_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", '["tests.simcli.toyworker"]')
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Digests of the same games made by threads."""
    results = tmp_path_factory.mktemp("straight")
    assert call(arguments(results), PART)[0] == 0
    return digests(only_run(results))


def arguments(results: Path, *more: str) -> list[str | Path]:
    config = results.parent / "toy.yaml"
    config.write_text(CONFIG)
    return ["run", config, "-n", str(GAMES), "--results", results, *more]


def only_run(results: Path) -> Path:
    (folder,) = results.iterdir()
    return folder


def workers_of(process: "subprocess.Popen[str]") -> list[int]:
    try:
        children = psutil.Process(process.pid).children(recursive=True)
        return [child.pid for child in children if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def wait_for_a_part(process: "subprocess.Popen[str]", results: Path) -> None:
    while not list(results.glob("*/parts/*")) and process.poll() is None:
        time.sleep(0.05)


def listeners(process: "subprocess.Popen[str]") -> set[str]:
    """The addresses on which a process and its children wait for connections."""
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    return {link.laddr.ip for one in family for link in one.net_connections() if link.status == psutil.CONN_LISTEN}


def kill_workers(process: "subprocess.Popen[str]", times: int, pause: float, seed: int) -> int:
    """Kill a random worker now and then; returns how many were."""
    source = Random(seed)
    killed = 0
    limit = time.monotonic() + 120
    while process.poll() is None and killed < times and time.monotonic() < limit:
        pids = workers_of(process)
        if pids:
            try:
                os.kill(source.choice(pids), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
        time.sleep(pause)
    return killed


def judge_survival(results: Path, kills: int, pause: float, straight: dict[str, str]) -> None:
    process = command(arguments(results, "--engine", "dask", "-j", "2"), PART)
    wait_for_a_part(process, results)
    assert listeners(process) == {"127.0.0.1"}
    killed = kill_workers(process, kills, pause, seed=1)
    _, err = process.communicate(timeout=120)
    print(f"\nworkers killed: {killed}, exit code {process.returncode}")
    assert process.returncode == 0, err
    assert killed > 0
    assert digests(only_run(results)) == straight


def test_workers_may_be_killed(tmp_path: Path, straight: dict[str, str]) -> None:
    judge_survival(tmp_path / "r", 2, 0.3, straight)


@pytest.mark.campaign
def test_campaign_innocent_parts_survive_many_deaths(tmp_path: Path, straight: dict[str, str]) -> None:
    judge_survival(tmp_path / "r", 12, 0.5, straight)


@pytest.mark.campaign
def test_only_the_part_that_kills_its_workers_is_given_up(
    tmp_path: Path, straight: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other workers are killed meanwhile, which no other part must suffer from."""
    monkeypatch.setenv("TOY_DEADLY_PART", "5")
    process = command(arguments(tmp_path / "r", "--engine", "dask", "-j", "2"), PART)
    wait_for_a_part(process, tmp_path / "r")
    killed = kill_workers(process, times=2, pause=0.5, seed=2)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, killed) == (3, "", 2), err
    last = err.splitlines()[-1]
    assert last.startswith("part 5 (games 500000..599999): given up: it brought down its worker 6 times")
    assert "continue with: simcli resume" in last
    held = digests(only_run(tmp_path / "r"))
    assert {name for name in straight if name.startswith("parts")} - set(held) == {"parts/000005.parquet"}
    monkeypatch.delenv("TOY_DEADLY_PART")
    assert call(["resume", only_run(tmp_path / "r")], PART)[0] == 0
    assert digests(only_run(tmp_path / "r")) == straight


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler without workers."""
    process = start_scheduler()
    yield address_of(process)
    end(process)


def start_scheduler(protocol: str = "tcp") -> "subprocess.Popen[str]":
    code = (
        "import asyncio\n"
        "from distributed import Scheduler\n"
        "async def main():\n"
        f"    async with Scheduler(protocol={protocol!r}, host='127.0.0.1', port=0, dashboard=False) as scheduler:\n"
        "        print(scheduler.address, flush=True)\n"
        "        await scheduler.finished()\n"
        "asyncio.run(main())\n"
    )
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def address_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def start_worker(scheduler: str, sources: Path = ROOT) -> "subprocess.Popen[bytes]":
    words = ["-m", "distributed.cli.dask_worker", scheduler, "--nthreads", "2", "--no-dashboard", "--host", "127.0.0.1"]
    return subprocess.Popen(
        [sys.executable, *words], env=os.environ | {"PYTHONPATH": str(sources)}, cwd=sources,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def end_worker(process: "subprocess.Popen[bytes]") -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def with_other_kernels(folder: Path) -> Path:
    """A copy of the program in which the kernels differ."""
    folder.mkdir()
    for package in ("kernels", "simcli", "tests"):
        shutil.copytree(ROOT / package, folder / package)
    with (folder / "kernels" / "rng.py").open("a") as file:
        file.write("\n# another version\n")
    return folder


def test_a_cluster_is_joined_and_a_worker_with_other_kernels_refused(
    tmp_path: Path, scheduler: str, straight: dict[str, str]
) -> None:
    words = arguments(tmp_path / "r", "--engine", "dask", "--scheduler", scheduler)
    other = start_worker(scheduler, with_other_kernels(tmp_path / "other"))
    right = None
    try:
        code, _, err = call(words, PART)
        assert code == 2
        assert "refused: it has another version of kernels" in err.splitlines()[-1]
        assert not list((tmp_path / "r").glob("*/parts/*"))
        right = start_worker(scheduler)
        time.sleep(SETTLE_SECONDS)
        code, _, err = call(words, PART)
        assert code == 0, err
        assert "is refused: it has another version of kernels" in err
        assert digests(only_run(tmp_path / "r")) == straight
    finally:
        for worker in (other, right):
            if worker is not None:
                end_worker(worker)


@pytest.mark.campaign
def test_ctrl_c_ends_the_cluster_within_seconds(tmp_path: Path) -> None:
    process = command(arguments(tmp_path / "r", "--engine", "dask", "-j", "2"), PART)
    wait_for_a_part(process, tmp_path / "r")
    workers = workers_of(process)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - sent < 5
    assert process.returncode == 130
    assert err.splitlines()[-1].startswith("interrupted; continue with: simcli resume")
    assert not any(psutil.pid_exists(pid) for pid in workers)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "no scheduler answers there"),
        ("tls://127.0.0.1:1", "no scheduler answers there"),
        ("nonsense", "is not an address"),
        ("http://127.0.0.1:1", "is not an address"),
        ("ws://127.0.0.1:1", "is not an address"),
        ("inproc://127.0.0.1:1", "is not an address"),
        ("tcp://127.0.0.1:70000", "is not an address"),
        ("", "is not an address"),
    ],
)
def test_an_address_where_nobody_answers_is_one_line(tmp_path: Path, address: str, message: str) -> None:
    code, out, err = call(arguments(tmp_path / "r", "--engine", "dask", "--scheduler", address), PART)
    assert (code, out) == (2, ""), err
    assert "--scheduler" in err.splitlines()[-1]
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err
    assert (tmp_path / "r").exists() == (message == "no scheduler answers there")


@pytest.mark.parametrize("hostile", ["object", "nonsense", "lies", "number", "inspection"])
def test_answers_of_workers_are_read_as_text_and_run_nothing(
    tmp_path: Path, scheduler: str, hostile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("TOY_HOSTILE", hostile)
    monkeypatch.setenv("TOY_TRACE", str(trace))
    worker = start_worker(scheduler)
    try:
        words = arguments(tmp_path / "r", "--engine", "dask", "--scheduler", scheduler)
        code, out, err = call(words, PART)
    finally:
        end_worker(worker)
    assert (code, out) == (2 if hostile == "inspection" else 3, ""), err
    assert "answers what is no text of this program" in err.splitlines()[-1]
    assert "Traceback" not in err
    assert not trace.exists()


def test_a_killed_scheduler_is_one_line(tmp_path: Path) -> None:
    process = start_scheduler()
    address = address_of(process)
    worker = start_worker(address)
    try:
        running = command(arguments(tmp_path / "r", "--engine", "dask", "--scheduler", address), PART)
        wait_for_a_part(running, tmp_path / "r")
        process.kill()
        killed = time.monotonic()
        out, err = running.communicate(timeout=120)
    finally:
        end_worker(worker)
        end(process)
    assert time.monotonic() - killed < 60
    assert (running.returncode, out) == (3, ""), err
    lines = err.splitlines()
    assert lines[-1].startswith(f"--scheduler {address}: the scheduler is gone; continue with: simcli resume")
    assert len(lines) == 4, err  # what is played, where, the warning, and the end


def test_a_scheduler_without_tls_is_warned_of_and_one_with_it_is_not(
    tmp_path: Path, straight: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    certify(tmp_path, monkeypatch)
    process = start_scheduler("tls")
    address = address_of(process)
    worker = start_worker(address)
    try:
        code, _, err = call(arguments(tmp_path / "r", "--engine", "dask", "--scheduler", address), PART)
    finally:
        end_worker(worker)
        end(process)
    assert address.startswith("tls://")
    assert code == 0, err
    assert "warning" not in err
    assert digests(only_run(tmp_path / "r")) == straight


def certify(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates for schedulers, workers and clients that are started from here on, as Dask's settings name them."""
    from distributed import Security

    security = Security.temporary()
    (folder / "ca.pem").write_text(security.tls_ca_file)
    (folder / "cert.pem").write_text(security.tls_client_cert)
    (folder / "key.pem").write_text(security.tls_client_key)
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TLS__CA_FILE", str(folder / "ca.pem"))
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION", "true")
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT", str(folder / "cert.pem"))
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY", str(folder / "key.pem"))
