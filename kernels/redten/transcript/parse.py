"""What a transcript line of Jiaxing Red Ten may hold, and its cards."""

from typing import Any

from kernels.notation import card_text, parse_card
from kernels.redten.transcript.combinations import cards_in
from kernels.referee.lines import Event, Illegal

KINDS: dict[str, dict[str, Any]] = {
    "deal": {"game": str, "round": int, "first_drawer": int, "hands": list, "leader": int},
    "show": {"p": int, "cards": list},
    "shown": {"valid": bool},
    "play": {"p": int, "kind": str, "cards": list},
    "pass": {"p": int},
    "trick": {"winner": int, "leads": int},
    "out": {"p": int, "place": int},
    "end": {"places": list, "sides": list, "points": list, "multiplier": int, "totals": list},
}


def is_silent(event: Event) -> bool:
    """Whether a line is a decision to do nothing, which is written only with numbers of legal actions."""
    return event["e"] == "show" and not event["cards"]


def parse_all(texts: list[Any]) -> list[int]:
    """Different cards. Raises Illegal if a text is no card or a card is there twice."""
    try:
        cards = [parse_card(str(text)) for text in texts]
    except ValueError as reason:
        raise Illegal(str(reason)) from None
    for card in cards:
        if cards.count(card) > 1:
            raise Illegal(f"{card_text(card)} is there twice")
    return cards


def mask_of(cards: list[int]) -> int:
    """Cards as bits."""
    return sum(1 << card for card in set(cards))


def texts_of(mask: int) -> str:
    """A set of cards for a message."""
    return " ".join(map(card_text, cards_in(mask)))
