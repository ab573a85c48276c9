"""How far a hand is from a slam, by table: the most natural cards that can stay. Hands as in `detect`.

The search goes over the ranks that get a set, the richest first. At first a set is given all n cards of its rank, and
for bounds only three slots: its other n - 3 cards may each take a slot more, or be left to the runs, and add no more
than themselves either way. Only where that bound is good enough are the cards shared out.
"""

from kernels.compiler import scratch
from kernels.compiler.jit import jit
from kernels.redox.options import MIN_PLOT, OPENING_RUN
from kernels.redox.planes import ranks_held
from kernels.redox.slam.building import COMMON
from kernels.redox.slam.sets import (
    ALL_COPIES,
    COPY_BITS,
    COPY_MASK,
    MAX_SETS,
    PATTERNS,
    POWERS,
    add_whole,
    patterns_of,
    rank_of,
    sum_of_copies,
    taken_by,
    without,
)
from kernels.redox.slam.words import MAX_SLOTS, join_words, kept_in, reverse

NONE_LEFT = 16
"""In the array of options, the choice to leave no card to the runs; other choices follow it."""
OPTIONS = 320
FIRST_AT = 16
END_AT = 28
PLACE_MASK = (1 << END_AT - FIRST_AT) - 1
"""An option for more than three cards also has where its choices of cards left to the runs begin and end."""

_LEVELS = MAX_SETS + 1
_LEFT_SLOTS, _KEPT, _OVER, _SET, _NEXT, _WITH_ONE, _WITH_TWO, _WITH_THREE, _COLUMNS = range(8, 17)
"""Columns of a level of the search: four patterns, four words of rows, then these."""


@jit
def _row(tables, first, second):
    """Where the row of two suits is in the tables; -1 if one of them is uncommon."""
    a = int(tables.classes[first])
    b = int(tables.classes[second])
    high = max(a, b)
    if high >= COMMON:
        return -1
    return int(tables.classes[PATTERNS + (high * (high + 1) >> 1) + min(a, b)])


@jit
def _joined(tables, first, second):
    """The row of two suits of which one is uncommon: free, and with a run of four."""
    a = int(tables.classes[first])
    b = int(tables.classes[second])
    words = tables.class_words
    return join_words(int(words[a, 0]), int(words[a, 1]), int(words[b, 0]), int(words[b, 1]))


@jit
def _rows(tables, patterns):
    """Rows of the first two suits, and of the last two in reverse, as four words for `kept_in`."""
    a, b, c, d = patterns
    first = _row(tables, a, b)
    second = _row(tables, c, d)
    if first < 0:
        free, need = _joined(tables, a, b)
    else:
        free, need = int(tables.pair_words[first, 0]), int(tables.pair_words[first, 1])
    if second < 0:
        free2, need2 = _joined(tables, c, d)
        return free, need, reverse(free2), reverse(need2)
    return free, need, int(tables.pair_words[second, 2]), int(tables.pair_words[second, 3])


@jit
def _kept(rows, slots):
    """The most cards that runs keep in some slots, a run of four among them; -MAX_SLOTS if there are too few slots."""
    if slots < OPENING_RUN:
        return -MAX_SLOTS
    free, need, free2, need2 = rows
    return kept_in(free, need, free2, need2, slots)


@jit
def _add_lefts(options, end, copies, spare):
    """Add all ways to leave up to `spare` of a rank's copies to the runs. Returns the new end."""
    for a in range((copies & COPY_MASK) + 1):
        for b in range((copies >> COPY_BITS & COPY_MASK) + 1):
            for c in range((copies >> 2 * COPY_BITS & COPY_MASK) + 1):
                for d in range((copies >> 3 * COPY_BITS) + 1):
                    if a + b + c + d <= spare:
                        options[end] = a | b << COPY_BITS | c << 2 * COPY_BITS | d << 3 * COPY_BITS
                        end += 1
    return end


@jit
def _richest_first(options, n):
    for i in range(1, n):
        option = int(options[i])
        at = i
        while at > 0 and taken_by(int(options[at - 1])) < taken_by(option):
            options[at] = options[at - 1]
            at -= 1
        options[at] = option


@jit
def _list_sets(options, p1, p2):
    """All ranks as sets of all their cards, the richest first, and the choices of the rich ones. Returns how many."""
    _some, pairs, threes = ranks_held((p1, p2, 0, 0))
    n = add_whole(options, 0, p1, p2, threes)
    options[NONE_LEFT] = 0
    end = NONE_LEFT + 1
    for i in range(n):
        option = int(options[i])
        if taken_by(option) > MIN_PLOT:
            first = end
            end = _add_lefts(options, end, option & ALL_COPIES, taken_by(option) - MIN_PLOT)
            options[i] = option | first << FIRST_AT | end << END_AT
    _richest_first(options, n)
    return add_whole(options, n, p1, p2, pairs & ~threes)


