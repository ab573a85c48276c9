"""Whether a hand is a slam, by table: at most 15 cards, two copies of a card, and one natural card needed in a plot.

Most hands fail a filter on whole planes. For the others all sets are tried, and what they leave of each suit is looked
up.
"""

from kernels.compiler import scratch
from kernels.compiler.jit import jit
from kernels.redox.options import MIN_PLOT, OPENING_RUN
from kernels.redox.planes import EVERY_SUIT, count_bits, ranks_held, run_shape, run_starts, with_high_aces
from kernels.redox.slam.sets import (
    ALL_COPIES,
    COPY_MASK,
    add_whole,
    patterns_of,
    rank_of,
    set_of,
    sum_of_copies,
    taken_by,
    without,
)
from kernels.redox.slam.words import DIGIT, NIBBLE

BESIDE_A_JOKER = 4
"""Cards that need jokers, for each joker: two on either side of it in a run. (One on its own ends two such plots.)"""
EACH_COPY = ALL_COPIES // COPY_MASK
MAX_OPTIONS = 160


@jit
def may_be_slam(p1, p2, jokers):
    """False for most hands that are no slam: too many cards without support by neighbours or equal ranks, or no place
    for a run of four.

    A card in no run of three of the hand's own and in no set of three is in a plot with b > 0 jokers, which holds at
    most 2 * (b + 1) of these. A card without another of its rank, or of its suit two places off or less, has a joker on
    either side that another of these may share: b jokers do for at most b, and one joker does for none.
    """
    _four, run, neighbours, apart = run_shape(p1)
    _some, pairs, threes = ranks_held((p1, p2, 0, 0))
    bare = p1 & ~(run | threes * EVERY_SUIT)
    if count_bits(bare) + count_bits(bare & p2) > BESIDE_A_JOKER * jokers:
        return False
    lonely = count_bits(p1 & ~(neighbours | apart | pairs * EVERY_SUIT))
    if lonely > jokers - (jokers == 1):
        return False
    return run_starts(with_high_aces(p1), jokers, OPENING_RUN) != 0


@jit
def _next_part(part, copies):
    """The next smaller choice of some of a rank's copies after `part`, as digits of a mixed base. `part` is not 0."""
    fewer = part - 1
    borrowed = fewer & fewer >> 1 & EACH_COPY
    borrowed |= borrowed << 1
    return fewer & ~borrowed | copies & borrowed


@jit
def _add_parts(options, n):
    """Add all smaller sets of three cards or more of the ranks of the `n` options so far."""
    for i in range(n):
        whole = int(options[i])
        if taken_by(whole) > MIN_PLOT:
            copies = whole & ALL_COPIES
            part = _next_part(copies, copies)
            while part:
                if sum_of_copies(part) >= MIN_PLOT:
                    options[n] = set_of(part, rank_of(whole))
                    n += 1
                part = _next_part(part, copies)
    return n


@jit
def _list_options(options, p1, p2, blanks):
    """All sets that lack at most `blanks` cards, those of three cards or more first, then pairs.

    A card that would need two blanks in a set needs no more in a run.
    """
    _some, pairs, threes = ranks_held((p1, p2, 0, 0))
    n = _add_parts(options, add_whole(options, 0, p1, p2, threes))
    return add_whole(options, n, p1, p2, pairs & ~threes) if blanks > 0 else n


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
    return max(0, MIN_PLOT - taken_by(option))


@jit
def splits(tables, p1, p2, jokers):
    """Whether the hand is a slam."""
    patterns = patterns_of(tables, p1, p2)
    if _covered(tables, patterns, jokers):
        return True
    options = scratch.integers(1, MAX_OPTIONS)[0]
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
