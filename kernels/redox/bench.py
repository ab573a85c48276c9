"""What `simcli bench redox` times besides whole rounds: deals, and slams on random and on hard hands."""

from functools import partial
from typing import Any

import numpy as np

from kernels import engine, rng
from kernels.compiler.jit import jit
from kernels.measure import Measure, Ratio, Suite
from kernels.notation import SMALL_JOKER, SUIT_SIZE
from kernels.options import compile_rules, defaults
from kernels.redox import game, options, slam
from kernels.redox.hand import planes_and_jokers
from kernels.redox.planes import COPIES, planes_of

_SEED = 7
_HAND = 15
_RANDOM_HANDS = 20_000
_HARD_HANDS = 4_000
_MAX_JOKERS = 4
_MAX_DISTANCE = 3
"""Hard hands: half of them slams, the others at distance 1 to 3, with 0 to 4 jokers evenly."""
_LENGTHS = (3, 4, 4, 5, 6, 8, 14)
_RUN_SHARE = 0.6
_DEAL, _SLAM, _DISTANCE = "redox: a deal", "redox: a slam detected", "redox: a distance measured"


@jit
def _deal(rules, state, streams, count):
    """Deal the first round of games 0 to count - 1."""
    for number in range(count):
        game.new_match(rules, state)
        state.round_no = 1
        rng.start_round(streams, number, 1)
        game.deal(rules, state, streams)


@jit
def _count_slams(tables, hands):
    found = 0
    for i in range(len(hands)):
        found += slam.is_slam(tables, planes_of(hands, i), hands[i, COPIES], 1)
    return found


@jit
def _sum_distances(tables, hands):
    total = 0
    for i in range(len(hands)):
        total += slam.slam_distance(tables, planes_of(hands, i), hands[i, COPIES], 1)
    return total


# Hands


def _row(hand: list[int]) -> list[int]:
    """Four planes and the number of jokers."""
    planes, jokers = planes_and_jokers(hand)
    return [*planes, jokers]


def _random_hands() -> np.ndarray:
    pack = np.array([*range(SMALL_JOKER), *range(SMALL_JOKER)] + [SMALL_JOKER] * _MAX_JOKERS)
    source = np.random.default_rng(_SEED)
    return np.array([_row(list(map(int, source.permutation(pack)[:_HAND]))) for _ in range(_RANDOM_HANDS)])


def _some_plot(source: np.random.Generator) -> list[int]:
    if source.random() < _RUN_SHARE:
        length = int(source.choice(_LENGTHS))
        suit, start = int(source.integers(4)), int(source.integers(SUIT_SIZE + 2 - length))
        return [suit * SUIT_SIZE + (start + i) % SUIT_SIZE for i in range(length)]
    rank = int(source.integers(SUIT_SIZE))
    return [int(source.integers(4)) * SUIT_SIZE + rank for _ in range(int(source.integers(3, 6)))]


def _near_slam(source: np.random.Generator, jokers: int) -> list[int] | None:
    """Plots cut to a hand, a few cards exchanged, some replaced by jokers; None if two decks cannot give it."""
    hand: list[int] = []
    while len(hand) < _HAND:
        hand += _some_plot(source)
    hand = hand[-_HAND:]
    for _ in range(int(source.integers(_MAX_DISTANCE + 1))):
        hand[int(source.integers(_HAND))] = int(source.integers(SMALL_JOKER))
    for place in source.permutation(_HAND)[:jokers]:
        hand[int(place)] = SMALL_JOKER
    return hand if all(hand.count(card) <= 2 for card in set(hand) - {SMALL_JOKER}) else None


def _hard_hands(tables: Any) -> np.ndarray:
    source = np.random.default_rng(_SEED)
    share = _HARD_HANDS // (2 * (_MAX_JOKERS + 1))
    kept: dict[tuple[int, bool], list[list[int]]] = {
        (jokers, slam): [] for jokers in range(_MAX_JOKERS + 1) for slam in (True, False)
    }
    while any(len(hands) < share for hands in kept.values()):
        jokers = int(source.integers(_MAX_JOKERS + 1))
        hand = _near_slam(source, jokers)
        if hand is None:
            continue
        distance = int(slam.slam_distance(tables, *planes_and_jokers(hand), 1))
        group = kept[jokers, distance == 0]
        if distance <= _MAX_DISTANCE and len(group) < share:
            group.append(_row(hand))
    return source.permutation(np.array([hand for hands in kept.values() for hand in hands]))


# What is timed


def _over(function: Any, tables: Any, hands: np.ndarray, count: int) -> None:
    """A function of a table of hands, over so many of them."""
    for _ in range(max(1, count // len(hands))):
        function(tables, hands[: max(1, min(count, len(hands)))])


def suite() -> Suite:
    """Deals and slams, and how they and whole rounds compare with what others do."""
    rules = game.prepare(
        compile_rules(options.Rules, options.OPTIONS, options.check(defaults(options.OPTIONS)), "uniform", 0)
    )
    tables = rules.tables
    random, hard = _random_hands(), _hard_hands(tables)
    deal = partial(_deal, rules, engine.new_state(game), rng.new_streams(_SEED))
    measures = [Measure(_DEAL, deal, 200_000)]
    for kind, hands in (("random", random), ("hard", hard)):
        measures += [
            Measure(f"{_SLAM}, {kind} hands", partial(_over, _count_slams, tables, hands), 10 * len(hands)),
            Measure(f"{_DISTANCE}, {kind} hands", partial(_over, _sum_distances, tables, hands), 10 * len(hands)),
        ]
    return Suite(measures, _ratios())


def _ratios() -> list[Ratio]:
    return [
        Ratio("redox: numpy's permutation over a deal", "numpy permutes 108 cards", _DEAL, low=9),
        Ratio("redox: a deal by dealer over a deal", "a deal by dealer", _DEAL, low=2),
        Ratio("redox: slam detection, random hands, over a deal", f"{_SLAM}, random hands", _DEAL, high=0.1),
        Ratio("redox: slam detection, hard hands, over a deal", f"{_SLAM}, hard hands", _DEAL, high=0.8),
        Ratio("redox: distance, random hands, over a deal", f"{_DISTANCE}, random hands", _DEAL, high=1.5),
        Ratio("redox: distance, hard hands, over a deal", f"{_DISTANCE}, hard hands", _DEAL, high=2),
        Ratio("redox: a decision of OpenSpiel's gin rummy bots over a turn by expert",
              "a decision of OpenSpiel's gin rummy bots", "redox: a turn by expert", low=300),
        Ratio("redox: a decision of OpenSpiel's hearts at random over a turn by random",
              "a decision of OpenSpiel's hearts, at random", "redox: a turn by random", low=1),
    ]  # fmt: skip
