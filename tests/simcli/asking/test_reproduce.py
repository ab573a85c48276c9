"""The command that an answer ends with, run as it is printed, gives the answer again."""

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernels.registry import Game
from simcli import app
from simcli.asking import reproduce
from simcli.asking.request import Request, answer, prepare
from simcli.config.loading import load
from simcli.play.threads import Interrupts
from simcli.progress import Progress

CONFIG = """\
game: toy
rules: {players: 3}
policies: [greedy, random, random]
seed: 7
games: 1_500
questions:
  first: {event: "winner = 0", expect: {between: [0, 1]}}
  both: {mean: "points_0", quantiles: "points_1"}
  seats: {event: "points > 0", per: seat, by: [seat]}
  question: {mean: "turns"}
"""

Simcli = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy: str) -> Path:
    (tmp_path / "c.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def simcli(capsys: pytest.CaptureFixture[str]) -> Simcli:
    """The JSON of a command line."""

    def _simcli(*arguments: str) -> Any:
        app.run([*arguments[:1], "-o", "json", "-q", *arguments[1:]])
        captured = capsys.readouterr()
        assert captured.err == ""
        return json.loads(captured.out)

    return _simcli


def words_of(command: str) -> list[str]:
    words = shlex.split(command)
    assert words[0] == "simcli"
    return words[1:]


ASKED = [
    ["c.yaml"],
    ["c.yaml", "first", "-s", "rules.rounds=2", "-s", "policies.1=expert"],
    ["c.yaml", "first", "winner = 1", "points_0 > points_1", "--level", "0.9"],
    ["c.yaml", "first", "--given", "-points_0 < 1", "--", "-points_1 <= 0", "turns = 3"],
    ["c.yaml", "--mean=-points_0", "--by", "winner", "winner = 1", "-n", "300"],
    ["c.yaml", "both", "--mean", "turns / 7", "--quantiles", "turns", "-n", "200"],
    ["c.yaml", "both.mean", "--by", "winner", "-n", "200"],
    ["c.yaml", "--table", "winner,outcome", "-n", "200"],
    ["c.yaml", "--per", "seat", "--mean", "points", "-n", "200"],
    ["c.yaml", "first", "--precision", "6%"],
    ["c.yaml", "first", "winner = 2", "both.mean", "--precision", "6%"],
    ["c.yaml", "first", "winner = 2", "--precision", "0.1pp", "--max-games", "2_000"],
    ["c.yaml", "first", "--precision", "20%", "--min-games", "1_050"],
    ["c.yaml", "first", "--hits", "20"],
    ["c.yaml", "first", "--hits", "20_000", "--max-games", "1_200"],
    ["c.yaml", "first", "--decide", "> 0.25"],
    ["c.yaml", "first", "-n", "3_000", "--max-games", "1_000"],
]


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_each_answer_again(folder: Path, simcli: Simcli, arguments: list[str]) -> None:
    answers = simcli("ask", *arguments)["answers"]
    for found in answers:
        assert simcli(*words_of(found["reproduce"]))["answers"] == [found]


@pytest.mark.parametrize(
    "arguments",
    [[], ["-n", "900"], ["-n", "1_300", "winner = 1", "both"], ["first", "winner = 1", "--precision", "5%"],
     ["first", "--hits", "600"], ["first", "--decide", "> 0.2"]],
    ids=" ".join,
)  # fmt: skip
def test_answers_of_a_run_again(folder: Path, simcli: Simcli, arguments: list[str]) -> None:
    """With fewer games than the run has, with as many, and with more."""
    simcli("ask", "c.yaml", "first", "-n", "1_100", "--keep")
    (run,) = (folder / "results").iterdir()
    for found in simcli("ask", str(run), *arguments)["answers"]:
        assert simcli(*words_of(found["reproduce"]))["answers"] == [found]


def test_answers_of_a_config_whose_games_are_kept(folder: Path, simcli: Simcli) -> None:
    (found,) = simcli("ask", "c.yaml", "first", "-n", "200", "--keep", "-s", "seed=9")["answers"]
    assert simcli(*words_of(found["reproduce"]))["answers"] == [found]


@pytest.mark.parametrize("how", ["--policies=all", "--policies=expert,random", "--vary=rules"])
def test_answers_of_variants_again(
    folder: Path, simcli: Simcli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    options = Game("toy").options
    monkeypatch.setattr(options, "OPTIONS", (replace(options.OPTIONS[0], alternatives=(2, 4)), *options.OPTIONS[1:]))
    asked = ["ask", "c.yaml", "first", "both.mean", how, "-n", "200"]
    rows = simcli(*asked)["rows"]
    assert len(rows) >= 4
    for row in rows:
        label = row.pop("variant")
        assert simcli(*words_of(row["reproduce"]))["answers"] == [row], label
    app.run([*asked, "-q"])
    again = capsys.readouterr().out.splitlines()[-1].removeprefix("again: ")
    assert [row["hits"] for row in simcli(*words_of(again))["rows"]] == [row["hits"] for row in rows]


class Impatient(Interrupts):
    """Interrupted once it has been asked so many times whether to go on."""

    def __init__(self, patience: int) -> None:
        super().__init__()
        self.patience = patience

    def __call__(self) -> bool:
        self.patience -= 1
        return self.patience < 0


@pytest.mark.parametrize("patience", [1, 3, 6])
@pytest.mark.parametrize(("limit", "value"), [("games", 40_000), ("precision", "0.01pp"), ("hits", 30_000)])
def test_what_was_interrupted_is_as_long_again(
    folder: Path, simcli: Simcli, patience: int, limit: str, value: int | str
) -> None:
    asked = prepare(Request("c.yaml", texts=("first",), **{limit: value}), load("c.yaml"))
    (found,) = answer(asked, 1, Progress(None, quiet=True), Impatient(patience))
    assert found.stopped == "interrupted"
    if not found.games:
        assert str(value) in found.reproduce
        return
    (again,) = simcli(*words_of(found.reproduce))["answers"]
    assert again["games"] == found.games
    assert (again["hits"], again["interval"]) == (found.total.hits, list(found.total.interval[:2]))


def test_what_a_shell_would_take_apart_is_quoted() -> None:
    made = reproduce.command("ask", ["-x.yaml", "a = 'b c'"], [("--given", "-d"), ("-n", 5)])
    assert shlex.split(made) == ["simcli", "ask", "--given=-d", "-n", "5", "--", "-x.yaml", "a = 'b c'"]
