"""Slams: the compiled functions against the slow twin, and their splits against the rules."""

import json
import os
import pickle
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from kernels.redox import slam
from kernels.redox.slam import general
from tests.naive import redox_slams as naive
from tests.redox.hands import JOKER, dealt, near_slam, planes_of

TABLES = slam.tables()
SIZES = (7, 8, 9, 10, 11, 12, 15, 15, 15, 16, 18)
JOKERS = (0, 1, 2, 4, 4, 8, 16)


def distance(hand: list[int], min_naturals: int) -> int:
    return int(slam.slam_distance(TABLES, *planes_of(hand), min_naturals))


def plots_of(hand: list[int], min_naturals: int) -> list[tuple[int, list[int]]]:
    out = np.zeros(slam.SPLIT_SIZE, dtype=np.int64)
    plots, at = [], 0
    for _ in range(slam.slam_split(TABLES, *planes_of(hand), min_naturals, out)):
        kind, size = int(out[at]), int(out[at + 1])
        plots.append((kind, [int(card) for card in out[at + 2 : at + 2 + size]]))
        at += 2 + size
    return plots


def check_split(hand: list[int], min_naturals: int) -> None:
    plots = plots_of(hand, min_naturals)
    assert Counter(card for _, plot in plots for card in plot) == Counter(min(card, JOKER) for card in hand)
    assert all(naive.legal_plot(plot, min_naturals) for _, plot in plots)
    assert all(naive.is_run(plot) for kind, plot in plots if kind == slam.RUN)
    assert any(len(plot) >= 4 for kind, plot in plots if kind == slam.RUN)


def check(hand: list[int], min_naturals: int, limit: int) -> None:
    """All functions on one hand; the slow distance only if it is within a limit."""
    found = distance(hand, min_naturals)
    planes = planes_of(hand)
    assert slam.is_slam(TABLES, *planes, min_naturals) == (found == 0), hand
    expected = naive.slam_distance(hand, min_naturals, min(found, limit))
    assert expected == found if found <= limit else expected > limit, (hand, min_naturals, found, expected)
    assert slam.is_partition(TABLES, *planes, min_naturals) == naive.is_partition(hand, min_naturals), hand
    if found == 0:
        check_split(hand, min_naturals)


def check_many(seed: int, hands: int, sizes: tuple[int, ...] = SIZES) -> None:
    rng = random.Random(seed)
    for _ in range(hands):
        size, decks, jokers = rng.choice(sizes), rng.choice((1, 2, 2, 3, 4)), rng.choice(JOKERS)
        hand = near_slam(rng, size, decks, jokers, rng.choice((0, 0, 1, 2)))
        check(hand, rng.choice((1, 1, 2, 3)), 1 if jokers > 4 or size > 12 else 2)


def test_many_hands_agree_with_the_slow_twin() -> None:
    check_many(1, 50)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 120))
def test_campaign_of_hands_agrees_with_the_slow_twin(seed: int) -> None:
    check_many(seed, 1000, (*SIZES, 20))


def test_dealt_hands_of_seven_agree_with_the_slow_twin_at_every_distance() -> None:
    rng = random.Random(2)
    for _ in range(60):
        check(dealt(rng, 7, 2, 4), rng.choice((1, 2, 3)), 7)


@pytest.mark.parametrize("min_naturals", [1, 2, 3])
def test_a_run_of_fourteen_is_a_slam_and_fifteen_places_do_not_exist(min_naturals: int) -> None:
    fourteen = [*range(13), 0]
    check(fourteen, min_naturals, 1)
    check([*fourteen, JOKER], min_naturals, 1)
    check([*fourteen[:13], JOKER], min_naturals, 1)
    check([*fourteen[:3], *[JOKER] * 12], min_naturals, 2)


@pytest.mark.parametrize("min_naturals", [1, 2, 3])
def test_hands_of_jokers(min_naturals: int) -> None:
    for size in range(7, 17):
        for naturals in range(4):
            check([5, 20, 5][:naturals] + [JOKER] * (size - naturals), min_naturals, 6)


def test_the_slam_of_the_worked_game() -> None:
    hand = [1, 2, 3, 4, 18, 19, 20, 42, 43, 44, 45, 46, 10, 10, 23]
    assert distance(hand, 1) == 0
    check_split(hand, 1)


def test_a_run_can_be_laid_if_the_slow_twin_finds_one() -> None:
    rng = random.Random(3)
    for _ in range(500):
        hand = dealt(rng, rng.randint(4, 12), 2, 10)
        p1, _, _, _, jokers = planes_of(hand)
        for min_naturals in (1, 2, 3):
            assert slam.can_open(p1, jokers, min_naturals) == _can_lay_a_run(hand, min_naturals), hand


def _can_lay_a_run(hand: list[int], min_naturals: int) -> bool:
    jokers = sum(card >= JOKER for card in hand)
    for suit in range(4):
        counts = Counter(card % 13 for card in hand if card // 13 == suit)
        for start in range(11):
            for end in range(start + 3, 14):
                wanted = Counter(place % 13 for place in range(start, end + 1))
                naturals = sum((wanted & counts).values())
                if naturals >= min_naturals and end - start + 1 - naturals <= jokers:
                    return True
    return False


WITHOUT_COMPILATION = """
import json, sys
from kernels.redox import slams, slams_exact
tables = slam.tables()
answers = []
for planes, min_naturals in json.load(sys.stdin):
    answers.append([
        int(slam.slam_distance(tables, *planes, min_naturals)),
        int(slam.is_slam(tables, *planes, min_naturals)),
        int(slam.is_partition(tables, *planes, min_naturals)),
    ])
print(json.dumps([len(tables.covers), answers]))
"""


@pytest.mark.parametrize("saved_tables", [True, False])
def test_plain_python_gives_the_same_answers(saved_tables: bool, tmp_path: Path) -> None:
    rng = random.Random(4)
    hands = [near_slam(rng, 15 if saved_tables else 9, 2, 3, rng.choice((0, 1, 3))) for _ in range(12)]
    asked = [(planes_of(hand), 1 if saved_tables else rng.choice((1, 2))) for hand in hands]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    if not saved_tables:
        environment["SIMCLI_CACHE"] = str(tmp_path)
    command = [sys.executable, "-W", "error", "-c", WITHOUT_COMPILATION]
    done = subprocess.run(
        command, input=json.dumps(asked), env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    entries, answers = json.loads(done.stdout)
    assert saved_tables or entries == 0
    for (planes, min_naturals), answer in zip(asked, answers, strict=True):
        assert answer == [
            slam.slam_distance(TABLES, *planes, min_naturals),
            slam.is_slam(TABLES, *planes, min_naturals),
            slam.is_partition(TABLES, *planes, min_naturals),
        ]


def test_tables_travel_to_another_process_as_a_call() -> None:
    assert pickle.loads(pickle.dumps(TABLES)) is TABLES


def test_fast_answers_agree_with_the_exact_ones() -> None:
    rng = random.Random(5)
    for _ in range(2000):
        size = rng.choice((7, 9, 11, 13, 15, 15, 15))
        planes = planes_of(near_slam(rng, size, 2, 4, rng.choice((0, 1, 2, 5))))
        exact = general.distance(TABLES, *planes, 1)
        assert slam.slam_distance(TABLES, *planes, 1) == exact, planes
        assert slam.is_slam(TABLES, *planes, 1) == (exact == 0), planes
