"""One actual split of a hand into plots, for transcripts; slow."""

from kernels.compiler.jit import jit
from kernels.redox.slam.ask import ask
from kernels.redox.slam.planes import (
    ACE_PLACE,
    HIGH_ACE_PLACE,
    LANE,
    LONGEST_RUN,
    OPENING_RUN,
    RANKS,
    SHORTEST_PLOT,
    SUITS,
    choices,
    copies,
    count_bits,
    count_naturals,
    lane,
    take_card,
    take_choice,
)
from kernels.redox.slam.rows import FREE

RUN = 0
SET = 1
HEADER = 2
"""A plot in `out` is its kind, its number of cards, and its cards."""
JOKER_CODE = 52
"""Stands for any joker."""
SPLIT_SIZE = 32
"""`out` never needs more entries: 20 cards and six headers."""


@jit
def _lowest(word):
    """Place of the lowest set bit of a positive number."""
    return count_bits((word & -word) - 1)


@jit
def _rest(tables, planes, jokers, min_naturals, need):
    """Whether what is left can be split."""
    p1, p2, p3, p4 = planes
    return ask(tables.exact, need, p1, p2, p3, p4, jokers, min_naturals) != 0


@jit
def _without_run(planes, suit, filled):
    """The planes without the cards at the set places of a suit."""
    for place in range(ACE_PLACE, HIGH_ACE_PLACE + 1):
        if filled >> place & 1:
            planes = take_card(planes, suit, (place - 1) % RANKS)
    return planes


@jit
def _held_places(planes, suit, start, end):
    """The places of a suit from `start` to `end` that the hand can fill, as bits; with one ace only the low one."""
    held = lane(planes[0], suit) | (copies(planes, suit, 0) > 0) << HIGH_ACE_PLACE
    if start == ACE_PLACE and copies(planes, suit, 0) == 1:
        held &= (1 << HIGH_ACE_PLACE) - 1
    return held & (1 << end + 1) - (1 << start)


@jit
def _run_at(tables, planes, jokers, min_naturals, need, suit, start, end):
    """The places that the hand's own cards fill in a run, so that the rest can be split; 0 if it cannot."""
    length = end - start + 1
    held = _held_places(planes, suit, start, end)
    must = lane(planes[0], suit) & -lane(planes[0], suit)
    after = FREE if length >= OPENING_RUN else need
    filled = held
    while filled:
        naturals = count_bits(filled)
        own = filled & (must | (must >> ACE_PLACE & 1) << HIGH_ACE_PLACE)
        if own and naturals >= min_naturals and length - naturals <= jokers:
            left = _without_run(planes, suit, filled)
            if _rest(tables, left, jokers - (length - naturals), min_naturals, after):
                return filled
        filled = filled - 1 & held
    return 0


@jit
def _write_run(out, at, suit, start, end, filled):
    out[at] = RUN
    out[at + 1] = end - start + 1
    for place in range(start, end + 1):
        card = suit * RANKS + (place - 1) % RANKS
        out[at + HEADER + place - start] = card if filled >> place & 1 else JOKER_CODE
    return at + HEADER + end - start + 1


@jit
def _write_set(out, at, planes, left, rank, jokers):
    """Write the set of the cards of a rank in `planes` that are not in `left`, and jokers."""
    out[at] = SET
    n = at + HEADER
    for suit in range(SUITS):
        for _ in range(copies(planes, suit, rank) - copies(left, suit, rank)):
            out[n] = suit * RANKS + rank
            n += 1
    for _ in range(jokers):
        out[n] = JOKER_CODE
        n += 1
    out[at + 1] = n - at - HEADER
    return n


@jit
def _take_run(tables, planes, jokers, min_naturals, need, out, at):
    """Take a run with the first card of the hand in it; the new end of `out`, or `at` if there is none."""
    suit = _lowest(planes[0]) // LANE
    for start in range(ACE_PLACE, LONGEST_RUN - 1):
        for end in range(start + SHORTEST_PLOT - 1, HIGH_ACE_PLACE + 1):
            filled = _run_at(tables, planes, jokers, min_naturals, need, suit, start, end)
            if filled:
                jokers -= end - start + 1 - count_bits(filled)
                need = FREE if end - start + 1 >= OPENING_RUN else need
                return _write_run(out, at, suit, start, end, filled), _without_run(planes, suit, filled), jokers, need
    return at, planes, jokers, need


@jit
def _take_set(tables, planes, jokers, min_naturals, need, out, at):
    """Take a set with the first card of the hand in it; the new end of `out`, or `at` if there is none."""
    suit = _lowest(planes[0]) // LANE
    rank = _lowest(planes[0]) % LANE - 1
    for choice in range(choices(planes, rank) - 1, 0, -1):
        left, taken = take_choice(planes, rank, choice)
        if copies(left, suit, rank) == copies(planes, suit, rank) or taken < min_naturals:
            continue
        for blanks in range(max(0, SHORTEST_PLOT - taken), jokers + 1):
            if _rest(tables, left, jokers - blanks, min_naturals, need):
                return _write_set(out, at, planes, left, rank, blanks), left, jokers - blanks, need
    return at, planes, jokers, need


@jit
def split(tables, p1, p2, p3, p4, jokers, min_naturals, need, out):
    """Write a split of a hand that has one into `out`; the number of plots."""
    planes = (p1, p2, p3, p4)
    at = 0
    plots = 0
    while count_naturals(planes[0], planes[1], planes[2], planes[3]):
        before = at
        at, planes, jokers, need = _take_run(tables, planes, jokers, min_naturals, need, out, at)
        if at == before:
            at, planes, jokers, need = _take_set(tables, planes, jokers, min_naturals, need, out, at)
        plots += 1
    return plots
