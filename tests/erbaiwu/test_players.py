"""What players see, and what their parameters do."""

import copy

import pytest

from kernels import engine, policies, protocol
from kernels.erbaiwu import choices
from kernels.erbaiwu.options import PARAMETERS
from simcli.config.scenario import Policy, Scenario, Shuffle
from simcli.play.simulate import Table
from tests.games import from_values, scenario
from tests.test_conformance import Walk, restore


@pytest.mark.parametrize("policy", ["greedy", "expert"])
def test_hidden_cards_change_no_choice_in_any_phase(policy):
    code = policies.POLICIES.index(policy)
    phases = set()
    moved = 0
    for players in range(2, 7):
        values = scenario("erbaiwu", players=players).rules
        walk = Walk(from_values("erbaiwu", values, (policy, "random"), seed=players), players)
        for _ in walk.rounds(most=3):
            for seat in walk.decisions():
                action = walk.choice(code, seat)
                kept = copy.deepcopy(walk.state)
                protocol.redeal_hidden(walk.table.rules, walk.state, walk.work.streams, seat)
                moved += walk.state.tobytes() != kept.tobytes()
                assert int(walk.state.hands[seat]) == int(kept.hands[seat])
                assert walk.choice(code, seat) == action
                restore(walk.state, kept)
                phases.add(int(walk.state.phase))
                walk.step(engine.APPLY, walk.choice(walk.work.policy[seat], seat))
    assert phases == {choices.REDUCE, choices.DISCARD, choices.PONG}
    assert moved > 300


@pytest.mark.parametrize("knob", PARAMETERS["expert"], ids=lambda knob: knob.name)
def test_each_parameter_changes_some_match(knob):
    base = scenario("erbaiwu", "expert")
    usual = {other.name: other.default for other in PARAMETERS["expert"]}
    games = 600
    plain = Table(base).play(0, games).tobytes()
    for value in (knob.low, knob.high):
        seats = (Policy("expert", usual | {knob.name: value}),) * 4
        other = Scenario("x", "erbaiwu", base.rules, seats, Shuffle(), base.seed, games)
        if Table(other).play(0, games).tobytes() != plain:
            return
    raise AssertionError("no effect")
