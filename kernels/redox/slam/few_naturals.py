"""Slams under a rule of natural cards: whether a number of exchanges is enough.

When a plot must hold `min_naturals` natural cards, blanks are not all alike: a plot that keeps k < min_naturals cards
of the hand needs min_naturals - k new natural cards (its *debt*), the other blanks may be jokers. With e exchanges a
hand of n natural cards and j jokers becomes a slam if and only if some plots keep n - e cards or more, in as many slots
as the hand has cards, with a debt of e or less. (Plots can take more blanks, unless one run is all there is: a hand of
more than 14 cards needs another plot.)

For each suit the runs are followed from place to place as in `search`, but an open run is a length (1, 2, 3 for
three or more) and a number of natural cards (up to `min_naturals`); four bits a run, the oldest lowest, make a state.
"""

import numpy as np

from kernels.compiler.jit import jit_with_arrays as jit
from kernels.redox.options import HIGH_ACE, LOW_ACE, MAX_RUN, MIN_PLOT, OPENING_RUN, RANKS, SUITS
from kernels.redox.planes import COPIES, LANE, copies, count_bits, count_naturals, planes_of
from kernels.redox.slam.search import (
    BOUNDS,
    CHOICE,
    COLUMNS,
    DEBT,
    KEPT,
    LEFT_SLOTS,
    LEVELS,
    NEED,
    NEVER,
    RANK,
    REMEMBERED,
    ROW,
    SLOTS,
    fill_bounds,
    hand_row,
    most_copies,
    next_choice,
    push,
    rank_count,
    remembered,
    richest_after,
    take_choice,
)

MAX_DEBT = 15
DEBTS = MAX_DEBT + 1
SHORT, WITH_FOUR, SINGLE = range(3)
KINDS = 3
"""Kinds of what runs there are: none has four cards, one has, or there is one run alone, of any length."""
CELLS = KINDS * DEBTS * SLOTS
"""What the runs of a suit can do, laid flat: [kind][debt][slots], most kept cards."""

RUN_BITS = 4
HELD_BITS = 2
HELD_MASK = (1 << HELD_BITS) - 1
LONG = 3
"""The length of a run of three or more."""

FOUR_AT = RUN_BITS * COPIES
OPENED_AT = FOUR_AT + 1
DEBT_AT = OPENED_AT + 2
SLOTS_AT = DEBT_AT + 5
STATE_MASK = (1 << FOUR_AT) - 1
SEVERAL = 2
OPENED_MASK = 3
"""Runs opened so far are counted as 0, 1 or several."""

FIRST_BITS = 6
HASH_FACTOR = 40503
HASH_SHIFT = 7


@jit
def _find(keys, key):
    """Where a key is or belongs in a table of a power of two."""
    mask = len(keys) - 1
    at = (key * HASH_FACTOR >> HASH_SHIFT) & mask
    while keys[at] >= 0 and keys[at] != key:
        at = at + 1 & mask
    return at


@jit
def _new_table(size):
    keys = np.empty(size, dtype=np.int64)
    for i in range(size):
        keys[i] = -1
    return keys, np.empty(size, dtype=np.int64), np.zeros(1, dtype=np.int64)


@jit
def _put(table, key, kept):
    """Raise the value of a key; the table itself, or a larger one that replaces it."""
    keys, values, used = table
    at = _find(keys, key)
    if keys[at] >= 0:
        values[at] = max(values[at], kept)
        return table
    keys[at] = key
    values[at] = kept
    used[0] += 1
    return _grown(table) if 2 * used[0] > len(keys) else table


@jit
def _grown(table):
    keys, values, used = table
    more_keys, more_values, more_used = _new_table(2 * len(keys))
    for i in range(len(keys)):
        if keys[i] >= 0:
            at = _find(more_keys, int(keys[i]))
            more_keys[at] = keys[i]
            more_values[at] = values[i]
    more_used[0] = used[0]
    return more_keys, more_values, more_used


@jit
def _runs_in(state):
    """Number of open runs."""
    runs = 0
    while state:
        state >>= RUN_BITS
        runs += 1
    return runs


