"""`--hand` in the commands that play: what they print of it, and that they play it."""

import json
import shlex
from pathlib import Path

import pytest

from simcli import app
from tests.simcli.toyruns import CONFIG

HAND = "Ks Kh Kd"
"""Nobody has a higher card, and ties go to the lower seat: seat 0 wins every time."""

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def simcli(tmp_path, monkeypatch, capsys):
    """What a command line prints; it must end well."""
    (tmp_path / "c.yaml").write_text(CONFIG.replace("rounds: 2", "rounds: 1"))
    monkeypatch.chdir(tmp_path)

    def _simcli(*arguments, code=0):
        assert app.run(arguments) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return _simcli


def answer_of(out):
    (found,) = json.loads(out)["answers"]
    return found


def test_an_answer_says_what_was_predealt_and_its_command_gives_it_again(simcli):
    out = simcli("ask", "c.yaml", "winner = 0", "-n", "300", "--hand", HAND, "--hand", "2=2s", "-o", "json")
    found = answer_of(out)
    assert (found["estimate"], found["exact"]) == (1.0, None)
    assert found["predeal"] == {"0": HAND, "2": "2s"}
    assert answer_of(simcli(*shlex.split(found["reproduce"])[1:], "-o", "json")) == found
    shown = simcli("ask", "c.yaml", "winner = 0", "-n", "300", "--hand", HAND)
    assert f"predealt: seat 0 {HAND}\n" in shown
    assert "--hand 'Ks Kh Kd' -n 300" in shown
    assert answer_of(simcli("ask", "c.yaml", "winner = 0", "-n", "9", "-o", "json"))["predeal"] is None


def test_a_run_is_of_its_hands_and_goes_on(simcli):
    simcli("run", "c.yaml", "-n", "500", "--hand", HAND, "-q")
    (folder,) = Path("results").iterdir()
    assert json.loads((folder / "run.json").read_text())["config"]["predeal"] == {"0": HAND}
    simcli("resume", str(folder), "-n", "1500", "-q")
    assert "all sound" in simcli("verify", str(folder))
    found = answer_of(simcli("ask", str(folder), "winner = 0", "-o", "json"))
    assert (found["estimate"], found["games"], found["predeal"]) == (1.0, 1500, {"0": HAND})
    refused = simcli("ask", str(folder), "winner = 0", "--hand", "As", code=2)
    assert refused == f"{folder} --hand: a run's games are what they are; ask its config instead\n"


def test_settings_are_compared_by_their_hands(simcli):
    words = ("compare", "c.yaml", f"predeal.0={HAND}", "predeal.0=As Ah Ad", "winner = 0", "-n", "300")
    (row,) = json.loads(simcli(*words, "-o", "json"))["rows"]
    assert (row["estimate_a"], row["predeal_a"], row["predeal_b"]) == (1.0, {"0": HAND}, {"0": "As Ah Ad"})
    assert row["estimate_b"] < 0.3
    (again,) = json.loads(simcli(*shlex.split(row["reproduce"])[1:], "-o", "json"))["rows"]
    assert again == row
    sweep = ("sweep", "c.yaml", "winner = 0", "-p", "rules.players=2,3", "-s", "policies=random", "-n", "200")
    rows = json.loads(simcli(*sweep, "--hand", HAND, "-o", "json"))["rows"]
    assert [row["estimate"] for row in rows] == [1.0, 1.0]
    assert f"--hand '{HAND}'" in rows[0]["reproduce"]
    assert f"predeal 0 {HAND}" in simcli(*sweep, "--hand", HAND)
    assert "predeal" not in simcli(*sweep)


def test_policies_are_compared_with_the_hand_where_it_is(simcli):
    rules = ("-s", "rules.players=2", "-s", "policies=random", "--hand", HAND, "--hand", "1=2s 2h 2d")
    out = simcli("compare", "c.yaml", "greedy", "random", "seat = winner", *rules, "-n", "200", "-o", "json")
    (row,) = json.loads(out)["rows"]
    assert row["difference"] == 0  # whoever sits on seat 0 wins


def test_variants_that_cannot_deal_the_cards_are_left_out(capsys):
    words = ["ask", "redox", "jokers_0 >= 2", "--vary", "rules", "--hand", "Xs Xb", "-n", "20", "-o", "json", "-q"]
    assert app.run([*words, "-s", "policies=random"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["estimate"] for row in rows} == {1.0}
    assert not {"jokers_per_deck=0", "jokers_per_deck=1"} & {row["variant"] for row in rows}


def test_a_game_begins_with_what_was_predealt(simcli):
    shown = simcli("show", "c.yaml", "--hand", HAND).splitlines()
    assert shown[1] == f"predealt: seat 0 {HAND}"
    lines = simcli("show", "c.yaml", "--hand", HAND, "--games", "0:3", "--format", "jsonl").splitlines()
    deals = [line for line in map(json.loads, lines) if line["e"] == "deal"]
    assert {tuple(sorted(line["hands"][0])) for line in deals} == {tuple(sorted(HAND.split()))}


def test_a_plan_is_of_the_hand(simcli):
    words = ("plan", "c.yaml", "winner = 0", "--precision", "5pp", "--hand", "As Ah Ad")
    found = json.loads(simcli(*words, "-o", "json"))
    assert found["predeal"] == {"0": "As Ah Ad"}
    assert "--hand 'As Ah Ad'" in found["reproduce"]


@pytest.mark.parametrize("command", ["ask", "run", "compare", "sweep", "show", "plan"])
def test_what_cannot_be_dealt_is_one_line_and_nothing_is_begun(simcli, tmp_path, command):
    words = {"compare": ["greedy", "random"], "sweep": ["-p", "rules.rounds=1"], "plan": ["winner = 0"]}
    err = simcli(command, "c.yaml", *words.get(command, []), "--hand", "Ks Ks", code=2)
    assert err == "--hand Ks Ks: Ks is given twice, the pack has 1; leave it out\n"
    assert [path.name for path in tmp_path.iterdir()] == ["c.yaml"]


def test_what_a_config_expects_is_not_expected_of_a_hand(simcli):
    Path("c.yaml").write_text(CONFIG + "questions: {first: {event: winner = 0, expect: {between: [0.2, 0.5]}}}\n")
    simcli("ask", "c.yaml", "-n", "200", "--hand", HAND)
    assert "NOT as expected" not in simcli("ask", "c.yaml", "-n", "200", "--hand", HAND)
    assert app.run(["ask", "c.yaml", "-n", "200", "-s", f"predeal.0={HAND}"]) == 4
