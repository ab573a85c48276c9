"""How many dealt hands can be split completely into plots: counted by an automaton that reads the pack card by card.

A *way* is a partial reading of a hand: for each suit the runs that are still open and the aces kept for the high end,
whether there has been a run, and a run of four, how many cards of the rank being read lie in its set, and the jokers
it has cost. Of all ways of one partial hand only those that no other way can imitate at the same cost are kept; this
set of ways is the state of a deterministic automaton, and hands are counted state by state, rank by rank and suit by
suit within a rank. Suits are put in order at each rank, which merges states that differ by the names of suits.

An open run is known by its length, 1, 2, or 3 and more; jokers fill gaps when it goes on and the missing cards when it
is closed. One more joker than needed always fits into a run or a set, so the least cost decides.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kernels.compiler.jit import jit
from kernels.redox.options import MIN_PLOT, RANKS, SUITS

COUNTED_DECKS = 2
COUNTED_JOKERS = 8

FIELD_BITS = 8
FIELD = (1 << FIELD_BITS) - 1
PENDING_SHIFT = 6
"""A suit's byte: open runs of length 1, 2, 3 and more, and aces kept for the high end; two bits each."""
FLAG_SHIFT = SUITS * FIELD_BITS
SET_SHIFT = FLAG_SHIFT + 2
COST_SHIFT = SET_SHIFT + 2
NO_RUN, ANY_RUN, RUN_OF_FOUR = range(3)
MAX_WAYS = 1 << 14

ALL_ACES, MIDDLE, HIGH_ACES = range(3)
"""What a suit step reads: aces, cards of a middle rank, or the aces kept for the high end."""


class Deck(NamedTuple):
    """A pack to count hands of, and whether a run of four is asked for; suits and ranks are fewer in tests."""

    copies: int
    jokers: int
    hand: int
    long_run: bool = True
    ranks: int = RANKS
    suits: int = SUITS


class Layer(NamedTuple):
    """States after some steps: state i has naturals[i] cards read and the ways ways[starts[i]:starts[i + 1]], sorted;
    hands[i] partial hands lead to it."""

    ways: np.ndarray
    starts: np.ndarray
    naturals: np.ndarray
    hands: np.ndarray


class Count(NamedTuple):
    """Hands that split, of all; and how many states of the automaton were met."""

    favourable: int
    total: int
    states: int


# Imitation


def _open_runs(field: int) -> list[int]:
    """Lengths of a field's open runs, longest first."""
    return [3] * (field >> 4 & 3) + [2] * (field >> 2 & 3) + [1] * (field & 3)


def _run_cost(one: int, other: int) -> int:
    """Jokers with which an open run of length `one` (0: none) does all that one of length `other` could."""
    if other == 0:
        return 3 - one if one else 0
    return max(0, other - one)


def _runs_cost(one: list[int], other: list[int]) -> int:
    size = max(len(one), len(other))
    padded = [runs + [0] * (size - len(runs)) for runs in (one, other)]
    if size == 0:
        return 0
    return min(
        sum(_run_cost(a, padded[1][place]) for a, place in zip(padded[0], order, strict=True))
        for order in _orders(size)
    )


def _orders(size: int) -> list[tuple[int, ...]]:
    if size == 0:
        return [()]
    return [(*order[:i], size - 1, *order[i:]) for order in _orders(size - 1) for i in range(size)]


def _pending_cost(one: int, other: int) -> int:
    """A spare ace needs two jokers for a plot of its own; a missing one is a joker at the high end."""
    return 2 * (one - other) if one > other else other - one


def imitation() -> np.ndarray:
    """int64[256, 256]: jokers with which a suit's byte imitates another's."""
    table = np.full((FIELD + 1, FIELD + 1), COUNTED_JOKERS + 1, np.int64)
    fields = [field for field in range(FIELD + 1) if len(_open_runs(field)) <= COUNTED_DECKS]
    for one in fields:
        for other in fields:
            pending = _pending_cost(one >> PENDING_SHIFT, other >> PENDING_SHIFT)
            table[one, other] = pending + _runs_cost(_open_runs(one & 63), _open_runs(other & 63))
    return table


@jit
def _set_imitation(one, other):
    """Jokers with which a set of `one` cards (0: no set; 3: three or more) does what one of `other` cards could."""
    if other == 0:
        return MIN_PLOT - one if one else 0
    return max(0, other - one)


