"""What lies on the table: plots in the order laid, and the cards that go from a hand to them.

A plot is a run (suit, low and high end, which of its places are jokers) or a set (rank, how many of each suit, how many
jokers). Which jokers are small ones matters to nobody but a transcript; it is kept all the same.
"""

import numpy as np

from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit
from kernels.notation import BIG_JOKER, SMALL_JOKER, SUIT_SIZE
from kernels.redox import actions as act
from kernels.redox.options import MAX_HAND, MAX_PLAYERS, MIN_PLOT, SUITS
from kernels.redox.planes import (
    CARD_BITS,
    card_at,
    copies,
    count_bits,
    planes_of,
    put_planes,
    window,
    with_card,
    without_card,
)

MAX_PLOTS = MAX_PLAYERS * MAX_HAND // MIN_PLOT
UNRECORDED = -1
"""No transcript says which jokers are used: small ones first, at the lowest places."""

FIELDS = [
    ("plots", "i8"),  # how many lie on the table
    ("plot_kind", "i1", MAX_PLOTS),  # act.RUN or act.SET
    ("plot_seat", "i1", MAX_PLOTS),  # who laid it
    ("plot_of", "i1", MAX_PLOTS),  # suit of a run, rank of a set
    ("plot_low", "i1", MAX_PLOTS),  # ends of a run: places 1..14
    ("plot_high", "i1", MAX_PLOTS),
    ("plot_jokers", "i2", MAX_PLOTS),  # places of a run that are jokers, as bits; number of jokers of a set
    ("plot_smalls", "i2", MAX_PLOTS),  # the small ones among them
    ("plot_counts", "i1", (MAX_PLOTS, SUITS)),  # naturals of a set by suit
]


@jit
def give(state, seat, card):
    """A card goes to a hand."""
    put_planes(state.hand, seat, with_card(planes_of(state.hand, seat), int(CARD_BITS[card])))
    state.jokers[seat] += int(card >= SMALL_JOKER)
    state.smalls[seat] += int(card == SMALL_JOKER)
    state.hand_n[seat] += 1


@jit
def take_natural(state, seat, card):
    """A natural card leaves a hand; everybody sees it go."""
    bit = int(CARD_BITS[card])
    put_planes(state.hand, seat, without_card(planes_of(state.hand, seat), bit))
    put_planes(state.known, seat, without_card(planes_of(state.known, seat), bit))
    state.hand_n[seat] -= 1


@jit
def take_jokers(state, seat, count, smalls):
    """Jokers leave a hand, `smalls` of them small ones."""
    state.jokers[seat] -= count
    state.smalls[seat] -= smalls
    state.hand_n[seat] -= count
    state.known_jokers[seat] = max(0, int(state.known_jokers[seat]) - count)


@jit
def recorded_or(state, otherwise):
    """Which jokers a transcript records for this turn, or else the usual ones; forgets what was recorded."""
    recorded = int(state.recorded_smalls)
    state.recorded_smalls = UNRECORDED
    return otherwise if recorded == UNRECORDED else recorded


@jit
def take_one_joker(state, seat):
    """A joker leaves a hand by itself; returns which."""
    small = recorded_or(state, int(state.smalls[seat] > 0))
    take_jokers(state, seat, 1, small)
    return SMALL_JOKER if small else BIG_JOKER


@jit
def _lowest_places(places, count):
    """The lowest `count` of the set bits."""
    kept = 0
    for _ in range(min(count, count_bits(places))):
        bit = places & -places
        kept |= bit
        places ^= bit
    return kept


@jit
def new_plot(state, seat, kind, of):
    """A plot without cards yet; returns its number."""
    plot = int(state.plots)
    state.plots = plot + 1
    state.plot_kind[plot] = kind
    state.plot_seat[plot] = seat
    state.plot_of[plot] = of
    state.plot_low[plot] = 0
    state.plot_high[plot] = 0
    state.plot_jokers[plot] = 0
    state.plot_smalls[plot] = 0
    for suit in range(SUITS):
        state.plot_counts[plot, suit] = 0
    return plot


