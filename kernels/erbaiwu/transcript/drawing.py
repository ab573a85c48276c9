"""The table of Er Bai Wu, drawn for people."""

from typing import Any

from kernels.erbaiwu import table as places
from kernels.erbaiwu.masks import CARD_OF, NATURALS, SEVEN, SUITS, cards_in
from kernels.notation import SMALL_JOKER, SYMBOLS, card_symbol

INDENT = "      "
_SHUT = "|"
"""Closes the end of a chain that is locked."""


def _lying(state: Any, card: int, place: int) -> str:
    """A named card as it lies, by its own face or by a joker's."""
    named = SUITS * (card % 13) + card // 13
    face = int(CARD_OF[int(places.lying_at(state, named, place))])
    return card_symbol(card) if face < SMALL_JOKER else f"{card_symbol(face)}({card_symbol(card)})"


def _chain(state: Any, suit: int) -> str:
    one_suit = places.ONE_SUIT << suit & NATURALS
    cards = cards_in(int(state.chain) & one_suit)
    can_go_on = cards_in(int(state.open) & one_suit)
    low_open = any(card % 13 < SEVEN for card in can_go_on) or cards[0] % 13 == 0
    high_open = any(card % 13 > SEVEN for card in can_go_on) or cards[-1] % 13 == 12
    locked = cards_in(_locked_ends(state) & one_suit)
    low_shut = not low_open or cards[0] in locked
    high_shut = not high_open or cards[-1] in locked
    body = " ".join(_lying(state, card, places.IN_CHAIN) for card in cards)
    return f"{_SHUT if low_shut else ' '} {body} {_SHUT if high_shut else ''}".rstrip()


def _locked_ends(state: Any) -> int:
    ends = 0
    for number in range(int(state.groups_n)):
        ends |= int(state.group_end[number])
    return ends


def _group(state: Any, number: int) -> str:
    end = int(state.group_end[number])
    cards = cards_in(int(state.groups[number]) & ~end)
    text = " ".join(_lying(state, card, number) for card in cards)
    return f"[{text} on {' '.join(card_symbol(card) for card in cards_in(end))}]" if end else f"[{text}]"


def table(state: Any) -> list[str]:
    """The table in lines: a chain a suit with its locked ends shut, then groups with locks, then outlaws."""
    chains = [
        f"{INDENT}{SYMBOLS[suit]} {_chain(state, suit)}"
        for suit in range(SUITS)
        if int(state.chain) & (places.ONE_SUIT << suit)
    ]
    groups = [_group(state, number) for number in range(int(state.groups_n)) if state.groups[number]]
    outlaws = [card_symbol(card) for card in cards_in(int(state.outlaws))]
    return [
        *chains,
        *([f"{INDENT}groups: {'  '.join(groups)}"] if groups else []),
        *([f"{INDENT}outlaws: {' '.join(outlaws)}"] if outlaws else []),
    ]
