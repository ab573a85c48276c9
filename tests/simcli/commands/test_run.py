"""`run`, `resume` and `merge` as people see them: what they say first, and the answers they end with."""

import errno
import json
import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from simcli import app
from simcli.runs import files
from tests.simcli.toyruns import CONFIG, digests

pytestmark = pytest.mark.usefixtures("toy")

QUESTIONS = "questions:\n  zero: {event: winner = 0}\n  points: {mean: points_1}\n"
ANSWERED = "zero: share of rounds with  winner = 0"

Run = Callable[[Sequence[str | Path]], tuple[int, str, str]]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line in this process: its exit code, stdout and stderr."""

    def run(arguments: Sequence[str | Path]) -> tuple[int, str, str]:
        code = app.run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "toy.yaml"
    path.write_text(CONFIG + QUESTIONS)
    return path


def only_run(results: Path) -> Path:
    (folder,) = results.iterdir()
    return folder


def test_a_new_run_says_what_is_played_and_ends_with_its_questions_answered(
    config: Path, tmp_path: Path, here: Run
) -> None:
    code, out, err = here(["run", config, "-n", "2500", "--results", tmp_path / "r"])
    folder = only_run(tmp_path / "r")
    assert code == 0
    assert err.splitlines() == [
        f"playing 2,500 games into {folder}",
        f"--summary prints a line for every column, as in {folder}/summary.csv",
    ]
    lines = out.splitlines()
    assert lines[0] == f"{folder}: 2,500 games, 5,000 rounds"
    assert lines[2] == ANSWERED
    assert lines[3].startswith("  50.0%   [")
    assert "points: mean of  points_1" in out
    assert "first_plot" not in out
    assert "min  max" not in out
    for command in (["run", config, "-n", "2500", "--results", tmp_path / "r"], ["resume", folder]):
        assert here([*command, "-q"])[0:2:2] == (0,)
        assert here([*command, "-q"])[1].splitlines()[2] == ANSWERED


def test_the_questions_are_those_of_the_config_as_it_is_now(config: Path, tmp_path: Path, here: Run) -> None:
    arguments = ["run", config, "-n", "1500", "--results", tmp_path / "r"]
    assert here(arguments)[0] == 0
    folder = only_run(tmp_path / "r")
    before = digests(folder)
    config.write_text(CONFIG + "questions:\n  one: {event: winner = 1}\n")
    code, out, _ = here(arguments)
    assert code == 0
    assert "one: share of rounds with  winner = 1" in out
    assert ANSWERED not in out
    again = shlex.split(out.partition("again: ")[2].splitlines()[0])[1:]
    estimate = out.partition("winner = 1\n")[2].splitlines()[0]
    assert estimate in here(again)[1]
    code, out, _ = here(["ask", config, "one", "-n", "1500", "--keep", "--results", tmp_path / "r"])
    assert (code, estimate in out) == (0, True)
    assert digests(folder) == before


def test_summary_prints_a_line_for_every_column_and_programs_get_it_always(
    config: Path, tmp_path: Path, here: Run
) -> None:
    arguments = ["run", config, "-n", "1500", "--results", tmp_path / "r"]
    assert here(arguments)[0] == 0
    folder = only_run(tmp_path / "r")
    code, out, _ = here([*arguments, "--summary"])
    assert (code, ANSWERED in out) == (0, False)
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["outcome", "winner", "winner"]
    assert here(["merge", folder, "--results", tmp_path / "r", "--summary"])[1] == out
    assert here(["resume", folder, "--summary"])[1] == out
    for command in (arguments, ["resume", folder], ["merge", folder, "--results", tmp_path / "r"]):
        document = json.loads(here([*command, "-o", "json"])[1])
        assert document["run"] == str(folder)
        assert document["rows"] == json.loads((folder / "summary.json").read_text())["rows"]
        assert here([*command, "-o", "csv"])[1].splitlines()[0] == "column,value,count,mean,low,high,sd,min,max"
        assert here([*command, "-o", "md"])[1].startswith("| column | value |")


def test_without_questions_there_is_the_summary(config: Path, tmp_path: Path, here: Run) -> None:
    config.write_text(CONFIG)
    code, out, _ = here(["run", config, "-n", "1500", "--results", tmp_path / "r"])
    assert (code, out.splitlines()[1].split()[:3]) == (0, ["column", "value", "count"])


def test_an_expectation_that_fails_ends_with_4(config: Path, tmp_path: Path, here: Run) -> None:
    config.write_text(CONFIG + "questions:\n  zero: {event: winner = 0, expect: {between: [0.9, 1]}}\n")
    code, out, _ = here(["run", config, "-n", "500", "--results", tmp_path / "r"])
    assert (code, "NOT as expected" in out) == (4, True)
    assert here(["run", config, "-n", "500", "--results", tmp_path / "r", "-o", "json"])[0] == 0


def test_a_run_that_goes_on_says_with_what(config: Path, tmp_path: Path, here: Run) -> None:
    arguments = ["run", config, "--results", tmp_path / "r", "-n"]
    here([*arguments, "1500"])
    folder = only_run(tmp_path / "r")
    assert here([*arguments, "1500"])[2].splitlines()[0] == f"{folder}: nothing is missing"
    assert here([*arguments, "10"])[2].splitlines()[0] == (
        f"{folder} holds 1,500 games, more than the 10 asked for; none is played"
    )
    assert here([*arguments, "2500"])[2].splitlines()[0] == (
        f"playing 1,500 games into {folder}: part 1 (games 1000..1999), part 2 (games 2000..2499)"
    )


def test_a_drawn_seed_is_said_with_the_command_that_plays_the_same_games(
    config: Path, tmp_path: Path, here: Run
) -> None:
    config.write_text(CONFIG.replace("seed: 7\n", "") + QUESTIONS)
    results = tmp_path / "with space"
    code, out, err = here(["run", config, "-s", "rules.rounds=3", "-n", "1500", "--results", results])
    assert code == 0
    folder = only_run(results)
    seed = json.loads((folder / "run.json").read_text())["config"]["seed"]
    line = err.splitlines()[0]
    assert line.startswith(f"seed {seed} (drawn); the same run again: simcli run ")
    code, again, err = here(shlex.split(line.partition("again: ")[2])[1:])
    assert (code, again) == (0, out)
    assert err.splitlines()[0] == f"{folder}: nothing is missing"


def test_a_merge_that_was_killed_is_done_again_and_its_leftovers_go(config: Path, tmp_path: Path, here: Run) -> None:
    for shard in range(2):
        arguments = ["run", config, "-n", "3500", "--results", tmp_path / str(shard), "--shard", f"{shard}/2"]
        assert here(arguments)[0] == 0
    merge = ["merge", tmp_path / "0", tmp_path / "1", "--results", tmp_path / "m"]
    assert here(merge)[0] == 0
    folder = only_run(tmp_path / "m")
    before = digests(folder)
    for path in [*folder.glob("parts/00000[12]*"), *folder.glob("summary.*")]:
        path.unlink()
    for place in (folder, folder / "parts"):
        (place / f".000001.parquet.{files.host()}.0123456789abcdef.tmp").write_bytes(b"half")
    assert here(merge)[0] == 0
    assert digests(folder) == before


def test_a_full_disk_while_merging_names_the_command(
    config: Path, tmp_path: Path, here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for shard in range(2):
        here(["run", config, "-n", "3500", "--results", tmp_path / str(shard), "--shard", f"{shard}/2"])
    create = files.create

    def full(path: Path, data: bytes) -> bool:
        if path.name == "000002.parquet":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return create(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "create", full)
        code, out, err = here(["merge", tmp_path / "0", tmp_path / "1", "--results", tmp_path / "m"])
    assert (code, out) == (3, "")
    last = err.splitlines()[-1]
    assert "000002.parquet: no space left on device; what is done is kept; continue with: simcli merge" in last
    assert here(shlex.split(last.partition("continue with: ")[2])[1:])[0] == 0
    shutil.rmtree(tmp_path / "1")
    here(["run", config, "-n", "3500", "--results", tmp_path / "1"])
    assert digests(only_run(tmp_path / "m")) == digests(only_run(tmp_path / "1"))
