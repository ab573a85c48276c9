"""The slow twin and the compiled rules: the same actions, the same games, the same chances."""

import random

import numpy as np
import pytest

from simcli.play.simulate import Table, compiled_rules
from tests.games import scenario
from tests.naive import redox as naive
from tests.redox.walks import (
    RULE_SETS,
    as_naive,
    chosen,
    every_action,
    made_up,
    naive_rules,
    state_of,
)
from tests.transcripts import findings, lines_of


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_games_are_the_twins_games(name):
    setting = chosen(name)
    for number in range(2):
        events = lines_of(setting, [number])
        assert naive.Follower(naive_rules(setting)).follow(events) == []
        assert findings(setting, events) == []


@pytest.mark.campaign
@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("policy", ["random", "greedy", "expert"])
def test_many_games_are_the_twins_games(name, policy):
    setting = chosen(name, policy, seed=11)
    for number in range(25):
        events = lines_of(setting, [number])
        assert naive.Follower(naive_rules(setting)).follow(events) == []
        assert findings(setting, events) == []


@pytest.mark.parametrize("plots", [0, 2, 6])
@pytest.mark.parametrize("jokers", [0, 1, 2, 4, 6])
@pytest.mark.parametrize("name", ["default", "two naturals", "many jokers"])
def test_every_action_of_made_up_positions(name, jokers, plots):
    setting = chosen(name)
    rules = compiled_rules(setting)
    source = random.Random(f"{name} {jokers} {plots}")
    for _ in range(3 if jokers < 4 else 1):
        position = made_up(source, setting, jokers, plots)
        actions = every_action(rules, state_of(position, rules))
        turns = [as_naive(action, position) for action in actions]
        assert len(set(turns)) == len(turns)
        assert set(turns) == naive.legal(position)


def test_random_rounds_have_the_twins_chances():
    """Out, turns and points of 120 twin rounds against 4,000 compiled ones; each fails by chance 1 time in 15,000."""
    setting = scenario("redox", seed=5, players=2, decks=1, hand_size=7, max_turns=60)
    rows = Table(setting).play(0, 4000)
    source = random.Random(5)
    rounds = [naive.random_round(naive_rules(setting), source) for _ in range(120)]
    samples = [
        (rows["turns"], [position.turns for position in rounds]),
        (rows["points"][:, :2].sum(axis=1), [sum(naive.points(position)) for position in rounds]),
        (rows["outcome"] == 0, [position.outcome == "out" for position in rounds]),
    ]
    for compiled, twin in samples:
        assert _sigmas(np.asarray(compiled, float), np.asarray(twin, float)) < 4


def _sigmas(one, other):
    # The variance of both samples together: in 120 rounds a rare outcome may not occur at all.
    spread = np.sqrt(np.concatenate([one, other]).var() * (1 / len(one) + 1 / len(other)))
    return abs(one.mean() - other.mean()) / max(spread, 1e-9)
