"""Paired comparisons against the same games counted by hand."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simcli.app import run
from simcli.ask import comparing
from simcli.config import settings
from simcli.config.scenario import Policy
from simcli.errors import UserError
from simcli.play.simulate import Table
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats import intervals
from tests.simcli import toyruns

GAMES = 600


@pytest.fixture
def config(tmp_path: Path, toy: str) -> str:
    path = tmp_path / "toy.yaml"
    path.write_text("game: toy\nseed: 5\nrules: {players: 4}\nquestions: {first: {event: winner = 0}}\n")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert run([*arguments, "-n", str(GAMES), "-q", "-o", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == 2
    rows: list[dict[str, object]] = found["rows"]
    return rows


@pytest.mark.parametrize("players", range(2, 9))
def test_both_policies_sit_everywhere_as_often(players: int) -> None:
    one, other = Policy("greedy"), Policy("random")
    found = comparing.seatings(one, other, players)
    assert len({tuple(policy.name for policy in seating) for seating in found}) == len(found)
    for seat in range(players):
        assert sum(seating[seat] == one for seating in found) * 2 == len(found)


def test_a_duel_turns_the_seats(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = answer(capsys, "compare", config, "greedy", "random")
    base = replace(toyruns.scenario(seed=5), rules={"players": 4, "rounds": 1})
    greedy, chance = Policy("greedy"), Policy("random")
    gains = np.zeros(GAMES)
    for seating in ((greedy, chance) * 2, (chance, greedy) * 2):
        points = Table(replace(base, policies=seating)).play(0, GAMES)["points"][:, :4]
        for seat, policy in enumerate(seating):
            gains += points[:, seat] / 4 * (1 if policy == greedy else -1)
    assert row["difference"] == pytest.approx(gains.mean())
    half = 1.9639 * gains.std(ddof=1) / math.sqrt(GAMES)
    assert row["low"] == pytest.approx(gains.mean() - half, abs=0.05 * half)
    assert row["a_is"] == "better"
    assert row["pairing_saves"] is not None
    assert row["seed"] == base.seed


def test_a_duel_about_an_event_of_seats(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = answer(capsys, "compare", config, "greedy", "random", "seat = winner")
    points = answer(capsys, "compare", config, "greedy", "random")[0]
    assert row["difference"] == pytest.approx(points["difference"])
    assert row["a_is"] == "higher"


def test_settings_on_the_same_deals(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = answer(capsys, "compare", config, "policies=greedy", "policies=random")
    hits = [
        Table(replace(toyruns.scenario(seed=5), rules={"players": 4, "rounds": 1}, policies=(Policy(name),) * 4))
        .play(0, GAMES)["winner"] == 0
        for name in ("greedy", "random")
    ]  # fmt: skip
    differences = hits[0].astype(float) - hits[1]
    assert row["difference"] == pytest.approx(differences.mean())
    half = 1.9639 * differences.std(ddof=1) / math.sqrt(GAMES)
    assert row["high"] == pytest.approx(differences.mean() + half, abs=0.05 * half)
    apart = (hits[0].var() + hits[1].var()) / differences.var()
    assert row["pairing_saves"] == pytest.approx(apart, rel=1e-6)


def test_settings_that_never_differed_may_differ_seldom(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = answer(capsys, "compare", config, "rules.rounds=1", "rules.rounds=1")
    assert (row["difference"], row["a_is"]) == (0, "undecided")
    seldom = intervals.clopper_pearson(0, GAMES, 0.95).high
    assert (row["low"], row["high"]) == (pytest.approx(-seldom, rel=0.01), pytest.approx(seldom, rel=0.01))
    assert "Gaffke" in str(row["method"])


@pytest.mark.parametrize("command", ["compare", "sweep"])
def test_what_cannot_be_said_is_null(config: str, capsys: pytest.CaptureFixture[str], command: str) -> None:
    two = ["policies=greedy", "policies=random"] if command == "compare" else ["-p", "policies=greedy,random"]
    row = answer(capsys, command, config, *two, "winner = 0", "--given", "turns < 0")[-1]
    assert [row[key] for key in row if key.startswith(("difference", "pairing"))] == [None] * (
        2 if command == "compare" else 4
    )


@pytest.mark.parametrize("offset", ["0", "100000000", "0.5"])
def test_an_offset_cancels_in_a_difference(config: str, capsys: pytest.CaptureFixture[str], offset: str) -> None:
    (plain,) = answer(capsys, "compare", config, "greedy", "random")
    (moved,) = answer(capsys, "compare", config, "greedy", "random", "--mean", f"points + {offset}")
    for key in ("difference", "low", "high", "pairing_saves"):
        assert moved[key] == pytest.approx(plain[key], rel=1e-9)


def test_a_sweep_starts_with_its_baseline(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "sweep", config, "winner = 0", "-p", "rules.players=2,4", "-p", "policies=greedy,random")
    assert [row["setting"] for row in rows] == [
        f"rules.players={players}, policies={policy}" for players in (2, 4) for policy in ("greedy", "random")
    ]
    assert rows[0]["difference"] is None
    for row in rows[1:]:
        assert row["difference"] == pytest.approx(float(str(row["estimate"])) - float(str(rows[0]["estimate"])))
    one = run(["ask", config, "winner = 0", "-s", "rules.players=2", "-s", "policies=greedy", "-n", str(GAMES), "-q",
               "-o", "json"])  # fmt: skip
    assert one == 0
    (asked,) = json.loads(capsys.readouterr().out)["answers"]
    assert (rows[0]["estimate"], rows[0]["low"], rows[0]["high"]) == (asked["estimate"], *asked["interval"])


def test_threads_do_not_matter(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("sweep", config, "--mean", "winner / 3", "-p", "policies=greedy,random")
    assert answer(capsys, *arguments, "-j", "1") == answer(capsys, *arguments, "-j", "3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "greedy", "greedy"], "two different policies"),
        (["compare", "greedi", "random"], "did you mean greedy"),
        (["compare", "rules.player=2", "random"], "unknown rule"),
        (["sweep"], "nothing to sweep"),
        (["sweep", "-p", "rules.players"], "is not KEY=V1,V2"),
        (["sweep", "-p", "rules.players=2,9"], "2 to 4"),
        (["sweep", "winner > 'x'", "-p", "rules.players=2,3"], "text is compared"),
    ],
)
def test_refused(config: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    command, *rest = arguments
    assert run([command, config, *rest, "-n", "10", "-q"]) == 2
    assert message in capsys.readouterr().err


def test_commas_inside_brackets_do_not_split() -> None:
    assert settings.split("a=[1,2],b={x: 1, y: 2},c='p,q'") == ["a=[1,2]", "b={x: 1, y: 2}", "c='p,q'"]


def test_questions_that_have_no_difference(config: str, toy: str) -> None:
    base = replace(toyruns.scenario(), questions={})
    with pytest.raises(UserError, match="no share or mean"):
        comparing.questions_of(base, (), {})


def test_interrupted_before_the_first_game(config: str) -> None:
    base = replace(toyruns.scenario(), questions={"first": {"event": "winner = 0"}})
    grid = comparing.Grid([settings.Setting("x", base)], (), {})
    interrupts = Interrupts()
    grid.play(0, 1, Progress(0, quiet=True), interrupts)
    assert grid.games == 0
