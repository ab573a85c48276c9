"""The searching player: the same for every game, and honest about what it may see."""

import copy
from math import comb

import numpy as np
import pytest

from kernels import engine
from kernels.options import parameters_of
from kernels.registry import GAMES, Game
from kernels.search import WORLD, enter_world, new_searcher, search, try_candidates
from simcli.config.scenario import Policy, Scenario
from simcli.play import threads
from simcli.play.simulate import Table, plain_params
from tests.games import from_values, random_rules, scenario
from tests.walk import Walk, restore

games = pytest.mark.parametrize("name", [*GAMES, "toy"])
WORLDS = {"worlds": 4, "candidates": 4}


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", "tests.toy")


def searching(chosen: Scenario, seats: tuple[int, ...] = (0,), **params: int) -> Scenario:
    """The scenario with some seats searching, its other players as they are."""
    usual = {one.name: one.default for one in parameters_of({}, "search")}
    player = Policy("search", usual | WORLDS | params)
    players = tuple(player if seat in seats else other for seat, other in enumerate(chosen.policies))
    return Scenario(chosen.name, chosen.game, chosen.rules, players, chosen.shuffle, chosen.seed, chosen.games)


class Seeker:
    """The searching player beside a walk through a game."""

    def __init__(self, name: str, walk: Walk, **params: int) -> None:
        self.walk = walk
        self.searcher = new_searcher(walk.table.kernel, plain_params(Game(name)))
        self.params = copy.deepcopy(walk.work.params[0])
        for one in parameters_of({}, "search"):
            self.params[one.name] = (WORLDS | params).get(one.name, one.default)

    def choice(self, decision: int, seat: int) -> int:
        walk = self.walk
        return int(
            search(walk.rules, self.params, walk.state, walk.work.streams, self.searcher, np.int64(decision), seat)
        )


@games
def test_games_are_the_same_in_any_split_and_on_any_number_of_threads(name):
    for number, values in enumerate(random_rules(name, 2, seed=3)):
        chosen = searching(from_values(name, values, ("expert", "greedy", "random"), seed=number), (0, 1))
        whole = Table(chosen).play(0, 12).tobytes()
        table = Table(chosen)
        parts = {first: table.play(first, count) for first, count in ((7, 5), (0, 2), (2, 5))}
        assert b"".join(parts[first].tobytes() for first in sorted(parts)) == whole
        wanted = [threads.Piece(first, 3) for first in range(0, 12, 3)]
        assert b"".join(rows.tobytes() for _, rows in threads.parts(chosen, wanted, 2)) == whole


@games
def test_a_game_looked_at_is_the_game_played(name):
    chosen = searching(scenario(name, "expert", seed=4))
    table = Table(chosen)
    row = table.play(3, 1)
    states, moves = table.trace(3)
    assert len(moves) > 2
    assert states[-1]["points"].tolist() == row[-1]["points"].tolist()[: len(states[-1]["points"])]


@games
def test_what_a_seat_cannot_see_never_changes_its_choice(name):
    changed = 0
    for game in range(2):
        walk = Walk(scenario(name, "expert", seed=game), game)
        seeker = Seeker(name, walk)
        for _ in walk.rounds(most=1):
            for number, seat in enumerate(walk.decisions()):
                action = seeker.choice(number, seat)
                assert action in walk.actions()
                if number % 3 == 0:
                    kept = copy.deepcopy(walk.state)
                    eager = int(walk.state.eager)
                    walk.redeal(seat)
                    walk.state.eager = eager
                    changed += walk.state.tobytes() != kept.tobytes()
                    assert seeker.choice(number, seat) == action
                    restore(walk.state, kept)
                walk.step(engine.APPLY, action)
    assert changed >= 2


@games
def test_worlds_conserve_cards_and_differ(name):
    walk = Walk(scenario(name, "expert", seed=8))
    seeker = Seeker(name, walk)
    walk.deal()
    pack = walk.count_cards()
    for number, seat in enumerate(walk.decisions()):
        seeker.choice(number, seat)
        seen = set()
        for world in range(6):
            enter_world(walk.rules, seeker.searcher, seat, np.int64(world))
            walk_state = copy.deepcopy(walk.state)
            restore(walk.state, seeker.searcher.states[WORLD])
            assert walk.count_cards() == pack
            seen.add(walk.state.tobytes())
            restore(walk.state, walk_state)
        if number == 0:
            assert len(seen) > 1
        walk.step(engine.APPLY, walk.choice())
        if number == 12:
            break


@games
def test_it_draws_nothing_from_the_streams_of_the_game(name):
    walk = Walk(scenario(name, "expert", seed=1))
    walk.deal()
    seeker = Seeker(name, walk)
    before = walk.work.streams.tobytes()
    state = walk.state.tobytes()
    seeker.choice(0, next(walk.decisions()))
    assert (walk.work.streams.tobytes(), walk.state.tobytes()) == (before, state)


def test_who_asks_for_no_search_gets_a_table_without_one():
    assert Table(scenario("redten", "expert")).work.searcher is None
    assert Table(searching(scenario("redten", "expert"))).work.searcher is not None


def test_values_in_worlds_are_the_exact_expectation():
    """Of the toy game for two, in which a card wins if no card of the other hand is higher."""
    name = "toy"
    walk = Walk(scenario(name, "expert", seed=2))
    walk.deal()
    seeker = Seeker(name, walk)
    seeker.choice(0, 0)
    hand = [int(card) for card in walk.state.hands[0]]
    unseen = [card for card in range(52) if card not in hand]
    worlds = 4000
    totals = np.zeros(len(hand))
    seeker.searcher.candidates[: len(hand)] = range(len(hand))
    for world in range(worlds):
        try_candidates(walk.rules, seeker.searcher, 0, np.int64(world), len(hand))
        totals += seeker.searcher.values[0, : len(hand)]
    for card, total in zip(hand, totals, strict=True):
        not_higher = sum(other % 13 <= card % 13 for other in unseen)
        chance = comb(not_higher, len(hand)) / comb(len(unseen), len(hand))
        assert abs(total / worlds - chance) < 4 * np.sqrt(chance * (1 - chance) / worlds) + 1e-9
