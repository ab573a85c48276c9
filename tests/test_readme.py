"""What the README shows must work."""

import json
import re
import shlex
from itertools import takewhile
from pathlib import Path

import pytest

from simcli import app
from simcli.asking.questions import check
from simcli.config.loading import load

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
CONTINUOUS = (Path(__file__).parent.parent / ".ci" / "run").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    """Every command line of the README's tables and examples, as words."""
    shown = re.findall(r"`(simcli [^`]+)`", README) + re.findall(r"^    \$ (simcli .*)$", README, re.MULTILINE)
    return [shlex.split(text)[1:] for text in shown if "COMMAND" not in text and "GAME" not in text]


def test_the_config_is_one(tmp_path):
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    path = tmp_path / "readme.yaml"
    path.write_text(block)
    scenario = load(str(path))
    assert [policy.name for policy in scenario.policies][:2] == ["expert", "random"]
    assert len(scenario.questions) == 4
    check(scenario)


def block(first: str) -> list[str]:
    """The lines of the indented block that begins with this line."""
    lines = README.splitlines()
    start = lines.index(f"    {first}")
    return [line[4:] for line in takewhile(lambda line: line.startswith("    "), lines[start:])]


def test_a_wrong_config_is_refused_as_shown(tmp_path, monkeypatch, capsys):
    (shown,) = [line[4:] for line in README.splitlines() if line.startswith("    my.yaml:")]
    monkeypatch.chdir(tmp_path)
    Path("my.yaml").write_text("game: redten\nrules: {rounds: 3, lead_after_owt: partner}\n")
    assert app.run(["ask", "my.yaml", "solo"]) == 2
    start, end = shown.split("...")
    said = capsys.readouterr().err
    assert said.startswith(start)
    assert said.endswith(f"{end}\n")


def test_the_end_of_a_game_is_as_shown(capsys):
    command, dots, *shown = block("$ simcli show redox --game 5")
    assert dots == "..."
    assert app.run([*shlex.split(command)[2:], "-q"]) == 0
    assert capsys.readouterr().out.splitlines()[-len(shown) :] == shown


def test_an_answer_reads_as_shown(capsys):
    command, *shown = block("$ simcli ask redox early_slam")
    assert app.run([*shlex.split(command)[2:], "-n", "10_000", "-q"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == shown[0]
    assert shown[1].split()[-1] == said[1].split()[-1]
    assert said[-1] == shown[-1].replace("1000000", "10000")
    assert {line for line in said if " rules " in line} == {line for line in shown if " rules " in line}


def players() -> list[tuple[str, str, str, str]]:
    """Game, direction, players and their difference, for each figure of the table of players."""
    table = README[README.index("## Players") : README.index("## Speed")]
    head, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if "|" in line]
    return [
        (row[0], row[1], pair.strip("`"), cell) for row in rows for pair, cell in zip(head[2:], row[2:], strict=True)
    ]


@pytest.mark.parametrize(("game", "better", "pair", "cell"), players())
def test_what_players_gain(capsys, game, better, pair, cell):
    assert app.run(["compare", game, *pair.split(), *["-n", "1000", "--seed", "7", "-o", "json", "-q"]]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["a_is"] == "better"
    assert better == ("more points" if row["difference"] > 0 else "fewer points")
    shown = re.findall(r"[+-][0-9.]+", cell)
    for text, value in zip(shown, (row["difference"], row["low"], row["high"]), strict=True):
        assert float(text) == pytest.approx(value, abs=0.5000001 * 10.0 ** -len(text.partition(".")[2]))


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_exists_with_its_options(words, capsys):
    if words[0].startswith("-"):
        return
    options = [word for word in words if word.startswith("--")]
    path = words[:2] if words[0] == "rules" else words[:1]
    assert app.run([*path, "--help"]) == 0
    said = capsys.readouterr().out
    assert all(option in said for option in options)


def test_continuous_integration_runs_the_tests_as_the_readme_says():
    lines = [line for line in README.splitlines() if re.match("    .*pytest", line)]
    assert len(lines) == 1
    assert "README.md" in CONTINUOUS
