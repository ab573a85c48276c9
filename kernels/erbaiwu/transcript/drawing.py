"""The table and the events of Er Bai Wu, drawn for people."""

from collections.abc import Iterable
from typing import Any

from kernels.erbaiwu import table as places
from kernels.erbaiwu.masks import CARD_OF, NATURALS, SEVEN, SUITS, cards_in
from kernels.notation import SMALL_JOKER, SYMBOLS, card_symbol, parse_card
from kernels.referee.base import Event

_INDENT = "      "
_SHUT = "|"
"""Closes the end of a chain that is locked."""


def _symbols(texts: Iterable[str]) -> str:
    return " ".join(card_symbol(parse_card(text)) for text in texts)


def _as_named(faces: list[str], names: list[str]) -> str:
    """Cards, each joker with what it stands for."""
    return " ".join(
        _symbols([face]) if face == name else f"{_symbols([face])}({_symbols([name])})"
        for face, name in zip(faces, names, strict=True)
    )


def sentence(event: Event) -> str:
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
    hands = [f"{_INDENT}seat {seat}: {_symbols(hand)}" for seat, hand in enumerate(event["hands"])]
    return "\n".join([f"Round {event['round']}, seat {event['dealer']} deals", *hands])


def _score(event: Event) -> str:
    hands = [
        f"{_INDENT}seat {seat}: {_symbols(hand) or 'nothing'}: {count}, scores {points}, total {total}"
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
        f"{_INDENT}{SYMBOLS[suit]} {_chain(state, suit)}"
        for suit in range(SUITS)
        if int(state.chain) & (places.ONE_SUIT << suit)
    ]
    groups = [_group(state, number) for number in range(int(state.groups_n)) if state.groups[number]]
    outlaws = [card_symbol(card) for card in cards_in(int(state.outlaws))]
    return [
        *chains,
        *([f"{_INDENT}groups: {'  '.join(groups)}"] if groups else []),
        *([f"{_INDENT}outlaws: {' '.join(outlaws)}"] if outlaws else []),
    ]
