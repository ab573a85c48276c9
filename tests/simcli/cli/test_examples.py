"""Every command has two examples, which are command lines that can be read, of configs that there are."""

import shlex
from itertools import takewhile

import pytest

from simcli import app
from simcli.cli.examples import EXAMPLES, lines
from simcli.config.loading import find, load, shipped


def paths():
    """The words of every command and subcommand."""
    for name in app.COMMANDS:
        command = app.Commands().get_command(None, name)
        children = getattr(command, "commands", {})
        yield from ([f"{name} {child}" for child in children] or [name])


def test_every_command_has_two():
    assert sorted(EXAMPLES) == sorted(paths())
    assert {len(EXAMPLES[path]) for path in EXAMPLES} == {2}
    assert max(len(line) + 2 for path in EXAMPLES for line in lines(path)) <= 80


@pytest.mark.parametrize("path", EXAMPLES)
def test_they_are_shown_and_can_be_read(path, capsys):
    assert app.run([*path.split(), "-h"]) == 0
    shown = capsys.readouterr().out
    for line in lines(path):
        assert f"\n  {line}\n" in shown
        words = shlex.split(line)[1:]
        assert " ".join(words).startswith(path)
        command = app.Commands().get_command(None, words[0])
        rest = words[1:]
        while hasattr(command, "commands"):
            command, rest = command.commands[rest[0]], rest[1:]
        params = command.make_context(words[0], list(takewhile(lambda word: word != ">", rest))).params
        config = params.get("config") or params.get("target")
        if config and config != "RUN":
            load(config, params.get("sets") or ())
            assert find(config) in shipped().values()


def test_help_is_a_command_too(capsys):
    for words, other in ((["help", "ask"], ["ask", "--help"]), (["help"], ["--help"]), (["help", "rules", "show"],
                         ["rules", "show", "-h"])):  # fmt: skip
        assert app.run(words) == app.run(other) == 0
        out = capsys.readouterr().out
        assert out[: len(out) // 2] == out[len(out) // 2 :]
        assert "  -h, --help " in out
    assert app.run(["help", "aks"]) == 2
    assert "did you mean ask" in capsys.readouterr().err


def test_help_is_in_groups(capsys):
    app.run(["-h"])
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.rstrip(":") in app.GROUPS] == [f"{name}:" for name in app.GROUPS]
    assert max(map(len, out.splitlines())) <= 80
