"""Speed of the slam functions: `python -m tests.redox.bench_slams` prints medians of five rounds, in nanoseconds."""

import random
import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.compiler.jit import jit
from kernels.redox import slam
from tests.redox.hands import dealt, near_slam, planes_of

Hands = NDArray[np.int64]
ROUNDS = 5
HANDS = 4000


@jit
def count_slams(tables: Any, hands: Any, min_naturals: int) -> Any:
    found = 0
    for i in range(len(hands)):
        hand = hands[i]
        found += slam.is_slam(tables, hand[0], hand[1], hand[2], hand[3], hand[4], min_naturals)
    return found


@jit
def sum_distances(tables: Any, hands: Any, min_naturals: int) -> Any:
    total = 0
    for i in range(len(hands)):
        hand = hands[i]
        total += slam.slam_distance(tables, hand[0], hand[1], hand[2], hand[3], hand[4], min_naturals)
    return total


@jit
def count_openings(tables: Any, hands: Any, min_naturals: int) -> Any:
    found = 0
    for i in range(len(hands)):
        found += slam.can_open(hands[i, 0], hands[i, 4], min_naturals)
    return found


def packed(hands: Iterable[list[int]]) -> Hands:
    return np.array([planes_of(hand) for hand in hands], dtype=np.int64)


def random_hands(count: int, decks: int = 2) -> Hands:
    """Hands of 15 from a shuffled pack with two jokers a deck."""
    rng = random.Random(1)
    return packed(dealt(rng, 15, decks, 2 * decks) for _ in range(count))


def hard_hands(count: int) -> Hands:
    """Half of them slams, half at distance 1 to 3, with 0 to 4 jokers evenly."""
    rng = random.Random(2)
    tables = slam.tables()
    kept: dict[tuple[int, bool], list[list[int]]] = {(n, slam): [] for n in range(5) for slam in (True, False)}
    share = count // len(kept)
    while any(len(hands) < share for hands in kept.values()):
        hand = near_slam(rng, 15, 2, 4, rng.choice((0, 1, 2, 3)))
        planes = planes_of(hand)
        distance = slam.slam_distance(tables, *planes, 1)
        group = kept[planes[4], distance == 0]
        if distance <= 3 and len(group) < share:
            group.append(hand)
    hands = [hand for group in kept.values() for hand in group]
    rng.shuffle(hands)
    return packed(hands)


def median_ns(function: Callable[..., int], hands: Hands, min_naturals: int = 1) -> float:
    tables = slam.tables()
    function(tables, hands, min_naturals)
    times = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        function(tables, hands, min_naturals)
        times.append(time.thread_time() - start)
    return statistics.median(times) / len(hands) * 1e9


def main() -> None:
    for name, hands in (("random", random_hands(20 * HANDS)), ("hard", hard_hands(HANDS))):
        for function in (count_openings, count_slams, sum_distances):
            print(f"{function.__name__:15} {name:8} {median_ns(function, hands):8.1f} ns")
    hands = random_hands(HANDS // 10)
    for min_naturals in (2, 3):
        print(f"{'sum_distances':15} {min_naturals} naturals {median_ns(sum_distances, hands, min_naturals):6.0f} ns")


if __name__ == "__main__":
    main()
