"""`questions`, `init` and `rules schema`: what somebody who begins asks for."""

import json
from pathlib import Path

import pytest

from kernels.registry import GAMES
from simcli import app
from simcli.config.loading import load, shipped


@pytest.fixture
def simcli(tmp_path, monkeypatch, capsys):
    """Exit code, stdout and stderr of a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def _simcli(*arguments):
        code = app.run(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return _simcli


def test_every_question_that_comes_along_has_a_sentence(simcli):
    rows = json.loads(simcli("questions", "-o", "json")[1])
    assert {row["config"] for row in rows} == set(shipped())
    for row in rows:
        assert row["title"][0].isupper()
        assert row["title"].endswith(".")
    shown = simcli("questions")[1]
    assert max(map(len, shown.splitlines())) <= 80
    assert "  early_slam          A slam before anybody has had a fourth turn.\n" in shown


def test_questions_of_one_config(simcli):
    questions = "{a: {mean: turns, by: [slam]}, bb: {title: Slams., event: slam}}"
    Path("c.yaml").write_text(f"game: redox\nquestions: {questions}\n")
    assert simcli("questions", "c.yaml") == (
        0, "simcli ask c.yaml QUESTION\n  a   mean turns; by slam\n  bb  Slams.\n", ""
    )  # fmt: skip
    Path("c.yaml").write_text("game: redox\n")
    assert simcli("questions", "c.yaml")[1] == "simcli ask c.yaml QUESTION: no question has a name\n"
    assert simcli("questions", "-s", "a=1")[2] == "questions --set: a config is needed to change\n"


@pytest.mark.parametrize("name", GAMES)
def test_a_config_to_begin_with(simcli, name):
    code, out, _ = simcli("init", name)
    config = f"my-{name}.yaml"
    assert (code, out) == (0, f"{config}: simcli questions {config} lists what can be asked\n")
    assert load(config).game == name
    named = Path(config).read_text().partition("\n")[0].partition("$schema=")[2]
    assert json.loads(Path(named).read_text()) == json.loads(simcli("rules", "schema", name)[1])
    assert sorted(path.name for path in Path().iterdir()) == sorted([config, named])


def test_nothing_is_written_over(simcli):
    Path("c.yaml").write_text("mine")
    assert simcli("init", "redox", "c.yaml") == (2, "", "c.yaml: is there already; give another name\n")
    assert [path.read_text() for path in Path().iterdir()] == ["mine"]
    assert simcli("init", "redox", "no/c.yaml")[0] == 2
    assert simcli("init", "大富翁", "-")[1].splitlines()[4:5] == ["game: dafuweng"]
    assert simcli("init", "redix")[2].startswith("GAME: game 'redix' does not exist")
