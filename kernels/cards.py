"""Packs, shuffles and the stock, the same for every game.

A card is its face, 0..53 (see `kernels.notation`). A stock is the int8 array `state.stock`, its top card last among the
first `stock_n`. A uniform shuffle is lazy: the pack stays unmixed and each draw is one step of a Fisher-Yates shuffle,
so cards that nobody draws cost nothing. `settle` takes all the steps at once and gives the same order, because every
step draws from the same stream in turn.

Sources: R. Durstenfeld, "Algorithm 235: random permutation", CACM 7(7), 1964 (the shuffle that every draw is a step
of); D. Bayer and P. Diaconis, "Trailing the dovetail shuffle to its lair", Annals of Applied Probability 2(2), 1992
(the riffle of Gilbert, Shannon and Reeds); R. Pemantle, "Randomization time for the overhand shuffle", Journal of
Theoretical Probability 2(1), 1989.
"""

import numpy as np
from numpy.typing import NDArray

from kernels import rng
from kernels.compiler import scratch
from kernels.compiler.jit import jit, jit_inline
from kernels.notation import FACES, SMALL_JOKER, new_deck
from kernels.options import SHUFFLES

UNIFORM = SHUFFLES.index("uniform")
RIFFLE = SHUFFLES.index("riffle")
OVERHAND = SHUFFLES.index("overhand")

NATURALS = SMALL_JOKER
WORDS = rng.WORDS
MAX_DECKS = 4
MAX_JOKERS = 4
PLACES = rng.PLACES
OVERHAND_CUT_BITS = 3
"""In an overhand shuffle each gap between two cards is a cut with chance 1 / 2**3: packets of eight on average."""


def _sorted_packs() -> NDArray[np.int8]:
    packs = np.zeros((MAX_DECKS, MAX_JOKERS + 1, PLACES), np.int8)
    for decks, jokers in np.ndindex(MAX_DECKS, MAX_JOKERS + 1):
        pack = new_deck(jokers) * (decks + 1)
        packs[decks, jokers, : len(pack)] = pack
    return packs


PACKS = _sorted_packs()
"""int8 [decks - 1, jokers a deck, PLACES]: the cards of a new pack, then zeros."""


def stock_fields(cards: int) -> list[tuple[str, str] | tuple[str, str, int]]:
    """Fields that the STATE of every game begins with; `cards` is the largest pack, at most PLACES."""
    return [
        ("round_no", "i8"),  # from 1; the engine counts it
        ("eager", "i8"),  # 1: settle every shuffle at once (transcripts); 0: as cards are drawn
        ("stock", "i1", cards),
        ("stock_n", "i8"),
        ("stock_mixed", "i8"),  # 1: the order of the stock is settled
        ("stock_purpose", "i8"),  # the stream its order is drawn from
        ("drawn", "i1", cards),  # what `draw_many` drew, first card first
    ]


@jit
def new_pack(state, decks, jokers_per_deck):
    """A new sorted pack as the stock: deck by deck, suit by suit, jokers last (big and small in turn).

    decks: 1..MAX_DECKS; jokers_per_deck: 0..MAX_JOKERS.
    """
    # All places there are: copying a known number of cards takes a few instructions.
    for place in range(len(state.stock)):
        state.stock[place] = PACKS[decks - 1, jokers_per_deck, place]
    state.stock_n = decks * (NATURALS + jokers_per_deck)


@jit
def shuffle_pack(rules, state, streams):
    """Shuffle the stock for a deal, as `rules.shuffle` (a number of SHUFFLES) and `rules.passes` say.

    Its order so far is as collected. Draws from `rng.DEAL`, a uniform shuffle only as cards are drawn.
    """
    state.stock_purpose = rng.DEAL
    state.stock_mixed = rules.shuffle != UNIFORM
    if rules.shuffle == RIFFLE:
        for _ in range(rules.passes):
            _riffle(state, streams)
    elif rules.shuffle == OVERHAND:
        for _ in range(rules.passes):
            _overhand(state, streams)


@jit
def restock(rules, state, streams):
    """Shuffle the stock uniformly in the middle of a round, from `rng.RESHUFFLE`; its cards are there already.

    Where packs are not shuffled uniformly its order is settled at once, since the next deal begins with it.
    """
    state.stock_purpose = rng.RESHUFFLE
    state.stock_mixed = 0
    if state.eager or rules.shuffle != UNIFORM:
        settle(state, streams)


