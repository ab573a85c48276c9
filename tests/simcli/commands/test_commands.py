"""show, replay, rules and hand from the command line."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.options import POLICIES, parameters_of
from kernels.registry import GAMES, Game
from simcli import app

GAME = "redten"
"""Any game would do for what all commands have in common."""


@pytest.fixture
def simcli(capsys: pytest.CaptureFixture[str]):
    """Run a command line; returns exit code, stdout and stderr."""

    def _simcli(*arguments: str) -> tuple[int, str, str]:
        code = app.run(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return _simcli


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "c.yaml"
    path.write_text(f"game: {GAME}\npolicies: random\nseed: 7\nrules: {{rounds: 2}}\n")
    return str(path)


# show and replay


def test_show_tells_a_game_to_people(simcli, config):
    code, out, _ = simcli("show", config, "--game", "3", "-q")
    assert code == 0
    assert out.startswith(f"{GAME}, game 3 of seed 7; players 0 random, 1 random")
    assert len(out.splitlines()) > 20


def test_show_of_a_run(simcli, config, tmp_path):
    simcli("run", config, "-n", "2", "--results", str(tmp_path / "r"), "-q")
    (run,) = (tmp_path / "r").iterdir()
    assert simcli("show", str(run), "--game", "3") == simcli("show", config, "--game", "3")
    assert "a run's games are what they are" in simcli("show", str(run), "--seed", "8")[2]


def test_show_writes_several_games_for_programs(simcli, config):
    _, out, _ = simcli("show", config, "--games", "2:4", "--format", "jsonl", "-q")
    events = [json.loads(line) for line in out.splitlines()]
    assert [event["round"] for event in events if event["e"] == "deal"] == [1, 2, 1, 2]
    assert not any("legal" in event for event in events)
    _, alone, _ = simcli("show", config, "--game", "3", "--format", "jsonl", "-q")
    assert out.endswith(alone)


def test_numbers_of_legal_actions_on_request(simcli, config):
    _, out, _ = simcli("show", config, "--game", "3", "--format", "jsonl", "--legal", "-q")
    assert '"legal":' in out
    _, text, _ = simcli("show", config, "--game", "3", "--legal", "-q")
    assert "actions)" in text


def test_replay_of_what_show_wrote(simcli, config, tmp_path):
    _, out, _ = simcli("show", config, "--games", "0:3", "--format", "jsonl", "--legal", "-q")
    file = tmp_path / "t.jsonl"
    file.write_text(out)
    for options in (["--config", config], ["-s", "rules.rounds=2"]):
        code, said, _ = simcli("replay", str(file), *options)
        assert (code, said) == (0, f"6 rounds, {len(out.splitlines())} events, 0 violations\n")


def test_replay_names_the_line_and_goes_on(simcli, config, tmp_path):
    _, out, _ = simcli("show", config, "--games", "0:2", "--format", "jsonl", "-q")
    lines = out.splitlines()
    bad = [number for number, line in enumerate(lines) if '"e":"end"' in line][1]
    lines[bad] = json.dumps({**json.loads(lines[bad]), "multiplier": 64})
    file = tmp_path / "t.jsonl"
    file.write_text("\n".join(lines))
    code, said, _ = simcli("replay", str(file), "--config", config)
    first, last = said.splitlines()
    assert code == 5
    assert first.startswith(f"{file}:{bad + 1}: multiplier is 64, the rules give ")
    assert last == f"4 rounds, {len(lines)} events, 1 violations"


def test_replay_of_another_game_or_with_wrong_options(simcli, config, tmp_path):
    file = tmp_path / "t.jsonl"
    file.write_text('{"e":"deal","game":"rummy"}\n')
    code, said, _ = simcli("replay", str(file))
    assert code == 5
    assert "there is no game 'rummy'" in said
    file.write_text('{"e":"deal","game":"redox"}\n')
    assert "the game is redox, but the config is about redten" in simcli("replay", str(file), "--config", config)[1]
    for options in (["--config", config], []):
        code, _, err = simcli("replay", str(file), *options, "-s", "rules.rounds=0")
        assert code == 2
        assert err.startswith("--set rules.rounds=0: ")


# rules


def test_every_game_has_rules_to_read(simcli):
    assert [row["game"] for row in json.loads(simcli("rules", "list", "-o", "json")[1])] == list(GAMES)
    for name in GAMES:
        code, out, _ = simcli("rules", "show", name)
        assert code == 0
        assert out.startswith("# ")


def test_the_rules_end_with_all_options_parameters_and_columns(simcli):
    for name in GAMES:
        options = Game(name).options
        found = json.loads(simcli("rules", "show", name, "-o", "json")[1])
        assert [row["option"] for row in found["options"]] == [option.key for option in options.OPTIONS]
        assert found["parameters"] == [
            {
                "player": player,
                "parameter": one.name,
                "default": one.choices[one.default] if one.choices else one.default,
                "allowed": f"{one.choices[0]}..{one.choices[-1]}" if one.choices else f"{one.low}..{one.high}",
                "what it does": one.doc,
            }
            for player in POLICIES
            for one in parameters_of(options.PARAMETERS, player)
        ]
        text = simcli("rules", "show", name)[1]
        for row in found["parameters"]:
            assert re.search(rf"^{row['player']} +{row['parameter']} +{row['default']} ", text, re.MULTILINE)
        for column in Game(name).columns.COLUMNS.values():
            assert any(column.meaning == row["meaning"] for row in found["columns"])


def test_columns_say_what_their_values_mean(simcli):
    rows = json.loads(simcli("rules", "columns", "redox", "-o", "json")[1])
    (winner,) = [row for row in rows if (row["table"], row["column"]) == ("rounds", "winner")]
    assert winner == {
        "table": "rounds",
        "column": "winner",
        "kind": "integer",
        "values": "-1..3",
        "unit": "seat",
        "special": "-1: the round was void",
        "meaning": "Who went out.",
        "low": -1,
        "high": 3,
    }
    by_name = {row["column"]: row for row in rows if row["table"] == "rounds"}
    assert by_name["orbit"]["special"] == "0: nobody ended the round"
    assert by_name["match_outcome"]["special"] == "'': it goes on"
    assert (by_name["slam"]["kind"], by_name["slam"]["values"]) == ("boolean", "true, false")
    assert by_name["outcome"]["values"] == "out, slam, void"


def test_columns_for_people_are_listed_once(simcli):
    code, out, _ = simcli("rules", "columns", "redox", "-s", "rules.players=3")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines() if line and not line.startswith(" ")]
    assert max(map(len, out.splitlines())) <= 80
    assert "points_0..2" in names
    assert "points_0" not in names
    assert names.count("turns") == 1


def test_every_default_names_what_it_rests_on(simcli):
    for name in GAMES:
        rows = json.loads(simcli("rules", "explain", name, "-o", "json")[1])
        assert [row["option"] for row in rows] == [option.key for option in Game(name).options.OPTIONS]
        assert all(row["source"] and row["what it does"] for row in rows)


def test_one_option_or_a_group_explained(simcli):
    assert len(json.loads(simcli("rules", "explain", GAME, "rules.rounds", "-o", "json")[1])) == 1
    assert len(json.loads(simcli("rules", "explain", GAME, "scoring", "-o", "json")[1])) > 3
    code, _, err = simcli("rules", "explain", GAME, "scorring")
    assert code == 2
    assert "did you mean" in err


def test_differences_of_rules(simcli, config):
    rows = json.loads(simcli("rules", "diff", config, "-o", "json")[1])
    assert rows == [{"rule": "rounds", "c": 2, "default": 1, "what it does": "Deals in a match."}]
    assert simcli("rules", "diff", config, "-s", "rules.rounds=1")[1] == "no difference\n"
    assert json.loads(simcli("rules", "diff", config, config, "-o", "json")[1]) == []


# hand


def test_hands_in_the_words_of_players(simcli):
    named = simcli("hand", "嘉兴红十", "鬼", "鬼", "♥３", "-o", "json")[1]
    assert named == simcli("hand", GAME, "Xs Xb 3h", "-o", "json")[1]
    for words in (("exact", "{}", "solo"), ("rules", "show", "{}")):
        one, other = (simcli(*(word.format(name) for word in words), "-o", "json")[1] for name in ("嘉兴红十", GAME))
        assert one == other != ""


def test_hands_of_a_file_in_order(simcli, tmp_path):
    file = tmp_path / "hands.txt"
    file.write_text("# two hands\n3h 4s 5d\n\n♥9 9♠ 10c\n")
    code, out, _ = simcli("hand", GAME, "--file", str(file), "-o", "json")
    assert code == 0
    assert [hand["cards"] for hand in json.loads(out)] == [["3h", "4s", "5d"], ["9h", "9s", "Tc"]]
    assert simcli("hand", GAME, "3h", "4s", "5d")[1] == simcli("hand", GAME, "3h 4s 5d")[1]


@pytest.mark.parametrize("cards", ["Zz", "As As", "3h,XX", "As" * 50])
def test_bad_hands_are_one_line(simcli, tmp_path, cards):
    code, out, err = simcli("hand", GAME, cards)
    assert (code, out) == (2, "")
    assert err.startswith("CARDS: ")
    assert err.count("\n") == 1
    file = tmp_path / "hands.txt"
    file.write_text(f"3h\n{cards}\n")
    assert simcli("hand", GAME, "--file", str(file))[2].startswith(f"{file}:2: ")


def test_a_hand_of_another_size_than_dealt_says_so(simcli):
    cards = ["2s", "3s", "4s", "5s", "6h", "7h", "8h", "4c", "5c", "6c", "7c", "8c", "Js", "Js", "Jh", "9h"]
    for size, slam in ((7, True), (14, False), (16, True)):
        (found,) = json.loads(simcli("hand", "redox", *cards[:size], "-o", "json")[1])
        assert found["deal"] == f"15 cards each; this is taken for a hand of a deal of {size} each"
        assert found["slam"] is slam
    assert json.loads(simcli("hand", "redox", *cards[:15], "-o", "json")[1])[0]["deal"] == "15 cards each"
    told = simcli("hand", "redox", "-s", "rules.hand_size=16", *cards)[1]
    assert re.search("^deal +16 cards each$", told, re.MULTILINE)


def test_a_file_of_hands_is_read_within_bounds(simcli, tmp_path, monkeypatch):
    file = tmp_path / "hands.txt"
    file.write_bytes(b"3h\n" + b"x" * 2001)
    assert simcli("hand", GAME, "--file", str(file)) == (
        2, "", f"{file}:2: the line is too long for a hand; at most 2_000 bytes\n",
    )  # fmt: skip
    monkeypatch.setattr("simcli.commands.hand.MAX_HANDS", 3)
    file.write_text("3h\n# one\n\n4h\n5h\n6h\n")
    assert simcli("hand", GAME, "--file", str(file))[2] == f"{file}:6: too many hands; at most 3 in one file\n"


def test_hands_through_a_pipe():
    command = f"{sys.executable} -m simcli hand {GAME} --file <(echo 3h; echo 4s) -o csv"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert [line[:3] for line in done.stdout.splitlines()] == ["car", "3h,", "4s,"]


# printing


def test_the_same_rows_in_every_form(simcli):
    rows = json.loads(simcli("rules", "explain", GAME, "-o", "json")[1])
    parsed = list(csv.DictReader(io.StringIO(simcli("rules", "explain", GAME, "-o", "csv")[1])))
    assert [row["option"] for row in parsed] == [row["option"] for row in rows]
    markdown = simcli("rules", "explain", GAME, "-o", "md")[1].splitlines()
    assert len(markdown) == len(rows) + 2
    assert all(line.startswith("| ") and line.endswith(" |") for line in markdown)


def test_no_colour_and_no_escapes_off_a_terminal(simcli):
    assert "\x1b" not in simcli("rules", "explain", GAME)[1]
