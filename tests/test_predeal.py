"""Predealt cards: they are where they were laid, all else is as the exact counts say, and later rounds know nothing."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from kernels import protocol
from kernels.notation import card_text, parse_cards
from kernels.registry import GAMES, Game
from simcli.config.scenario import Scenario
from tests.games import from_values, random_rules, records, scenario
from tests.transcripts import findings, lines_of
from tests.walk import Walk

ERROR_RATE = 1e-4
MARKED = "7s 7h 7d 7c"
"""Cards that are counted in other hands."""
DEALS = 1500

games = pytest.mark.parametrize("name", GAMES)


def predealt(chosen: Scenario, **hands: str) -> Scenario:
    """A scenario with cards given to `hand_0`, `hand_1`, ... or `face`."""
    given = {name.removeprefix("hand_"): tuple(sorted(parse_cards(text))) for name, text in hands.items()}
    return replace(chosen, predeal=given)


def deals(chosen: Scenario, count: int = DEALS) -> Iterator[dict[str, Any]]:
    """The `deal` lines of the first rounds of games 0, 1, ..., without any play."""
    walk = Walk(chosen)
    for walk.game in range(count):
        walk.deal()
        yield Game(chosen.game).transcript.deal_event(walk.rules, walk.state)


def held(line: dict[str, Any], name: str) -> Counter[str]:
    """Cards of a hand, or what lies open, in a `deal` line."""
    return Counter(line["hands"][int(name)] if name.isdecimal() else [line[name]])


def random_hands(chosen: Scenario, source: random.Random) -> dict[str, tuple[int, ...]]:
    """Cards for all hands that some deal has room for, many of them whole."""
    deal = Game(chosen.game).options.deal(chosen.rules)
    assert deal is not None
    order = source.choice(deal.orders)
    pack = source.sample(deal.pack, len(order))
    share = source.choice([0.2, 0.6, 1.0])
    hands: dict[str, list[int]] = {}
    for hand, card in zip(order, pack, strict=True):
        if source.random() < share:
            hands.setdefault(deal.hands[hand], []).append(card)
    return {name: tuple(sorted(hands[name])) for name in deal.hands if name in hands}


@games
def test_cards_are_where_they_were_laid_and_none_is_lost(name):
    source = random.Random(3)
    for number, values in enumerate(random_rules(name, 8, seed=5)):
        chosen = from_values(name, values, ("random",), seed=number)
        chosen = replace(chosen, predeal=random_hands(chosen, source))
        pack = Counter(Game(name).options.deal(values).pack)
        walk = Walk(chosen)
        for walk.game in range(6):
            walk.deal()
            assert {card: n for card, n in enumerate(walk.count_cards()) if n} == pack
            line = Game(name).transcript.deal_event(walk.rules, walk.state)
            for hand, cards in chosen.predeal.items():
                assert not Counter(map(card_text, cards)) - held(line, hand)


@games
def test_a_deal_of_everything_leaves_only_the_stock_to_chance(name):
    chosen = scenario(name)
    (line,) = deals(chosen, 1)
    deal = Game(name).options.deal(chosen.rules)
    hands = {hand: tuple(sorted(parse_cards(" ".join(held(line, hand).elements())))) for hand in deal.hands}
    for other in deals(replace(chosen, predeal=hands, seed=11), 20):
        assert [held(other, hand) for hand in deal.hands] == [held(line, hand) for hand in deal.hands]


@games
def test_other_hands_are_as_the_exact_counts_say(name):
    """Two of the marked cards and a joker lie in hand 0; how many of the rest another has is hypergeometric."""
    chosen = predealt(scenario(name), hand_0="7s 7h Xb")
    deal = Game(name).options.deal(chosen.rules)
    left = sum(card_text(card) in MARKED.split() for card in deal.pack) - 2
    seen: Counter[int] = Counter()
    expected = np.zeros(left + 1)
    for line in deals(chosen):
        seen[sum(card in MARKED.split() for card in line["hands"][1])] += 1
        expected += hypergeom(len(deal.pack) - 3, left, len(line["hands"][1])).pmf(range(left + 1))
    assert_fits([seen[number] for number in range(left + 1)], expected)


@games
def test_the_rest_of_the_hand_and_the_order_in_it_are_uniform(name):
    chosen = predealt(scenario(name), hand_1="7s Xb")
    deal = Game(name).options.deal(chosen.rules)
    left = sum(card_text(card) in MARKED.split() for card in deal.pack) - 1
    seen: Counter[int] = Counter()
    expected = np.zeros(left + 1)
    places: Counter[bool] = Counter()
    for line in deals(chosen):
        hand = line["hands"][1]
        seen[sum(card in MARKED.split() for card in hand) - 1] += 1
        expected += hypergeom(len(deal.pack) - 2, left, len(hand) - 2).pmf(range(left + 1))
        places[hand.index("7s") < hand.index("Xb")] += 1
    assert_fits([seen[number] for number in range(left + 1)], expected)
    if name == "dafuweng":  # the one game whose hands keep the order of the deal
        assert_fits([places[False], places[True]], np.array([DEALS / 2, DEALS / 2]))


def assert_fits(seen: list[int], expected: np.ndarray) -> None:
    """Counts against expected ones, those below five put together."""
    rare = expected < 5
    counts = np.append(np.array(seen)[~rare], np.array(seen)[rare].sum())
    wanted = np.append(expected[~rare], expected[rare].sum())
    possible = wanted > 0
    assert counts[~possible].sum() == 0
    assert chisquare(counts[possible], wanted[possible]).pvalue > ERROR_RATE


def test_a_joker_leaves_the_others_fewer():
    rows = records(predealt(scenario("redox", "greedy"), hand_0="Xb Xs"), 2000)
    share = sum(row["jokers_1"] > 0 for row in rows) / len(rows)
    exact = 1 - math.comb(104, 15) / math.comb(106, 15)
    assert abs(share - exact) < 4 * math.sqrt(exact * (1 - exact) / len(rows))


def test_the_dealt_distance_of_a_whole_hand_is_what_it_is():
    slam = "2s 3s 4s 5s 6h 7h 8h 4c 5c 6c 7c 8c Js Js Jh"
    assert {row["dealt_distance_0"] for row in records(predealt(scenario("redox", "greedy"), hand_0=slam), 50)} == {0}
    off = slam.replace("Js Js Jh", "Js Qd Kc")
    rows = records(predealt(scenario("redox", "greedy"), hand_0=off), 50)
    assert len({row["dealt_distance_0"] for row in rows}) == 1
    assert rows[0]["dealt_distance_0"] > 0
    assert len({row["dealt_distance_1"] for row in rows}) > 1


def test_the_face_card_lies_open():
    assert {line["face"] for line in deals(predealt(scenario("redox"), face="Kd", hand_2="Kd"), 20)} == {"Kd"}


@pytest.mark.parametrize(
    ("name", "first", "hands", "seats"),
    [
        ("redox", "leader", {"hand_0": "As"}, [0, 1, 2, 3]),
        ("dafuweng", "first", {"hand_3": "As Ah Ad"}, [0, 1, 2, 3]),
        ("erbaiwu", "dealer", {"hand_1": "As Ah Ad Ac 2s 2h"}, [0, 1, 2, 3]),
        ("erbaiwu", "dealer", {"hand_1": "As Ah Ad Ac 2s 2h 2d"}, [1]),
        ("redten", "first_drawer", {"hand_0": "As Ah Ad Ac 2s 2h 2d 2c 3s 3h 3d 3c 4s"}, [0, 1, 2, 3]),
        ("redten", "first_drawer", {"hand_0": "As Ah Ad Ac 2s 2h 2d 2c 3s 3h 3d 3c 4s 4h"}, [0, 3]),
    ],
)
def test_who_is_dealt_to_first_is_drawn_among_those_with_whom_the_cards_fit(name, first, hands, seats):
    drawn = Counter(line[first] for line in deals(predealt(scenario(name), **hands)))
    assert sorted(drawn) == seats
    assert len(seats) == 1 or chisquare(list(drawn.values())).pvalue > ERROR_RATE


@games
def test_later_rounds_are_dealt_as_ever(name):
    plain, given = Walk(scenario(name)), Walk(predealt(scenario(name), hand_0="7s 7h"))
    for walk in (plain, given):
        protocol.new_match(walk.rules, walk.state)
        walk.deal(2)
    assert plain.state.tobytes() == given.state.tobytes()


@games
def test_answers_averaged_over_random_hands_are_the_plain_answer(name):
    """Points of seat 0, whose first cards are drawn by an independent generator, against those of plain games."""
    chosen, source = scenario(name, "greedy"), random.Random(17)
    deal = Game(name).options.deal(chosen.rules)
    size = min(order.count(0) for order in deal.orders)
    means = []
    for number in range(150):
        hand = tuple(sorted(source.sample(deal.pack, size)))
        rows = records(replace(chosen, predeal={"0": hand}, seed=number), 12)
        means.append(np.mean([row["points_0"] for row in rows]))
    plain = [row["points_0"] for row in records(replace(chosen, seed=1000), 3000)]
    error = math.hypot(np.std(means) / math.sqrt(len(means)), np.std(plain) / math.sqrt(len(plain)))
    assert abs(np.mean(means) - np.mean(plain)) < 4 * error


@games
def test_transcripts_are_played_by_the_rules(name):
    chosen = predealt(scenario(name, "expert"), hand_0="7s 7h", hand_1="Xb")
    assert findings(chosen, lines_of(chosen, range(2))) == []
