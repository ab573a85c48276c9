"""Slams by table: hands of at most 15 cards with at most two copies of a card, and one natural card a plot.

The search is that of `slams_search`: sets take cards away, what is left of each suit is looked up. An *option* is a set
as a number: its rank, the copies it takes of each suit, and how many these are.
"""

import numpy as np

from kernels.jit import jit
from kernels.redox.slams_build import DIGITS, PATTERNS
from kernels.redox.slams_open import open_windows, with_high_aces
from kernels.redox.slams_planes import (
    ACE_PLACE,
    EVERY_SUIT,
    HIGH_ACE_PLACE,
    LANE,
    LANE_MASK,
    OPENING_RUN,
    RANKS,
    SHORTEST_PLOT,
    SUITS,
    count_bits,
    lane,
)
from kernels.redox.slams_tables import COMMON
from kernels.redox.slams_words import LAST, NIBBLE, join_words, kept_in, reverse

TWO_LANES = 2 * LANE
TWO_LANES_MASK = (1 << TWO_LANES) - 1
ACE_TO_ACE = HIGH_ACE_PLACE - ACE_PLACE
BESIDE_A_JOKER = 4
"""Cards that need jokers, for each joker: two on either side of it in a run. (One on its own ends two such plots.)"""
DIGIT = 15
POWERS = DIGITS ** np.arange(RANKS)

COPY_BITS = 2
COPY_MASK = (1 << COPY_BITS) - 1
RANK_AT = SUITS * COPY_BITS
TAKEN_AT = RANK_AT + 4
MOST_OPTIONS = 160
MOST_SETS = 3

LEFT_SLOTS = 8
KEPT = 9
RANKS_TAKEN = 10
NEXT = 11
WITH_ONE = 12
WITH_TWO = 13
WITH_THREE = 14
BOUNDS = 15
LEVEL = BOUNDS + MOST_SETS * (LAST + 1)
"""Columns of a level of the search: four patterns, four words of rows, then these."""


@jit
def _held_twice_and_more(p1, p2):
    """Ranks of which a hand has at least one, two, three cards, each as a lane's bits. `p2`: second copies."""
    a, b = p1 & TWO_LANES_MASK, p1 >> TWO_LANES
    c, d = p2 & TWO_LANES_MASK, p2 >> TWO_LANES
    odd, odd2, even, even2 = a ^ b, c ^ d, a & b, c & d
    carry = odd & odd2
    one = odd ^ odd2
    two = even ^ even2 ^ carry
    four = even & even2 | carry & (even ^ even2)
    some, pair, three = one | two | four, two | four, four | one & two
    pairs = pair | pair >> LANE | some & some >> LANE
    threes = three | three >> LANE | pair & some >> LANE | some & pair >> LANE
    return (some | some >> LANE) & LANE_MASK, pairs & LANE_MASK, threes & LANE_MASK


@jit
def _with_low_aces(places):
    """Place 14 of every suit also as place 1."""
    return places | places >> ACE_TO_ACE & EVERY_SUIT << ACE_PLACE


@jit
def may_be_slam(p1, p2, jokers):
    """False for most hands that are no slam: too many cards that neighbours and equal ranks do not support.

    A card in no run of three of the hand's own and in no set of three is in a plot with b > 0 jokers, which holds at
    most 2 * (b + 1) of these. A card without another of its rank, or of its suit two places off or less, has a joker on
    either side that another of these may share: b jokers do for at most b, and one joker does for none.
    """
    held = with_high_aces(p1)
    beside = held & held >> 1
    run = beside & held >> 2
    _, pairs, threes = _held_twice_and_more(p1, p2)
    in_run = _with_low_aces(run | run << 1 | run << 2)
    bare = p1 & ~(in_run | threes * EVERY_SUIT)
    if jokers == 0:
        return bare == 0 and run & held >> 3 != 0
    if count_bits(bare) + count_bits(bare & p2) > BESIDE_A_JOKER * jokers:
        return False
    apart = held & held >> 2
    near = _with_low_aces(beside | beside << 1 | apart | apart << 2)
    lonely = count_bits(p1 & ~(near | pairs * EVERY_SUIT))
    return lonely <= jokers - (jokers == 1) and open_windows(p1, jokers, 1) != 0


@jit
def _pattern(tables, p1, p2, suit):
    return int(tables.patterns[lane(p1, suit) >> 1]) + int(tables.patterns[lane(p2, suit) >> 1])


@jit
def _patterns(tables, p1, p2):
    """The patterns of the four suits."""
    return (
        _pattern(tables, p1, p2, 0),
        _pattern(tables, p1, p2, 1),
        _pattern(tables, p1, p2, 2),
        _pattern(tables, p1, p2, 3),
    )


@jit
def _copies_of_rank(p1, p2, rank):
    """Copies a hand has of a rank's card in each suit, two bits a suit."""
    first = p1 >> rank + 1 & EVERY_SUIT
    both = first + (p2 >> rank + 1 & EVERY_SUIT)
    close = both | both >> LANE - COPY_BITS
    return (close | close >> 2 * (LANE - COPY_BITS)) & (1 << RANK_AT) - 1


