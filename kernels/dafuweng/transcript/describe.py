"""Transcript lines for people."""

from typing import Any

from kernels.dafuweng import hands
from kernels.notation import card_symbol, parse_card
from kernels.referee.lines import Event

WHY_TEXT = {
    "stuck": "dies: nothing to play",
    "brute": "dies: an empty hand in brute mode",
    "emptied": "dies: the hand is empty",
    "killed": "dies: killed by two jokers",
    "flip": "is dead again",
    "suicide": "declines to play and dies",
}


def _symbols(cards: list[str]) -> str:
    return " ".join(card_symbol(parse_card(card)) for card in cards)


def _describe_deal(event: Event) -> str:
    return "\n".join(
        [
            f"Game {event['round']}, seat {event['first']} begins",
            *(
                f"  seat {seat} (team {seat % 2}): {_symbols(hand)}"
                for seat, hand in enumerate(event["hands"])
            ),
        ]
    )  # fmt: skip


def _members(seats: int) -> str:
    return ", ".join(str(seat) for seat in range(seats.bit_length()) if seats >> seat & 1)


def _standing(before: Any, event: Event) -> str:
    """Brute mode, who was dead and who awaited when the turn began."""
    marks = ["brute mode"] if before.brute else []
    for word, seats in (("dead", int(before.reach[hands.JOKER])), ("awaiting", int(before.awaiting))):
        marks += [f"{word}: {_members(seats)}"] if seats else []
    return f"   [{'; '.join(marks)}]" if marks else ""


_EFFECTS = {
    hands.ACE: "exchanges hands with seat {}",
    hands.FIVE: "points at seat {}",
    hands.SEVEN: "takes from seat {}",
    hands.JOKER: "revives seat {}",
}


def _describe_effect(cards: list[str], event: Event) -> str:
    kind = int(hands.KIND[parse_card(cards[0]) + 1])
    if event["target"] is not None:
        text = "kills seat {}" if len(cards) > 1 else _EFFECTS.get(kind, "seat {}")
        text = text.format(event["target"])
        return f"{text}: {_symbols([event['took']])}" if event["took"] else text
    if event["sign"] is not None:
        return "adds" if event["sign"] > 0 else "takes"
    return {hands.FOUR: "reverses", hands.BRUTE: "brute mode on or off"}.get(kind, "")


def _describe_turn(before: Any, event: Event) -> str:
    flip = event["e"] == "flip"
    cards = [event["card"]] if flip else event["cards"]
    parts = [
        f"seat {event['p']} {'turns up' if flip else 'plays'} {_symbols(cards)}",
        _describe_effect(cards, event),
        f"N {event['n']}",
        f"draws {_symbols([event['drew']])}" if event["drew"] else "",
        ("lives" if event["alive"] else "stays dead") if flip else "",
    ]
    return ", ".join(part for part in parts if part) + _standing(before, event)


def describe(rules: Any, before: Any, event: Event) -> str:
    """A line for people."""
    kind = event["e"]
    if kind == "deal":
        return _describe_deal(event)
    if kind in ("play", "flip"):
        return _describe_turn(before, event)
    if kind == "die":
        return f"seat {event['p']} {WHY_TEXT[event['why']]}"
    if kind == "remake":
        return "the played cards are shuffled into a new pile"
    won = {"draw": "A draw", "limit": "Undecided: no turns left"}.get(event["outcome"])
    return f"{won or 'Team ' + event['outcome'][-1] + ' wins'} after {event['turns']} turns"
