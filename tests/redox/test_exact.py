"""Exact counts of dealt hands against enumeration by hand, on packs small enough for it, and against random deals."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from kernels.compiler.jit import jit
from kernels.options import RuleError
from kernels.redox import counting, exact, holding, slam
from kernels.redox.counting import Deck
from kernels.redox.planes import CARD_BITS, with_card
from tests.naive import redox_slams as naive
from tests.redox.hands import dealt

JOKER = (-1, -1)
JOKER_CARD = 52
Card = tuple[int, int]


# Splits, on small packs: suits of `ranks` ranks, whose ace also stands after the last


def hands(copies: int, jokers: int, hand: int, ranks: int, suits: int) -> Iterator[tuple[tuple[Card, ...], int, int]]:
    """(natural cards, jokers held, in how many ways) of every different hand."""
    faces = list(product(range(suits), range(1, ranks + 1)))
    for counts in product(range(copies + 1), repeat=len(faces)):
        held = hand - sum(counts)
        if 0 <= held <= jokers:
            cards = tuple(face for face, n in zip(faces, counts, strict=True) for _ in range(n))
            yield cards, held, math.comb(jokers, held) * math.prod(math.comb(copies, n) for n in counts)


@cache
def splits(cards: tuple[Card, ...], jokers: int, ranks: int) -> frozenset[bool]:
    """The possible answers to `is a run of four among the plots`, for cards that split into plots; else none."""
    if not cards:
        return frozenset([False]) if jokers == 0 else frozenset()
    found: set[bool] = set()
    for rest, used, long_run in plots_with_first(cards, jokers, ranks):
        found |= {long_run or other for other in splits(rest, jokers - used, ranks)}
    return frozenset(found)


def plots_with_first(cards: tuple[Card, ...], jokers: int, ranks: int) -> Iterator[tuple[tuple[Card, ...], int, bool]]:
    """(cards left, jokers used, whether a run of four) for every plot that holds the first card."""
    suit, rank = cards[0]
    others = [i for i in range(1, len(cards)) if cards[i][1] == rank]
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            rest = tuple(card for i, card in enumerate(cards) if i and i not in chosen)
            for used in range(max(0, 2 - size), jokers + 1):
                yield rest, used, False
    for start in range(1, ranks):
        for end in range(start + 2, ranks + 2):
            wanted = [(suit, (place - 1) % ranks + 1) for place in range(start, end + 1)]
            for naturals in product((True, False), repeat=len(wanted)):
                laid = Counter(card for card, natural in zip(wanted, naturals, strict=True) if natural)
                used = len(wanted) - laid.total()
                if used <= jokers and laid[cards[0]] and not laid - Counter(cards):
                    yield tuple(sorted((Counter(cards) - laid).elements())), used, len(wanted) >= 4


SMALL_PACKS = [(1, 0, 6, 5, 2), (1, 2, 6, 5, 2), (1, 3, 7, 4, 2), (2, 0, 6, 5, 1), (2, 2, 6, 6, 1), (1, 2, 7, 4, 3)]
LARGER_PACKS = [(2, 3, 7, 4, 2), (2, 4, 8, 7, 1), (1, 4, 8, 6, 2), (2, 0, 8, 5, 2), (1, 1, 8, 4, 4)]


def check_splits(pack: tuple[int, int, int, int, int]) -> None:
    copies, jokers, hand, ranks, suits = pack
    slams = partitions = total = 0
    for cards, held, ways in hands(*pack):
        found = splits(cards, held, ranks)
        total += ways
        partitions += ways * bool(found)
        slams += ways * (True in found)
    for long_run, expected in ((True, slams), (False, partitions)):
        found = counting.count(Deck(copies, jokers, hand, long_run, ranks, suits))
        assert (found.favourable, found.total) == (expected, total)


@pytest.mark.parametrize("pack", SMALL_PACKS)
def test_splits_of_small_packs(pack: tuple[int, int, int, int, int]) -> None:
    check_splits(pack)


@pytest.mark.campaign
@pytest.mark.parametrize("pack", LARGER_PACKS)
def test_splits_of_larger_packs(pack: tuple[int, int, int, int, int]) -> None:
    check_splits(pack)


def test_a_number_that_is_shipped_is_counted_again() -> None:
    values = rules(1, 0)
    for event in ("slam", "partition"):
        assert exact.favourable(event, values, recount=True) == exact.SPLITS[event, 1, 0]


@pytest.mark.campaign
@pytest.mark.parametrize(("event", "decks", "jokers"), sorted(exact.SPLITS))
def test_all_numbers_that_are_shipped(event: str, decks: int, jokers: int) -> None:
    assert exact.favourable(event, rules(decks, jokers // decks), recount=True) == exact.SPLITS[event, decks, jokers]


def test_shipped_numbers_are_in_order() -> None:
    for (event, decks, jokers), hands_found in exact.SPLITS.items():
        total = exact.total(rules(decks, jokers // decks))
        assert 0 < hands_found < total
        if event == "slam":
            assert hands_found < exact.SPLITS.get(("partition", decks, jokers), total)
        fewer = exact.SPLITS.get((event, decks, jokers - decks))
        if fewer is not None:
            assert hands_found / total > fewer / exact.total(rules(decks, jokers // decks - 1))


# Plots that a hand holds


def holds(cards: list[Card], least: int, shortest_run: int, with_sets: bool, with_runs: bool) -> bool:
    """Whether a plot of a kind can be laid, tried plot by plot."""
    jokers = cards.count(JOKER)
    naturals = Counter(card for card in cards if card != JOKER)
    if with_sets:
        ranks = Counter(rank for _, rank in naturals.elements())
        if any(n >= least and n + jokers >= 3 for n in ranks.values()):
            return True
    windows = combinations(range(1, 16), 2) if with_runs else ()
    for start, end in windows:
        for suit in range(4):
            wanted = Counter((suit, (place - 1) % 13 + 1) for place in range(start, end))
            have = (wanted & naturals).total()
            if end - start >= shortest_run and have >= least and end - start - have <= jokers:
                return True
    return False


KINDS = {"run4": (4, False, True), "set": (3, True, False), "plot": (3, True, True)}


def rules(decks: int, per_deck: int, hand: int = 15, least: int = 1) -> dict[str, int]:
    return {"decks": decks, "jokers_per_deck": per_deck, "hand_size": hand, "min_naturals": least}


def pack(decks: int, per_deck: int) -> list[Card]:
    return list(product(range(4), range(1, 14))) * decks + [JOKER] * (decks * per_deck)


@pytest.mark.parametrize("event", KINDS)
@pytest.mark.parametrize("jokers", [0, 3])
def test_hands_of_three_cards(event: str, jokers: int) -> None:
    shortest, sets, runs = KINDS[event]
    expected = sum(holds(list(hand), 1, shortest, sets, runs) for hand in combinations(pack(1, jokers), 3))
    assert exact.favourable(event, rules(1, jokers, 3)) == expected


@pytest.mark.campaign
@pytest.mark.parametrize("event", KINDS)
def test_hands_of_four_cards(event: str) -> None:
    shortest, sets, runs = KINDS[event]
    expected = sum(holds(list(hand), 1, shortest, sets, runs) for hand in combinations(pack(1, 2), 4))
    assert exact.favourable(event, rules(1, 2, 4)) == expected


@pytest.mark.parametrize("event", KINDS)
@pytest.mark.parametrize(
    ("decks", "per_deck", "hand", "least"), [(2, 2, 15, 1), (1, 4, 7, 1), (3, 4, 9, 2), (2, 4, 9, 3)]
)
def test_random_hands(event: str, decks: int, per_deck: int, hand: int, least: int) -> None:
    """1,000 deals, five standard errors: a false alarm once in 70,000 such tests (12 here)."""
    if event == "plot" and least > 1:
        return
    source = random.Random(11)
    cards = pack(decks, per_deck)
    shortest, sets, runs = KINDS[event]
    deals = 1_000
    hits = sum(holds(source.sample(cards, hand), least, shortest, sets, runs) for _ in range(deals))
    values = rules(decks, per_deck, hand, least)
    p = exact.favourable(event, values) / exact.total(values)
    assert abs(hits / deals - p) < 5 * math.sqrt(p * (1 - p) / deals)


def test_known_small_numbers() -> None:
    assert holding.with_set(1, 0, 3) == 13 * 4
    assert holding.with_plot(1, 0, 3) == 13 * 4 + 4 * 12
    assert holding.with_run_of_four(1, 0, 4) == 4 * 11
    assert holding.with_run_of_four(2, 0, 4) == 4 * 11 * 2**4


def test_the_usual_total() -> None:
    assert exact.total(rules(2, 2)) == math.comb(108, 15)


@pytest.mark.parametrize(
    ("event", "values", "key"),
    [
        ("slam", rules(3, 0), "decks"),
        ("slam", rules(4, 4), "decks"),
        ("partition", rules(2, 0, 20), "hand_size"),
        ("plot", rules(2, 2, 15, 2), "min_naturals"),
        ("slam", rules(2, 2, 15, 2), "min_naturals"),
        ("slam", rules(2, 4, 7), "jokers_per_deck"),
    ],
)
def test_limits_are_stated(event: str, values: dict[str, int], key: str) -> None:
    with pytest.raises(RuleError) as caught:
        exact.favourable(event, values)
    assert caught.value.key == key


def test_distributions_are_complete() -> None:
    values = rules(2, 2)
    for column in exact.DEALT:
        parts = exact.distribution(column, values)
        assert sum(ways for _, ways in parts) == exact.total(values)


@jit
def count_random_slams(tables, pack, hand, deals, seed):
    """Deal hands from int64 card codes and count the slams."""
    state = seed
    found = 0
    for _ in range(deals):
        planes = (0, 0, 0, 0)
        jokers = 0
        for place in range(hand):
            state = (state * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
            other = place + (state >> 33) % (len(pack) - place)
            card = pack[other]
            pack[other] = pack[place]
            pack[place] = card
            planes = with_card(planes, int(CARD_BITS[card]))
            jokers += card == JOKER_CARD
        found += slam.is_slam(tables, planes, jokers, 1)
    return found


@pytest.mark.campaign
@pytest.mark.parametrize(("decks", "jokers"), [(1, 4), (1, 2), (2, 4)])
def test_slams_of_random_deals(decks: int, jokers: int) -> None:
    """Five million deals judged by the compiled detector, within four standard errors."""
    cards = np.array([*range(52)] * decks + [JOKER_CARD] * jokers, np.int64)
    deals = 5_000_000
    hits = count_random_slams(slam.tables(), cards, 15, deals, 12345)
    p = exact.SPLITS["slam", decks, jokers] / exact.total(rules(decks, jokers // decks))
    assert abs(hits / deals - p) < 4 * math.sqrt(p * (1 - p) / deals)


@pytest.mark.campaign
@pytest.mark.parametrize(("event", "splits"), [("slam", naive.is_slam), ("partition", naive.is_partition)])
def test_splits_of_random_small_hands(event: str, splits: Callable[[list[int], int], bool]) -> None:
    """Hands of seven from a whole pack, judged by the slow twin, within four standard errors."""
    source = random.Random(5)
    deals = 200_000
    hits = sum(splits(dealt(source, 7, 1, 4), 1) for _ in range(deals))
    values = rules(1, 4, 7)
    p = exact.favourable(event, values) / exact.total(values)
    assert abs(hits / deals - p) < 4 * math.sqrt(p * (1 - p) / deals)
