"""`bench` times everything that it names; here each thing once, for milliseconds."""

import json
import sys

import pytest

from kernels.measure import Measure, Ratio
from kernels.registry import GAMES
from simcli import app
from simcli.checks import baselines, bench
from simcli.errors import DONE, VIOLATION
from simcli.progress import Progress

QUIET = Progress(None, quiet=True)
DEALER = "a deal by dealer"
"""The one thing that is timed only where a program is installed that no package brings."""


@pytest.fixture
def small_dose(monkeypatch):
    """Every measure does its thing once, and games are few."""
    measure = bench.measure

    def once(measures, rounds, progress):
        return measure([thing._replace(times=1) for thing in measures], rounds, progress)

    monkeypatch.setattr(bench, "SLICE_SECONDS", 0.001)
    monkeypatch.setattr(bench, "measure", once)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_timed(capsys, small_dose, name):
    code = app.run(["bench", name, "--no-start", "--rounds", "1", "--times", "-q", "-o", "json"])
    found = json.loads(capsys.readouterr().out)
    rows = found["ratios"]
    assert code == (VIOLATION if any(row["kept"] is False for row in rows) else DONE)
    assert all(row["seconds"] > 0 for row in found["times"])
    assert {row["ratio"] for row in rows} >= {
        f"{name}: a turn by greedy over one by random",
        f"{name}: a turn by expert over one by random",
        f"{name}: one thread over two",
        f"{name}: games kept as a run over games played",
    }
    assert all(row["from"] == row["median"] == row["to"] > 0 for row in rows)


def test_the_start_is_timed(small_dose):
    suite = bench.start_up()
    rows = list(bench.compare(suite.ratios, bench.measure(suite.measures, 1, QUIET)))
    assert [row["ratio"] for row in rows] == [ratio.name for ratio in suite.ratios]
    assert all(row["median"] > 0 for row in rows)


def test_a_command_that_fails_is_not_timed(monkeypatch):
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(RuntimeError, match="ended with 1"):
        bench.start_up().measures[0].run(1)


def test_other_programs_are_timed_and_every_ratio_has_its_things(small_dose):
    pytest.importorskip("pyspiel")
    others = baselines.suite().measures
    seconds = bench.measure(others, 1, QUIET)
    assert len(seconds) >= 3
    assert all(each[0] > 0 for each in seconds.values())
    for name in GAMES:
        suite = bench.game(name)
        timed = {thing.name for thing in (*suite.measures, *bench.references().measures)} | {*seconds, DEALER}
        assert {thing for ratio in suite.ratios for thing in (ratio.over, ratio.under)} <= timed


def test_ratios_are_medians_held_against_promises():
    seconds = {"slow": [2.0, 8.0, 3.0], "fast": [1.0, 2.0, 1.0]}
    ratios = [
        Ratio("least", "slow", "fast", low=2.5),
        Ratio("less", "slow", "fast", low=3.5),
        Ratio("most", "slow", "fast", high=3.5),
        Ratio("free", "slow", "fast"),
        Ratio("not timed", "slow", "unknown"),
    ]
    rows = list(bench.compare(ratios, seconds))
    assert [(row["ratio"], row["kept"]) for row in rows] == [
        ("least", True), ("less", False), ("most", True), ("free", None),
    ]  # fmt: skip
    assert {(row["from"], row["median"], row["to"]) for row in rows} == {(2.0, 3.0, 4.0)}


def test_each_thing_is_warmed_up_and_then_timed_in_every_round():
    calls = []
    seconds = bench.measure([Measure("thing", calls.append, 5)], 3, QUIET)
    assert calls == [1, 5, 5, 5]
    assert len(seconds["thing"]) == 3
