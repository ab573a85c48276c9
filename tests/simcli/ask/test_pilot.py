"""Pilots and plans."""

import json
from pathlib import Path

import pytest

from simcli.app import run
from simcli.ask import pilot
from simcli.ask.collector import Collector
from simcli.ask.pilot import Pilot
from simcli.ask.questions import Builder
from simcli.errors import UserError
from simcli.stats import stopping
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
    seen = Pilot(0.01, 1.0, 1000.0, 40)
    found = pilot.plan(seen, None, "10%", 0.95)
    assert found["half_width"] == pytest.approx(0.001)
    assert found["seconds"] == found["games"] / 1000
    assert pilot.plan(seen, found["games"], None, 0.95)["half_width"] == pytest.approx(0.001, rel=1e-3)
    assert pilot.plan(seen, found["games"], "10%", None)["level"] == pytest.approx(0.95, abs=1e-3)
    with pytest.raises(UserError, match="two of"):
        pilot.plan(seen, None, "10%", None)


def test_the_command(tmp_path: Path, toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "toy.yaml"
    config.write_text("game: toy\nseed: 5\n")
    assert run(["plan", str(config), "winner = 0", "--precision", "1pp", "-q", "-o", "json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert 5_000 < row["games"] < 12_000
    assert row["level"] == 0.95
    assert run(["plan", str(config), "winner = 0", "-q"]) == 2
    assert "two of games, width and level" in capsys.readouterr().err