@jit
def _sum_of_copies(copies):
    pairs = (copies & 0x33) + (copies >> COPY_BITS & 0x33)
    return (pairs & DIGIT) + (pairs >> 2 * COPY_BITS)


@jit
def _option(copies, rank):
    return copies | rank << RANK_AT | _sum_of_copies(copies) << TAKEN_AT


@jit
def _is_part(part, copies):
    """Whether no suit has more copies in `part` than in `copies`."""
    fits = True
    for suit in range(SUITS):
        at = COPY_BITS * suit
        fits &= part >> at & COPY_MASK <= copies >> at & COPY_MASK
    return fits


@jit
def _add_whole(options, n, p1, p2, ranks):
    """Add the set of all cards of each rank in a bit set. Returns the new number of options."""
    while ranks:
        rank = count_bits((ranks & -ranks) - 1) - 1
        ranks &= ranks - 1
        options[n] = _option(_copies_of_rank(p1, p2, rank), rank)
        n += 1
    return n


@jit
def _add_parts(options, n):
    """Add all smaller sets of three cards or more of the ranks of the `n` options so far."""
    for i in range(n):
        whole = int(options[i])
        if _taken(whole) > SHORTEST_PLOT:
            copies = whole & (1 << RANK_AT) - 1
            for part in range(copies - 1, 0, -1):
                if _sum_of_copies(part) >= SHORTEST_PLOT and _is_part(part, copies):
                    options[n] = _option(part, _rank(whole))
                    n += 1
    return n


@jit
def _list_options(options, p1, p2, blanks):
    """All sets that lack at most `blanks` cards, those of three cards or more first, then pairs, then single cards."""
    some, pairs, threes = _held_twice_and_more(p1, p2)
    n = _add_parts(options, _add_whole(options, 0, p1, p2, threes))
    if blanks > 0:
        n = _add_whole(options, n, p1, p2, pairs & ~threes)
    if blanks > 1:
        n = _add_whole(options, n, p1, p2, some & ~pairs)
    return n


@jit
def _taken(option):
    return option >> TAKEN_AT


@jit
def _rank(option):
    return option >> RANK_AT & DIGIT


@jit
def _without(patterns, option):
    """The patterns without the cards of a set."""
    unit = int(POWERS[_rank(option)])
    a, b, c, d = patterns
    return (
        a - (option & COPY_MASK) * unit,
        b - (option >> COPY_BITS & COPY_MASK) * unit,
        c - (option >> 2 * COPY_BITS & COPY_MASK) * unit,
        d - (option >> 3 * COPY_BITS & COPY_MASK) * unit,
    )


@jit
def _covered(tables, patterns, blanks):
    """Whether runs hold all of the four patterns with so many blanks, one of them a run of four."""
    a, b, c, d = patterns
    e, f, g, h = int(tables.covers[a]), int(tables.covers[b]), int(tables.covers[c]), int(tables.covers[d])
    free = (e & DIGIT) + (f & DIGIT) + (g & DIGIT) + (h & DIGIT)
    if free > blanks:
        return False
    extra = min(min((e >> NIBBLE) - (e & DIGIT), (f >> NIBBLE) - (f & DIGIT)), (g >> NIBBLE) - (g & DIGIT))
    return free + min(extra, (h >> NIBBLE) - (h & DIGIT)) <= blanks


@jit
def _lacks(option):
    """Blanks that a set needs to have three cards."""
    return max(0, SHORTEST_PLOT - _taken(option))


@jit
def splits(tables, p1, p2, jokers):
    """Whether the hand is a slam."""
    patterns = _patterns(tables, p1, p2)
    if _covered(tables, patterns, jokers):
        return True
    options = np.empty(MOST_OPTIONS, dtype=np.int64)
    n = _list_options(options, p1, p2, jokers)
    for first in range(n):
        one = int(options[first])
        left = jokers - _lacks(one)
        after = _without(patterns, one)
        if _covered(tables, after, left) or _splits_further(tables, options, first, n, after, left):
            return True
    return False


@jit
def _splits_further(tables, options, first, n, patterns, blanks):
    """Whether one or two more sets, later ones than the first, leave what runs hold."""
    rank = _rank(int(options[first]))
    for second in range(first + 1, n):
        two = int(options[second])
        left = blanks - _lacks(two)
        if left >= 0 and _rank(two) != rank:
            after = _without(patterns, two)
            if _covered(tables, after, left) or _splits_with_third(tables, options, rank, second, n, after, left):
                return True
    return False


@jit
def _splits_with_third(tables, options, rank, second, n, patterns, blanks):
    """Whether a third set leaves what runs hold."""
    rank2 = _rank(int(options[second]))
    for third in range(second + 1, n):
        three = int(options[third])
        left = blanks - _lacks(three)
        fits = left >= 0 and _rank(three) != rank and _rank(three) != rank2
        if fits and _covered(tables, _without(patterns, three), left):
            return True
    return False


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
    """The most cards that runs keep in some slots, a run of four among them; -LAST if there are too few slots."""
    if slots < OPENING_RUN:
        return -LAST
    free, need, free2, need2 = rows
    return kept_in(free, need, free2, need2, slots)


