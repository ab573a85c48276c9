"""What a seat cannot see: what stays when it is dealt anew, and that no player looks at it."""

import copy

import numpy as np
import pytest

from kernels import engine
from kernels.redten import dealing, plays
from kernels.redten.packed import RED_TENS, THREE_OF_HEARTS, pack
from tests.games import scenario
from tests.redten.positions import Position
from tests.walk import Walk, restore


def decisions(chosen, game=0):
    """The walk through one hand, who is to act and what they do, with a stop at every decision."""
    walk = Walk(chosen, game)
    walk.deal()
    for seat in walk.decisions():
        choice = walk.step(engine.CHOOSE, seat)
        yield walk, seat, choice
        walk.step(engine.APPLY, choice)


def check_redealt(before, after, seat):
    """Everything public, and what is the seat's own, is as before; the cards are all there."""
    assert after.held[seat] == before.held[seat]
    assert after.left.tolist() == before.left.tolist() == [int(held).bit_count() for held in after.held]
    assert sum(int(held) for held in after.held) == sum(int(held) for held in before.held)
    assert [pack(int(held)) for held in after.held] == after.hand.tolist()
    assert 1 <= sum(after.side) <= 2
    assert after.solo == (sum(after.side) == 1)
    if before.asking != dealing.NOBODY:
        return
    for other in range(4):
        assert int(after.held[other]) & int(before.public_tens) == int(before.held[other]) & int(before.public_tens)
        assert (int(after.held[other]) ^ int(before.held[other])) >> THREE_OF_HEARTS & 1 == 0
        if int(before.public_reds) >> other & 1:
            assert after.side[other]
        if int(before.showing[other]).bit_count() == 1:
            assert int(after.held[other]) & RED_TENS & ~int(before.showing[other]) == 0
    for field in ("leader", "shown", "table", "turn", "going", "unplayed", "public_tens", "public_reds"):
        assert after[field] == before[field]


@pytest.mark.parametrize("policy", ["greedy", "expert"])
def test_hidden_cards_never_change_a_choice(policy):
    moved = 0
    for game in range(12):
        for number, (walk, seat, choice) in enumerate(decisions(scenario("redten", policy, seed=8), game)):
            kept = copy.deepcopy(walk.state)
            for _ in range(3 if number < 4 else 1):
                walk.redeal(seat)
                check_redealt(kept, walk.state, seat)
                moved += walk.state.held.tolist() != kept.held.tolist()
                assert walk.step(engine.CHOOSE, seat) == choice
                restore(walk.state, kept)
    assert moved > 500


def test_a_decision_to_show_is_hidden_from_the_next_holder():
    for first in (plays.SHOW, plays.DECLINE):
        position = Position("Th 6s 7c", "3h 4h", "Td 6d 2s 2c", "3c 4c").ask().act(first)
        assert (
            position.choice() == Position("Th 6s 7c", "3h 4h", "Td 6d 2s 2c", "3c 4c").ask().act(plays.DECLINE).choice()
        )
        seen = set()
        for _ in range(40):
            position.redeal(2)
            earlier = [int(position.state.showing[seat]) != 0 for seat in (0, 1)]
            seen.add(tuple(earlier))
            assert all(position.state.side[seat] for seat in (0, 1) if position.state.showing[seat])
        assert len(seen) > 1


def test_each_hidden_card_may_lie_in_each_hidden_place():
    """Seat 1 may hold each of six cards with chance 1/3; 900 trials, each share within 4.5 standard errors."""
    position = Position("3s", "4s 5s", "6s 7s", "8s 9s", leader=0, sides=(0, 0, 0, 0))
    count = np.zeros(54)
    trials = 900
    for _ in range(trials):
        position.redeal(0)
        for card in range(54):
            count[card] += int(position.state.held[1]) >> card & 1
    found = count[count > 0]
    assert len(found) == 6
    assert np.abs(found / trials - 1 / 3).max() < 4.5 * (2 / 9 / trials) ** 0.5


def test_count_cards_counts_every_card_once():
    for walk, _, _ in decisions(scenario("redten", seed=3)):
        assert walk.count_cards() == [1] * 54
