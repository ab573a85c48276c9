"""The exact look at the last cards, against a plain search of every line of play."""

import copy
from typing import Any

import numpy as np

from kernels import engine, protocol
from kernels.redten.endgame import FEW_CARDS
from kernels.search import LEVELS
from tests.games import scenario
from tests.walk import Walk, restore

SMALL = 6


def _value(walk: Walk, seat: int) -> int:
    """Points of the seat with best play of both sides, every line looked at."""
    if walk.step(engine.IS_OVER):
        kept = copy.deepcopy(walk.state)
        walk.step(engine.SCORE)
        points = int(walk.state.points[seat])
        restore(walk.state, kept)
        return points
    kept = copy.deepcopy(walk.state)
    values = []
    for action in walk.actions():
        walk.step(engine.APPLY, action)
        values.append(_value(walk, seat))
        restore(walk.state, kept)
    return max(values) if kept.side[kept.turn] == kept.side[seat] else min(values)


def _solve(walk: Walk, seat: int) -> tuple[bool, Any]:
    state = copy.deepcopy(walk.state)
    work = walk.work
    levels = np.zeros(LEVELS, walk.table.kernel.STATE).view(np.recarray)
    return bool(protocol.solve(walk.rules, state, work.streams, work.actions, levels, seat)), state


def test_last_cards_are_played_as_well_as_can_be():
    compared = 0
    for game in range(12):
        walk = Walk(scenario("redten", "expert", seed=game), game)
        walk.deal()
        for seat in walk.decisions():
            left = int(walk.state.left.sum())
            if left <= SMALL:
                found, state = _solve(walk, seat)
                assert found
                assert protocol.utility(walk.rules, state, seat) == _value(walk, seat)
                compared += 1
            walk.step(engine.APPLY, walk.choice())
    assert compared > 10


def test_longer_hands_are_left_to_the_players():
    walk = Walk(scenario("redten", "expert"))
    walk.deal()
    for seat in walk.decisions():
        if walk.state.left.sum() <= FEW_CARDS:
            break
        assert not _solve(walk, seat)[0]
        walk.step(engine.APPLY, walk.choice())
