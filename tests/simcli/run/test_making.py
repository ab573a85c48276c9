"""Whole commands as processes: signals, failures, and the command to go on."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from simcli import app
from simcli.run.runfolder import open_run
from tests.simcli.toyruns import CONFIG, call, command, digests, flip

MANY = "40_000_000"
"""More games than a test waits for."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "toy.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile once, so that no test waits for it."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "toy.yaml").write_text(CONFIG)
    assert call(["run", folder / "toy.yaml", "-n", "10", "--results", folder])[0] == 0


def run_folder(results: Path) -> Path:
    (folder,) = results.iterdir()
    return folder


def wait_for_parts(results: Path, count: int) -> None:
    limit = time.monotonic() + 60
    while len(list(results.glob("*/parts/*.parquet"))) < count:
        assert time.monotonic() < limit, "no parts after a minute"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_signal_keeps_what_is_done_and_names_the_command_to_go_on(
    config: Path, tmp_path: Path, number: int, code: int, word: str
) -> None:
    process = command(["run", config, "-n", MANY, "-j", "2", "--results", tmp_path / "r"])
    wait_for_parts(tmp_path / "r", 2)
    process.send_signal(number)
    sent = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - sent < 2
    assert process.returncode == code
    assert out == ""
    folder = run_folder(tmp_path / "r")
    last = err.splitlines()[-1]
    assert last.startswith(f"{word}; continue with: simcli resume {folder} -n {MANY.replace('_', '')}")
    assert not list(folder.rglob(".*"))
    words = shlex.split(last.partition("continue with: ")[2])[1:]
    words[words.index("-n") + 1] = "3500"
    assert call(words)[0] == 0
    assert call(["run", config, "-n", "3500", "--results", tmp_path / "straight"])[0] == 0
    held = digests(folder)
    straight = digests(run_folder(tmp_path / "straight"))
    assert {name: held[name] for name in ("run.json", "parts/000000.parquet", "parts/000001.parquet")} == {
        name: straight[name] for name in ("run.json", "parts/000000.parquet", "parts/000001.parquet")
    }


def test_two_writers_at_once_are_harmless(config: Path, tmp_path: Path) -> None:
    arguments = ["run", config, "-n", "9500", "--results", tmp_path / "r"]
    both = [command([*arguments, "-j", "2"]), command([*arguments, "-j", "1"])]
    results = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert results[0][0] == results[1][0]
    assert call(["run", config, "-n", "9500", "--results", tmp_path / "straight"])[0] == 0
    assert digests(run_folder(tmp_path / "r")) == digests(run_folder(tmp_path / "straight"))


Here = Callable[[Sequence[str | Path]], tuple[int, str, str]]


@pytest.fixture
def here(toy: str, capsys: pytest.CaptureFixture[str]) -> Here:
    """Runs a command line in this process: its exit code, stdout and stderr."""

    def run(arguments: Sequence[str | Path]) -> tuple[int, str, str]:
        code = app.run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_resume_lists_what_is_missing_and_goes_on_to_the_number_last_asked_for(
    config: Path, tmp_path: Path, here: Here
) -> None:
    assert here(["run", config, "-n", "3500", "--results", tmp_path / "r"])[0] == 0
    folder = run_folder(tmp_path / "r")
    before = digests(folder)
    (folder / "parts" / "000001.parquet").unlink()
    flip(folder / "parts" / "000003.parquet", 1000)
    code, out, _ = here(["resume", folder, "--list"])
    assert (code, out) == (
        0, f"{folder}: 1500 games are missing: part 1 (games 1000..1999), part 3 (games 3000..3499)\n"
    )  # fmt: skip
    code, _, err = here(["resume", folder])
    assert code == 0
    assert "000003.parquet: damaged" in err
    assert digests(folder) == before
    (folder / "log.jsonl").unlink()
    (folder / "parts" / "000001.parquet").unlink()
    assert here(["resume", folder])[0] == 0
    assert digests(folder) == before


def test_verify_says_what_is_wrong_and_ends_with_5(config: Path, tmp_path: Path, here: Here) -> None:
    assert here(["run", config, "-n", "2500", "--results", tmp_path / "r"])[0] == 0
    folder = run_folder(tmp_path / "r")
    code, out, _ = here(["verify", folder, "--parts", "all", "--game", "7"])
    assert (code, out) == (0, "3 parts, 2500 games, 3 parts and 1 games computed again: all sound\n")
    flip(folder / "parts" / "000001.parquet", 999)
    code, out, err = here(["verify", folder])
    assert code == 5
    assert "1 violations" in out
    assert re.search(r"000001\.parquet: damaged", err)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs Linux")
def test_a_full_disk_ends_with_3_and_nothing_half_written(config: Path, tmp_path: Path) -> None:
    """A file size limit stops writing as a full disk does."""
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 4; exec "$@"', "limited", *map(str, _words(config, tmp_path / "r"))],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert limited.returncode == 3, limited.stderr
    assert "continue with: simcli resume" in limited.stderr.splitlines()[-1]
    folder = run_folder(tmp_path / "r")
    assert not list(folder.rglob(".*"))
    sound, damaged = open_run(folder).survey()
    assert len(sound) < 20
    assert damaged == []


def _words(config: Path, results: Path) -> list[str | Path]:
    return [sys.executable, "-m", "tests.simcli.toycli", "run", config, "-n", "20000", "--results", results]
