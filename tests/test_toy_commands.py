"""The smallest game there can be goes through every command: with a right answer, or refused in one line."""

import json
from math import comb
from pathlib import Path

import pytest

from simcli.app import COMMANDS
from tests.simcli.toyruns import CONFIG, call

GAMES = 2000
PAIR = "game: toy\nrules: {players: 2}\npolicies: greedy\nseed: 7\n"


def chance_of_the_first_seat():
    """Of two seats that play the highest of three cards the first wins ties, which are counted rank by rank."""
    ties = sum(
        comb(4, mine) * comb(4 - mine, other) * comb(4 * rank, 3 - mine) * comb(max(0, 4 * rank - 3 + mine), 3 - other)
        for rank in range(13)
        for mine in (1, 2, 3)
        for other in range(1, min(3, 4 - mine) + 1)
    )
    return (1 + ties / (comb(52, 3) * comb(49, 3))) / 2


def lead_of_the_highest_card():
    """Points of the highest of three cards less those of any card of another hand, in both seats, counted by rank."""
    twice_won = sum(
        comb(4, mine) * comb(4 * rank, 3 - mine) * (2 * (4 * rank - 3 + mine) + (4 - mine))
        for rank in range(13)
        for mine in (1, 2, 3)
    )
    return twice_won / (comb(52, 3) * 49) - 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the configs `toy.yaml` and `pair.yaml`, and a run of the first under `results`."""
    place = tmp_path_factory.mktemp("toy")
    (place / "toy.yaml").write_text(CONFIG)
    (place / "pair.yaml").write_text(PAIR)
    answer("run", place / "toy.yaml", "-n", GAMES, "--results", place / "results", "-q")
    return place


def answer(*arguments):
    code, out, err = call([str(argument) for argument in arguments])
    assert (code, "Traceback" in err) == (0, False), err
    return out


def from_json(*arguments):
    return json.loads(answer(*arguments, "-o", "json"))


def run_in(folder):
    (found,) = (folder / "results").iterdir()
    return found


def test_rules(folder):
    assert "Highest card" in answer("rules", "list")
    assert answer("rules", "show", "toy").startswith("# Highest card\n")
    assert "Rounds in a match." in answer("rules", "explain", "toy", "rounds")
    assert "players" in answer("rules", "diff", folder / "toy.yaml")
    columns = {row["column"] for row in from_json("rules", "columns", "toy")}
    assert {"winner", "points_0", "match_outcome", "place_1"} <= columns


def test_a_config_to_begin_with(folder):
    answer("init", "toy", folder / "new.yaml")
    assert answer("questions", folder / "new.yaml").endswith("  points  Points of seat 0 in a round.\n")
    assert from_json("ask", folder / "new.yaml", "points", "-n", 5)["answers"][0]["games"] == 5
    assert '"courage"' in answer("rules", "schema", "toy")


def test_plot(folder):
    assert "share of rounds" in answer("plot", folder / "toy.yaml", "winner", "-n", GAMES)


def test_report(folder):
    page = folder / "toy.html"
    assert answer("report", folder / "toy.yaml", "-n", GAMES, "-O", page) == f"{page}\n"
    assert "<h2>How rounds end</h2>" in page.read_text()


def test_run_resume_verify_and_query(folder):
    run = run_in(folder)
    assert "nothing is missing" in call(["resume", str(run)])[2]
    assert "all sound" in answer("verify", run)
    (row,) = from_json("query", run, "SELECT COUNT(*) AS n, SUM(points) AS won FROM seats")
    assert (row["n"], row["won"]) == (GAMES * 2 * 3, GAMES * 2)


def test_merge(folder):
    for shard in ("0/2", "1/2"):
        shards = folder / f"shard{shard[0]}"
        answer("run", folder / "toy.yaml", "-n", GAMES, "--shard", shard, "--results", shards, "-q")
    answer("merge", folder / "shard0", folder / "shard1", "--results", folder / "merged")
    merged = folder / "merged" / run_in(folder).name
    assert (merged / "summary.csv").read_bytes() == (run_in(folder) / "summary.csv").read_bytes()


def test_ask_plan_and_sweep(folder):
    pair, event = folder / "pair.yaml", "winner = 0"
    (asked,) = from_json("ask", pair, event, "-n", GAMES)["answers"]
    rows = from_json("sweep", pair, event, "-p", "rules.rounds=1,3", "-n", GAMES)["rows"]
    assert len(rows) == 2
    for low, high in (asked["interval"], *((row["low"], row["high"]) for row in rows)):
        assert low < chance_of_the_first_seat() < high
    planned = from_json("plan", pair, event, "--precision", "5pp")
    p = chance_of_the_first_seat()
    assert planned["games"] == pytest.approx(1.96**2 * p * (1 - p) / 0.05**2, rel=0.1)


def test_compare(folder):
    (row,) = from_json("compare", folder / "pair.yaml", "greedy", "random", "-n", GAMES)["rows"]
    assert row["low"] < lead_of_the_highest_card() < row["high"]


def test_show_and_replay(folder):
    assert answer("show", folder / "toy.yaml", "--game", "1").startswith("toy, game 1 of seed 7")
    config = folder / "toy.yaml"
    transcript = folder / "game.jsonl"
    transcript.write_text(answer("show", config, "--games", "0:3", "--format", "jsonl", "--legal"))
    assert answer("replay", transcript, "--config", config) == "6 rounds, 30 events, 0 violations\n"
    lines = transcript.read_text().splitlines()
    wrong = json.loads(lines[1])
    transcript.write_text("\n".join([lines[0], json.dumps({**wrong, "p": 2}), *lines[2:]]) + "\n")
    code, out, _ = call(["replay", str(transcript), "--config", str(config)])
    assert code == 5
    assert out.startswith(f"{transcript}:2: ")


def test_doctor_and_bench():
    tested = from_json("doctor", "toy", "--quick")
    assert len(tested) == 4
    assert all(row["ok"] for row in tested)
    code, out, _ = call(["bench", "toy", "--no-start", "--rounds", "1", "-o", "json"])
    rows = {row["ratio"]: row for row in json.loads(out)["ratios"]}
    assert rows["toy: a turn by expert over one by random"]["median"] > 0
    assert code == (5 if any(row["kept"] is False for row in rows.values()) else 0)


@pytest.mark.parametrize("arguments", [["hand", "toy", "As"], ["exact", "toy"], ["exact", "toy", "slam"]])
def test_what_the_game_does_not_have_is_refused_in_one_line(arguments):
    code, out, err = call(arguments)
    assert (code, out) == (2, "")
    assert err.startswith("toy: ")
    assert err.count("\n") == 1


def test_every_command_is_here():
    text = Path(__file__).read_text()
    assert [name for name in COMMANDS if f'"{name}"' not in text] == []
