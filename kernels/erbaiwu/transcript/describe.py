"""Transcript lines for people."""

from collections.abc import Iterable
from typing import Any

from kernels.erbaiwu import choices
from kernels.erbaiwu.transcript import drawing
from kernels.erbaiwu.transcript.drawing import INDENT
from kernels.notation import card_symbol, parse_card
from kernels.referee.lines import Event


def describe(rules: Any, before: Any, event: Event) -> str:
    """A line for people; after a turn's reductions the table as well, before what ends them."""
    line = _sentence(event)
    return "\n".join([*drawing.table(before), line]) if _ends_reductions(before, event) else line


def _ends_reductions(before: Any, event: Event) -> bool:
    if before.changed != before.turns or event["e"] not in ("draw", "settle", "discard", "keep"):
        return False
    return before.phase == choices.REDUCE or bool(before.pong_turn)


def _symbols(texts: Iterable[str]) -> str:
    return " ".join(card_symbol(parse_card(text)) for text in texts)


def _as_named(faces: list[str], names: list[str]) -> str:
    """Cards, each joker with what it stands for."""
    return " ".join(
        _symbols([face]) if face == name else f"{_symbols([face])}({_symbols([name])})"
        for face, name in zip(faces, names, strict=True)
    )


def _sentence(event: Event) -> str:
    """One event in words."""
    kind = event["e"]
    if kind == "deal":
        return _deal(event)
    if kind == "score":
        return _score(event)
    if kind == "end":
        losers = ", ".join(f"seat {seat}" for seat in event["losers"]) or "nobody"
        return f"The match ends ({event['outcome']}) after {event['rounds']} rounds; lost: {losers}"
    return f"seat {event['p']} {_deed(event)}"


def _deal(event: Event) -> str:
    hands = [f"{INDENT}seat {seat}: {_symbols(hand)}" for seat, hand in enumerate(event["hands"])]
    return "\n".join([f"Round {event['round']}, seat {event['dealer']} deals", *hands])


def _score(event: Event) -> str:
    hands = [
        f"{INDENT}seat {seat}: {_symbols(hand) or 'nothing'}: {count}, scores {points}, total {total}"
        + (" (bonus)" if seat in event["bonus250"] else "")
        for seat, (hand, count, points, total) in enumerate(
            zip(event["hands"], event["round"], event["points"], event["totals"], strict=True)
        )
    ]
    flags = f" ({', '.join(event['flags'])})" if event["flags"] else ""
    return "\n".join([f"Score{flags}", *hands])


def _deed(event: Event) -> str:
    kind = event["e"]
    card = _symbols([event["card"]]) if "card" in event else ""
    if kind == "fine":
        return f"is fined {event['points']} ({event['why']})"
    if kind in ("layoff", "lift"):
        played = _as_named([event["card"]], [event["as"]])
        return f"lays off {played}" if kind == "layoff" else f"lifts with {played}"
    if kind in ("lock", "string"):
        played = _as_named(event["cards"], event["as"])
        return f"locks {_symbols([event['end']])} with {played}" if kind == "lock" else f"shows the string {played}"
    if kind == "pong":
        return f"pongs {_symbols([event['of']])} with {_symbols(event['cards'])}"
    plain = {
        "show7": f"shows {card}",
        "outlaw": f"throws the outlaw {card}",
        "draw": f"draws {card}",
        "discard": f"discards {card}",
        "keep": "has nothing to discard",
        "settle": "settles",
        "nopong": "lets it pass",
    }
    return plain[kind]
