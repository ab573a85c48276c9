"""Command lines mean the same with the light converters as with typer's own."""

from typing import Any

import pytest
import typer

from simcli import app

LINES = [
    ["ask", "redox", "slam", "turns < 9", "--given", "slam", "-s", "a=1", "--set", "b=2", "-n", "5", "--keep", "-q"],
    ["ask", "redox", "-o", "json", "--results", "", "--level", "0.9"],
    ["questions", "redox", "-o", "md"],
    ["init", "redox", "my.yaml"],
    ["plan", "redox", "slam", "--precision", "2%"],
    ["compare", "redox", "expert", "greedy", "slam", "-j", "2", "-o", "csv"],
    ["sweep", "redox", "-p", "a=1,2", "-p", "b=3"],
    ["run", "redox", "--engine", "dask", "--shard", "0/2"],
    ["query", "folder", "SELECT 1", "--limit", "3"],
    ["plot", "redox", "turns", "--kind", "groups", "--by", "slam", "--dark", "-O", "x.svg"],
    ["report", "redox", "--compare", "folder", "-O", "x.html"],
    ["show", "redox", "--format", "jsonl", "--legal", "--games", "1:3"],
    ["replay", "a", "b", "--partial"],
    ["rules", "explain", "redox", "players", "-o", "md"],
    ["exact", "redox", "--recount"],
    ["hand", "redox", "As", "2s"],
    ["doctor"],
    ["bench", "redox", "--no-start", "--rounds", "3"],
    ["resume", "folder", "--list"],
    ["merge", "a", "b", "--partial"],
    ["verify", "folder", "--game", "1", "--game", "2"],
]
REFUSED = [["ask"], ["ask", "redox", "-o", "xml"], ["run", "redox", "--engine", "mpi"], ["hand", "redox", "--fil", "x"]]


def read(words: list[str]) -> dict[str, Any]:
    """What a command line comes to: the parameters of its command or subcommand, or why it was refused."""
    command = app.Commands().get_command(None, words[0])
    place = 1
    while hasattr(command, "commands"):
        command = command.commands[words[place]]
        place += 1
    try:
        return dict(command.make_context(words[0], words[place:]).params)
    except typer.TyperException as error:
        return {"refused": type(error).__name__}


@pytest.mark.parametrize("words", LINES + REFUSED, ids=" ".join)
def test_command_lines_mean_the_same_without_the_light_converters(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    light = read(words)
    monkeypatch.setattr(app, "lighten", lambda command, path: command)
    assert read(words) == light
    assert ("refused" in light) == (words in REFUSED)
