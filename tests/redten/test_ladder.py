"""Expert over greedy over random, on the same deals with the seats rotated."""

import pytest

from kernels import policies
from simcli.play.simulate import Table
from tests.games import from_values, scenario

SIGMAS = 5
"""The weaker player would pass for the stronger by chance in one of three million seeds."""


def margin(better, worse, deals, seed):
    """Mean points a deal that one seat of `better` among three of `worse` makes, over its four places, and the
    standard error of that mean by deals."""
    values = dict(scenario("redten").rules)
    points = 0
    for seat in range(4):
        seats = tuple(better if other == seat else worse for other in range(4))
        points = points + Table(from_values("redten", values, seats, seed=seed)).play(0, deals)["points"][:, seat]
    points = points / 4
    return points.mean(), points.std(ddof=1) / len(points) ** 0.5


@pytest.mark.parametrize(("better", "worse"), [("expert", "greedy"), ("greedy", "random"), ("expert", "random")])
def test_each_rung_beats_the_one_below(better, worse):
    assert {better, worse} <= set(policies.POLICIES)
    mean, error = margin(better, worse, 3000, seed=31)
    assert mean > SIGMAS * error


@pytest.mark.campaign
def test_each_rung_beats_the_one_below_by_far():
    for better, worse, least in (("expert", "greedy", 0.4), ("greedy", "random", 1.2), ("expert", "random", 1.5)):
        mean, error = margin(better, worse, 40_000, seed=32)
        assert mean - SIGMAS * error > least
