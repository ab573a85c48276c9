"""The module says what the commands say."""

import doctest
import json
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import simcli
from simcli import app
from simcli.config.loading import shipped_folder
from simcli.notebook import calls

GAME = "redten"
QUESTIONS = {
    "an event": (["solo"], {}),
    "a named question": (["lone_wins"], {}),
    "groups": (["winner = leader", "--by", "solo"], {"by": "solo"}),
    "a mean per seat": (["--mean", "points", "--per", "seat"], {"mean": "points", "per": "seat"}),
    "quantiles": (["--quantiles", "turns", "--given", "solo"], {"quantiles": "turns", "given": "solo"}),
    "a table": (["--table", "outcome,solo"], {"table": ["outcome", "solo"]}),
    "a precision": (["solo", "--precision", "10pp", "--level", "0.9"], {"precision": "10pp", "level": 0.9}),
    "rules": (["solo", "-s", "rules.rounds=2"], {"rules": {"rounds": 2}}),
    "a hand": (["winner = 0", "--hand", "Th Td"], {"hand": "Th Td"}),
    "two hands": (["winner = 2", "--hand", "2=Th", "--hand", "1=3s"], {"hand": {2: "Th", 1: "3s"}}),
}


def of_command(capsys: pytest.CaptureFixture[str], *words: str):
    capsys.readouterr()
    assert app.run([*words, "-o", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("example", QUESTIONS)
def test_ask_is_what_the_command_prints(example, capsys):
    words, keys = QUESTIONS[example]
    size = {} if "precision" in keys else {"games": 200}
    sized = ["-n", "200"] if size else []
    answer = simcli.ask(
        GAME, None if words[0].startswith("-") else words[0], **keys, **size, seed=3, policies="random", quiet=True
    )
    shown = of_command(capsys, "ask", GAME, *words, *sized, "--seed", "3", "-s", "policies=random", "-q")
    (expected,) = shown["answers"]
    for field, value in expected.items():
        # The command's options come in another order.
        assert field == "reproduce" or getattr(answer, field) == value
    assert answer.describe() == {**expected, "reproduce": answer.reproduce}
    again = of_command(capsys, *shlex.split(answer.reproduce)[1:])
    assert again["answers"][0]["estimate"] == answer.estimate


def test_an_answer_for_people(capsys):
    answer = simcli.ask(GAME, "winner = leader", by="solo", games=200, seed=3, policies="random", quiet=True)
    app.run(["ask", GAME, "winner = leader", "--by", "solo", "-n", "200", "--seed", "3", "-s", "policies=random", "-q"])
    assert repr(answer).splitlines()[:-1] == capsys.readouterr().out.splitlines()[:-1]
    shown = answer._repr_html_()
    assert shown.count("<tr>") == 2
    assert "width:20em" in shown
    assert "200 games of redten" in shown


def test_html_is_safe():
    answer = simcli.ask(GAME, "turns < 9 AND turns > 1", games=20, seed=3, policies="random", quiet=True)
    assert "turns &lt; 9 AND turns &gt; 1" in answer._repr_html_()


def test_all_questions_of_a_config():
    found = simcli.ask_all(GAME, games=100, seed=3, policies="random", quiet=True)
    assert {answer.name for answer in found} >= {"lone_wins", "plays"}
    assert found._repr_html_().count("100 games of redten") == len(found)


def test_a_run_and_its_tables(tmp_path):
    run = simcli.run(GAME, games=120, seed=3, policies="random", rules={"rounds": 2}, results=tmp_path, quiet=True)
    again = simcli.open(run.path)
    assert "120 games of redten" in repr(again)
    rounds, seats, games = (frame.collect() for frame in (again.rounds, again.seats, again.games))
    assert (rounds.height, seats.height, games.height) == (240, 960, 120)
    assert again.seats.select("points").head(7).collect()["points"].to_list() == seats["points"][:7].to_list()
    assert again.games.filter(game=7).collect().row(0) == games.row(7)
    answer = simcli.ask(again, "solo", quiet=True)
    assert (answer.hits, answer.games) == (rounds["solo"].sum(), 120)
    assert simcli.ask(str(run.path), "solo", quiet=True).estimate == answer.estimate


def test_comparisons(capsys):
    found = simcli.compare(GAME, {"policies": "random"}, {"policies": ["greedy"] * 4}, games=100, seed=3, quiet=True,
                           questions="solo")  # fmt: skip
    (row,) = found
    shown = of_command(capsys, "compare", GAME, "policies=random", 'policies=["greedy","greedy","greedy","greedy"]',
                       "solo", "-n", "100", "--seed", "3", "-q")  # fmt: skip
    (expected,) = shown["rows"]
    assert (row.difference, row.low, row.estimate_a) == (
        expected["difference"], expected["low"], expected["estimate_a"]
    )  # fmt: skip
    assert "pairing_saves" in row._repr_html_()


def test_counts_hands_and_games(capsys):
    count = simcli.exact("redox", "set")
    shown = of_command(capsys, "exact", "redox", "set")
    assert (count.favourable, count.total, count.p) == (int(shown["favourable"]), int(shown["total"]), shown["p"])
    assert simcli.hand(GAME, "3h 3s 4c") == of_command(capsys, "hand", GAME, "3h", "3s", "4c")[0]
    game = simcli.show(GAME, game=2, seed=3, policies="random", quiet=True)
    app.run(["show", GAME, "--game", "2", "--seed", "3", "-s", "policies=random", "-q"])
    assert game.text == capsys.readouterr().out.rstrip("\n")
    app.run(["show", GAME, "--game", "2", "--seed", "3", "-s", "policies=random", "-q", "--format", "jsonl"])
    assert game.events == [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (["ask", GAME, "trun > 3"], lambda: simcli.ask(GAME, "trun > 3")),
        (["ask", GAME, "solo", "-s", "rules.rounds=0"], lambda: simcli.ask(GAME, "solo", rules={"rounds": 0})),
        (["ask", GAME, "solo", "-n", "x"], lambda: simcli.ask(GAME, "solo", games="x")),  # type: ignore[arg-type]
        (["ask", "nowhere", "solo"], lambda: simcli.ask("nowhere", "solo")),
        (["compare", GAME, "expert"], lambda: simcli.compare(GAME, "expert")),
        (["exact", "redox", "slum"], lambda: simcli.exact("redox", "slum")),
        (["hand", GAME, "9x"], lambda: simcli.hand(GAME, "9x")),
        (["show", GAME, "--game", "-1"], lambda: simcli.show(GAME, game=-1)),
        (["run", GAME, "-s", "policies=nobody"], lambda: simcli.run(GAME, policies="nobody")),
    ],
)
def test_errors_are_the_lines_of_the_commands(words, call, capsys):
    assert app.run([*words, "-q"]) == 2
    with pytest.raises(simcli.UserError) as caught:
        call()
    assert capsys.readouterr().err.splitlines()[-1] == str(caught.value)


def test_one_question_has_one_answer():
    with pytest.raises(simcli.UserError, match=r"there are 2: plays\.mean, plays\.quantiles; ask one"):
        simcli.ask(GAME, "plays")
    with pytest.raises(simcli.UserError, match="is not a run's folder"):
        simcli.open(Path(__file__).parent)


def test_the_module_loads_nothing_before_it_is_used():
    code = (
        "import simcli, sys; simcli.UserError; print(sorted({'numba', 'numpy', 'polars', 'typer'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout == "[]\n"
    assert set(simcli.__all__) <= set(dir(simcli))
    with pytest.raises(AttributeError, match="has no attribute 'asks'"):
        simcli.asks  # noqa: B018


EXAMPLES = [
    example for module in (simcli, calls) for example in doctest.DocTestFinder().find(module) if example.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_of_the_docstrings(example):
    assert doctest.DocTestRunner().run(example).failed == 0


def test_every_function_has_an_example():
    shown = {example.name.rpartition(".")[2] for example in EXAMPLES}
    assert {name for name in simcli.__all__ if name[0].islower()} <= shown


def test_the_walk_through_walks(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(shipped_folder() / "walkthrough.py"))
    said = capsys.readouterr().out
    assert "counted exactly: 0.236" in said
    assert said.splitlines()[-1].endswith("unknown column 'trun'; did you mean turns")
