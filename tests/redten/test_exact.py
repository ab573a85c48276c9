"""Exact values of the deal, counted in another way, and met by the deals."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from kernels.redten import exact
from simcli.play.simulate import Table
from tests.games import scenario
from tests.walk import Walk

DEALS = 20_000
SIGMAS = 4.5
"""Each share may be off by so many standard errors: less than one seed in 100 000 fails."""


def test_counts_are_integers_over_integers():
    total = exact.total({})
    assert total == 4 * math.factorial(54) // (math.factorial(14) ** 2 * math.factorial(13) ** 2)
    for event in exact.EVENTS:
        assert Fraction(exact.favourable(event, {}), total) == exact.probability(event)
        assert exact.probability(event) * total == exact.favourable(event, {})


def test_two_cards_in_one_hand():
    """Of the 54 * 53 / 2 pairs of places, those within one hand."""
    hand_of = [0] * 14 + [1] * 14 + [2] * 13 + [3] * 13
    together = sum(hand_of[a] == hand_of[b] for a, b in combinations(range(54), 2))
    assert exact.probability("solo") == exact.probability("jokers") == Fraction(together, 1431) == Fraction(338, 1431)


def test_leader_on_the_red_side():
    """Of the places of three given cards, those where the first shares its hand with one of the others."""
    hand_of = [0] * 14 + [1] * 14 + [2] * 13 + [3] * 13
    sizes = [14, 14, 13, 13]
    alone = sum((54 - sizes[hand]) * (53 - sizes[hand]) for hand in hand_of)
    assert exact.probability("leader_red") == 1 - Fraction(alone, 54 * 53 * 52)


def hands_without_bomb(size, special):
    """Hands without three alike by inclusion and exclusion over the ranks that have three or four."""
    count = 0
    for ranks in range(13):
        for fours in range(ranks + 1):
            held = 3 * (ranks - fours) + 4 * fours
            ways = math.comb(12, ranks) * math.comb(ranks, fours) * 4 ** (ranks - fours)
            if held <= size:
                count += (-1) ** ranks * ways * special(12 - ranks, size - held)
    return count


def any_cards(ranks, size):
    return math.comb(4 * ranks + 6, size)


def test_bombs_by_inclusion_and_exclusion():
    """A rank with three or four cards takes exactly those cards, so the signed sum over sets of such ranks is the
    number of hands without any."""
    for size in (13, 14):
        without = hands_without_bomb(size, any_cards)
        assert without == exact.hands_without_bomb(size, (1, 2, 1))
    chance = sum(1 - Fraction(hands_without_bomb(size, any_cards), math.comb(54, size)) for size in (13, 14)) / 2
    assert exact.probability("bomb") == chance


@pytest.fixture(scope="module")
def deals():
    table = Table(scenario("redten", "greedy", seed=2024))
    return table.play(0, DEALS)


@pytest.mark.parametrize("event", ["solo", "bomb", "leader_red"])
def test_deals_meet_the_exact_values(deals, event):
    red = deals["side"][np.arange(DEALS), deals["leader"]] == 1
    hits = {"solo": deals["solo"], "bomb": deals["dealt_bombs"][:, 2] > 0, "leader_red": red}[event].sum()
    p = float(exact.probability(event))
    assert abs(hits - DEALS * p) < SIGMAS * math.sqrt(DEALS * p * (1 - p))


def test_jokers_and_all_bombs_meet_the_exact_values():
    """Straight from the states just dealt; 3000 deals."""
    walk = Walk(scenario("redten", seed=5))
    hits = {"jokers": 0, "any_bomb": 0}
    count = 3000
    for number in range(count):
        walk.game = number
        walk.deal()
        held = [int(cards) for cards in walk.state.held]
        hits["jokers"] += any(hand >> 52 == 3 for hand in held)
        own = held[1]
        couple = own >> 52 == 3 or (own >> 22 & 1 and own >> 35 & 1)
        ranks = [sum(own >> (13 * suit + rank) & 1 for suit in range(4)) for rank in range(13) if rank != 9]
        hits["any_bomb"] += bool(couple or max(ranks) >= 3)
    for event, found in hits.items():
        p = float(exact.probability(event))
        assert abs(found - count * p) < SIGMAS * math.sqrt(count * p * (1 - p))
