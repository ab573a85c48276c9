"""Colours and pages where there is a terminal; none with NO_COLOR, and none in a pipe."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ESCAPE = "\x1b["


def on_terminal(*arguments: str, **environment: str) -> str:
    """What a command line prints on a terminal of 80 columns."""
    main, other = pty.openpty()
    given = {"TERM": "xterm", "COLUMNS": "80", "PAGER": "cat", "PYTHONPATH": str(ROOT)} | environment
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    command = [sys.executable, "-m", "simcli", *arguments]
    with subprocess.Popen(command, stdout=other, stderr=subprocess.DEVNULL, env=inherited | given) as process:
        os.close(other)
        found = b""
        while piece := _read(main):
            found += piece
    os.close(main)
    assert process.returncode == 0
    return found.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how a terminal that is closed ends on Linux
        return b""


def in_a_pipe(*arguments: str) -> str:
    command = [sys.executable, "-m", "simcli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def without_codes(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


ASK = ("ask", "redten", "solo", "-n", "200", "-q", "-s", "policies=random")
SHOW = ("show", "redten", "-q", "-s", "policies=random")


def test_an_answer_is_bold_and_its_foot_dim():
    shown = on_terminal(*ASK)
    assert re.search("\x1b\\[1m  [0-9.]+%\x1b\\[0m   \\[", shown)
    assert re.search("\x1b\\[2m  again: simcli ask[^\x1b]*\x1b\\[0m", shown)
    assert without_codes(shown) == in_a_pipe(*ASK)


def test_red_suits_are_red():
    shown = on_terminal(*SHOW)
    assert "\x1b[31m♥" in shown
    assert "\x1b[31m♠" not in shown
    assert without_codes(shown) == in_a_pipe(*SHOW)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted(environment):
    for words in (ASK, SHOW, ("rules", "show", "redten")):
        assert ESCAPE not in on_terminal(*words, **environment)


def test_rules_are_rendered_on_a_terminal_only():
    plain, shown = in_a_pipe("rules", "show", "redten"), on_terminal("rules", "show", "redten")
    assert plain.startswith("# Jiaxing Red Ten: ")
    assert ESCAPE in shown
    assert "# Jiaxing" not in without_codes(shown)
    assert "Jiaxing Red Ten" in without_codes(shown)
    assert max(map(len, without_codes(shown).splitlines())) <= 100
    assert ESCAPE not in plain
    unpaged = on_terminal("rules", "show", "redten", PAGER="no-such-pager")
    assert unpaged.split() == without_codes(shown).split()
