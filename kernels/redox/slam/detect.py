"""Whether a hand is a slam, by table: at most 15 cards, two copies of a card, and one natural card needed in a plot.

The search is that of `slams_search`: sets take cards away, what is left of each suit is looked up. An *option* is a set
as a number: its rank, the copies it takes of each suit, and how many these are.
"""

import numpy as np

from kernels.compiler import scratch
from kernels.compiler.jit import jit
from kernels.redox.slam.building import DIGITS
from kernels.redox.slam.planes import (
    ACE_PLACE,
    EVERY_SUIT,
    HIGH_ACE_PLACE,
    LANE,
    LANE_MASK,
    RANKS,
    SHORTEST_PLOT,
    SUITS,
    count_bits,
    lane,
)
from kernels.redox.slam.windows import open_windows, with_high_aces
from kernels.redox.slam.words import NIBBLE

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
ALL_COPIES = (1 << RANK_AT) - 1
EACH_COPY = ALL_COPIES // COPY_MASK
TAKEN_AT = RANK_AT + 4
MOST_OPTIONS = 160
MOST_SETS = 3


@jit
def ranks_by_count(p1, p2):
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
def may_split(p1, p2, jokers):
    """False for most hands that are no plots altogether: too many cards without support by neighbours or equal ranks.

    A card in no run of three of the hand's own and in no set of three is in a plot with b > 0 jokers, which holds at
    most 2 * (b + 1) of these. A card without another of its rank, or of its suit two places off or less, has a joker on
    either side that another of these may share: b jokers do for at most b, and one joker does for none.
    """
    held = with_high_aces(p1)
    beside = held & held >> 1
    run = beside & held >> 2
    _, pairs, threes = ranks_by_count(p1, p2)
    in_run = _with_low_aces(run | run << 1 | run << 2)
    bare = p1 & ~(in_run | threes * EVERY_SUIT)
    if count_bits(bare) + count_bits(bare & p2) > BESIDE_A_JOKER * jokers:
        return False
    apart = held & held >> 2
    near = _with_low_aces(beside | beside << 1 | apart | apart << 2)
    lonely = count_bits(p1 & ~(near | pairs * EVERY_SUIT))
    return lonely <= jokers - (jokers == 1)


@jit
def may_be_slam(p1, p2, jokers):
    """False for most hands that are no slam. Both ask for at most two copies of a card."""
    return may_split(p1, p2, jokers) and open_windows(p1, jokers, 1) != 0


@jit
def _pattern(tables, p1, p2, suit):
    return int(tables.patterns[lane(p1, suit) >> 1]) + int(tables.patterns[lane(p2, suit) >> 1])


@jit
def patterns_of(tables, p1, p2):
    """The patterns of the four suits."""
    return (
        _pattern(tables, p1, p2, 0),
        _pattern(tables, p1, p2, 1),
        _pattern(tables, p1, p2, 2),
        _pattern(tables, p1, p2, 3),
    )


@jit
def copies_ofrank_of(p1, p2, rank):
    """Copies a hand has of a rank's card in each suit, two bits a suit."""
    first = p1 >> rank + 1 & EVERY_SUIT
    both = first + (p2 >> rank + 1 & EVERY_SUIT)
    close = both | both >> LANE - COPY_BITS
    return (close | close >> 2 * (LANE - COPY_BITS)) & ALL_COPIES


@jit
def sum_of_copies(copies):
    pairs = (copies & 0x33) + (copies >> COPY_BITS & 0x33)
    return (pairs & DIGIT) + (pairs >> 2 * COPY_BITS)


@jit
def option_of(copies, rank):
    return copies | rank << RANK_AT | sum_of_copies(copies) << TAKEN_AT


@jit
def next_part(part, copies):
    """The next smaller choice of some of a rank's copies after `part`, as digits of a mixed base. `part` is not 0."""
    fewer = part - 1
    borrowed = fewer & fewer >> 1 & EACH_COPY
    borrowed |= borrowed << 1
    return fewer & ~borrowed | copies & borrowed


@jit
def add_whole(options, n, p1, p2, ranks):
    """Add the set of all cards of each rank in a bit set. Returns the new number of options."""
    while ranks:
        rank = count_bits((ranks & -ranks) - 1) - 1
        ranks &= ranks - 1
        options[n] = option_of(copies_ofrank_of(p1, p2, rank), rank)
        n += 1
    return n


@jit
def _add_parts(options, n):
    """Add all smaller sets of three cards or more of the ranks of the `n` options so far."""
    for i in range(n):
        whole = int(options[i])
        if taken_by(whole) > SHORTEST_PLOT:
            copies = whole & ALL_COPIES
            part = next_part(copies, copies)
            while part:
                if sum_of_copies(part) >= SHORTEST_PLOT:
                    options[n] = option_of(part, rank_of(whole))
                    n += 1
                part = next_part(part, copies)
    return n


@jit
def _list_options(options, p1, p2, blanks):
    """All sets that lack at most `blanks` cards, those of three cards or more first, then pairs.

    A card that would need two blanks in a set needs no more in a run.
    """
    _, pairs, threes = ranks_by_count(p1, p2)
    n = _add_parts(options, add_whole(options, 0, p1, p2, threes))
    return add_whole(options, n, p1, p2, pairs & ~threes) if blanks > 0 else n


@jit
def taken_by(option):
    return option >> TAKEN_AT & DIGIT


@jit
def rank_of(option):
    return option >> RANK_AT & DIGIT


@jit
def without(patterns, option):
    """The patterns without the cards of a set."""
    unit = int(POWERS[rank_of(option)])
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
    return max(0, SHORTEST_PLOT - taken_by(option))


@jit
def splits(tables, p1, p2, jokers):
    """Whether the hand is a slam."""
    patterns = patterns_of(tables, p1, p2)
    if _covered(tables, patterns, jokers):
        return True
    options = scratch.integers(1, MOST_OPTIONS)[0]
    n = _list_options(options, p1, p2, jokers)
    for first in range(n):
        one = int(options[first])
        left = jokers - _lacks(one)
        after = without(patterns, one)
        if _covered(tables, after, left) or _splits_further(tables, options, first, n, after, left):
            return True
    return False


@jit
def _splits_further(tables, options, first, n, patterns, blanks):
    """Whether one or two more sets, later ones than the first, leave what runs hold."""
    rank = rank_of(int(options[first]))
    for second in range(first + 1, n):
        two = int(options[second])
        left = blanks - _lacks(two)
        if left >= 0 and rank_of(two) != rank:
            after = without(patterns, two)
            if _covered(tables, after, left) or _splits_with_third(tables, options, rank, second, n, after, left):
                return True
    return False


@jit
def _splits_with_third(tables, options, rank, second, n, patterns, blanks):
    """Whether a third set leaves what runs hold."""
    rank2 = rank_of(int(options[second]))
    for third in range(second + 1, n):
        three = int(options[third])
        left = blanks - _lacks(three)
        fits = left >= 0 and rank_of(three) != rank and rank_of(three) != rank2
        if fits and _covered(tables, without(patterns, three), left):
            return True
    return False
