"""Pilots and plans."""

import json
import shlex
from pathlib import Path

import pytest

from simcli.app import run
from simcli.asking import pilot
from simcli.asking.collector import Collector
from simcli.asking.pilot import Pilot
from simcli.asking.questions import Builder
from simcli.errors import UserError
from simcli.stats import intervals, stopping
from tests.simcli.synthetic import records, redox


def pilot_of(rounds: int, event: str, per: str = "round") -> Pilot:
    scenario = redox(rounds=rounds)
    collector = Collector(scenario, Builder(scenario).build("test", {"event": event, "per": per}), stopping.Rule(10**6))
    collector.add(records(4_000, rounds=rounds))
    return pilot.read(collector, 1000.0)


def test_independent_rounds_count_one_each() -> None:
    seen = pilot_of(1, "slam")
    assert seen.rows == pytest.approx(1)
    assert seen.proportion == pytest.approx(0.1, abs=0.02)


def test_rounds_that_are_dependent_count_less() -> None:
    assert 1.5 < pilot_of(5, "slam").rows < 3


def test_rows_that_balance_count_no_more_than_themselves() -> None:
    assert pilot_of(1, "seat = winner", "seat").rows == pytest.approx(4)


def test_no_hits() -> None:
    seen = pilot_of(1, "orbit > 100")
    assert seen.hits == 0
    assert seen.proportion == 0.5 / 4000


def test_two_of_three() -> None:
    seen = Pilot(0.01, 1.0, 1000.0, 40, intervals.clopper_pearson(40, 4000, 0.99))
    found = pilot.plan(seen, None, "10%", 0.95)
    assert found["half_width"] == pytest.approx(0.001)
    assert found["seconds"] == found["games"] / 1000
    assert pilot.plan(seen, found["games"], None, 0.95)["half_width"] == pytest.approx(0.001, rel=1e-3)
    assert pilot.plan(seen, found["games"], "10%", None)["level"] == pytest.approx(0.95, abs=1e-3)
    with pytest.raises(UserError, match="two of"):
        pilot.plan(seen, None, "10%", None)


def test_a_plan_has_limits() -> None:
    """Twenty hits of 2,000 leave room for a share of 0.6%, which takes 1.6 million games to be known to 2%."""
    seen = Pilot(0.01, 1.0, 1000.0, 20, intervals.clopper_pearson(20, 2000, 0.99))
    found = pilot.plan(seen, None, "2%", 0.95)
    assert found["games"] == pytest.approx(951_000, rel=0.01)
    assert found["games_low"] < found["games"] < 1_600_000 < found["games_high"]
    found = pilot.plan(seen, 10_000, None, 0.95)
    assert found["half_width_low"] < found["half_width"] < found["half_width_high"]
    found = pilot.plan(seen, 10_000, "0.1pp", None)
    assert found["level_low"] < found["level"] < found["level_high"]


def test_a_plan_without_hits_has_no_upper_limit() -> None:
    found = pilot.plan(pilot_of(1, "orbit > 100"), None, "2%", 0.95)
    assert found["games_low"] < found["games"]
    assert found["games_high"] is None
    about_half = Pilot(0.49, 1.0, 1000.0, 980, intervals.clopper_pearson(980, 2000, 0.99))
    longest = stopping.solve(0.5, half_width=0.01, level=0.95).games
    assert pilot.plan(about_half, None, "1pp", 0.95)["games_high"] == longest


def test_the_command(tmp_path: Path, toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "toy.yaml"
    config.write_text("game: toy\nseed: 5\n")
    assert run(["plan", str(config), "winner = 0", "--precision", "1pp", "-q", "-o", "json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["schema"], row["game"], len(row["rules_hash"]), row["policies"], row["seed"]) == (
        2, "toy", 12, ["expert", "expert"], 5,
    )  # fmt: skip
    program, *words = shlex.split(row["reproduce"])
    assert program == "simcli"
    assert run([*words, "-q", "-o", "json"]) == 0
    timed = {"seconds": 0, "games_a_second": 0}
    assert {**json.loads(capsys.readouterr().out), **timed} == {**row, **timed}
    assert 5_000 < row["games"] < 12_000
    assert row["level"] == 0.95
    assert run(["plan", str(config), "winner = 0", "-q"]) == 2
    assert "two of games, width and level" in capsys.readouterr().err