@jit
def _choices_of(levels, depth, most_depth):
    """Where the choices of cards left to the runs by the set of a level begin and end."""
    option = int(levels[depth, _SET]) if depth <= most_depth else 0
    if option >> FIRST_AT:
        return option >> FIRST_AT & PLACE_MASK, option >> END_AT
    return NONE_LEFT, NONE_LEFT + 1


@jit
def _with_left(patterns, left, option):
    """The patterns with the copies of a rank that its set leaves to them."""
    unit = int(POWERS[rank_of(option)])
    a, b, c, d = patterns
    return (
        a + (left & COPY_MASK) * unit,
        b + (left >> COPY_BITS & COPY_MASK) * unit,
        c + (left >> 2 * COPY_BITS & COPY_MASK) * unit,
        d + (left >> 3 * COPY_BITS) * unit,
    )


@jit
def _best_shared(tables, options, levels, depth, best):
    """The best of `best` and all ways to share the cards of the sets so far with the runs."""
    level = levels[depth]
    patterns = int(level[0]), int(level[1]), int(level[2]), int(level[3])
    slots = int(level[_LEFT_SLOTS]) - int(level[_OVER])
    first1, end1 = _choices_of(levels, 1, depth)
    first2, end2 = _choices_of(levels, 2, depth)
    first3, end3 = _choices_of(levels, 3, depth)
    for i in range(first1, end1):
        patterns1 = _with_left(patterns, int(options[i]), int(levels[1, _SET]))
        for j in range(first2, end2):
            patterns2 = _with_left(patterns1, int(options[j]), int(levels[2, _SET])) if depth > 1 else patterns1
            for k in range(first3, end3):
                patterns3 = _with_left(patterns2, int(options[k]), int(levels[3, _SET])) if depth > 2 else patterns2
                left = sum_of_copies(options[i]) + sum_of_copies(options[j]) + sum_of_copies(options[k])
                kept = int(level[_KEPT]) - left + _kept(_rows(tables, patterns3), slots + left)
                best = max(best, kept)
    return best


@jit
def _push(levels, depth, patterns, rows, slots, kept, over, option):
    """Begin a level of the search: what is left of a hand and of its slots after some sets.

    `over` is how many cards the sets have beyond three each, which the slots do not count yet. _WITH_ONE to _WITH_THREE
    are what runs keep if one to three more sets, where there may be so many, take three slots each.
    """
    level = levels[depth]
    level[0], level[1], level[2], level[3] = patterns
    level[4], level[5], level[6], level[7] = rows
    level[_LEFT_SLOTS] = slots
    level[_KEPT] = kept
    level[_OVER] = over
    level[_SET] = option
    for more in range(1, MAX_SETS + 1):
        level[_NEXT + more] = _kept(rows, slots - more * MIN_PLOT) if depth + more <= MAX_SETS else -MAX_SLOTS


@jit
def _promise(level, taken):
    """No more is kept with one set or more, none of more than `taken` cards."""
    more = max(level[_WITH_TWO] + taken, level[_WITH_THREE] + 2 * taken)
    return level[_KEPT] + taken + max(level[_WITH_ONE], more)


@jit
def _try(tables, options, levels, depth, option, best):
    """Begin the level below for a set; the best of `best` and what is kept without more sets."""
    level = levels[depth]
    taken = taken_by(option)
    slots = int(level[_LEFT_SLOTS]) - MIN_PLOT
    kept = int(level[_KEPT]) + taken
    over = int(level[_OVER]) + max(0, taken - MIN_PLOT)
    patterns = without((int(level[0]), int(level[1]), int(level[2]), int(level[3])), option)
    rows = _rows(tables, patterns)
    _push(levels, depth + 1, patterns, rows, slots, kept, over, option)
    best = max(best, kept + _kept(rows, slots - over))
    if over > 0 and kept + _kept(rows, slots) > best:
        return _best_shared(tables, options, levels, depth + 1, best)
    return best


@jit
def _with_sets(tables, options, n, levels, best, limit):
    """The best of `best` and what sets lead to, no more than `limit`; level 0 is the whole hand."""
    depth = 0
    levels[0, _NEXT] = 0
    while depth >= 0 and best < limit:
        at = int(levels[depth, _NEXT])
        if at == n or _promise(levels[depth], taken_by(int(options[at]))) <= best:
            depth -= 1
            continue
        levels[depth, _NEXT] = at + 1
        best = _try(tables, options, levels, depth, int(options[at]), best)
        if depth + 1 < MAX_SETS:
            depth += 1
            levels[depth, _NEXT] = at + 1
    return best


@jit
def most_kept(tables, p1, p2, size, limit):
    """The most natural cards that stay in a slam of `size` cards (7..15); known to be no more than `limit`."""
    patterns = patterns_of(tables, p1, p2)
    rows = _rows(tables, patterns)
    options = scratch.integers(1, OPTIONS)[0]
    levels = scratch.integers(_LEVELS, _COLUMNS)
    n = _list_sets(options, p1, p2)
    _push(levels, 0, patterns, rows, size, 0, 0, 0)
    return _with_sets(tables, options, n, levels, _kept(rows, size), limit)
