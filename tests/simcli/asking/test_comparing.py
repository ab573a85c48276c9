"""Paired comparisons against the same games counted by hand."""

import json
import math
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simcli.app import run
from simcli.asking import comparing
from simcli.asking.request import Request
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


def test_a_policy_has_the_parameters_that_the_config_or_the_command_gives_it(
    config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bold, timid = "{name: expert, params: {courage: 1}}", "{name: expert, params: {courage: 0}}"
    (row,) = answer(capsys, "compare", config, bold, timid)
    difference = row["difference"]
    assert isinstance(difference, float)
    assert difference > 0
    (row,) = answer(capsys, "compare", config, "greedy", "expert", "-s", f"policies={timid}")
    assert row["difference"] == difference
    assert (row["a"], row["b"]) == ("greedy", "expert")
    assert run(["compare", config, "greedy", "{name: expert, params: {luck: 1}}"]) == 2
    assert "luck" in capsys.readouterr().err
    assert run(["compare", config, "expert", bold]) == 2
    assert "two different policies are needed" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    "command", [["compare", "rules.players=3", "rules.players=4"], ["sweep", "-p", "rules.players=3,4"]]
)
def test_tables_of_a_config_are_left_out_with_a_note(
    config: str, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    Path(config).write_text("game: toy\nseed: 7\nquestions: {seats: {table: winner}, first: {event: winner = 0}}\n")
    name, *rest = command
    assert run([name, config, *rest, "-n", "20", "-o", "json"]) == 0
    captured = capsys.readouterr()
    assert {row["question"] for row in json.loads(captured.out)["rows"]} == {"first"}
    assert "seats is left out; a table is not compared" in captured.err


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
        (["compare", "greedy"], "Missing argument 'B'"),
        (["compare", "greedy", "random", "--per", "round"], "--per: two policies at one table are compared per seat"),
        (["compare", "greedy", "random", "winner = 0"], "'winner = 0' is the same for both, who sit at one table"),
        (["compare", "greedy", "random", "first"], "'winner = 0' is the same for both"),
        (["compare", "seed=1", "seed=2"], "seed is the same in all settings"),
        (["compare", "rules.players=2..3", "rules.players=2"], "2..3 is not allowed; a whole number from 2 to 4"),
        (["sweep"], "nothing to sweep"),
        (["sweep", "-p", "seed=1,2,3"], "-p seed=1,2,3: seed is the same in all settings"),
        (["sweep", "-p", "games=1,2"], "give their number with -n"),
        (["sweep", "-p", "questions.first.event=winner = 1"], "ask them by name"),
        (["sweep", "-p", "rules.players=4..2"], "4..2 is not a range"),
        (["sweep", "-p", "policies.4=random"], "there is no seat 4; 0 to 3"),
        (["sweep", "-p", "rules.players"], "is not KEY=V1,V2"),
        (["sweep", "-p", "rules.players=2..3,3"], "given twice"),
        (["sweep", "-p", "rules.players=2,9"], "2 to 4"),
        (["sweep", "winner > 'x'", "-p", "rules.players=2,3"], "text is compared"),
    ],
)
def test_refused(config: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    command, *rest = arguments
    assert run([command, config, *rest, "-n", "10", "-q"]) == 2
    assert message in capsys.readouterr().err


def test_a_range_is_a_value_for_each_number(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = answer(capsys, "sweep", config, "winner = 0", "-p", "rules.players=2,3,4")
    for axis in ("rules.players=2..4", "rules.players=2,3..4"):
        ranged = answer(capsys, "sweep", config, "winner = 0", "-p", axis)
        assert [{**row, "reproduce": ""} for row in ranged] == [{**row, "reproduce": ""} for row in listed]


def test_one_seat_of_a_policy_for_all_is_swept(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "sweep", config, "winner = 0", "-p", "policies.0=random,greedy,expert")
    assert [row["policies"] for row in rows] == [[name, *["expert"] * 3] for name in ("random", "greedy", "expert")]
    assert rows[0]["estimate"] < rows[1]["estimate"]  # type: ignore[operator]


def test_a_sweep_goes_on_where_a_question_does_not_fit(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["sweep", config, "winner = 0", "points_3 > 0", "-p", "rules.players=2..4", "-n", "50", "-o", "json"]
    assert run(asked) == 0
    out, err = capsys.readouterr()
    rows = [row for row in json.loads(out)["rows"] if row["question"] == "points_3 > 0"]
    assert [row["estimate"] is None for row in rows] == [True, True, False]
    assert rows[2]["difference"] is None
    assert "rules.players=3: points_3 > 0 is left out; event, column 1: unknown column 'points_3'" in err
    assert run([*asked[:2], *asked[3:]]) == 0
    assert run([*asked[:2], *asked[3:5], "rules.players=2..3"]) == 2


def test_groups_are_compared_one_by_one(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As many as those asked with `--given`, but with intervals that hold together; new groups may come late."""
    rows = answer(capsys, "sweep", config, "points_1 = 1", "--by", "winner", "-p", "policies=greedy,random")
    assert [row["group"] for row in rows] == ["", *(f"winner={seat}" for seat in range(4))] * 2
    level = 1 - 0.05 / 4
    for place, row in enumerate(rows):
        if not row["group"]:
            continue
        given = ["--given", str(row["group"]).replace("=", " = "), "--level", str(level)]
        alone = answer(capsys, "sweep", config, "points_1 = 1", *given, "-p", "policies=greedy,random")[place // 5]
        assert row["level"] == pytest.approx(level)
        for key in ("estimate", "low", "high", "difference", "difference_low", "difference_high"):
            assert row[key] == (None if alone[key] is None else pytest.approx(alone[key], abs=1e-12))


def test_groups_of_a_duel(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "compare", config, "greedy", "random", "seat = winner", "--by", "seat")
    (total,) = answer(capsys, "compare", config, "greedy", "random", "seat = winner")
    assert rows[0] == {**total, "reproduce": rows[0]["reproduce"]}
    assert [row["group"] for row in rows] == ["", *(f"seat={seat}" for seat in range(4))]
    assert np.mean([row["difference"] for row in rows[1:]]) == pytest.approx(total["difference"])


def test_quantiles_are_compared_by_their_own_intervals(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--quantiles", "points_0", "-p", "policies=greedy,random"]
    rows = answer(capsys, "sweep", config, *asked)
    assert [row["group"] for row in rows] == [f"quantile {p:g}" for p in (0.05, 0.25, 0.5, 0.75, 0.95)] * 2
    wide = answer(capsys, "sweep", config, *asked, "--level", "0.975")
    for mine, theirs, row in zip(wide[5:], wide[:5], rows[5:], strict=True):
        assert row["difference"] == mine["estimate"] - theirs["estimate"]  # type: ignore[operator]
        assert row["difference_low"] == mine["low"] - theirs["high"]  # type: ignore[operator]
        assert row["difference_high"] == mine["high"] - theirs["low"]  # type: ignore[operator]


def test_two_configs_are_compared(config: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("game: toy\nseed: 6\ngames: 3\nrules: {players: 3}\npolicies: random\n")
    (row,) = answer(capsys, "compare", config, str(other))
    (same,) = answer(capsys, "compare", config, "rules.players=4", "rules.players=3,policies=random")
    for key in ("estimate_a", "estimate_b", "difference", "low", "high", "games", "seed"):
        assert row[key] == same[key]
    assert (row["a"], row["b"]) == (config, str(other))
    (asked,) = answer(capsys, "compare", config, str(other), "winner = 1")
    assert asked["question"] == "winner = 1"
    other.write_text("game: redten\n")
    assert run(["compare", config, str(other), "-q"]) == 2
    assert "deals are of one game" in capsys.readouterr().err


def test_rounding_is_no_difference(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Thirds do not add up to one exactly; that is no difference of settings that play the same."""
    mean = "(points_0 + points_1 + points_2 + points_3) / 3 - winner / 3 + winner / 3.0"
    (row,) = answer(capsys, "compare", config, "policies=greedy", "policies=random", "--mean", mean)
    assert (row["difference"], row["a_is"]) == (0, "undecided")
    assert row["low"] <= 0 <= row["high"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "arguments",
    [["greedy", "random"], ["greedy", "random", "seat = winner", "--given", "-points < 1"],
     ["policies=greedy", "rules.players=3,policies=random", "--mean=-points_0", "--level", "0.9"],
     ["policies=greedy", "policies=random", "--by", "winner", "--", "-winner < 0"]],
    ids=" ".join,
)  # fmt: skip
def test_a_comparison_again(config: str, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    asked = ["compare", "-q", "-o", "json", "-n", "50", "-s", "rules.rounds=2", config, *arguments]
    assert_the_same_again(capsys, asked)


@pytest.mark.parametrize(
    "arguments",
    [["-p", "rules.players=2..3", "-p", "policies=greedy,random"], ["-p", "rules.rounds=1,2", "--quantiles", "turns"]],
    ids=" ".join,
)
def test_a_sweep_again(config: str, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert_the_same_again(capsys, ["sweep", "-q", "-o", "json", "-n", "50", config, *arguments])


def assert_the_same_again(capsys: pytest.CaptureFixture[str], asked: list[str]) -> None:
    assert run(asked) == 0
    found = capsys.readouterr().out
    program, command, *words = shlex.split(json.loads(found)["rows"][0]["reproduce"])
    assert program == "simcli"
    assert run([command, "-q", "-o", "json", *words]) == 0
    assert capsys.readouterr().out == found
    assert run([command, "-q", *words]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"again: {json.loads(found)['rows'][0]['reproduce']}"


def test_commas_inside_brackets_do_not_split() -> None:
    assert settings.split("a=[1,2],b={x: 1, y: 2},c='p,q'") == ["a=[1,2]", "b={x: 1, y: 2}", "c='p,q'"]


def test_nothing_to_compare(config: str, toy: str) -> None:
    base = replace(toyruns.scenario(), questions={})
    with pytest.raises(UserError, match="nothing is asked, and the config has no questions"):
        comparing.Grid(Request("toy"), [settings.Setting("x", base)])


def test_interrupted_before_the_first_game(config: str) -> None:
    base = replace(toyruns.scenario(), questions={"first": {"event": "winner = 0"}})
    grid = comparing.Grid(Request("toy"), [settings.Setting("x", base)])
    interrupts = Interrupts()
    grid.play(0, 1, Progress(0, quiet=True), interrupts)
    assert grid.games == 0
    assert [row["estimate"] for row in comparing.table(grid)] == [None]
