"""`ask` from the command line, with the toy game."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from csv import DictReader
from pathlib import Path

import pytest

from kernels.options import POLICIES
from kernels.registry import Game
from simcli import app

CONFIG = """\
game: toy
rules: {players: 2}
policies: random
seed: 7
games: 2_000
questions:
  first: {event: "winner = 0"}
  early: {event: "winner = 0", expect: {between: [0.4, 0.6]}}
  never: {event: "winner = 5", expect: {p: 0.5}}
  points: {mean: "points_0"}
"""

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "toy.yaml"
    path.write_text(CONFIG)
    return str(path)


@pytest.fixture
def ask(config: str, capsys: pytest.CaptureFixture[str]):
    def _ask(*arguments: str, target: str = config) -> tuple[int, str, str]:
        code = app.run(["ask", target, *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return _ask


def all_answers(ask, *arguments: str, **options: str):
    code, out, err = ask(*arguments, "-o", "json", "-q", **options)
    assert err == ""
    found = json.loads(out)
    assert list(found) == ["schema", "answers"]
    assert found["schema"] == 2
    return code, found["answers"]


def answer(ask, *arguments: str, **options: str):
    code, (found,) = all_answers(ask, *arguments, **options)
    return code, found


def test_an_answer_says_all_that_the_contract_lists(ask, config):
    code, found = answer(ask, "first")
    assert code == 0
    expected = {
        "question", "given", "estimate", "interval", "level", "method", "hits", "eligible", "games", "stopped", "game",
        "rules_hash", "policies", "seed", "identity", "exact", "examples", "reproduce",
    }  # fmt: skip
    assert expected <= found.keys()
    assert (found["games"], found["eligible"], found["stopped"], found["seed"]) == (2000, 2000, "games", 7)
    assert found["interval"][0] < found["estimate"] < found["interval"][1]
    assert found["estimate"] == found["hits"] / 2000
    assert len(found["examples"]) == 3
    assert found["reproduce"] == f"simcli ask {config} first -n 2000 --seed 7"


@pytest.mark.parametrize(
    "arguments",
    [["first"], ["winner = 0"], ["winner = 0", "--given", "points_0 >= 0", "-s", "rules.rounds=2"],
     ["--mean", "points_0"], ["first", "--precision", "5%"], ["first", "--hits", "20"],
     ["first", "--decide", "> 0.4"], ["first", "--precision", "0.01pp", "--max-games", "3000"]],
)  # fmt: skip
def test_the_command_in_an_answer_gives_it_again(ask, capsys, arguments):
    _, first = answer(ask, *arguments)
    words = shlex.split(first["reproduce"])
    assert words[:2] == ["simcli", "ask"]
    app.run([*words[1:], "-o", "json", "-q"])
    (again,) = json.loads(capsys.readouterr().out)["answers"]
    keys = ("estimate", "interval", "hits", "eligible", "games", "identity", "examples")
    assert {key: again[key] for key in keys} == {key: first[key] for key in keys}


def test_threads_do_not_matter(ask):
    answers = [answer(ask, "first", "--precision", "4%", "-j", jobs)[1] for jobs in ("1", "2", "5")]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["stopped"] == "precision"


def test_all_questions_of_a_config_at_once(ask):
    code, found = all_answers(ask)
    assert [part["name"] for part in found] == ["first", "early", "never", "points"]
    assert code == 4


def test_expectations_decide_the_exit_code(ask):
    assert answer(ask, "early")[0] == 0
    assert answer(ask, "never")[0] == 4
    assert "  as expected: between 0.4 and 0.6\n" in ask("early", "-q")[1]
    assert "  NOT as expected: 0.5 within 4 sigma; " in ask("never", "-q")[1]


def test_budgets_end_with_exit_code_3(ask):
    code, found = answer(ask, "first", "--precision", "0.001pp", "--max-games", "5_000")
    assert (code, found["stopped"], found["games"]) == (3, "max_games", 5000)
    code, found = answer(ask, "first", "--precision", "0.001pp", "--time-limit", "0.2")
    assert (code, found["stopped"]) == (3, "time_limit")
    code, found = answer(ask, "first", "-n", "5k", "--max-games", "1e2")
    assert (code, found["stopped"], found["games"]) == (3, "max_games", 100)
    code, found = answer(ask, "first", "-n", "100", "--max-games", "100")
    assert (code, found["stopped"], found["games"]) == (0, "games", 100)


def test_no_hit_gives_the_exact_upper_bound(ask):
    _, found = answer(ask, "winner = 5")
    assert found["interval"] == [0, pytest.approx(1 - 0.025 ** (1 / 2000))]


def test_rows_say_what_was_asked_of_whom(ask):
    code, out, _ = ask("first", "points", "--by", "winner", "--level", "0.9", "-o", "csv", "-q")
    assert code == 0
    rows = list(DictReader(out.splitlines()))
    assert [(row["kind"], row["per"]) for row in rows] == [("share", "round")] * 3 + [("mean", "round")] * 3
    assert [float(row["level"]) for row in rows[:3]] == pytest.approx([0.9, 0.95, 0.95])
    assert {(row["game"], row["policies"], len(row["rules_hash"])) for row in rows} == {("toy", "random, random", 12)}


@pytest.mark.parametrize("output", ["table", "csv", "md"])
def test_other_ways_to_print(ask, output):
    code, out, _ = ask("first", "points", "-o", output, "-q")
    assert code == 0
    assert "winner = 0" in out
    assert "points_0" in out


def test_a_run_is_asked_without_playing(ask, config, tmp_path, capsys):
    results = str(tmp_path / "results")
    _, kept = answer(ask, "first", "--keep", "--results", results)
    (folder,) = Path(results).iterdir()
    _, again = answer(ask, "first", target=str(folder))
    assert {**again, "reproduce": ""} == {**kept, "reproduce": ""}
    _, more = answer(ask, "first", "-n", "3_000", target=str(folder))
    _, new = answer(ask, "first", "-n", "3_000")
    assert {**more, "reproduce": ""} == {**new, "reproduce": ""}
    _, wide = answer(ask, "first", "--precision", "5pp", target=str(folder))
    assert (wide["stopped"], wide["games"]) == ("precision", 1000)
    code, _, err = ask("first", "--seed", "8", target=str(folder))
    assert code == 2
    assert "a run's games are what they are" in err


def test_what_a_run_cannot_do_is_refused(ask, tmp_path):
    results = tmp_path / "results"
    ask("first", "--keep", "-n", "3_000", "--results", str(results), "-q")
    (folder,) = results.iterdir()
    for arguments in (["--policies", "all"], ["--vary", "rules"], ["-s", "policies=random"]):
        code, out, err = ask("first", *arguments, target=str(folder))
        assert (code, out) == (2, "")
        assert "a run's games are what they are" in err
    assert "a run's games are kept" in ask("first", "--keep", target=str(folder))[2]
    (folder / "parts" / "000000.parquet").unlink()
    code, out, err = ask("first", target=str(folder))
    assert (code, out) == (2, "")
    assert "game 0 is missing; `simcli resume " in err


def test_a_kept_run_answers_what_its_config_asks_today(ask, config, tmp_path):
    results = str(tmp_path / "results")
    _, before = answer(ask, "first", "-n", "500", "--keep", "--results", results)
    Path(config).write_text(CONFIG.replace('winner = 0"}', 'winner = 1"}'))
    _, after = answer(ask, "first", "-n", "500", "--keep", "--results", results)
    assert len(list(Path(results).iterdir())) == 1
    assert (before["question"], after["question"]) == ("winner = 0", "winner = 1")
    assert before["hits"] + after["hits"] == 500
    _, fewer = answer(ask, "first", "-n", "300", "--keep", "--results", results)
    assert fewer["games"] == 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frist"], "question: question 'frist' does not exist; there are first, early, never, points; did you mean f"),
        (["winer = 0"], "event, column 1: unknown column 'winer'; did you mean winner"),
        (["winner"], "event: "),
        (["first", "--given", "points_9 = 0"], "--given, column 1: unknown column 'points_9'"),
        (["first", "--by", "nothing"], "--by: unknown column 'nothing'"),
        (["first", "--per", "hand"], "--per: "),
        (["first", "--precision", "2%", "-n", "5"], "--precision -n: exclude each other"),
        (["first", "--precision", "2%", "--hits", "5"], "exclude each other"),
        (["first", "--precision", "two"], "--precision: "),
        (["first", "--precision", "2"], "wider than any share"),
        (["first", "--min-games", "2000"], "--min-games: goes with --precision"),
        (["first", "--keep", "--max-games", "5"], "--keep: goes with a fixed number of games"),
        (["first", "--keep", "--policies", "all"], "cannot be kept"),
        (["first", "--policies", "all", "--by", "winner"], "not quantiles, tables or groups"),
        (["first", "--policies", "all", "--vary", "rules"], "exclude each other"),
        (["first", "--decide", "about 2"], "--decide: "),
        (["first", "--hits", "1"], "--hits: "),
        (["first", "--keep", "--hits", "5"], "--keep: goes with a fixed number of games"),
    ],
)
def test_bad_questions_are_one_line(ask, arguments, message):
    code, out, err = ask(*arguments, "-q")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_answered_within_a_second(config, number):
    command = [sys.executable, "-m", "tests.simcli.toycli", "ask", config, "first", "-n", "1_000_000_000", "-o", "json"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as process:
        time.sleep(6)
        begun = time.monotonic()
        process.send_signal(number)
        out, _ = process.communicate(timeout=20)
    assert time.monotonic() - begun < 2
    assert process.returncode == 128 + number
    assert json.loads(out)["answers"][0]["stopped"] == "interrupted"


def test_the_answer_under_each_player(ask, capsys):
    code, out, _ = ask("first", "--policies", "all", "-o", "json", "-q")
    found = json.loads(out)["rows"]
    assert code == 0
    assert [part["variant"] for part in found] == list(POLICIES)
    words = shlex.split(found[1]["reproduce"])
    app.run([*words[1:], "-o", "json", "-q"])
    assert json.loads(capsys.readouterr().out)["answers"][0]["hits"] == found[1]["hits"]
    assert ask("first", "--policies", "greedy, random", "-q")[0] == 0
    csv = list(DictReader(ask("first", "--policies", "greedy, random", "-q", "-o", "csv")[1].splitlines()))
    assert [row["variant"] for row in csv] == ["greedy", "random"]
    assert float(csv[1]["change"]) == float(csv[1]["estimate"]) - float(csv[0]["estimate"])
    assert "policy 'best' does not exist" in ask("first", "--policies", "best")[2]


def test_the_answer_under_each_alternative_rule(ask, monkeypatch):
    from dataclasses import replace

    options = Game("toy").options
    players, rounds = options.OPTIONS
    monkeypatch.setattr(options, "OPTIONS", (replace(players, alternatives=(3, 4)), rounds))
    code, out, _ = ask("first", "--vary", "rules", "-q", "-o", "json")
    assert code == 0
    found = json.loads(out)["rows"]
    assert found[0]["variant"] == "as given"
    assert {part["variant"] for part in found[1:]} == {"players=3", "players=4"}
    assert "only rules can be varied" in ask("first", "--vary", "seed")[2]
    assert "compare shares and means" in ask("--quantiles", "points_0", "--vary", "rules")[2]
