"""Games that begin in the middle of a round, as one seat sees it."""

from dataclasses import replace
from math import comb, sqrt

import pytest

from kernels import engine, protocol
from kernels.registry import GAMES
from simcli.config.scenario import Position, Scenario
from simcli.play.simulate import Table
from tests.games import scenario
from tests.walk import Walk

games = pytest.mark.parametrize("name", GAMES)


def _seen(chosen: Scenario, decisions: int, viewer: int | None = None) -> tuple[Scenario, Walk]:
    """The scenario from where so many decisions of game 0 have been made, as the seat to act or `viewer` sees it."""
    walk = Walk(chosen)
    walk.deal()
    for number, seat in enumerate(walk.decisions()):
        if number == decisions:
            seat = seat if viewer is None else viewer
            protocol.hide(walk.rules, walk.state, seat)
            return replace(chosen, position=Position("here:1", seat, walk.state.tobytes())), walk
        walk.step(engine.APPLY, walk.choice())
    raise AssertionError("the round is over before")


@games
@pytest.mark.parametrize("viewer", [None, 0])
def test_games_go_on_from_the_position(name, viewer):
    chosen, walk = _seen(scenario(name, "expert", seed=3), 9, viewer)
    rows = Table(chosen).play(0, 300)
    first = rows[rows["round"] == 1]
    assert len(first) == 300
    assert (first["turns"] >= walk.state.turns).all()
    assert len(set(first["turns"].tolist())) > 3
    assert (first["leader"] == walk.state.leader).all()


@games
def test_a_game_of_its_number_is_the_same_in_any_slice(name):
    chosen, _ = _seen(scenario(name, "expert", seed=3), 5)
    whole = Table(chosen).play(0, 40).tobytes()
    table = Table(chosen)
    parts = {first: table.play(first, count) for first, count in ((25, 15), (0, 10), (10, 15))}
    assert b"".join(parts[first].tobytes() for first in sorted(parts)) == whole


def test_the_identity_tells_positions_apart():
    chosen = scenario("redten", "expert")
    one, other = _seen(chosen, 5)[0], _seen(chosen, 6)[0]
    assert len({chosen.identity, one.identity, other.identity}) == 3


def test_chances_are_the_exact_ones(monkeypatch):
    """In the toy game for two: whether the first player's highest card wins, after it has been played."""
    monkeypatch.setitem(GAMES, "toy", "tests.toy")
    chosen, walk = _seen(scenario("toy", "expert", seed=2), 1, viewer=0)
    played = int(walk.state.played[0])
    own = [int(card) for card in walk.state.hands[0]]
    not_higher = sum(card % 13 <= played % 13 for card in range(52) if card not in own)
    chance = comb(not_higher, 3) / comb(49, 3)
    rows = Table(chosen).play(0, 4000)
    won = (rows["winner"] == 0).mean()
    assert abs(won - chance) < 4 * sqrt(chance * (1 - chance) / 4000)
