"""How many dealt hands hold a plot of some kind: a run of four or more, a set, any plot at all.

Hands without one are counted for each number of jokers held, as products of polynomials in the number of cards. A
run exists if some natural cards of a suit, next to each other in rank but for gaps that jokers fill, make with the
jokers the length asked for; fewer naturals than that are enough only if the jokers make up for them.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product

from kernels.redox.options import HIGH_ACE, MIN_PLOT, OPENING_RUN, RANKS, SUITS

Polynomial = list[int]
"""Coefficient i: number of ways to hold i cards."""


def with_run_of_four(decks: int, jokers: int, hand: int, min_naturals: int = 1) -> int:
    """Hands from which a run of four or more can be laid."""
    by_need = _suits_by_need(decks, jokers, hand, min_naturals)

    def without(held: int) -> Polynomial:
        suit = _sum((poly for need, poly in by_need.items() if need > held), hand)
        return _power(suit, SUITS, hand)

    return _complement(decks, jokers, hand, without)


def with_set(decks: int, jokers: int, hand: int, min_naturals: int = 1) -> int:
    """Hands from which a set can be laid."""

    def without(held: int) -> Polynomial:
        copies = SUITS * decks
        most = min(copies, _most_without_set(held, min_naturals))
        return _power([math.comb(copies, cards) for cards in range(most + 1)], RANKS, hand)

    return _complement(decks, jokers, hand, without)


def with_plot(decks: int, jokers: int, hand: int) -> int:
    """Hands from which any plot can be laid; a plot needs one natural card."""
    return _complement(decks, jokers, hand, lambda held: _without_plot(decks, held, hand))


def _complement(decks: int, jokers: int, hand: int, without: Callable[[int], Polynomial]) -> int:
    """All hands less those without, which are given for each number of jokers held."""
    missing = 0
    for held in range(min(jokers, hand) + 1):
        polynomial = without(held)
        if hand - held < len(polynomial):
            missing += math.comb(jokers, held) * polynomial[hand - held]
    return math.comb(decks * SUITS * RANKS + jokers, hand) - missing


# Runs, suit by suit


def _suits_by_need(decks: int, jokers: int, hand: int, min_naturals: int) -> dict[int, Polynomial]:
    """Ways to hold cards of a suit, by the fewest jokers that a run of four needs (more than `jokers`: any number)."""
    one_or_more = [0] + [math.comb(decks, cards) for cards in range(1, decks + 1)]
    powers = [_power(one_or_more, ranks, hand) for ranks in range(RANKS + 1)]
    pair_of_aces = [0, 0, *one_or_more[2:]]
    found: dict[int, Polynomial] = {}
    for ranks in product((0, 1), repeat=RANKS):
        held = [rank for rank in range(1, RANKS + 1) if ranks[rank - 1]]
        others = powers[len(held) - ranks[0]]
        for aces, ways in ((1, [0, decks]), (2, pair_of_aces)) if ranks[0] else ((0, [1]),):
            need = _need(held, aces, jokers, min_naturals)
            found[need] = _sum([found.get(need, []), _times(ways, others, hand)], hand)
    return found


def _need(held: list[int], aces: int, jokers: int, min_naturals: int) -> int:
    """The fewest jokers that make a run of four of a suit's ranks; jokers + 1 if so many do not."""
    positions = held + [HIGH_ACE] * bool(aces)
    for need in range(jokers + 1):
        naturals = max(min_naturals, OPENING_RUN - need)
        for first in range(len(positions) - naturals + 1):
            low, high = positions[first], positions[first + naturals - 1]
            one_ace_twice = high - low == RANKS and aces < 2
            if high - low + 1 <= naturals + need and not one_ace_twice:
                return need
    return jokers + 1


# Sets, rank by rank


def _most_without_set(held: int, min_naturals: int) -> int:
    """The most natural cards of a rank that are no set with the jokers held."""
    return max(min_naturals, MIN_PLOT - held) - 1


# Neither


def _without_plot(decks: int, held: int, hand: int) -> Polynomial:
    """Ways to hold natural cards that make no plot with so many jokers.

    Read rank by rank, ace to king and ace again; what counts of a suit is whether it has an ace, and which of the
    last two ranks it has. Suits are alike, so their order is forgotten.
    """
    most = _most_without_set(held, 1)
    blank = (False, False, False)
    ways: dict[tuple[tuple[bool, bool, bool], ...], Polynomial] = {(blank,) * SUITS: [1]}
    picks = list(_picks(decks, most))
    for rank in range(1, RANKS + 1):
        after: dict[tuple[tuple[bool, bool, bool], ...], Polynomial] = defaultdict(list)
        for suits, polynomial in ways.items():
            for cards, weight in picks:
                moved = tuple(_read(suit, bool(n), rank == 1) for suit, n in zip(suits, cards, strict=True))
                if not any(_is_run(last, held) for last in moved):
                    state = tuple(sorted(last[:3] for last in moved))
                    term = _times([0] * sum(cards) + [weight], polynomial, hand)
                    after[state] = _sum([after[state], term], hand)
        ways = after
    ends = (poly for suits, poly in ways.items() if not any(_is_run(_read(s, s[0], False), held) for s in suits))
    return _sum(ends, hand)


def _picks(decks: int, most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Numbers of cards of a rank, suit by suit, at most so many; and in how many ways they can be picked."""
    for cards in product(range(min(decks, most) + 1), repeat=SUITS):
        if sum(cards) <= most:
            yield cards, math.prod(math.comb(decks, n) for n in cards)


def _read(suit: tuple[bool, bool, bool], has: bool, ace: bool) -> tuple[bool, bool, bool, bool]:
    """(ace, rank before, this rank, rank before that) after one more rank."""
    first, before_last, last = suit
    return (has if ace else first, last, has, before_last)


def _is_run(suit: tuple[bool, bool, bool, bool], held: int) -> bool:
    """Whether the last three ranks make a run with the jokers held."""
    naturals = suit[1] + suit[2] + suit[3]
    return naturals >= 1 and naturals + held >= MIN_PLOT


# Polynomials


def _times(one: Polynomial, other: Polynomial, top: int) -> Polynomial:
    result = [0] * min(top + 1, len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other[: max(0, top + 1 - i)]):
            result[i + j] += a * b
    return result


def _power(base: Polynomial, exponent: int, top: int) -> Polynomial:
    result = [1]
    for _ in range(exponent):
        result = _times(result, base, top)
    return result


def _sum(polynomials: Iterator[Polynomial] | list[Polynomial], top: int) -> Polynomial:
    result = [0] * (top + 1)
    for polynomial in polynomials:
        for i, coefficient in enumerate(polynomial):
            result[i] += coefficient
    return result
