"""The compiled game against the slow twin: every legal action of every decision, and every line."""

import numpy as np
import pytest

from kernels import engine
from kernels.erbaiwu import transcript
from kernels.options import PLAIN_POLICIES
from simcli.config.scenario import Shuffle
from simcli.play.simulate import Table
from tests.erbaiwu.position import line_of
from tests.games import from_values, random_rules, scenario
from tests.naive import erbaiwu as naive
from tests.walk import Walk


def twin_options(values):
    scoring = {name.removeprefix("scoring."): value for name, value in values.items() if name.startswith("scoring.")}
    plain = {"players": values["players"], "until": values["match.until"], "rounds": values["match.rounds"]}
    named = {name: values[name] for name in ("max_rounds", "whole_five_before_gouge", "held_sevens")}
    return naive.options(scoring=scoring, **plain, **named)


class Pair:
    """A compiled game and its twin, side by side."""

    def __init__(self, chosen):
        self.walk = Walk(chosen)
        self.table = self.walk.table
        self.options = twin_options(chosen.rules)
        self.decisions = 0

    def legal_lines(self, state):
        """The compiled game's legal actions in this state as lines."""
        self.walk.state = state
        return [line_of(state, action) for action in self.walk.actions()]

    def play(self, game):
        states, moves = self.table.trace(game)
        match = naive.Match(self.options)
        twin = None
        for i, move in enumerate(moves):
            if move.action == engine.DEALT:
                dealt = transcript.deal_event(self.table.rules, states[i])
                assert match.dealer in (None, dealt["dealer"])
                assert dealt["round"] == match.round + 1
                twin = naive.Round(self.options, dealt["hands"], dealt["stock"], dealt["dealer"])
            elif move.action == engine.SCORED:
                self.compare_end(twin, match, states[i - 1], states[i])
            else:
                self.compare_decision(twin, states[i - 1], move, states[i])
        assert match.outcome is not None

    def compare_decision(self, twin, before, move, after):
        self.decisions += 1
        assert not twin.over
        assert twin.to_act() == move.seat
        legal = [naive.key(line) for line in twin.legal()]
        assert len(set(legal)) == len(legal) == move.legal
        assert {naive.key(line) for line in self.legal_lines(before)} == set(legal)
        first, *rest = transcript.events(self.table.rules, before, move, after)
        assert naive.key(first) in legal
        drawn = twin.stock[0] if first["e"] == "draw" else None
        assert twin.play(first) == rest
        assert drawn is None or drawn == first["card"]
        assert [sorted(hand) for hand in twin.hands] == [
            sorted(hand) for hand in transcript.deal_event(self.table.rules, after)["hands"]
        ]
        assert set(naive.count_cards(twin).values()) == {1}
        assert twin.over == bool(after.over)

    def compare_end(self, twin, match, before, after):
        counted, flags, points = twin.score()
        match.book(twin)
        score, *end = transcript.end_events(self.table.rules, before, after)
        assert score["round"] == counted
        assert score["points"] == points
        assert sorted(score["flags"]) == sorted(flags)
        assert score["totals"] == match.totals
        assert score["bonus250"] == match.bonus
        assert bool(after.followed) == twin.followed
        assert after.outlaw_fines == twin.outlaw_fines
        assert after.pongs == twin.pongs
        assert after.turns == twin.turns
        assert bool(end) == (match.outcome is not None)
        if end:
            due = {"e": "end", "outcome": match.outcome, "losers": match.losers(), "rounds": match.round}
            assert end == [due]


MIXED = [("random",), ("greedy",), ("expert",), ("random", "expert", "greedy")]


@pytest.mark.parametrize("players", range(2, 7))
def test_every_decision_under_the_default_rules(players):
    for number, mix in enumerate(MIXED):
        values = scenario("erbaiwu", players=players).rules
        pair = Pair(from_values("erbaiwu", values, mix, seed=number))
        for game in range(2):
            pair.play(game)
        assert pair.decisions > 50


def test_every_decision_under_random_rules():
    for number, values in enumerate(random_rules("erbaiwu", 12, seed=11)):
        Pair(from_values("erbaiwu", values, PLAIN_POLICIES, seed=number)).play(number)


@pytest.mark.parametrize("kind", ["riffle", "overhand"])
def test_every_decision_with_a_physical_shuffle(kind):
    pair = Pair(scenario("erbaiwu", shuffle=Shuffle(kind, 3)))
    for game in range(3):
        pair.play(game)


@pytest.mark.campaign
def test_every_decision_of_many_games():
    for number, values in enumerate(random_rules("erbaiwu", 300, seed=12)):
        pair = Pair(from_values("erbaiwu", values, MIXED[number % len(MIXED)], seed=number))
        for game in range(5):
            pair.play(game)


def mean_and_error(values):
    values = np.asarray(values, float)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


def compare_means(naive_values, compiled_values, errors):
    mean, error = mean_and_error(naive_values)
    other, other_error = mean_and_error(compiled_values)
    assert abs(mean - other) <= errors * np.hypot(error, other_error)


def compare_distributions(games, seed, errors):
    """Random play of both: means by game of what a round may bring, within so many standard errors."""
    source = naive.shuffled(seed)
    chosen = scenario("erbaiwu", seed=seed)
    rows = Table(chosen).play(0, 40 * games)
    first_rows = rows[rows["round"] == 1]
    firsts = []
    sizes = []
    for _ in range(games):
        match, rounds = naive.random_match(naive.options(), source)
        sizes.append((match.round, len(match.losers())))
        firsts.append(rounds[0])
    last = rows[rows["match_over"]]
    compare_means([size for size, _ in sizes], last["round"], errors)
    compare_means([losers for _, losers in sizes], last["lost"].sum(axis=1), errors)
    compare_means([r.turns for r in firsts], first_rows["turns"], errors)
    compare_means([r.pongs for r in firsts], first_rows["pongs"], errors)
    compare_means([r.outlaw_fines for r in firsts], first_rows["outlaw_fines"], errors)
    compare_means([r.settler is not None for r in firsts], first_rows["settler"] >= 0, errors)
    compare_means([sum(r.score()[0]) for r in firsts], first_rows["hand"].sum(axis=1), errors)


def test_random_play_has_the_same_distribution():
    # Seven comparisons at four standard errors: a false alarm in fewer than 1 of 2000 seeds; the seed is fixed.
    compare_distributions(games=40, seed=3, errors=4)


@pytest.mark.campaign
def test_random_play_has_the_same_distribution_in_many_games():
    compare_distributions(games=4000, seed=4, errors=4)
