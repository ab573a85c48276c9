"""The ladder of players: expert over greedy over random, on paired deals with the teams' seats changed."""

import math

import numpy as np
import pytest

from simcli.play.simulate import Table
from tests.games import from_values, scenario

Z = 4
"""A ladder without a step would pass one comparison with chance below 1e-4."""


def advantage(strong, weak, games, seed, **rules):
    """Mean and standard error of the strong team's points a game (1 won, -1 lost), over pairs of the same deal."""
    values = scenario("dafuweng", **rules).rules
    pairs = []
    for team, policies in enumerate(((strong, weak), (weak, strong))):
        outcome = Table(from_values("dafuweng", values, policies, seed)).play(0, games)["outcome"]
        pairs.append((outcome == team).astype(float) - (outcome == 1 - team))
    means = (pairs[0] + pairs[1]) / 2
    return float(np.mean(means)), float(np.std(means)) / math.sqrt(games)


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize(("strong", "weak"), [("greedy", "random"), ("expert", "greedy"), ("expert", "random")])
def test_each_step_of_the_ladder_shows(strong, weak, players):
    mean, error = advantage(strong, weak, 4000, seed=21, players=players)
    assert mean > Z * error


OTHER_RULES = [{"death": "cannot_play"}, {"players": 8}, {"revive_gain": "play", "decks": 2}]


@pytest.mark.parametrize("rules", OTHER_RULES, ids=str)
def test_the_expert_leads_under_other_rules_too(rules):
    mean, error = advantage("expert", "greedy", 4000, seed=22, **rules)
    assert mean > Z * error


@pytest.mark.campaign
@pytest.mark.parametrize("players", [2, 4, 6, 8, 10])
def test_the_ladder_at_length(players):
    for strong, weak in (("greedy", "random"), ("expert", "greedy")):
        mean, error = advantage(strong, weak, 200_000, seed=23, players=players)
        assert mean > 10 * error
