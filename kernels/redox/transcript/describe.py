"""Transcript lines for people."""

from typing import Any

from kernels.notation import card_symbol, parse_card
from kernels.referee.lines import Event


def _symbols(cards: list[str]) -> str:
    return " ".join(card_symbol(parse_card(card)) for card in cards)


def _describe_deal(event: Event) -> str:
    way = "clockwise" if event["dir"] == 1 else "counter-clockwise"
    lines = [
        f"Round {event['round']}, {way}, seat {event['leader']} leads; face card {_symbols([event['face']])}",
        *(f"  seat {seat}: {_symbols(hand)}" for seat, hand in enumerate(event["hands"])),
    ]
    return "\n".join(lines)


def _describe_turn(event: Event) -> str:
    who = f"seat {event['p']}"
    if event["a"] == "discard":
        return f"{who} discards {_symbols([event['card']])}, takes {_symbols([event['got']])} from the {event['from']}"
    if event["a"] == "plot":
        return f"{who} lays a {event['kind']}: {_symbols(event['cards'])}"
    if event["a"] == "connect":
        return f"{who} connects {_symbols(event['cards'])}, plot {event['plot']} is now {_symbols(event['now'])}"
    return f"{who} lays down a slam: {' / '.join(map(_symbols, event['plots']))}"


def _describe_end(event: Event) -> str:
    what = "The round is void" if event["winner"] is None else f"Seat {event['winner']} is out"
    if event["outcome"] == "slam":
        what += " with a slam"
    scores = ", ".join(
        f"seat {seat} {points:+d} = {total}"
        for seat, (points, total) in enumerate(zip(event["points"], event["totals"], strict=True))
    )
    left = [f"  seat {seat} holds {_symbols(hand)}" for seat, hand in enumerate(event["left"]) if hand]
    return "\n".join([f"{what}: {scores}", *left])


def describe(rules: Any, before: Any, event: Event) -> str:
    """A line for people."""
    kind = event["e"]
    if kind == "deal":
        return _describe_deal(event)
    if kind == "turn":
        return _describe_turn(event)
    if kind == "recycle":
        return "the pile is shuffled into a new stock"
    if kind == "last":
        return f'seat {event["p"]} calls "Last {event["n"]}"'
    return _describe_end(event)
