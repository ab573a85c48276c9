"""The fewest plays that a hand can be laid down in, exact, by one pass over its ranks.

Two to four cards of a rank go in one play as one card does, so without straights a hand takes one play for each pile:
each rank held, black and red tens apart, the jokers together. A straight takes one play more and one card of each
rank it covers; it helps only where piles vanish. So the least number is found from left to right over the places of
a straight, knowing how many straights are open with one card so far, with two, and with three or more, which may end.

What matters at a place is the cost of every such situation. Less their minimum these costs take only some hundreds of
different values, so they are made the states of an automaton once, and a hand is read like a word: one look-up for each
place, the count of the rank being the letter. Only the ace lies at two places: how many aces are low is tried.
"""

import numpy as np

from kernels.compiler.bits import ones
from kernels.compiler.jit import jit
from kernels.redten.packed import (
    ACE,
    BLACK_TEN,
    BOTH_JOKERS,
    COLUMN,
    RANK_MASK,
    RED_TEN,
    TWO,
    at_least,
    count_of,
    places,
)

MAX_ALIKE = 4
_SHORT = 3
"""Cards a straight must have to be one."""
_NEVER = 99

_PILES_LEFT = (
    (0,),
    (1, 0),
    (1, 1, 0),
    (1, 1, 1, 0),
    (1, 1, 1, 1, 0),
    (2, 1, 0),
    (2, 1, 1, 0),
    (2, 2, 1, 1, 0),
)
"""For each letter, the piles left when so many cards go into straights: letters 0..4 are so many cards of one rank,
5..7 are tens of both colours: one of each, one and two, two of each."""
LETTERS = len(_PILES_LEFT)
_TEN_LETTER = np.array([0, 1, 2, 1, 5, 6, 2, 6, 7], np.int64)
"""Letter of the tens by 3 * black + red."""
_TENS = 3
_COST_BITS = 16
_STATE_MASK = (1 << _COST_BITS) - 1

_OPEN = [
    (one, two, more)
    for one in range(MAX_ALIKE + 1)
    for two in range(MAX_ALIKE + 1 - one)
    for more in range(MAX_ALIKE + 1 - one - two)
]
"""How many straights are open with one card, with two, with three or more."""
_NUMBER = {situation: number for number, situation in enumerate(_OPEN)}
_NONE_OPEN = _NUMBER[0, 0, 0]


def _steps(piles_left: tuple[int, ...]) -> np.ndarray:
    """Cost of going from each situation to each other over a rank of this letter."""
    cost = np.full((len(_OPEN), len(_OPEN)), _NEVER)
    for (one, two, more), number in _NUMBER.items():
        for kept in range(more + 1):
            for new in range(len(piles_left) - (one + two + kept)):
                after = _NUMBER[new, one, two + kept]
                cost[number, after] = min(cost[number, after], new + piles_left[one + two + kept + new])
    return cost


def _settled(costs: np.ndarray) -> np.ndarray:
    """The same costs, each long straight allowed to end where it stands; one row a set of costs."""
    costs = np.minimum(costs, _NEVER)
    for one, two, more in sorted(_OPEN, key=lambda situation: -situation[2]):
        if (one, two, more + 1) in _NUMBER:
            here, longer = _NUMBER[one, two, more], _NUMBER[one, two, more + 1]
            costs[:, here] = np.minimum(costs[:, here], costs[:, longer])
    return costs


def _starts() -> np.ndarray:
    """Costs after the low aces: as many straights open as aces lie low."""
    costs = np.full((MAX_ALIKE + 1, len(_OPEN)), _NEVER)
    for low in range(MAX_ALIKE + 1):
        costs[low, _NUMBER[low, 0, 0]] = low
    return _settled(costs)


class _Automaton:
    """Grows the states breadth first; `step` and `end` are the look-up tables."""

    def __init__(self) -> None:
        self.states: dict[bytes, int] = {}
        self._new: list[np.ndarray] = []
        steps = [_steps(piles) for piles in _PILES_LEFT]
        self.start = [self._entry(costs) for costs in _starts()]
        rows: list[list[int]] = []
        ends: list[list[int]] = []
        while self._new:
            reached = np.array(self._new)
            self._new = []
            after = [_settled((reached[:, :, None] + cost[None]).min(1)) for cost in steps]
            for row in range(len(reached)):
                rows.append([self._entry(costs[row]) for costs in after])
                ends.append([int(costs[row, _NONE_OPEN]) for costs in after])
        self.step = rows
        self.end = ends

    def _entry(self, costs: np.ndarray) -> int:
        """What a table holds for these costs: their minimum, and the place of the state's row."""
        least = int(costs.min())
        relative = np.where(costs >= _NEVER, _NEVER, costs - least)
        key = relative.tobytes()
        if key not in self.states:
            self.states[key] = len(self.states)
            self._new.append(relative)
        return least << _COST_BITS | self.states[key] * LETTERS


_AUTOMATON = _Automaton()
STATES = len(_AUTOMATON.states)
_START = np.array(_AUTOMATON.start, np.int64)
_STEP = np.array(_AUTOMATON.step, np.int32).ravel()
_END = np.array(_AUTOMATON.end, np.int8).ravel()


@jit
def _read(entry, hand, first_rank, end_rank):
    """Read ranks first_rank..end_rank-1 of a hand; the costs add up in the high bits of the entry."""
    for rank in range(first_rank, end_rank):
        count = ones((hand >> rank) & COLUMN)
        entry = (entry & ~_STATE_MASK) + int(_STEP[(entry & _STATE_MASK) + count])
    return entry


@jit
def _read_inner(low, hand):
    """Cost and state after the places 2..K, with `low` straights starting at the ace."""
    entry = int(_START[low])
    entry = _read(entry, hand, TWO, TWO + 1)
    entry = _read(entry, hand, 0, BLACK_TEN)
    tens = _TENS * count_of(hand, BLACK_TEN) + count_of(hand, RED_TEN)
    entry = (entry & ~_STATE_MASK) + int(_STEP[(entry & _STATE_MASK) + int(_TEN_LETTER[tens])])
    return _read(entry, hand, BLACK_TEN + 1, ACE)


@jit
def piles(hand):
    """Plays a hand takes without straights."""
    ranks = hand & RANK_MASK
    return ones(ranks) - int(ranks & BOTH_JOKERS == BOTH_JOKERS)


@jit
def fewest(hand):
    """The least number of plays in which a packed hand can be laid down; 0 for an empty one."""
    held = places(hand & RANK_MASK)
    if held & held >> 1 & held >> 2 == 0:
        return piles(hand)
    aces = count_of(hand, ACE)
    best = _NEVER
    low_limit = min(aces, min(count_of(hand, TWO), count_of(hand, 0)))
    for low in range(low_limit + 1):
        entry = _read_inner(low, hand)
        cost = (entry >> _COST_BITS) + int(_END[(entry & _STATE_MASK) + aces - low])
        best = min(best, cost)
    return best + int(at_least(hand, 1) & BOTH_JOKERS != 0)
