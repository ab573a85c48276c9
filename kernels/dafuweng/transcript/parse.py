"""What a transcript line of Da Fu Weng may hold, and lines read as actions."""

from typing import Any

from kernels.dafuweng import game, hands
from kernels.notation import card_text, parse_card
from kernels.referee.lines import Event, Illegal

_MAYBE_INT = (int, type(None))
_MAYBE_STR = (str, type(None))
KINDS: dict[str, dict[str, Any]] = {
    "deal": {"game": str, "round": int, "first": int, "hands": list, "pile": list},
    "play": {
        "p": int,
        "cards": list,
        "n": int,
        "sign": _MAYBE_INT,
        "target": _MAYBE_INT,
        "took": _MAYBE_STR,
        "drew": _MAYBE_STR,
    },
    "flip": {
        "p": int,
        "card": str,
        "n": int,
        "sign": _MAYBE_INT,
        "alive": bool,
        "target": _MAYBE_INT,
        "took": _MAYBE_STR,
        "drew": _MAYBE_STR,
    },
    "die": {"p": int, "why": str},
    "remake": {"pile": list},
    "end": {"outcome": str, "turns": int, "first_dead": _MAYBE_INT},
}


def parse_one(text: Any) -> int:
    """A card of a transcript. Raises Illegal with the reason."""
    if not isinstance(text, str):
        raise Illegal(f"{str(text)[:20]!r} is no card")
    try:
        return parse_card(text)
    except ValueError as reason:
        raise Illegal(str(reason)) from None


def parse_all(texts: Any) -> list[int]:
    """Cards of a list in a transcript. Raises Illegal with the reason."""
    if not isinstance(texts, list):
        raise Illegal(f"{str(texts)[:60]} is no list of cards")
    return [parse_one(text) for text in texts]


def cards_among(texts: Any) -> list[int]:
    """The cards among these texts; whatever is none is left out, for the comparison with the rules to find."""
    found = []
    for text in texts:
        try:
            found.append(parse_one(text))
        except Illegal:
            continue
    return found


def cards_in(hand: int) -> list[int]:
    """The cards of a hand as the state has it."""
    return [int(hands.card_in(hand, slot)) for slot in range(hands.size(hand))]


def hand_of(cards: list[int]) -> int:
    """A hand as the state has it, of cards that nobody else has seen."""
    return sum((card + 1) << (hands.SLOT_BITS * slot) for slot, card in enumerate(cards))


def action(place: int, option: int) -> int:
    """The action of a place and an option."""
    return place | option << game.PLACE_BITS


def target_of(event: Event) -> int:
    """The seat that a line aims at. Raises Illegal if there is none."""
    target = event["target"]
    if target is None or not 0 <= target < hands.PLAIN:
        raise Illegal(f"target is {target}, a seat is needed")
    return int(target)


def option_of(card: int, event: Event) -> int:
    """What a line says about sign or target. Raises Illegal if it lacks what the card needs."""
    kind = int(hands.KIND[card + 1])
    if hands.AIMED[kind]:
        return target_of(event)
    if kind in (hands.TEN, hands.QUEEN):
        if event["sign"] not in (1, -1):
            raise Illegal(f"sign is {event['sign']}, {card_text(card)} needs 1 or -1")
        return int(hands.PLAIN) if event["sign"] > 0 else hands.TAKE
    return int(hands.PLAIN)
