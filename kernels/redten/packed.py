"""Hands packed into one int64, ranks, and cards as bits.

Ranks are numbered in the order of singles: 3..9 are 0..6, the black ten 7, J Q K 8..10, A 11, 2 is 12, the jokers 13
and 14, the red ten 15. A hand is four masks of 16 bits, lowest first: the ranks of which at least one card is held, at
least two, three, four. So the candidates for singles, pairs and bombs stand there ready, and taking one card of each of
several ranks is a shift of their columns by 16.

A straight lies in places 0..13: A 2 3 4 5 6 7 8 9 10 J Q K A.
"""

import numpy as np

from kernels.compiler.bits import lowest, ones
from kernels.compiler.jit import jit
from kernels.notation import BIG_JOKER, FACES, RANKS, SMALL_JOKER, SUIT_SIZE

BLACK_TEN, ACE, TWO, LITTLE, BIG, RED_TEN = 7, 11, 12, 13, 14, 15
RANK_COUNT = 16
PLACES = 14
TEN_PLACE = 9
LEVEL = 16
"""Bits from one of the four masks to the next."""
COLUMN = 0x0001_0001_0001_0001
"""Rank 0 in all four masks."""
RANK_MASK = (1 << RANK_COUNT) - 1
_BELOW_TOP = (1 << 3 * LEVEL) - 1
"""All but the highest mask."""
BOTH_JOKERS = 1 << LITTLE | 1 << BIG
RED_BIT = 1 << RED_TEN
TENS = 1 << BLACK_TEN | RED_BIT

_INNER = (1 << ACE) - 1
"""Ranks 3..K, which lie at places 2..12."""
_ENDS = 3
"""A and 2, which lie at places 0 and 1, once shifted down by ACE."""
_AFTER_ENDS = 2

_TEN = RANKS.index("T")
_HEART, _DIAMOND = 1, 2
RED_TENS = 1 << (_HEART * SUIT_SIZE + _TEN) | 1 << (_DIAMOND * SUIT_SIZE + _TEN)
"""The two red tens as bits of cards."""
THREE_OF_HEARTS = _HEART * SUIT_SIZE + RANKS.index("3")


def _rank_of(card: int) -> int:
    if card >= SMALL_JOKER:
        return BIG if card == BIG_JOKER else LITTLE
    if RED_TENS >> card & 1:
        return RED_TEN
    face = card % SUIT_SIZE
    return face + ACE if face < _AFTER_ENDS else face - _AFTER_ENDS


RANK_OF = np.array([_rank_of(card) for card in range(FACES)], np.int64)
"""Rank of each card."""
CARDS_OF = np.array(
    [sum(1 << card for card in range(FACES) if _rank_of(card) == rank) for rank in range(RANK_COUNT)], np.int64
)
"""Cards of each rank, as bits."""


@jit
def add(hand, rank):
    """The hand with one more card of a rank."""
    return hand | (hand & (COLUMN << rank) & _BELOW_TOP) << LEVEL | 1 << rank


@jit
def take(hand, ranks):
    """The hand without one card of each rank in the mask; all must be held."""
    columns = COLUMN * ranks
    return (hand & ~columns) | ((hand >> LEVEL) & columns)


@jit
def at_least(hand, count):
    """Mask of the ranks of which at least `count` (1..4) cards are held."""
    return (hand >> LEVEL * (count - 1)) & RANK_MASK


@jit
def count_of(hand, rank):
    """How many cards of a rank are held."""
    return ones(hand & (COLUMN << rank))


@jit
def places(ranks):
    """Mask of the places of a straight that the ranks can fill; a ten of either colour fills place 9."""
    inner = (ranks | (ranks >> RED_TEN) << BLACK_TEN) & _INNER
    ends = ranks >> ACE & _ENDS
    return ends | inner << _AFTER_ENDS | (ends & 1) << (PLACES - 1)


@jit
def ranks_at(place_mask):
    """Mask of the ranks at these places, the ten black."""
    ends = (place_mask & _ENDS) | place_mask >> (PLACES - 1)
    return (place_mask >> _AFTER_ENDS) & _INNER | ends << ACE


@jit
def place_of_rank(rank):
    """The place of a rank in a straight, the ace low; -1 for a joker."""
    if rank >= LITTLE:
        return TEN_PLACE if rank == RED_TEN else -1
    return rank - ACE if rank >= ACE else rank + _AFTER_ENDS


@jit
def pack(cards_held):
    """Pack a hand given as bits of cards."""
    hand = 0
    while cards_held:
        hand = add(hand, int(RANK_OF[lowest(cards_held)]))
        cards_held &= cards_held - 1
    return hand


_FOUR_EACH = RANK_MASK & ~(TENS | BOTH_JOKERS)
FULL_PACK = RANK_MASK | (_FOUR_EACH | TENS) << LEVEL | _FOUR_EACH << 2 * LEVEL | _FOUR_EACH << 3 * LEVEL
"""All cards of the pack, packed."""
