"""Exact values beside estimates: which questions have one, and that estimates scatter about it as they should."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from scipy import stats as reference

from kernels.hypergeometric import by_full_ranks, holding
from kernels.registry import GAMES, Game
from simcli.app import run
from simcli.asking.collector import Collector
from simcli.asking.exact import known
from simcli.asking.questions import Builder
from simcli.config.scenario import Scenario, Shuffle
from simcli.play.simulate import Table
from simcli.stats import stopping
from tests.games import scenario


def exact_of(game: Scenario, **asked: Any) -> Any:
    return known(game, Builder(game).build("test", asked)[0])


def test_jokers_dealt() -> None:
    exact = exact_of(scenario("redox"), event="jokers_2 >= 2")
    assert Fraction(exact.favourable, exact.total) == 1 - sum(
        Fraction(math.comb(4, n) * math.comb(104, 15 - n), math.comb(108, 15)) for n in (0, 1)
    )
    by_seat = exact_of(scenario("redox"), event="jokers < 2", per="seat")
    assert by_seat.favourable == exact.total - exact.favourable


@pytest.mark.parametrize("event", ["dealt_distance_0 = 0", "dealt_distance_0 < 1", "NOT dealt_distance_1 >= 1"])
def test_dealt_slams(event: str) -> None:
    assert exact_of(scenario("redox"), event=event).p == pytest.approx(6.7301e-5, rel=1e-4)


@pytest.mark.parametrize(
    "asked",
    [
        {"event": "dealt_distance_0 <= 1"},
        {"event": "jokers_0 > 1 AND jokers_1 > 1"},
        {"event": "jokers_0 > 1", "given": "slam"},
        {"event": "slam"},
        {"event": "turns > 10"},
        {"mean": "jokers_0"},
    ],
)
def test_not_known(asked: dict[str, Any]) -> None:
    assert exact_of(scenario("redox"), **asked) is None


def test_not_known_when_shuffled_badly() -> None:
    assert exact_of(scenario("redox", shuffle=Shuffle("riffle", 3)), event="jokers_0 > 1") is None


def test_red_tens() -> None:
    assert exact_of(scenario("redten"), event="solo").p == pytest.approx(338 / 1431)
    assert exact_of(scenario("redten"), event="side = 1", per="seat").p == pytest.approx((1 + 1093 / 1431) / 4)


@pytest.mark.parametrize(
    ("game", "event"), [("redten", "solo"), ("redten", "dealt_bombs_1 >= 1"), ("redox", "jokers_0 > 0")]
)
def test_estimates_scatter_as_they_should(game: str, event: str) -> None:
    """z-scores of 20 seeds: their squares add up to a chi-square, judged at one in 10,000 (three such tests)."""
    squares = 0.0
    seeds = range(20)
    for seed in seeds:
        played = scenario(game, seed=seed)
        collector = Collector(played, Builder(played).build("test", {"event": event}), stopping.Rule(150))
        collector.add(Table(played).play(0, 150))
        (answer,) = collector.answers()
        assert answer.exact is not None
        assert answer.deviation is not None
        squares += answer.deviation**2
    assert 5e-5 < reference.chi2.cdf(squares, len(seeds)) < 1 - 5e-5


@pytest.mark.parametrize("game", GAMES)
def test_every_event_has_a_probability(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["-s", "rules.decks=1"] if game == "redox" else []
    for event in Game(game).exact.EVENTS:
        assert run(["exact", game, event, *quick, "-o", "json"]) == 0
        row = json.loads(capsys.readouterr().out)
        assert 0 < int(row["favourable"]) < int(row["total"])
        assert row["p"] == pytest.approx(int(row["favourable"]) / int(row["total"]), rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["redox", "royal"], "event 'royal' does not exist"),
        (["bridge", "slam"], "game 'bridge' does not exist"),
        (["redox", "slam", "-s", "rules.decks=4"], "at most 2 decks"),
        (["redox", "slam", "-s", "rules.deck=4"], "unknown rule"),
    ],
)
def test_exact_refuses(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exact", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_hands_by_marked_cards() -> None:
    assert holding(4, 48, 5, 1) == math.comb(52, 5) - math.comb(48, 5)
    assert holding(4, 48, 5, 1, 1) == 4 * math.comb(48, 4)


def test_hands_by_full_ranks() -> None:
    """Poker hands of five with three or four of a rank."""
    counts = by_full_ranks(13, 4, 0, 5, 3)
    assert counts[1] == 54_912 + 3_744 + 624
    assert sum(counts) == math.comb(52, 5)


def test_predealt_cards_make_it_unknown():
    given = replace(scenario("redox"), predeal={"0": (0,)})
    assert exact_of(scenario("redox"), event="jokers_2 >= 2") is not None
    assert exact_of(given, event="jokers_2 >= 2") is None
