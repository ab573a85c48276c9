"""Cards as combinations: the other way round than `plays`, for reading what somebody wrote."""

from kernels.notation import BIG_JOKER, SMALL_JOKER
from kernels.redten import plays
from kernels.redten.packed import ACE, LITTLE, PLACES, RANK_OF, RED_TEN, place_of_rank
from kernels.redten.plays import BOMB, JOKERS_ACTION, PAIR, RED_STRAIGHT, RED_TENS_ACTION, SINGLE, STRAIGHT


def cards_in(mask: int) -> list[int]:
    """The cards of a set of bits, lowest first."""
    return [card for card in range(BIG_JOKER + 1) if mask >> card & 1]


def place_of(card: int, high_ace: bool = False) -> int:
    """Place of a card in a straight, -1 for a joker; an ace lies low unless `high_ace`."""
    rank = int(RANK_OF[card])
    return PLACES - 1 if high_ace and rank == ACE else int(place_of_rank(rank))


def in_order(action: int, cards: list[int]) -> list[int]:
    """The cards of a play as they are written: a straight from its first place to its last, others as they are."""
    if plays.kind_of(action) != STRAIGHT:
        return sorted(cards)
    rest = sorted(cards)
    ordered = []
    for place in range(plays.rank_of(action), plays.rank_of(action) + plays.size_of(action)):
        card = next(card for card in rest if place_of(card, place > 0) == place)
        rest.remove(card)
        ordered.append(card)
    return ordered


def _alike(cards: list[int]) -> int | None:
    ranks = {int(RANK_OF[card]) for card in cards}
    if len(ranks) > 1 or len(cards) > plays.LARGE_BOMB:
        return None
    rank = ranks.pop()
    if len(cards) == 1:
        return int(plays.code(SINGLE, rank, 1))
    if rank >= LITTLE:
        return RED_TENS_ACTION  # only red tens come in twos up here
    return int(plays.code(PAIR if len(cards) < plays.SMALL_BOMB else BOMB, rank, len(cards)))


def _straight(cards: list[int]) -> int | None:
    """A straight if the cards stand in the order of one."""
    if len(cards) < plays.MIN_STRAIGHT:
        return None
    first = place_of(cards[0])
    if first < 0 or first + len(cards) > PLACES:
        return None
    if [place_of(card, number > 0) for number, card in enumerate(cards)] != list(range(first, first + len(cards))):
        return None
    red = any(RANK_OF[card] == RED_TEN for card in cards)
    return int(plays.code(STRAIGHT, first, len(cards))) | (RED_STRAIGHT if red else 0)


def combination(cards: list[int]) -> int | None:
    """The action that these different cards are, None if they are no combination."""
    if not cards:
        return None
    if sorted(cards) == [SMALL_JOKER, BIG_JOKER]:
        return JOKERS_ACTION
    straight = _straight(cards)
    return _alike(cards) if straight is None else straight


def unordered_straight(cards: list[int]) -> bool:
    """Whether the cards would be a straight in another order."""
    places = sorted(place_of(card) for card in cards)
    for high in (False, True):
        ordered = sorted(cards, key=lambda card: place_of(card, high))
        if _straight(ordered) is not None:
            return True
    return len(cards) == PLACES and places[:2] == [0, 0] and places[2:] == list(range(1, PLACES - 1))
