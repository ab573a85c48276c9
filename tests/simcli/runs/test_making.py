"""Whole commands as processes: signals, failures, and the command to go on."""

import errno
import mmap
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from simcli import app
from simcli.cli import runs
from simcli.runs import making
from simcli.runs.runfolder import RunFolder, open_run
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
@pytest.mark.usefixtures("toy")
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


FAULTS = ("EIO", "EMFILE", "ENOSPC")


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["000001.parquet", "summary.csv", "log.jsonl"])
@pytest.mark.parametrize("words", [["run"], ["resume"], ["merge"]])
def test_a_fault_while_the_summary_is_made_ends_with_3_and_names_how_to_go_on(
    config: Path, tmp_path: Path, here: Here, fault: str, name: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault strikes after all parts are made: once the summary's memory is asked for."""
    if words == ["merge"] and name == "000001.parquet":
        pytest.skip("merge reads every part before it writes any")
    results = tmp_path / "r"
    assert here(["run", config, "-n", "2500", "--results", results])[0] == 0
    folder = run_folder(results)
    before = digests(folder)
    for path in folder.glob("summary.*"):
        path.unlink()
    arguments = {
        "run": ["run", config, "-n", "2500", "--results", results],
        "resume": ["resume", folder],
        "merge": ["merge", folder, "--results", results],
    }[words[0]]
    with monkeypatch.context() as patch:
        strike_when_summing_up(patch, name, getattr(errno, fault))
        code, out, err = here(arguments)
    last = err.splitlines()[-1]
    assert (code, out) == (3, ""), err
    assert name in last or str(folder) in last
    assert f"continue with: simcli resume {folder}" in last
    assert here(shlex.split(last.partition("continue with: ")[2])[1:])[0] == 0
    assert digests(folder) == before


def strike_when_summing_up(patch: pytest.MonkeyPatch, name: str, number: int) -> None:
    """Let every opening of the file, or of a temporary one for it, fail once the summary is begun."""
    opened, mapped, begun = os.open, mmap.mmap, []

    def begin(*arguments: object) -> mmap.mmap:
        begun.append(1)
        return mapped(*arguments)  # type: ignore[arg-type]

    def fail(path: object, *arguments: object, **options: object) -> int:
        if begun and name in str(path):
            raise OSError(number, os.strerror(number), str(path))
        return opened(path, *arguments, **options)  # type: ignore[arg-type]

    patch.setattr(mmap, "mmap", begin)
    patch.setattr(os, "open", fail)


def test_a_fault_at_close_ends_with_3(
    config: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    close, closed = os.close, []

    def fail(descriptor: int) -> None:
        close(descriptor)
        closed.append(descriptor)
        if len(closed) == when:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    codes = set()
    for when in range(1, 60):
        closed.clear()
        with monkeypatch.context() as patch:
            patch.setattr(os, "close", fail)
            code, out, err = here(["run", config, "-n", "1500", "--results", tmp_path / str(when)])
        codes.add(code)
        if len(closed) < when:
            break
        assert code in (0, 1, 3), err
        assert (code == 0) == bool(out)
        assert len(err.splitlines()) <= 3
        assert code != 3 or "continue with: simcli resume" in err.splitlines()[-1]
    assert codes == {0, 1, 3}  # 1: before there is a run to go on with


def test_too_little_memory_for_the_summary_ends_with_3(
    config: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "_MEMORY", 2**60)
    code, out, err = here(["run", config, "-n", "1500", "--results", tmp_path / "r"])
    folder = run_folder(tmp_path / "r")
    assert (code, out) == (3, "")
    last = f"{folder}: cannot allocate memory; what is done is kept; continue with: simcli resume {folder} -n 1500"
    assert err.splitlines()[-1] == last


def test_a_part_that_is_lost_or_damaged_before_the_summary_ends_with_3(
    config: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "r"
    fill = making.fill
    for harm, message in (
        (Path.unlink, "game 1000 is missing"),
        (lambda path: flip(path, 999), "damaged: its checksum"),
    ):

        def spoil(folder: RunFolder, request: making.RunRequest, harm: Callable[[Path], None] = harm) -> Any:
            cache = fill(folder, request)
            harm(folder.part_path(1))
            return cache

        monkeypatch.setattr(runs, "fill", spoil)
        code, out, err = here(["run", config, "-n", "2500", "--results", results])
        assert (code, out) == (3, "")
        assert message in err.splitlines()[-1]
        assert "continue with: simcli resume" in err.splitlines()[-1]


def test_run_json_deleted_meanwhile_is_noticed_and_written_again(
    config: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = making.make_parts

    def delete(folder: RunFolder, *arguments: Any) -> making.TallyCache:
        cache = make(folder, *arguments)
        (folder.path / "run.json").unlink()
        return cache

    assert here(["run", config, "-n", "1500", "--results", tmp_path / "straight"])[0] == 0
    monkeypatch.setattr(making, "make_parts", delete)
    code, _, err = here(["run", config, "-n", "1500", "--results", tmp_path / "r"])
    folder = run_folder(tmp_path / "r")
    assert code == 0
    assert f"warning: {folder}: run.json was deleted meanwhile; it is written again" in err
    assert digests(folder) == digests(run_folder(tmp_path / "straight"))


@pytest.mark.parametrize("when", ["before the parts are made", "afterwards"])
def test_a_folder_deleted_meanwhile_is_made_again_or_ends_with_3(
    config: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    make = making.make_parts

    def delete(folder: RunFolder, *arguments: Any) -> making.TallyCache:
        if when == "afterwards":
            cache = make(folder, *arguments)
            shutil.rmtree(folder.path)
            return cache
        shutil.rmtree(folder.path)
        return make(folder, *arguments)

    monkeypatch.setattr(making, "make_parts", delete)
    code, out, err = here(["run", config, "-n", "1500", "--results", tmp_path / "r"])
    if when == "afterwards":
        assert (code, out) == (3, "")
        assert "deleted meanwhile" in err
    else:
        assert code == 0
        assert here(["verify", run_folder(tmp_path / "r"), "--parts", "all"])[0] == 0


ODD_NAME = os.fsdecode(b"it's \xff\x1b[31m red\n")


def test_folder_names_that_no_terminal_should_get_are_escaped_and_the_commands_with_them_work(
    config: Path, tmp_path: Path
) -> None:
    results = tmp_path / ODD_NAME
    code, out, err = call(["run", config, "-n", "2500", "--results", results])
    assert code == 0, err
    folder = run_folder(results)
    (folder / "parts" / "000001.parquet").unlink()
    flip(folder / "parts" / "000002.parquet", 999)
    printed = out + err
    _, out, err = call(["ask", folder, "winner = 0"])
    printed += out + err
    command = err.partition("`")[2].partition("`")[0].removeprefix("simcli ")
    words = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True).stdout
    assert words.split(b"\0")[:2] == [b"resume", os.fsencode(folder)]
    for arguments in (
        ["resume", folder, "--list"],
        ["resume", *map(os.fsdecode, words.split(b"\0")[1:-1]), "-o", "json"],
        ["verify", folder],
        ["merge", folder, "--results", results],
        ["run", config, "-n", "2500", "--results", results, "-o", "md"],
    ):
        code, out, err = call(arguments)
        assert code == 0, err
        printed += out + err
    code, out, err = call(["query", folder, "SELECT COUNT(*) FROM rounds"])
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    printed += err
    assert "\x1b" not in printed
    assert "\\x1b[31m red" in printed
    assert "Traceback" not in printed