@jit
def _imitates(table, one, other):
    """Whether the first way does, at no higher cost, whatever the second could still do."""
    cost = (one >> COST_SHIFT) - (other >> COST_SHIFT)
    if cost > 0:
        return False
    flag = one >> FLAG_SHIFT & 3
    wanted = other >> FLAG_SHIFT & 3
    if flag < wanted:
        if flag == NO_RUN:
            return False
        cost += 1
    cost += _set_imitation(one >> SET_SHIFT & 3, other >> SET_SHIFT & 3)
    for suit in range(SUITS):
        shift = suit * FIELD_BITS
        cost += table[one >> shift & FIELD, other >> shift & FIELD]
    return cost <= 0


@jit
def _keep(table, ways, n, way):
    """Add a way to those kept, unless one of them imitates it; drops those that it imitates."""
    for i in range(n):
        if _imitates(table, ways[i], way):
            return n
    kept = 0
    for i in range(n):
        if not _imitates(table, way, ways[i]):
            ways[kept] = ways[i]
            kept += 1
    ways[kept] = way
    return kept + 1


# Reading cards


@jit
def _play_runs(table, out, n, way, suit, cards, deck):
    """Ways after a rank of a suit of which `cards` go to runs."""
    copies, jokers = deck.copies, deck.jokers
    shift = suit * FIELD_BITS
    field = way >> shift & FIELD
    ones, twos, threes = field & 3, field >> 2 & 3, field >> 4 & 3
    spent = way >> COST_SHIFT
    for a3 in range(min(threes, cards) + 1):
        for b3 in range(threes - a3 + 1):
            for a2 in range(min(twos, cards - a3) + 1):
                for b2 in range(twos - a2 + 1):
                    for a1 in range(min(ones, cards - a3 - a2) + 1):
                        for b1 in range(ones - a1 + 1):
                            new = cards - a3 - a2 - a1
                            long_runs = a3 + b3 + a2 + b2
                            cost = spent + b3 + b2 + b1 + (twos - a2 - b2) + 2 * (ones - a1 - b1)
                            if cost > jokers or new + a1 + b1 + long_runs > copies:
                                continue
                            flag = max(way >> FLAG_SHIFT & 3, ANY_RUN if new else NO_RUN)
                            if a3 + b3:
                                flag = RUN_OF_FOUR
                            opened = new | (a1 + b1) << 2 | long_runs << 4 | (field & (3 << PENDING_SHIFT))
                            rest = way & ~(FIELD << shift) & ~(3 << FLAG_SHIFT) & ((1 << COST_SHIFT) - 1)
                            n = _keep(table, out, n, rest | opened << shift | flag << FLAG_SHIFT | cost << COST_SHIFT)
    return n


@jit
def _into_set(way, cards):
    """The way with cards added to the set of the rank being read."""
    held = min(MIN_PLOT, (way >> SET_SHIFT & 3) + cards)
    return way & ~(3 << SET_SHIFT) | held << SET_SHIFT


@jit
def _read_aces(table, out, n, way, suit, cards):
    """Ways after the aces of a suit: in the set, opening a low run, or kept for the high end."""
    shift = suit * FIELD_BITS
    for in_set in range(cards + 1):
        for low in range(cards - in_set + 1):
            flag = max(way >> FLAG_SHIFT & 3, ANY_RUN if low else NO_RUN)
            opened = low | (cards - in_set - low) << PENDING_SHIFT
            after = _into_set(way, in_set) & ~(3 << FLAG_SHIFT) | opened << shift | flag << FLAG_SHIFT
            n = _keep(table, out, n, after)
    return n


@jit
def _read_high_aces(table, out, n, way, suit, deck):
    """Ways after the aces that a suit kept: they go to runs."""
    shift = suit * FIELD_BITS
    pending = way >> (shift + PENDING_SHIFT) & 3
    return _play_runs(table, out, n, way & ~(3 << (shift + PENDING_SHIFT)), suit, pending, deck)


@jit
def _read(table, ways, n, out, suit, cards, what, deck):
    """The ways in which a hand may go on, once `cards` of a suit's rank are read; returns their number."""
    found = 0
    for i in range(n):
        if what == ALL_ACES:
            found = _read_aces(table, out, found, ways[i], suit, cards)
        elif what == HIGH_ACES:
            found = _read_high_aces(table, out, found, ways[i], suit, deck)
        else:
            for in_set in range(cards + 1):
                way = _into_set(ways[i], in_set)
                found = _play_runs(table, out, found, way, suit, cards - in_set, deck)
    return found


@jit
def _close_set(table, ways, n, out, jokers):
    """The ways after a rank: a set that was begun takes the jokers it lacks."""
    found = 0
    for i in range(n):
        held = ways[i] >> SET_SHIFT & 3
        way = ways[i] & ~(3 << SET_SHIFT)
        if held:
            way += (MIN_PLOT - held) << COST_SHIFT
        if way >> COST_SHIFT <= jokers:
            found = _keep(table, out, found, way)
    return found


