"""Exact probabilities of dealt hands: events, and what is known of the columns that the deal alone decides."""

import math
from collections.abc import Mapping

from kernels.options import RuleError, Value
from kernels.redox import holding

EVENTS = {
    "slam": "The dealt hand is a slam: it splits completely into plots, one of them a run of four or more.",
    "run4": "A run of four or more can be laid from the dealt hand.",
    "set": "A set can be laid from the dealt hand.",
    "plot": "A plot of any kind can be laid from the dealt hand.",
    "partition": "The dealt hand splits completely into plots, run of four or not.",
}
RULES = ("decks", "jokers_per_deck", "hand_size", "min_naturals")
"""Options that a dealt hand depends on."""
ONE_HAND: dict[str, Value] = {"players": 2}
"""Options under which any pack serves the one hand that is counted."""

USUAL_HAND = 15
SPLITS: dict[tuple[str, int, int], int] = {
    ("slam", 1, 0): 4_679_056,
    ("partition", 1, 0): 21_839_752,
    ("slam", 1, 1): 47_854_706,
    ("partition", 1, 1): 216_349_488,
    ("slam", 1, 2): 267_597_152,
    ("partition", 1, 2): 1_141_980_668,
    ("slam", 1, 3): 1_084_660_882,
    ("partition", 1, 3): 4_327_089_308,
    ("slam", 1, 4): 3_565_534_804,
    ("partition", 1, 4): 13_276_267_500,
    ("slam", 2, 0): 839_964_864_784,
    ("partition", 2, 0): 5_791_724_432_112,
    ("slam", 2, 2): 11_071_568_039_880,
    ("partition", 2, 2): 67_568_522_977_952,
    ("slam", 2, 4): 58_935_076_090_400,
    ("partition", 2, 4): 319_153_902_916_096,
}
"""Hands of fifteen that split, by event, decks and jokers in the pack; `simcli exact redox EVENT --recount` counts
them again, which takes from seconds to some minutes."""


def favourable(event: str, values: Mapping[str, Value], recount: bool = False) -> int:
    """Number of hands with the event. Raises RuleError where it cannot be counted."""
    decks, jokers, hand, min_naturals = _pack(values)
    if event == "run4":
        return holding.with_run_of_four(decks, jokers, hand, min_naturals)
    if event == "set":
        return holding.with_set(decks, jokers, hand, min_naturals)
    if min_naturals != 1:
        raise RuleError("min_naturals", f"{event} is only counted where a plot needs one natural card")
    if event == "plot":
        return holding.with_plot(decks, jokers, hand)
    if not recount and hand == USUAL_HAND and (event, decks, jokers) in SPLITS:
        return SPLITS[event, decks, jokers]
    return _count_splits(event, decks, jokers, hand)


def total(values: Mapping[str, Value]) -> int:
    """Number of all hands."""
    decks, jokers, hand, _ = _pack(values)
    return math.comb(52 * decks + jokers, hand)


def _pack(values: Mapping[str, Value]) -> tuple[int, int, int, int]:
    decks, per_deck, hand, min_naturals = (int(values[key]) for key in RULES)  # type: ignore[arg-type]
    return decks, decks * per_deck, hand, min_naturals


def _count_splits(event: str, decks: int, jokers: int, hand: int) -> int:
    from kernels.redox import counting

    try:
        return counting.count(counting.Deck(decks, jokers, hand, event == "slam")).favourable
    except counting.TooMany as error:
        raise RuleError(error.option, str(error)) from None


# Columns that the deal decides

DEALT = ("jokers", "dealt_distance")
"""Columns, one a seat, whose distribution is known at least in part."""


def distribution(column: str, values: Mapping[str, Value]) -> list[tuple[tuple[int, ...], int]]:
    """What a column of a seat may be, in classes of values, and the number of dealt hands of each class.

    Empty where it is not known without long counting.
    """
    decks, jokers, hand, min_naturals = _pack(values)
    if column == "jokers":
        naturals = 52 * decks
        return [((n,), math.comb(jokers, n) * math.comb(naturals, hand - n)) for n in range(min(jokers, hand) + 1)]
    if min_naturals == 1 and hand == USUAL_HAND and ("slam", decks, jokers) in SPLITS:
        slams = SPLITS["slam", decks, jokers]
        return [((0,), slams), (tuple(range(1, hand + 1)), total(values) - slams)]
    return []
