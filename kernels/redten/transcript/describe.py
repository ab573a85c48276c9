"""Transcript lines for people."""

from typing import Any

from kernels.notation import card_symbol, parse_card
from kernels.redten.packed import RANK_OF
from kernels.redten.plays import NOTHING
from kernels.referee.lines import Event


def _symbols(texts: list[str]) -> str:
    return " ".join(card_symbol(parse_card(text)) for text in texts)


def _describe_deal(event: Event) -> str:
    lines = [f"Deal {event['round']}. Seat {event['first_drawer']} draws first."]
    for seat, texts in enumerate(event["hands"]):
        cards = sorted(map(parse_card, texts), key=lambda card: (int(RANK_OF[card]), card))
        lines.append(f"  {seat}: {' '.join(map(card_symbol, cards))}")
    return "\n".join([*lines, f"Seat {event['leader']} holds ♥3 and will lead."])


def _describe_show(event: Event) -> str:
    return f"  {event['p']} shows {_symbols(event['cards'])}" if event["cards"] else f"  {event['p']} shows nothing"


def _describe_play(before: Any, event: Event) -> str:
    seat = event["p"]
    verb = "plays" if before.table != NOTHING else "leads"
    kind = event["kind"].replace("_", " ")
    left = int(before.left[seat]) - len(event["cards"])
    return f"  {seat} {verb} {kind} {_symbols(event['cards'])}" + (f"  [{left} left]" if left else "")


def _signed(points: list[int]) -> str:
    return " ".join(f"{number:+d}" if number else "0" for number in points)


def _describe_end(event: Event) -> str:
    reds = " and ".join(str(seat) for seat, side in enumerate(event["sides"]) if side)
    order = ", ".join(map(str, event["places"]))
    times = f" (times {event['multiplier']})" if event["multiplier"] > 1 else ""
    return (
        f"In order: {order}. Red tens: {reds}. Points {_signed(event['points'])}{times}; "
        f"totals {_signed(event['totals'])}"
    )


def describe(rules: Any, before: Any, event: Event) -> str:
    """A line for people; `before` is the state before the event (None for a deal)."""
    match event["e"]:
        case "deal":
            return _describe_deal(event)
        case "show":
            return _describe_show(event)
        case "shown":
            return "Both red tens are shown: the sides are known." if event["valid"] else "The sides stay hidden."
        case "play":
            return _describe_play(before, event)
        case "pass":
            return f"  {event['p']} passes"
        case "trick":
            leads = "leads" if event["leads"] == event["winner"] else f"is out, {event['leads']} leads"
            return f"  -- {event['winner']} wins the trick and {leads}"
        case "out":
            return f"  {event['p']} is out: place {event['place']}"
    return _describe_end(event)