# States


@jit
def _lacks(way, rank, deck):
    """The least number of cards, jokers or not, that a way still needs."""
    held = way >> SET_SHIFT & 3
    lacking = MIN_PLOT - held if held else 0
    aces = 0
    for suit in range(deck.suits):
        field = way >> (suit * FIELD_BITS) & FIELD
        pending = field >> PENDING_SHIFT
        aces += pending
        for_aces = pending * max(0, min(2, deck.ranks - 1 - rank))
        # A kept ace may be one of the cards that an open run waits for.
        lacking += max(2 * (field & 3) + (field >> 2 & 3) - pending, for_aces)
    if deck.long_run:
        flag = way >> FLAG_SHIFT & 3
        # The cards that a kept ace waits for may make an open run a run of four, but no run begun with it is yet.
        if (flag == ANY_RUN and aces == 0) or (flag == NO_RUN and aces):
            lacking += 1
        elif flag == NO_RUN:
            lacking += 4
    return lacking


@jit
def _prune(ways, n, naturals, rank, deck):
    """Drop the ways that no longer fit into a hand; returns the number of those left."""
    kept = 0
    for i in range(n):
        if naturals + (ways[i] >> COST_SHIFT) + _lacks(ways[i], rank, deck) <= deck.hand:
            ways[kept] = ways[i]
            kept += 1
    return kept


@jit
def _mix(value):
    """Scatter the bits of a number (non-negative int64)."""
    value = (value ^ (value >> 29)) * 0x1B873593
    value = (value ^ (value >> 31)) * 0x2545F491
    return (value ^ (value >> 27)) & 0x7FFFFFFFFFFFFFF


@jit
def _order_suits(ways, n, suits, weight, place):
    """Rename the suits by what the ways say of each, so that hands that differ by names of suits look alike."""
    for suit in range(suits):
        weight[suit] = 0
    for i in range(n):
        others = 0
        for suit in range(suits):
            others += _mix(ways[i] >> (suit * FIELD_BITS) & FIELD)
        about = _mix((ways[i] >> FLAG_SHIFT) + (others & 0xFFFFFFFF) * 1024)
        for suit in range(suits):
            field = ways[i] >> (suit * FIELD_BITS) & FIELD
            weight[suit] += _mix((about & 0xFFFFFFFF) * 256 + field) & 0xFFFFFFFFFF
    for suit in range(suits):
        rank = 0
        for other in range(suits):
            if weight[other] < weight[suit] or (weight[other] == weight[suit] and other < suit):
                rank += 1
        place[suit] = rank
    for i in range(n):
        renamed = ways[i] >> FLAG_SHIFT << FLAG_SHIFT
        for suit in range(suits):
            renamed |= (ways[i] >> (suit * FIELD_BITS) & FIELD) << (place[suit] * FIELD_BITS)
        ways[i] = renamed


@jit
def _sort(ways, n):
    for i in range(1, n):
        way = ways[i]
        j = i
        while j and ways[j - 1] > way:
            ways[j] = ways[j - 1]
            j -= 1
        ways[j] = way


@jit
def _find(slots, starts, all_naturals, pool, naturals, ways, n):
    """The slot of the hash table where a state is, or belongs."""
    value = naturals
    for i in range(n):
        value = _mix(value ^ (ways[i] & 0xFFFFFFFFFFFFFF))
    mask = len(slots) - 1
    slot = value & mask
    while slots[slot] >= 0:
        state = slots[slot]
        start = starts[state]
        if starts[state + 1] - start == n and all_naturals[state] == naturals:
            same = True
            for i in range(n):
                if pool[start + i] != ways[i]:
                    same = False
                    break
            if same:
                break
        slot = (slot + 1) & mask
    return slot


@jit
def advance(table, layer, deck, rank, suit, what, picks, room):
    """All states after one more suit of a rank. picks: int64[copies + 1], ways to pick so many of equal cards.

    room: a layer's arrays to be filled, hash table, and scratch. Returns the number of states, -1 if there is no room.
    """
    pool, starts, naturals, hands, slots, scratch, more, weight, place = room
    closing = suit == deck.suits - 1
    unread = deck.copies * (deck.suits - 1 - suit + deck.suits * max(0, deck.ranks - 1 - rank))
    most = deck.copies if what != HIGH_ACES else 0
    states = 0
    starts[0] = 0
    for state in range(len(layer.naturals)):
        begin = layer.starts[state]
        ways = layer.ways[begin : layer.starts[state + 1]]
        for cards in range(most + 1):
            total = layer.naturals[state] + cards
            if total > deck.hand or total + unread < deck.hand - deck.jokers:
                continue
            n = _read(table, ways, len(ways), scratch, suit, cards, what, deck)
            found = scratch
            if closing:
                n = _close_set(table, scratch, n, more, deck.jokers)
                found = more
            n = _prune(found, n, total, rank, deck)
            if n == 0:
                continue
            if closing:
                _order_suits(found, n, deck.suits, weight, place)
            _sort(found, n)
            slot = _find(slots, starts, naturals, pool, total, found, n)
            if slots[slot] < 0:
                if 2 * states >= len(slots) or states + 2 > len(starts) or starts[states] + n > len(pool):
                    return -1
                slots[slot] = states
                for i in range(n):
                    pool[starts[states] + i] = found[i]
                starts[states + 1] = starts[states] + n
                naturals[states] = total
                hands[states] = 0
                states += 1
            hands[slots[slot]] += picks[cards] * layer.hands[state]
    return states


