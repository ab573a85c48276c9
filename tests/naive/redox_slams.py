"""Slams of REDOX from the rules alone: slow, recursive, sharing nothing with the compiled code.

A hand is a list of card codes: suit * 13 + rank with the ace as rank 0, jokers 52 and more. Every function tries all
plots that may hold the first card left, each with every choice of the places that a joker or a new card fills.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

RANKS = 13
JOKER = 52
LONGEST = 14

Cards = tuple[int, ...]


def legal_plot(cards: list[int], min_naturals: int) -> bool:
    """Whether the cards, in this order, are a run (ascending, jokers in place) or, in any order, a set."""
    naturals = [card for card in cards if card < JOKER]
    if len(cards) < 3 or len(naturals) < min_naturals:
        return False
    return len({card % RANKS for card in naturals}) <= 1 or is_run(cards)


def is_run(cards: list[int]) -> bool:
    """Whether the cards in this order fill consecutive places of one suit."""
    for suit in range(4):
        for start in range(LONGEST - len(cards) + 1):
            wanted = [suit * RANKS + (start + i) % RANKS for i in range(len(cards))]
            if all(card >= JOKER or card == want for card, want in zip(cards, wanted, strict=True)):
                return True
    return False


def is_partition(hand: list[int], min_naturals: int) -> bool:
    """Whether plots take all the cards."""
    return _within(hand, min_naturals, 0, False)


def is_slam(hand: list[int], min_naturals: int) -> bool:
    """Whether plots take all the cards, a run of four or more among them."""
    return _within(hand, min_naturals, 0, True)


def slam_distance(hand: list[int], min_naturals: int, limit: int = 20) -> int:
    """Least number of cards to exchange for any others to make the hand a slam; `limit` + 1 if it is larger."""
    return next((d for d in range(limit + 1) if _within(hand, min_naturals, d, True)), limit + 1)


def _within(hand: list[int], min_naturals: int, exchanges: int, needs_run: bool) -> bool:
    naturals = tuple(sorted(card for card in hand if card < JOKER))
    return _Search(min_naturals).fits(naturals, len(hand), len(hand) - len(naturals), exchanges, needs_run)


def _without(cards: Cards, taken: Cards) -> Cards:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)


def _sets_with(first: int, cards: Cards) -> Iterator[Cards]:
    """Every choice of cards of one rank, the first one among them."""
    others = [card for card in cards[1:] if card % RANKS == first % RANKS]
    for size in range(len(others) + 1):
        for chosen in sorted(set(combinations(others, size))):
            yield (first, *chosen)


def _runs_with(first: int, cards: Cards) -> Iterator[tuple[int, Cards]]:
    """Every run that holds the first card: its length and the cards of the hand in it."""
    suit, rank = divmod(first, RANKS)
    for at in (0, RANKS) if rank == 0 else (rank,):
        for start in range(at + 1):
            for end in range(max(at, start + 2), LONGEST):
                places = [suit * RANKS + place % RANKS for place in range(start, end + 1) if place != at]
                for chosen in _choices(tuple(places), _without(cards, (first,))):
                    yield end - start + 1, (first, *chosen)


def _choices(places: Cards, cards: Cards) -> Iterator[Cards]:
    """Every choice of places that the hand's own cards fill, as those cards."""
    if not places:
        yield ()
        return
    yield from _choices(places[1:], cards)
    if places[0] in cards:
        for rest in _choices(places[1:], _without(cards, places[:1])):
            yield (places[0], *rest)


class _Search:
    """The rule on natural cards, and a memory of what was tried."""

    def __init__(self, min_naturals: int) -> None:
        self.min_naturals = min_naturals
        self.fits = cache(self._fits)

    def _fits(self, cards: Cards, slots: int, jokers: int, new: int, needs_run: bool) -> bool:
        """Whether plots of exactly `slots` slots can be made of some of the cards, of jokers and of new cards."""
        if slots > len(cards) + jokers + new:
            return False
        if not cards:
            return self._fits_without_cards(slots, jokers, new, needs_run)
        if self.fits(cards[1:], slots, jokers, new, needs_run):
            return True
        for size, chosen, run in self._plots(cards, slots):
            blanks = size - len(chosen)
            for fresh in range(max(0, self.min_naturals - len(chosen), blanks - jokers), min(new, blanks) + 1):
                rest = (_without(cards, chosen), slots - size, jokers - (blanks - fresh), new - fresh)
                if self.fits(*rest, needs_run and not (run and size >= 4)):
                    return True
        return False

    def _plots(self, cards: Cards, slots: int) -> Iterator[tuple[int, Cards, bool]]:
        for chosen in _sets_with(cards[0], cards):
            for size in range(max(3, len(chosen)), slots + 1):
                yield size, chosen, False
        for size, chosen in _runs_with(cards[0], cards):
            if size <= slots:
                yield size, chosen, True

    def _fits_without_cards(self, slots: int, jokers: int, new: int, needs_run: bool) -> bool:
        """The same when only jokers and new cards are left."""
        if slots == 0:
            return not needs_run
        for size in range(3, slots + 1):
            for fresh in range(max(self.min_naturals, size - jokers), min(new, size) + 1):
                rest = (slots - size, jokers - (size - fresh), new - fresh)
                if self._fits_without_cards(*rest, needs_run and not 4 <= size <= LONGEST):
                    return True
        return False
