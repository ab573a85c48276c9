"""What reaches a terminal: no commands, and ASCII for what it cannot show."""

import json
import os
import pty
import subprocess
import sys

import pytest

from simcli.cli.characters import HANDLER, escaped


@pytest.mark.parametrize(
    ("text", "encoding", "printed"),
    [
        ("seat 0 plays ♠A ♦10, draws ♥7", "latin-1", "seat 0 plays As Td, draws 7h"),
        ("♣K", "ascii", "Kc"),
        ("♠ and ♥", "ascii", "s and h"),
        ("███", "latin-1", "###"),
        ("12% ± 3pp", "ascii", "12% +- 3pp"),
        ("12% ± 3pp", "latin-1", "12% ± 3pp"),
        ("大", "latin-1", "\\u5927"),
        ("😀", "latin-1", "\\ud83d\\ude00"),
        ("caf\udce9", "utf-8", "caf\\udce9"),
        ("♠A 大", "utf-8", "♠A 大"),
    ],
)
def test_what_cannot_be_shown_is_ascii(text, encoding, printed):
    assert text.encode(encoding, HANDLER) == printed.encode(encoding)


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x08", "\r", "\x7f", "\x9b", "\u202e", "\u2066", "\u200b"])
def test_commands_are_written_out(character):
    written = escaped(f"a{character}[31mb")
    assert character not in written
    assert json.loads(f'"{written}"') == f"a{character}[31mb"


def test_lines_and_letters_stay():
    text = "tab\tline\nCRLF-free 大富翁 é ♠A\u00a0\u3000"
    assert escaped(text) == text


def simcli(*arguments: str | bytes, **variables: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "simcli", *arguments]
    return subprocess.run(command, capture_output=True, check=False, env={**os.environ, **variables})


def test_a_game_is_told_in_latin_1():
    done = simcli("show", "redten", "--game", "1", "--seed", "3", "-q", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"3h" in done.stdout
    assert done.stdout.isascii()


def test_answers_hold_no_commands(tmp_path):
    (tmp_path / "hand\x1b[31m").write_text("3h 4s 5d\n")
    transcript = tmp_path / "t\x1b[31m\x9b.jsonl"
    transcript.write_text('{"e":"deal","game":"rummy\\u001b[31m"}\n')
    for arguments in (["replay", str(transcript)], ["rules", "diff", "redten", "-s", "name=\x1b[31m"]):
        done = simcli(*arguments)
        assert done.returncode in (2, 5)
        assert b"\x1b" not in done.stdout + done.stderr
        assert b"\xc2\x9b" not in done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are UTF-8 there")
def test_names_that_are_not_utf_8(tmp_path):
    config = os.fsencode(tmp_path) + b"/caf\xe9.yaml"
    with open(config, "w") as file:
        file.write("game: redten\nrules: {rounds: 2}\n")
    done = simcli("rules", "diff", config, "-o", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)[0]["rule"] == "rounds"
    done = simcli("rules", "diff", config + b"x")
    assert done.returncode == 2
    assert b"caf\\udce9.yamlx: no such file or config" in done.stderr


def test_tables_hold_no_escapes_on_a_terminal():
    controller, terminal = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "simcli", "rules", "list"], stdout=terminal) as process:
        process.wait()
    os.close(terminal)
    said = os.read(controller, 100_000)
    os.close(controller)
    assert b"redox" in said
    assert b"\x1b" not in said
    assert b"\\u" not in said
