"""Slams: whether a hand is one, and how far it is from one.

Source of the rules: RULES.md. The arguments of all functions:
- `tables`: what `tables()` returns.
- `planes`: four int64, the natural cards of the hand (see `kernels.redox.planes`), up to four copies of a card.
- `jokers`: 0 to 16. The whole hand has 7 to 20 cards.
- `min_naturals`: 1 to 3, how many natural cards a plot needs at least.

Hands of 15 cards or fewer with at most two copies of a card are looked up: the cards of a suit are one of 3**13
patterns, and the tables say how many cards of each pattern runs can hold in 0 to 15 slots, so that only the cards given
to sets are searched for. `detect` does so for slams, `distance` for the most cards that can stay; `building` makes the
tables (9 MB), `store` keeps them. `general` answers for all other hands, by a search that follows the runs of a suit
place by place: `search`, and `few_naturals` where plots need more than one natural card.
"""

from kernels.compiler.jit import jit
from kernels.redox.planes import count_naturals
from kernels.redox.slam.detect import may_be_slam, splits
from kernels.redox.slam.distance import most_kept
from kernels.redox.slam.general import ask, max_debt
from kernels.redox.slam.store import SlamTables, tables
from kernels.redox.slam.words import MAX_SLOTS

__all__ = ["SlamTables", "is_slam", "slam_distance", "tables"]

ANY_DISTANCE = 99
"""A limit beyond every distance."""


@jit
def _is_tabled(tables, planes, jokers):
    """Whether the tables answer for a hand: 15 cards or fewer, two natural cards or more, no third copies."""
    naturals = count_naturals(planes)
    return planes[2] == 0 and naturals > 1 and naturals + jokers <= MAX_SLOTS and len(tables.covers) > 0


@jit
def is_slam(tables, planes, jokers, min_naturals):
    """Whether the whole hand can be split into plots, a run of four or more among them."""
    p1, p2, p3, p4 = planes
    if p3 == 0 and not may_be_slam(p1, p2, jokers):
        return False
    if _is_tabled(tables, planes, jokers):
        found = splits(tables, p1, p2, jokers)
        if min_naturals == 1 or not found:
            return found
    return ask(tables.exact, p1, p2, p3, p4, jokers, min_naturals, 0) == 0


@jit
def slam_distance(tables, planes, jokers, min_naturals):
    """Least number of cards to exchange, for any cards at all, to make the hand a slam: an int64, 0 for a slam."""
    p1, p2, p3, p4 = planes
    if _is_tabled(tables, planes, jokers):
        naturals = count_naturals(planes)
        slam = may_be_slam(p1, p2, jokers) and splits(tables, p1, p2, jokers)
        limit = naturals if slam else naturals - 1
        kept = limit if slam else most_kept(tables, p1, p2, naturals + jokers, limit)
        if min_naturals == 1 or naturals - kept >= max_debt(naturals + jokers, min_naturals, kept):
            return naturals - kept
    return ask(tables.exact, p1, p2, p3, p4, jokers, min_naturals, ANY_DISTANCE)
