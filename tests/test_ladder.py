"""Random players are beaten by the greedy one, and it by the expert, in every game and under other rules.

`compare` seats two players alternately, on the same deals with the seats turned, and judges points a round. A step
counts if it is four standard errors long: a player no better than another would pass for better with one seed in
30,000.
"""

import json

import pytest

from kernels.registry import GAMES
from simcli.app import run

STEPS = [("greedy", "random"), ("expert", "greedy")]
RULES = {
    "redox": ["players=2", "players=8 decks=3", "stock_exhausted=void"],
    "dafuweng": ["players=2", "players=6", "players=8", "death=cannot_play", "revive_gain=play decks=2"],
    "erbaiwu": ["players=2", "players=3", "players=6", "match.rounds=2"],
    "redten": ["pass_is_final=true", "early_stop=false lead_after_out=partner"],
}
"""Rules under which the ladder is climbed too, besides the default."""
CASES = [(name, rules) for name in GAMES for rules in ("", *RULES.get(name, ()))]
GAMES_PLAYED = 2000
STANDARD_ERRORS = 4
QUANTILE = 1.96
"""Half the width of an interval at 95%, in standard errors."""


def step(capsys, name, rules, better, worse, games, question=()):
    """What `compare` says of two players, and how many standard errors lie between them."""
    settings = [text for rule in rules.split() for text in ("-s", f"rules.{rule}")]
    command = ["compare", name, better, worse, *question, "-n", str(games), "--seed", "3", "-q", "-o", "json"]
    assert run([*command, *settings]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    return row["a_is"], abs(row["difference"]) / (row["high"] - row["low"]) * 2 * QUANTILE


@pytest.mark.parametrize(("better", "worse"), STEPS)
@pytest.mark.parametrize(("name", "rules"), CASES)
def test_each_step_of_the_ladder(capsys, name, rules, better, worse):
    verdict, errors = step(capsys, name, rules, better, worse, GAMES_PLAYED)
    assert verdict == "better"
    assert errors > STANDARD_ERRORS


@pytest.mark.parametrize(("better", "worse"), STEPS)
def test_the_better_player_of_er_bai_wu_loses_fewer_matches(capsys, better, worse):
    """Points count for nothing there but by who passes the limit."""
    lost = ("lost", "--per", "seat", "--given", "match_over")
    verdict, errors = step(capsys, "erbaiwu", "", better, worse, GAMES_PLAYED, lost)
    assert verdict == "lower"
    assert errors > STANDARD_ERRORS


@pytest.mark.campaign
@pytest.mark.parametrize(("better", "worse"), STEPS)
@pytest.mark.parametrize(("name", "rules"), CASES)
def test_each_step_of_the_ladder_is_long(capsys, name, rules, better, worse):
    verdict, errors = step(capsys, name, rules, better, worse, 100_000)
    assert verdict == "better"
    assert errors > 5 * STANDARD_ERRORS
