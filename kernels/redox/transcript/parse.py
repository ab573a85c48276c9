"""Cards and plots of REDOX as a transcript records them, read into what the table understands."""

from collections import Counter
from contextlib import suppress
from typing import Any, NamedTuple

from kernels.notation import BIG_JOKER, SMALL_JOKER, SUIT_SIZE, card_text, parse_card
from kernels.redox import actions as act
from kernels.redox.options import HIGH_ACE, LOW_ACE, MIN_PLOT
from kernels.referee.lines import Illegal

KINDS: dict[str, dict[str, Any]] = {
    "deal": {"game": str, "round": int, "leader": int, "dir": int, "hands": list, "face": str, "stock": list},
    "turn": {"p": int, "a": str},
    "recycle": {"stock": list},
    "last": {"p": int, "n": int},
    "end": {"outcome": str, "winner": (int, type(None)), "left": list, "points": list, "totals": list},
}
TURNS: dict[str, dict[str, Any]] = {
    "discard": {"card": str, "from": str, "got": str},
    "plot": {"kind": str, "cards": list},
    "connect": {"plot": int, "cards": list, "now": list},
    "slam": {"plots": list},
}
"""What a `turn` line has besides the player and what they do."""
SOURCES = ("stock", "pile")
PLOT_KINDS = {act.RUN: "run", act.SET: "set"}


class Turn(NamedTuple):
    """A turn as recorded: the action, the cards that leave the hand, which of the jokers are small ones (as in
    `state.recorded_smalls`), and the actions that would lay the plots of a slam."""

    action: int
    cards: list[int]
    smalls: int
    parts: tuple[int, ...] = ()


def parse_all(texts: Any) -> list[int]:
    """Cards of a list in a transcript. Raises Illegal with the reason."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Illegal(f"{str(texts)[:60]} is no list of cards")
    return [parse_one(text) for text in texts]


def parse_one(text: str) -> int:
    """A card of a transcript. Raises Illegal with the reason."""
    try:
        return parse_card(text)
    except ValueError as reason:
        raise Illegal(str(reason)) from None


def is_joker(card: int) -> bool:
    """Whether a card is a joker of either kind."""
    return card >= SMALL_JOKER


def pack_of(rules: Any) -> Counter[int]:
    """Every card of the pack."""
    pack = Counter({card: rules.decks for card in range(SMALL_JOKER)})
    for number in range(rules.jokers_per_deck):
        pack[SMALL_JOKER if number & 1 else BIG_JOKER] += rules.decks
    return pack


def texts_of(cards: Any) -> str:
    """Cards as text, for messages."""
    return " ".join(card_text(card) for card in sorted(cards))


def places_of_run(cards: list[int]) -> tuple[int, int]:
    """Suit and lowest place of a run as laid. Raises Illegal if the cards are no run."""
    naturals = [(place, card) for place, card in enumerate(cards) if not is_joker(card)]
    if not naturals:
        raise Illegal("a plot holds at least one natural card")
    suits = {card // SUIT_SIZE for _, card in naturals}
    if len(suits) > 1:
        raise Illegal("a run is of one suit")
    starts = {card % SUIT_SIZE + LOW_ACE - place for place, card in naturals if card % SUIT_SIZE}
    for place, card in naturals:
        if card % SUIT_SIZE == 0:
            starts.add(LOW_ACE if place == 0 else HIGH_ACE - place)
    if len(starts) > 1:
        raise Illegal("the ranks of a run follow each other")
    low = starts.pop()
    if low < LOW_ACE or low + len(cards) - 1 > HIGH_ACE:
        raise Illegal("a run lies between the low ace and the high ace")
    return suits.pop(), low


def rank_of_set(cards: list[int]) -> int:
    """Rank of a set. Raises Illegal if the cards are no set."""
    ranks = {card % SUIT_SIZE for card in cards if not is_joker(card)}
    if not ranks:
        raise Illegal("a plot holds at least one natural card")
    if len(ranks) > 1:
        raise Illegal("a set is of one rank")
    return ranks.pop()


def joker_places(cards: list[int], low: int, kinds: tuple[int, ...] = (SMALL_JOKER, BIG_JOKER)) -> int:
    """Places of a run that are jokers of these kinds, as bits; it starts at `low`."""
    return sum(1 << low + place for place, card in enumerate(cards) if card in kinds)


def counts_of(cards: list[int]) -> int:
    """How many of each suit and how many jokers, as in an action about a set."""
    suits = Counter(card // SUIT_SIZE for card in cards if not is_joker(card))
    return int(act.counts(suits[0], suits[1], suits[2], suits[3], sum(map(is_joker, cards))))


def read_run(cards: list[int]) -> Turn:
    """The turn that lays these cards, in this order, as a run."""
    suit, low = places_of_run(cards)
    base = act.run(suit, low, low + len(cards) - 1)
    jokers = act.joker_bits(joker_places(cards, low))
    return Turn(base | jokers, cards, joker_places(cards, low, (SMALL_JOKER,)))


def read_set(cards: list[int]) -> Turn:
    """The turn that lays these cards as a set."""
    return Turn(act.set_of(rank_of_set(cards)) | counts_of(cards), cards, cards.count(SMALL_JOKER))


def read_plot(cards: list[int]) -> Turn:
    """The turn that lays these cards as whichever plot they are: a run, which a slam needs, where they may be both."""
    if len(cards) < MIN_PLOT:
        raise Illegal(f"{texts_of(cards)} are too few for a plot")
    try:
        return read_run(cards)
    except Illegal as reason:
        with suppress(Illegal):
            return read_set(cards)
        raise reason


def alike(texts: list[str]) -> list[str]:
    """Cards as text in a fixed order, all jokers alike."""
    return sorted("X" if text.startswith("X") else text for text in texts)