@jit
def fill_run(state, seat, plot, low, high, jokers):
    """Cards go from a hand to a run that then spans low..high; jokers: which of the new places are jokers."""
    suit = int(state.plot_of[plot])
    old = window(int(state.plot_low[plot]), int(state.plot_high[plot])) if state.plot_low[plot] else 0
    naturals = window(low, high) & ~old & ~jokers
    while naturals:
        place = lowest(naturals)
        naturals &= naturals - 1
        take_natural(state, seat, suit * SUIT_SIZE + (place - 1) % SUIT_SIZE)
    if jokers:
        smalls = recorded_or(state, _lowest_places(jokers, int(state.smalls[seat])))
        take_jokers(state, seat, count_bits(jokers), count_bits(smalls))
        state.plot_jokers[plot] |= jokers
        state.plot_smalls[plot] |= smalls
    state.plot_low[plot] = low
    state.plot_high[plot] = high


@jit
def fill_set(state, seat, plot, action):
    """Cards go from a hand to a set, as many of each suit and jokers as the action says."""
    rank = int(state.plot_of[plot])
    for suit in range(SUITS):
        for _ in range(act.count(action, suit)):
            take_natural(state, seat, suit * SUIT_SIZE + rank)
        state.plot_counts[plot, suit] += act.count(action, suit)
    jokers = act.jokers(action)
    if jokers:
        smalls = recorded_or(state, min(jokers, int(state.smalls[seat])))
        take_jokers(state, seat, jokers, smalls)
        state.plot_jokers[plot] += jokers
        state.plot_smalls[plot] += smalls


@jit
def _put(found, n, card):
    found[n] = card
    return n + 1


@jit
def plot_cards(state, plot, found, n):
    """Write the cards of a plot to `found` from place n on, in order; returns the next free place."""
    of = int(state.plot_of[plot])
    jokers = int(state.plot_jokers[plot])
    smalls = int(state.plot_smalls[plot])
    if state.plot_kind[plot] == act.RUN:
        for place in range(int(state.plot_low[plot]), int(state.plot_high[plot]) + 1):
            natural = of * SUIT_SIZE + (place - 1) % SUIT_SIZE
            joker = SMALL_JOKER if smalls >> place & 1 else BIG_JOKER
            n = _put(found, n, joker if jokers >> place & 1 else natural)
        return n
    for suit in range(SUITS):
        for _ in range(int(state.plot_counts[plot, suit])):
            n = _put(found, n, suit * SUIT_SIZE + of)
    for joker in range(jokers):
        n = _put(found, n, SMALL_JOKER if joker < smalls else BIG_JOKER)
    return n


@jit
def hand_cards(state, seat, found, n):
    """Write the cards of a hand to `found` from place n on, sorted; returns the next free place."""
    planes = planes_of(state.hand, seat)
    faces = planes[0]
    while faces:
        at = lowest(faces)
        faces &= faces - 1
        for _ in range(copies(planes, at)):
            n = _put(found, n, card_at(at))
    for joker in range(int(state.jokers[seat])):
        n = _put(found, n, SMALL_JOKER if joker < state.smalls[seat] else BIG_JOKER)
    return n


def cards_of_plot(state: np.record, plot: int) -> list[int]:
    """The cards of a plot on the table, a run in ascending order."""
    found = np.zeros(MAX_PLOTS * MIN_PLOT, np.int64)
    return [int(card) for card in found[: plot_cards(state, plot, found, 0)]]


def cards_of_hand(state: np.record, seat: int) -> list[int]:
    """The cards of a hand, sorted."""
    found = np.zeros(MAX_PLOTS * MIN_PLOT, np.int64)
    return [int(card) for card in found[: hand_cards(state, seat, found, 0)]]
