"""What a hand of Er Bai Wu is worth, for people who ask."""

from typing import Any

from kernels.notation import RANKS, SMALL_JOKER, SUIT_SIZE, card_text
from kernels.options import Value

_SEVEN = RANKS.index("7")


def _points(values: dict[str, Value], card: int) -> int:
    key = "joker" if card >= SMALL_JOKER else RANKS[card % SUIT_SIZE]
    return int(values[f"scoring.{key}"])  # type: ignore[arg-type]


def hand(values: dict[str, Value], cards: list[int]) -> dict[str, Any]:
    """Points, whether the hand may settle once a 7 is on the table, and what it can lay together by itself.

    Raises ValueError for a duplicate card.
    """
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        raise ValueError(f"duplicate card {card_text(twice[0])}: there is one pack")
    naturals = [card for card in cards if card < SMALL_JOKER]
    by_rank = {rank: [card_text(card) for card in naturals if card % SUIT_SIZE == rank] for rank in range(SUIT_SIZE)}
    points = sum(_points(values, card) for card in cards)
    only_sevens = bool(cards) and all(card < SMALL_JOKER and card % SUIT_SIZE == _SEVEN for card in cards)
    held = bool(values["held_sevens"]) and only_sevens
    return {
        "cards": [card_text(card) for card in cards],
        "points": points,
        "can_settle": held or points <= int(values["scoring.settle_max"]),  # type: ignore[arg-type]
        "held_sevens": held,
        "whole_five": len(cards) == 1 and len(by_rank[RANKS.index("5")]) == 1,
        "sevens": by_rank[_SEVEN],
        "strings": [same for rank, same in by_rank.items() if len(same) >= 3 and rank != _SEVEN],
        "pairs": [same for rank, same in by_rank.items() if len(same) == 2 and rank != _SEVEN],
        "jokers": [card_text(card) for card in cards if card >= SMALL_JOKER],
    }
