"""Exact probabilities of what the deal alone decides, as numbers of equally likely deals.

A deal is who draws first, and which cards each seat gets: 14 for the first drawer and the next, 13 for the others.
"""

import math
from collections.abc import Mapping
from fractions import Fraction

from kernels.hypergeometric import by_full_ranks, holding
from kernels.notation import FACES, SUIT_SIZE
from kernels.options import Value
from kernels.redten.options import PLAYERS

EVENTS = {
    "solo": "One seat is dealt both red tens.",
    "jokers": "One seat is dealt both jokers.",
    "bomb": "A given seat is dealt three or four of at least one rank.",
    "any_bomb": "A given seat is dealt three or four of a rank, or both jokers, or both red tens.",
    "leader_red": "Who holds the three of hearts is dealt a red ten.",
}
RULES: tuple[str, ...] = ()
"""Options that the deal depends on: none."""
DEALT = ("dealt_bombs", "side")
"""Columns, one a seat, whose distribution is known."""
DEALT_TO_ALL = ("solo",)
"""The same, of the round."""

_SIZES = [FACES // PLAYERS + (number < FACES % PLAYERS) for number in range(PLAYERS)]
_RANKS = SUIT_SIZE - 1
"""Ranks that four cards have in common; the tens are two and two."""
_NO_BOMB = (1, 4, 6)
"""Ways to hold none, one and two cards of a rank of four."""
_COUPLE = (1, 2)
"""Ways to hold none and one of two cards, but not both."""
_FREE = (1, 2, 1)


def _times(left: list[int], right: tuple[int, ...]) -> list[int]:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product


def hands_without_bomb(size: int, couple: tuple[int, ...]) -> int:
    """Hands of this size without three or four of a rank; `couple` is for the jokers and for the red tens."""
    ways = [1]
    for _ in range(_RANKS):
        ways = _times(ways, _NO_BOMB)
    for part in (_FREE, couple, couple):
        ways = _times(ways, part)
    return ways[size]


def _given_seat(couple: tuple[int, ...]) -> Fraction:
    """Chance of a seat, as likely to draw in one place as in another, to hold a bomb."""
    chances = [1 - Fraction(hands_without_bomb(size, couple), math.comb(FACES, size)) for size in _SIZES]
    return sum(chances, Fraction()) / PLAYERS


def _both_in_one_hand() -> Fraction:
    """Chance that two given cards are in one hand."""
    return sum((Fraction(math.comb(size, 2), math.comb(FACES, 2)) for size in _SIZES), Fraction())


def _leader_red() -> Fraction:
    """Chance that the hand with the three of hearts holds one of two other cards, or both."""
    others = FACES - 1
    chances = [
        Fraction(size, FACES) * (1 - Fraction(math.comb(others - 2, size - 1), math.comb(others, size - 1)))
        for size in _SIZES
    ]
    return sum(chances, Fraction())


def probability(event: str) -> Fraction:
    """The exact probability of an event. Raises KeyError if it is none of EVENTS."""
    return {
        "solo": _both_in_one_hand,
        "jokers": _both_in_one_hand,
        "bomb": lambda: _given_seat(_FREE),
        "any_bomb": lambda: _given_seat(_COUPLE),
        "leader_red": _leader_red,
    }[event]()


def favourable(event: str, values: Mapping[str, Value], recount: bool = False) -> int:
    """Number of deals with the event."""
    return int(probability(event) * total(values))


def total(values: Mapping[str, Value]) -> int:
    """Number of all deals."""
    ways = PLAYERS * math.factorial(FACES)
    for size in _SIZES:
        ways //= math.factorial(size)
    return ways


# Columns that the deal decides


def _bombs_of_a_seat() -> list[Fraction]:
    """Chances of a seat to be dealt three or four of 0, 1, 2, ... ranks."""
    by_size = [
        [Fraction(ways, math.comb(FACES, size)) for ways in by_full_ranks(_RANKS, 4, FACES - 4 * _RANKS, size, 3)]
        for size in _SIZES
    ]
    return [sum(chances, Fraction()) / PLAYERS for chances in zip(*by_size, strict=True)]


def _red_seat() -> Fraction:
    """Chance of a seat to be dealt one of the red tens, or both."""
    chances = [Fraction(holding(2, FACES - 2, size, 1), math.comb(FACES, size)) for size in _SIZES]
    return sum(chances, Fraction()) / PLAYERS


def distribution(column: str, values: Mapping[str, Value]) -> list[tuple[tuple[int, ...], int]]:
    """What a column may be, in classes of values, and the number of deals of each class."""
    if column == "dealt_bombs":
        chances = list(enumerate(_bombs_of_a_seat()))
    elif column == "side":
        chances = [(1, _red_seat()), (0, 1 - _red_seat())]
    else:
        chances = [(True, _both_in_one_hand()), (False, 1 - _both_in_one_hand())]
    return [((value,), int(chance * total(values))) for value, chance in chances]
