"""What a shell is offered, asked as bash asks."""

import subprocess
import sys
from pathlib import Path

import pytest

from simcli import app
from simcli.cli import completion
from simcli.config.loading import shipped


@pytest.fixture
def offered(tmp_path, monkeypatch, capsys):
    """The words offered for the last one of a command line."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text("game: redten\nquestions: {lone: {event: solo}}\n")
    Path("results/redox-1").mkdir(parents=True)
    Path("results/redox-1/run.json").write_text("{}")
    monkeypatch.setenv("_SIMCLI_COMPLETE", "complete_bash")

    def _offered(line):
        words = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        assert app.run([]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out.split()

    return _offered


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("simcli s", ["sweep", "show"]),
        ("simcli rules ex", ["explain"]),
        ("simcli ask redo", ["redox", "redox_two_players"]),
        ("simcli run mi", ["mine.yaml"]),
        ("simcli ask res", ["results/redox-1"]),
        ("simcli verify ", ["results/redox-1"]),
        ("simcli ask redox ea", ["early_slam"]),
        ("simcli plan redox any", ["any_slam"]),
        ("simcli ask mine.yaml ", ["lone"]),
        ("simcli ask redox any_slam --by dealt_distance_", [f"dealt_distance_{seat}" for seat in range(4)]),
        ("simcli ask redox any_slam --by slam,recyc", ["slam,recycles"]),
        ("simcli ask redten lone_wins --per seat --by sid", ["side"]),
        ("simcli ask redox -s rules.stock", ["rules.stock_exhausted=recycle", "rules.stock_exhausted=void"]),
        ("simcli run redox -s rules.scoring.jo", ["rules.scoring.joker="]),
        ("simcli compare redox gre", ["greedy"]),
        ("simcli compare redox greedy ex", ["expert"]),
        ("simcli run redox -s policies.3=gr", ["policies.3=greedy"]),
        ("simcli hand da", ["dafuweng"]),
        ("simcli exact redox sl", ["slam"]),
        ("simcli rules explain redox scoring.sl", ["scoring.slam_factor"]),
        ("simcli ask redox -o j", ["json"]),
        ("simcli ask redox --prec", ["--precision"]),
        ("simcli ask no-such-config x", []),
        ("simcli nonsense x", []),
    ],
)
def test_words_that_go_on(offered, line, words):
    assert offered(line) == words


def test_all_commands_and_configs_are_offered(offered):
    assert offered("simcli ") == list(app.COMMANDS)
    assert set(shipped()) <= set(offered("simcli questions "))


def test_paths_go_on_as_they_begin(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sub/results/run-1").mkdir(parents=True)
    Path("sub/a.yaml").touch()
    Path("sub/results/run-1/run.json").touch()
    assert [word for word in completion.configs(None, "sub/a") if word not in shipped()] == ["sub/a.yaml"]
    assert completion.runs(None, "sub/results/r") == ["sub/results/run-1"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_script(shell):
    command = [sys.executable, "-m", "simcli"]
    environment = {"_SIMCLI_COMPLETE": f"source_{shell}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=Path(app.__file__).parents[1])
    assert done.returncode == 0
    assert "_SIMCLI_COMPLETE=complete_" in done.stdout
    assert "simcli" in done.stdout
