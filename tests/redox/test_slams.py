"""Slams: the compiled functions against the slow twin."""

import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

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


def check(hand: list[int], min_naturals: int, limit: int) -> None:
    """All functions on one hand; the slow distance only if it is within a limit."""
    found = distance(hand, min_naturals)
    assert slam.is_slam(TABLES, *planes_of(hand), min_naturals) == (found == 0), hand
    expected = naive.slam_distance(hand, min_naturals, min(found, limit))
    assert expected == found if found <= limit else expected > limit, (hand, min_naturals, found, expected)


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


WITHOUT_COMPILATION = """
import json, sys
from kernels.redox import slam
tables = slam.tables()
answers = []
for (planes, jokers), min_naturals in json.load(sys.stdin):
    distance = slam.slam_distance(tables, tuple(planes), jokers, min_naturals)
    answers.append([int(distance), int(slam.is_slam(tables, tuple(planes), jokers, min_naturals))])
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
    for (hand, min_naturals), answer in zip(asked, answers, strict=True):
        assert answer == [
            slam.slam_distance(TABLES, *hand, min_naturals),
            slam.is_slam(TABLES, *hand, min_naturals),
        ]


def test_tables_travel_to_another_process_as_a_call() -> None:
    assert pickle.loads(pickle.dumps(TABLES)) is TABLES


def test_fast_answers_agree_with_the_exact_ones() -> None:
    rng = random.Random(5)
    for _ in range(2000):
        size = rng.choice((7, 9, 11, 13, 15, 15, 15))
        hand = planes_of(near_slam(rng, size, 2, 4, rng.choice((0, 1, 2, 5))))
        exact = general.distance(TABLES, *hand, 1, slam.ANY_DISTANCE)
        assert slam.slam_distance(TABLES, *hand, 1) == exact, hand
        assert slam.is_slam(TABLES, *hand, 1) == (exact == 0), hand
