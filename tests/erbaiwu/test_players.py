"""What players see."""

import copy

import pytest

from kernels import engine
from kernels.erbaiwu import choices
from kernels.options import PLAIN_POLICIES
from tests.games import from_values, scenario
from tests.walk import Walk, restore


@pytest.mark.parametrize("policy", ["greedy", "expert"])
def test_hidden_cards_change_no_choice_in_any_phase(policy):
    code = PLAIN_POLICIES.index(policy)
    phases = set()
    moved = 0
    for players in range(2, 7):
        values = scenario("erbaiwu", players=players).rules
        walk = Walk(from_values("erbaiwu", values, (policy, "random"), seed=players), players)
        for _ in walk.rounds(most=3):
            for seat in walk.decisions():
                action = walk.choice(code, seat)
                kept = copy.deepcopy(walk.state)
                walk.redeal(seat)
                moved += walk.state.tobytes() != kept.tobytes()
                assert int(walk.state.hands[seat]) == int(kept.hands[seat])
                assert walk.choice(code, seat) == action
                restore(walk.state, kept)
                phases.add(int(walk.state.phase))
                walk.step(engine.APPLY, walk.choice(walk.work.policy[seat], seat))
    assert phases == {choices.REDUCE, choices.DISCARD, choices.PONG}
    assert moved > 300
