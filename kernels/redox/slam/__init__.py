"""Slams: whether a hand is one, how far it is from one, and how it splits.

Source: RULES.md. A hand is four planes (see `slams_planes`), which may hold 7 to 20 cards together with the jokers, up
to four copies of a card and 16 jokers. `min_naturals` (1..3) natural cards or more must be in every plot. The first
argument is what `tables()` returns.
"""

from kernels.compiler.jit import jit
from kernels.redox.slam import split
from kernels.redox.slam.ask import ask
from kernels.redox.slam.detect import may_be_slam, may_split, splits
from kernels.redox.slam.distance import most_kept
from kernels.redox.slam.general import DISTANCE, most_debt
from kernels.redox.slam.planes import count_bits
from kernels.redox.slam.rows import FREE, NEED
from kernels.redox.slam.split import JOKER_CODE, RUN, SET, SPLIT_SIZE
from kernels.redox.slam.tables import SlamTables, tables
from kernels.redox.slam.windows import can_open, open_windows, run_windows
from kernels.redox.slam.words import LAST

__all__ = [
    "JOKER_CODE",
    "RUN",
    "SET",
    "SPLIT_SIZE",
    "SlamTables",
    "can_open",
    "is_partition",
    "is_slam",
    "open_windows",
    "run_windows",
    "slam_distance",
    "slam_split",
    "tables",
]


@jit
def _is_tabled(tables, p1, p2, p3, jokers):
    """Whether the fast functions answer for a hand: 15 cards or fewer, two natural cards or more, no third copies."""
    naturals = count_bits(p1) + count_bits(p2)
    return p3 == 0 and naturals > 1 and naturals + jokers <= LAST and len(tables.covers) > 0


@jit
def is_slam(tables, p1, p2, p3, p4, jokers, min_naturals):
    """Whether the whole hand can be split into plots, a run of four or more among them."""
    if p3 == 0 and not may_be_slam(p1, p2, jokers):
        return False
    if _is_tabled(tables, p1, p2, p3, jokers):
        found = splits(tables, p1, p2, jokers)
        if min_naturals == 1 or not found:
            return found
    return ask(tables.exact, NEED, p1, p2, p3, p4, jokers, min_naturals) != 0


@jit
def is_partition(tables, p1, p2, p3, p4, jokers, min_naturals):
    """Whether the whole hand can be split into plots, with or without a run of four."""
    if p3 == 0 and not may_split(p1, p2, jokers):
        return False
    return ask(tables.exact, FREE, p1, p2, p3, p4, jokers, min_naturals) != 0


@jit
def slam_distance(tables, p1, p2, p3, p4, jokers, min_naturals):
    """Least number of cards to exchange, for any cards at all, to make the hand a slam."""
    if _is_tabled(tables, p1, p2, p3, jokers):
        naturals = count_bits(p1) + count_bits(p2)
        slam = may_be_slam(p1, p2, jokers) and splits(tables, p1, p2, jokers)
        limit = naturals if slam else naturals - 1
        kept = limit if slam else most_kept(tables, p1, p2, naturals + jokers, limit)
        if min_naturals == 1 or naturals - kept >= most_debt(naturals + jokers, min_naturals, kept):
            return naturals - kept
    return ask(tables.exact, DISTANCE, p1, p2, p3, p4, jokers, min_naturals)


@jit
def slam_split(tables, p1, p2, p3, p4, jokers, min_naturals, out):
    """Split a slam into its plots: their number, 0 if the hand is no slam.

    `out` is int64[SPLIT_SIZE]. Each plot is written as its kind (RUN or SET), its number of cards, and its cards, a
    joker as JOKER_CODE whichever it is; a run in ascending order, each joker at the place it fills.
    """
    if not is_slam(tables, p1, p2, p3, p4, jokers, min_naturals):
        return 0
    return split.split(tables, p1, p2, p3, p4, jokers, min_naturals, NEED, out)