@jit
def _push(levels, depth, patterns, rows, slots, kept, ranks):
    """Begin a level of the search: what is left of a hand and of its slots after some sets.

    WITH_ONE to WITH_THREE are what runs keep if one to three more sets take three slots each.
    """
    level = levels[depth]
    level[0], level[1], level[2], level[3] = patterns
    level[4], level[5], level[6], level[7] = rows
    level[LEFT_SLOTS] = slots
    level[KEPT] = kept
    level[RANKS_TAKEN] = ranks
    level[WITH_ONE] = _kept(rows, slots - SHORTEST_PLOT)
    level[WITH_TWO] = _kept(rows, slots - 2 * SHORTEST_PLOT)
    level[WITH_THREE] = _kept(rows, slots - 3 * SHORTEST_PLOT)


@jit
def _promise(level, taken):
    """No more is kept with sets of at most `taken` (1..3) cards."""
    more = max(level[WITH_TWO] + taken, level[WITH_THREE] + 2 * taken)
    return level[KEPT] + taken + max(level[WITH_ONE], more)


@jit
def _fill_bounds(level, richest):
    """For hands with sets of four or more: what runs keep in any number of slots, with none, one and two sets more.

    In a set of three cards or more each has a slot of its own.
    """
    rows = int(level[4]), int(level[5]), int(level[6]), int(level[7])
    for slots in range(LAST + 1):
        level[BOUNDS + slots] = _kept(rows, slots)
    for more in range(1, MOST_SETS):
        with_less = BOUNDS + (more - 1) * (LAST + 1)
        for slots in range(LAST + 1):
            best = level[with_less + slots]
            for size in range(SHORTEST_PLOT, min(richest, slots) + 1):
                best = max(best, size + level[with_less + slots - size])
            level[with_less + LAST + 1 + slots] = best


@jit
def _rich_promise(level, depth, taken):
    """No more is kept with a set of `taken` (3 or more) cards and sets of any size."""
    slots = int(level[LEFT_SLOTS]) - taken
    if slots < OPENING_RUN:
        return 0
    return level[KEPT] + taken + level[BOUNDS + (MOST_SETS - 1 - depth) * (LAST + 1) + slots]


@jit
def _try(tables, levels, depth, option):
    """The level below for a set; the most that it keeps without more sets."""
    level = levels[depth]
    taken = _taken(option)
    slots = int(level[LEFT_SLOTS]) - max(SHORTEST_PLOT, taken)
    kept = int(level[KEPT]) + taken
    if slots < OPENING_RUN or level[RANKS_TAKEN] >> _rank(option) & 1:
        return 0
    patterns = _without((int(level[0]), int(level[1]), int(level[2]), int(level[3])), option)
    rows = _rows(tables, patterns)
    _push(levels, depth + 1, patterns, rows, slots, kept, int(level[RANKS_TAKEN]) | 1 << _rank(option))
    return kept + _kept(rows, slots)


@jit
def _with_sets(tables, options, n, levels, best):
    """The best of `best` and what sets lead to; level 0 is the whole hand."""
    richest = _taken_at_most(options, n)
    rich = richest > SHORTEST_PLOT
    depth = 0
    levels[0, NEXT] = 0
    if rich:
        _fill_bounds(levels[0], richest)
    while depth >= 0:
        level = levels[depth]
        at = int(level[NEXT])
        option = int(options[at]) if at < n else 0
        level[NEXT] = at + 1
        if option == 0 or (_is_poor(option, rich) and _promise(level, _taken(option)) <= best):
            depth -= 1
        elif _is_poor(option, rich) or _rich_promise(level, depth, _taken(option)) > best:
            kept = _try(tables, levels, depth, option)
            best = max(best, kept)
            if kept > 0 and depth + 1 < MOST_SETS:
                depth += 1
                levels[depth, NEXT] = at + 1
                if rich:
                    _fill_bounds(levels[depth], richest)
    return best


@jit
def _is_poor(option, rich):
    """Whether no later option has more cards than this one, so that all can be left out with it."""
    return not rich or _taken(option) < SHORTEST_PLOT


@jit
def _taken_at_most(options, n):
    """Cards of the largest set."""
    most = 0
    for i in range(n):
        most = max(most, _taken(int(options[i])))
    return most


@jit
def most_kept(tables, p1, p2, size):
    """The most natural cards that stay in a slam of `size` cards (7..15)."""
    patterns = _patterns(tables, p1, p2)
    rows = _rows(tables, patterns)
    options = np.empty(MOST_OPTIONS, dtype=np.int64)
    levels = np.empty((MOST_SETS + 1, LEVEL), dtype=np.int64)
    n = _list_options(options, p1, p2, 2)
    _push(levels, 0, patterns, rows, size, 0, 0)
    return _with_sets(tables, options, n, levels, _kept(rows, size))
