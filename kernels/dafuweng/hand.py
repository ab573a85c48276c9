"""What a hand of Da Fu Weng can do, for people who ask."""

from collections.abc import Mapping
from typing import Any

from kernels.dafuweng import hands
from kernels.dafuweng.options import HAND
from kernels.notation import card_text
from kernels.options import Value

_ESCAPES = (hands.ACE, hands.FOUR, hands.FIVE, hands.SEVEN, hands.TEN, hands.JACK, hands.QUEEN, hands.KING, hands.BRUTE)


def hand(values: Mapping[str, Value], cards: list[int]) -> dict[str, Any]:
    """What a hand can do: the cards that can be played whatever N is, the highest N at which each can, a kill.

    Raises ValueError for more cards than a player ever holds, or copies than the pack has.
    """
    if not 1 <= len(cards) <= HAND:
        raise ValueError(f"{len(cards)} cards are no hand; a hand has 1 to {HAND}")
    for card in cards:
        if cards.count(card) > int(values["decks"]):  # type: ignore[arg-type]
            raise ValueError(f"{cards.count(card)} times {card_text(card)}, the pack has {values['decks']}")
    kinds = [int(hands.KIND[card + 1]) for card in cards]
    numbers = [hands.NUMBERS[kind] for kind in kinds if kind in hands.NUMBERS]
    return {
        "cards": [card_text(card) for card in cards],
        "escapes": [card_text(card) for card, kind in zip(cards, kinds, strict=True) if kind in _ESCAPES],
        "numbers": [card_text(card) for card, kind in zip(cards, kinds, strict=True) if kind in hands.NUMBERS],
        "playable_up_to": max(
            [hands.TOP] * any(kind in _ESCAPES for kind in kinds)
            + [hands.TOP] * (kinds.count(hands.JOKER) > 1)
            + [hands.TOP - number for number in numbers],
            default=None,
        ),
        "kill": kinds.count(hands.JOKER) > 1,
        "revives": hands.JOKER in kinds,
        "toggles_brute_mode": hands.BRUTE in kinds,
    }