@jit
def _longer(state, filled, min_naturals):
    """Every open run one card longer; those in the bit set `filled` by a natural card. Also whether one has four."""
    longer = 0
    four = 0
    at = 0
    while state >> at:
        length = state >> at + HELD_BITS & HELD_MASK
        held = min(min_naturals, (state >> at & HELD_MASK) + (filled >> at // RUN_BITS & 1))
        four |= length == LONG
        longer |= (min(LONG, length + 1) << HELD_BITS | held) << at
        at += RUN_BITS
    return longer, four


@jit
def _opened(runs, filled, opened):
    """State of runs just opened, after `runs` older ones; those in `filled` with a natural card."""
    state = 0
    for run in range(runs, runs + opened):
        state |= (1 << HELD_BITS | (filled >> run & 1)) << RUN_BITS * run
    return state


@jit
def _step(table, key, kept, state, debt, held, limits):
    """Put all that follows a state, after runs were ended, at a place where the suit holds `held` cards."""
    overlap, min_naturals, most_slots, _, _, most_blanks = limits
    runs = _runs_in(state)
    for opened in range(overlap - runs + 1):
        slots = (key >> SLOTS_AT) + runs + opened
        gain = min(held, runs + opened)
        if slots > most_slots or slots - kept - gain > most_blanks:
            break
        for filled in range(1 << runs + opened):
            if count_bits(filled) == gain:
                longer, four = _longer(state, filled, min_naturals)
                four |= key >> FOUR_AT & 1
                before = min(SEVERAL, (key >> OPENED_AT & OPENED_MASK) + opened)
                rest = four << FOUR_AT | before << OPENED_AT | debt << DEBT_AT | slots << SLOTS_AT
                table = _put(table, longer | _opened(runs, filled, opened) | rest, kept + gain)
    return table


@jit
def _may_end(state):
    """Whether the oldest open run has three cards or more."""
    return state >> HELD_BITS & HELD_MASK == LONG


@jit
def _steps(table, key, kept, held, limits):
    """Put all that follows one state: any of the oldest runs may end."""
    most_debt = limits[3]
    state = key & STATE_MASK
    debt = key >> DEBT_AT & MAX_DEBT
    table = _step(table, key, kept, state, debt, held, limits)
    while state and _may_end(state):
        debt += limits[1] - (state & HELD_MASK)
        state >>= RUN_BITS
        if debt > most_debt:
            break
        table = _step(table, key, kept, state, debt, held, limits)
    return table


@jit
def _next_place(before, held, seen, limits):
    """All states at the next place; those that left out more than `limits[4]` of the cards seen are dropped."""
    keys, values, _ = before
    after = _new_table(1 << FIRST_BITS)
    for i in range(len(keys)):
        if keys[i] >= 0 and seen - values[i] <= limits[4]:
            after = _steps(after, int(keys[i]), int(values[i]), held, limits)
    return after


@jit
def _finish(table, min_naturals, most_debt, cells):
    """Raise the cells of a suit to what the states after the last place give."""
    keys, values, _ = table
    for i in range(len(keys)):
        key = int(keys[i])
        if key < 0:
            continue
        state = key & STATE_MASK
        debt = key >> DEBT_AT & MAX_DEBT
        while state and _may_end(state):
            debt += min_naturals - (state & HELD_MASK)
            state >>= RUN_BITS
        if state == 0 and debt <= most_debt:
            _finish_one(key, values[i], debt, cells)


@jit
def _finish_one(key, kept, debt, cells):
    kind = key >> FOUR_AT & 1
    if key >> OPENED_AT & OPENED_MASK == 1:
        kind = SINGLE
    at = (kind * DEBTS + debt) * SLOTS + (key >> SLOTS_AT)
    cells[at] = max(cells[at], kept)


@jit
def _fill_suit(planes, suit, limits, cells):
    """The cells of a suit, over all ways to place its aces."""
    for i in range(CELLS):
        cells[i] = NEVER
    aces = copies(planes, suit * LANE + LOW_ACE)
    for low in range(aces + 1):
        table = _new_table(1 << FIRST_BITS)
        table = _put(table, 0, 0)
        seen = 0
        for place in range(LOW_ACE, HIGH_ACE + 1):
            held = copies(planes, suit * LANE + place) if place < HIGH_ACE else aces - low
            held = low if place == LOW_ACE else held
            table = _next_place(table, held, seen, limits)
            seen += held
        _finish(table, limits[1], limits[3], cells)


@jit
def _recall(memory, planes, suit, limits):
    """The cells of a suit, from memory or worked out and remembered.

    `memory` is (keys int64[SUITS, REMEMBERED + 1] of 0, cells int64[SUITS, REMEMBERED, CELLS]).
    """
    keys, cells = memory
    at, known = remembered(keys, planes, suit)
    if not known:
        overlap = max(limits[0], most_copies(planes, suit))
        _fill_suit(planes, suit, (overlap, limits[1], limits[2], limits[3], limits[4], limits[5]), cells[suit, at])
    return cells[suit, at]


@jit
def _has_four(kind, slots):
    """Whether runs of a kind in so many slots have one of four or more."""
    return kind == WITH_FOUR or (kind == SINGLE and slots >= OPENING_RUN)


@jit
def _kind_of_both(kind, slots, kind2, slots2):
    """The kind of two groups of runs together; a group without slots has no run."""
    if slots == 0:
        return kind2
    if slots2 == 0:
        return kind
    return WITH_FOUR if _has_four(kind, slots) or _has_four(kind2, slots2) else SHORT


@jit
def _join_cell(first, at_first, second, both, limits):
    """Join one cell of the first group of suits (as an index) with all cells of the second."""
    kept = first[at_first]
    slots = at_first % SLOTS
    debt = at_first // SLOTS % DEBTS
    kind = at_first // (SLOTS * DEBTS)
    for kind2 in range(KINDS):
        for debt2 in range(limits[3] - debt + 1):
            for slots2 in range(limits[2] - slots + 1):
                more = second[(kind2 * DEBTS + debt2) * SLOTS + slots2]
                if more >= 0:
                    of_both = _kind_of_both(kind, slots, kind2, slots2)
                    at = (of_both * DEBTS + debt + debt2) * SLOTS + slots + slots2
                    both[at] = max(both[at], kept + more)


@jit
def _join(first, second, both, limits):
    """Cells of two groups of suits into those of both together."""
    for i in range(CELLS):
        both[i] = NEVER
    for at in range(CELLS):
        if first[at] >= 0:
            _join_cell(first, at, second, both, limits)


@jit
def _suits_together(memory, planes, limits, slots, debt):
    """The cells of all four suits, up to so many slots and so much debt."""
    here = (limits[0], limits[1], slots, debt, limits[4], limits[5])
    both = _recall(memory, planes, 0, limits)
    for suit in range(1, SUITS):
        so_far = both
        both = np.empty(CELLS, dtype=np.int64)
        _join(so_far, _recall(memory, planes, suit, limits), both, here)
    return both


@jit
def _runs_fit(memory, planes, slots, debt, wanted, alone, limits):
    """Whether runs, one of four or more, keep `wanted` cards in `slots` slots with a debt of `debt`.

    `alone` 1: one run will not do.
    """
    both = _suits_together(memory, planes, limits, slots, debt)
    for at in range(CELLS):
        if both[at] >= wanted and at // SLOTS % DEBTS <= debt and at % SLOTS <= slots:
            kind = at // (SLOTS * DEBTS)
            if not (alone and kind == SINGLE) and _has_four(kind, at % SLOTS):
                return True
    return False


@jit
def _sets_fit(tables, row_memory, memory, stack, wanted, limits, bounds, richest):
    """Whether one set or more and runs keep `wanted` cards; level 0 of the stack is the whole hand."""
    row = np.empty(ROW, dtype=np.int64)
    depth = 0
    while depth >= 0:
        if not next_choice(stack, depth):
            depth -= 1
            continue
        planes = planes_of(stack, depth)
        rank = int(stack[depth, RANK])
        left, taken = take_choice(planes, rank, int(stack[depth, CHOICE]))
        slots = int(stack[depth, LEFT_SLOTS]) - max(taken, MIN_PLOT)
        kept = int(stack[depth, KEPT]) + taken
        debt = int(stack[depth, DEBT]) - max(0, limits[1] - taken)
        if taken < min(limits[1], rank_count(planes, rank)) or slots < 0 or debt < 0:
            continue
        if kept + bounds[richest[rank + 1] * SLOTS + slots] >= wanted:
            hand_row(tables, row_memory, left, limits[2], row)
            enough = kept + row[NEED + slots] >= wanted
            if enough and _runs_fit(memory, left, slots, debt, wanted - kept, 0, limits):
                return True
            depth += 1
            push(stack, depth, left, rank + 1, slots, kept, debt)
    return False


@jit
def exchanges_suffice(tables, planes, jokers, min_naturals, exchanges):
    """Whether a hand becomes a slam by exchanging `exchanges` cards or fewer. Exact for up to MAX_DEBT of them."""
    naturals = count_naturals(planes)
    slots = naturals + jokers
    wanted = naturals - exchanges
    row = np.empty(ROW, dtype=np.int64)
    bounds = np.empty(BOUNDS, dtype=np.int64)
    richest = np.empty(RANKS + 1, dtype=np.int64)
    row_keys = np.zeros((SUITS, REMEMBERED + 1), dtype=np.int64)
    row_memory = (row_keys, np.empty((SUITS, REMEMBERED, ROW), dtype=np.int64))
    hand_row(tables, row_memory, planes, slots, row)
    fill_bounds(row, bounds)
    richest_after(planes, richest)
    keys = np.zeros((SUITS, REMEMBERED + 1), dtype=np.int64)
    memory = (keys, np.empty((SUITS, REMEMBERED, CELLS), dtype=np.int64))
    alone = int(slots > MAX_RUN)
    limits = (1 + alone, min_naturals, slots, min(exchanges, MAX_DEBT), exchanges, jokers + exchanges)
    enough = row[NEED + slots] >= wanted
    if enough and _runs_fit(memory, planes, slots, limits[3], wanted, alone, limits):
        return True
    stack = np.empty((LEVELS, COLUMNS), dtype=np.int64)
    push(stack, 0, planes, 0, slots, 0, limits[3])
    return _sets_fit(tables, row_memory, memory, stack, wanted, limits, bounds, richest)
