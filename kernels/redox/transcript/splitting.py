"""How a slam is laid on the table, for transcripts: plain Python, a slam in a million games is shown now and then."""

from collections.abc import Iterator

from kernels.notation import SMALL_JOKER, SUIT_SIZE
from kernels.redox.options import HIGH_ACE, LOW_ACE, MIN_PLOT, OPENING_RUN, SUITS

JOKER = SMALL_JOKER
Cards = tuple[int, ...]


def split(cards: list[int], min_naturals: int) -> list[list[int]] | None:
    """Plots that take all the cards, a run of four or more among them; None if there are none.

    Runs are in ascending order. Which joker goes where is of no importance: they are taken as they come.
    """
    naturals = tuple(sorted(card for card in cards if card < SMALL_JOKER))
    jokers = [card for card in cards if card >= SMALL_JOKER]
    found = _Search(min_naturals).plots(naturals, len(jokers), True)
    if found is None:
        return None
    return [[jokers.pop() if card == JOKER else card for card in plot] for plot in found]


class _Search:
    """Tries every plot of the first card left; what has failed once is not tried again."""

    def __init__(self, min_naturals: int) -> None:
        self._min_naturals = min_naturals
        self._failed: set[tuple[Cards, int, bool]] = set()

    def plots(self, cards: Cards, jokers: int, needs_run: bool) -> list[Cards] | None:
        """Plots of all these naturals and jokers, as cards with JOKER for jokers."""
        if not cards:
            return [] if jokers == 0 and not needs_run else None
        if (cards, jokers, needs_run) in self._failed:
            return None
        for plot, is_run in self._with_first(cards, jokers):
            used = plot.count(JOKER)
            if len(plot) - used < self._min_naturals:
                continue
            rest = self.plots(
                _without(cards, plot), jokers - used, needs_run and not (is_run and len(plot) >= OPENING_RUN)
            )
            if rest is not None:
                return [plot, *rest]
        self._failed.add((cards, jokers, needs_run))
        return None

    def _with_first(self, cards: Cards, jokers: int) -> Iterator[tuple[Cards, bool]]:
        suit, rank = divmod(cards[0], SUIT_SIZE)
        for place in (LOW_ACE, HIGH_ACE) if rank == 0 else (rank + LOW_ACE,):
            for low in range(LOW_ACE, place + 1):
                for high in range(HIGH_ACE, max(place, low + MIN_PLOT - 1) - 1, -1):
                    wanted = [suit * SUIT_SIZE + (at - LOW_ACE) % SUIT_SIZE for at in range(low, high + 1)]
                    for run in _fill(_without(cards, cards[:1]), wanted, jokers, place - low):
                        yield run, True
        for members in _subsets(cards, rank):
            for used in range(max(0, MIN_PLOT - len(members)), jokers + 1):
                yield (*members, *(JOKER for _ in range(used))), False


def _without(cards: Cards, taken: Cards) -> Cards:
    left = list(cards)
    for card in taken:
        if card != JOKER:
            left.remove(card)
    return tuple(left)


def _fill(cards: Cards, wanted: list[int], jokers: int, fixed: int) -> Iterator[Cards]:
    """Every way to fill the wanted places with these cards and jokers; place number `fixed` is filled already."""
    if not wanted:
        yield ()
        return
    card = wanted[0]
    if fixed == 0 or card in cards:
        left = cards if fixed == 0 else _without(cards, (card,))
        for rest in _fill(left, wanted[1:], jokers, fixed - 1):
            yield (card, *rest)
    if fixed != 0 and jokers:
        for rest in _fill(cards, wanted[1:], jokers - 1, fixed - 1):
            yield (JOKER, *rest)


def _subsets(cards: Cards, rank: int) -> Iterator[Cards]:
    """Every choice of cards of a rank that holds the first card, large ones first; equal cards are alike."""
    ways: list[Cards] = [()]
    for suit in range(SUITS):
        held = cards.count(suit * SUIT_SIZE + rank)
        ways = [(*way, *((suit * SUIT_SIZE + rank,) * taken)) for way in ways for taken in range(held, -1, -1)]
    return (way for way in ways if cards[0] in way)