@jit
def _take_back(state, n):
    # A loop: assigning a slice takes numba seconds to compile.
    for place in range(n):
        state.stock[place] = state.drawn[place]


@jit
def _riffle(state, streams):
    """One riffle by the model of Gilbert, Shannon and Reeds: a fair bit a place says which half the card is from."""
    n = int(state.stock_n)
    for first in range(0, n, rng.WORD_BITS):
        bits = rng.word(streams, rng.DEAL)
        for place in range(first, min(n, first + rng.WORD_BITS)):
            state.drawn[place] = bits & 1
            bits >>= 1
    top_half = 0
    for place in range(n):
        top_half += 1 - state.drawn[place]
    left = 0
    right = top_half
    for place in range(n):
        if state.drawn[place]:
            state.drawn[place] = state.stock[right]
            right += 1
        else:
            state.drawn[place] = state.stock[left]
            left += 1
    _take_back(state, n)


@jit
def _overhand(state, streams):
    """One overhand shuffle (Pemantle's model): cut at random gaps, the packets in reverse order."""
    n = int(state.stock_n)
    end = n
    written = 0
    for place in range(n - 1, -1, -1):
        if place == 0 or rng.below(streams, rng.DEAL, 1 << OVERHAND_CUT_BITS) == 0:
            for card in range(place, end):
                state.drawn[written] = state.stock[card]
                written += 1
            end = place
    _take_back(state, n)


@jit_inline
def draw(state, streams):
    """Take the top card of the stock, which must not be empty (it is not checked). Returns its face."""
    n = int(state.stock_n)
    top = n - 1
    state.stock_n = top
    if state.stock_mixed:
        return int(state.stock[top])
    place = rng.below(streams, state.stock_purpose, n)
    card = int(state.stock[place])
    state.stock[place] = state.stock[top]
    return card


@jit
def draw_many(state, streams, count):
    """Take the top `count` cards of the stock, at most all, into `state.drawn`, top card first; one random word serves
    two."""
    if state.stock_mixed:
        for i in range(count):
            state.drawn[i] = draw(state, streams)
        return
    pairs = scratch.integers(2, WORDS)
    drawn = 0
    while drawn < count - 1:
        drawn = _draw_pairs(state, streams, drawn, count, pairs)
    if drawn < count:
        state.drawn[drawn] = draw(state, streams)


@jit_inline
def _draw_at(state, place, top, drawn):
    """Draw the card at a place of the stock; the top card fills the gap."""
    # The mask tells the compiler that no place is negative, which it would otherwise ask at each access.
    place &= PLACES - 1
    state.drawn[drawn & PLACES - 1] = state.stock[place]
    state.stock[place] = state.stock[top & PLACES - 1]


@jit_inline
def _draw_pairs(state, streams, drawn, count, pairs):
    """Draw two cards for each word of the stream's buffer, as far as both reach. Returns how many are drawn now."""
    purpose = int(state.stock_purpose)
    top = int(state.stock_n)
    first = rng.made(streams, purpose)
    end = min(rng.WORDS, first + (count - drawn >> 1))
    if not rng.falling_pairs(streams, purpose, top, first, end, pairs):
        end = first + 1
        pairs[0, first], pairs[1, first] = rng.below_two(streams, purpose, top, top - 1)
    for word in range(first, end):
        _draw_at(state, pairs[0, word], top - 1, drawn)
        _draw_at(state, pairs[1, word], top - 2, drawn + 1)
        top -= 2
        drawn += 2
    state.stock_n = top
    return drawn


@jit
def forget_order(state):
    """Sort the stock by face: what its order was, or had been settled to be, is gone, and draws settle it anew from
    `rng.DEAL`."""
    counts = scratch.integers(1, FACES)
    counts[:] = 0
    for place in range(int(state.stock_n)):
        counts[0, state.stock[place]] += 1
    place = 0
    for face in range(FACES):
        for _ in range(counts[0, face]):
            state.stock[place] = face
            place += 1
    state.eager = 0
    state.stock_mixed = 0
    state.stock_purpose = rng.DEAL


@jit
def settle(state, streams):
    """Settle the order of a lazily shuffled stock: the order in which draws would have taken its cards."""
    if state.stock_mixed:
        return
    for n in range(int(state.stock_n), 1, -1):
        place = rng.below(streams, state.stock_purpose, n)
        card = state.stock[place]
        state.stock[place] = state.stock[n - 1]
        state.stock[n - 1] = card
    state.stock_mixed = 1
