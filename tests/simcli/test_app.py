"""The command line: help, errors and exit codes, and what it loads."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from simcli import app
from simcli.errors import UserError, printable, suggestion, unknown

HEAVY = ("duckdb", "numba", "numpy", "polars", "scipy", "sqlglot", "pydantic", "rich")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line."""
    code = app.run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_help_lists_the_commands(capsys):
    code, out, err = run(capsys, "--help")
    assert (code, err) == (0, "")
    for name, text in app.COMMANDS.items():
        assert name in out
        assert text.split()[0] in out


@pytest.mark.parametrize("name", app.COMMANDS)
def test_every_command_has_help(capsys, name):
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert out.startswith(f"Usage: simcli {name} ")


def test_arguments_are_shown_by_their_names(capsys):
    out = run(capsys, "ask", "--help")[1]
    assert out.startswith("Usage: simcli ask [OPTIONS] CONFIG-or-RUN [QUESTION...]\n")
    assert "<list" not in out


def test_version(capsys):
    code, out, _ = run(capsys, "--version")
    assert code == 0
    assert out.startswith("simcli ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["aks"], "simcli: command 'aks' does not exist; there are "),
        (["ask"], "simcli ask: Missing argument 'CONFIG-or-RUN'. (see simcli ask --help)"),
        (["ask", "--nope"], "simcli ask: No such option: --nope"),
        (["ask", "no-such-config", "x"], "no-such-config: no such file or config; "),
        (["rules", "show", "redocks"], "GAME: game 'redocks' does not exist; there are redox, "),
        (["rules", "show", "redox", "-o", "xml"], "'xml' is not allowed; one of table"),
        (["hand", "redox"], "hand: cards are needed"),
        (["show", "x", "--game", "1", "--games", "1:2"], "show: --game and --games exclude each other"),
        (["show", "x", "--games", "3:3"], "--games 3:3: an empty range; "),
        (["show", "x", "--games", "3"], "--games 3: not a range; "),
        (["show", "x", "--game", "1e3"], "--game 1e3: 1e3 is not allowed; a whole number from 0 to 1000000000000; "),
        (["ask", "x", "y", "-j", "0"], "-j 0: 0 is not allowed; "),
        (["ask", "x", "y", "-n", "2.5"], "-n 2.5: 2.5 is not allowed; "),
        (["ask", "x", "y", "--level", "high"], "--level high: not a positive number"),
        (["replay", "no-such-file"], "no-such-file: no such file or directory"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_no_command_shows_how_to_go_on(capsys):
    code, _, err = run(capsys)
    assert code == 2
    assert "simcli --help" in err


def loaded_by(*arguments: str) -> set[str]:
    """Top-level packages that a command line loads."""
    script = f"import sys; from simcli.app import run; run({list(arguments)!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.split()}


@pytest.mark.parametrize("command", ["ask", "show", "run"])
def test_help_and_errors_in_configs_load_nothing_heavy(tmp_path: Path, command: str):
    config = tmp_path / "bad.yaml"
    config.write_text("game: redox\nrules: {players: 99}\n")
    assert not loaded_by("--help").intersection(HEAVY)
    assert not loaded_by(command, str(config), *(["x"] if command == "ask" else [])).intersection(HEAVY)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UserError("a", "b"), 2),
        (UserError("a", "b", 5), 5),
        (KeyboardInterrupt(), 130),
        (OSError(13, "Permission denied", "place"), 2),
        (OSError(28, "No space left on device", "place"), 1),
        (BrokenPipeError(), 0),
        (RuntimeError("oops"), 1),
    ],
)
def test_errors_become_exit_codes(monkeypatch, capsys, error, code):
    def fail(arguments):
        raise error

    monkeypatch.setattr(app, "invoke", fail)
    monkeypatch.setattr(app, "silence_stdout", lambda: None)
    assert app.run([]) == code
    assert capsys.readouterr().err.count("\n") == (0 if isinstance(error, BrokenPipeError) else 1)


@pytest.mark.parametrize(
    ("module", "arguments"),
    [("typer", ["--help"]), ("numpy", ["hand", "redten", "3h"]), ("polars", ["ask", "redox", "slam"])],
)
def test_an_interruption_while_modules_load_is_one_word(tmp_path: Path, module: str, arguments: list[str]):
    """A module in place of one that loads says when the signal may come, and never ends by itself."""
    (tmp_path / f"{module}.py").write_text("print('loading', flush=True)\nimport time\ntime.sleep(600)\n")
    command = [sys.executable, "-m", "simcli", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, **pipes) as process:
        assert process.stdout.readline() == "loading\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")


def test_no_word_can_be_said_where_stderr_is_full():
    command = f"{sys.executable} -m simcli nonsense 2> /dev/full; echo $?"
    assert subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout == "2\n"


def test_a_reader_that_leaves_is_no_error():
    command = f"{sys.executable} -m simcli rules show redox | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "0"


def test_messages_stay_on_one_line():
    assert printable("a\nb\x1b\ud800") == r"a\nb\x1b\ud800"
    assert len(printable("x" * 10_000)) < 1_100


def test_suggestions():
    assert suggestion("plyers", ["players", "decks"]) == "; did you mean players"
    assert suggestion("zzz", ["players"]) == ""
    assert unknown("game", "redux", ["redox"]) == "game 'redux' does not exist; there are redox; did you mean redox"