@jit
def tally(layer, deck, needs):
    """Add up hands by naturals and by jokers needed; needs: int64[hand + 1, jokers + 1]."""
    for state in range(len(layer.naturals)):
        need = deck.jokers + 1
        for i in range(layer.starts[state], layer.starts[state + 1]):
            way = layer.ways[i]
            need = min(need, (way >> COST_SHIFT) + _lacks(way, deck.ranks, deck))
        if need <= deck.jokers:
            needs[layer.naturals[state], need] += layer.hands[state]


# The count


def _room(states: int, ways: int) -> tuple[np.ndarray, ...]:
    slots = 1 << (4 * states).bit_length()
    return (
        np.zeros(ways, np.int64),
        np.zeros(states + 2, np.int64),
        np.zeros(states + 2, np.int64),
        np.zeros(states + 2, np.int64),
        np.full(slots, -1, np.int64),
        np.zeros(MAX_WAYS, np.int64),
        np.zeros(MAX_WAYS, np.int64),
        np.zeros(SUITS, np.int64),
        np.zeros(SUITS, np.int64),
    )


def _advance(table: np.ndarray, layer: Layer, deck: Deck, rank: int, suit: int) -> Layer:
    what = ALL_ACES if rank == 0 else HIGH_ACES if rank == deck.ranks else MIDDLE
    picks = np.array([math.comb(deck.copies, cards) for cards in range(deck.copies + 1)], np.int64)
    states, ways = 3 * len(layer.naturals) + 64, 3 * len(layer.ways) + 256
    while True:
        room = _room(states, ways)
        found = int(advance(table, layer, deck, rank, suit, what, picks, room))
        if found >= 0:
            starts = room[1][: found + 1].copy()
            return Layer(room[0][: starts[-1]].copy(), starts, room[2][:found].copy(), room[3][:found].copy())
        states, ways = 2 * states, 2 * ways


def count(deck: Deck, watch: Callable[[int, int], None] = lambda rank, states: None) -> Count:
    """Count the hands of a pack that split. Raises TooMany beyond the limits of the counter."""
    _check(deck)
    table = imitation()
    blank = NO_RUN if deck.long_run else RUN_OF_FOUR
    layer = Layer(
        np.array([blank << FLAG_SHIFT], np.int64),
        np.array([0, 1], np.int64),
        np.zeros(1, np.int64),
        np.ones(1, np.int64),
    )
    states = 0
    for rank in range(deck.ranks + 1):
        for suit in range(deck.suits):
            layer = _advance(table, layer, deck, rank, suit)
            states += len(layer.naturals)
        watch(rank, len(layer.naturals))
    needs = np.zeros((deck.hand + 1, deck.jokers + 1), np.int64)
    tally(layer, deck, needs)
    favourable = sum(
        math.comb(deck.jokers, held) * int(needs[deck.hand - held, : held + 1].sum()) for held in range(deck.jokers + 1)
    )
    cards = deck.copies * deck.ranks * deck.suits + deck.jokers
    return Count(favourable, math.comb(cards, deck.hand), states)


class TooMany(ValueError):
    """The pack is beyond the counter; `option` is the rule to blame."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


def _check(deck: Deck) -> None:
    if deck.copies > COUNTED_DECKS:
        raise TooMany("decks", f"splits of hands are counted for at most {COUNTED_DECKS} decks")
    if deck.jokers > min(COUNTED_JOKERS, deck.hand - 2):
        raise TooMany(
            "jokers_per_deck", f"splits are counted for at most {COUNTED_JOKERS} jokers, fewer than a small hand"
        )
    naturals = deck.copies * deck.ranks * deck.suits
    if math.comb(naturals, min(deck.hand, naturals // 2)) >= 2**63:
        raise TooMany("hand_size", f"there are too many hands of {deck.hand} for 64-bit integers")
