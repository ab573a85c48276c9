"""Transcript lines written from the states before and after a decision."""

from typing import Any

from kernels.notation import card_text
from kernels.redten import plays
from kernels.redten.dealing import NOBODY
from kernels.redten.options import PLAYERS
from kernels.redten.plays import NOTHING, PASS, SHOW
from kernels.redten.transcript.combinations import cards_in, in_order
from kernels.referee.lines import Event


def deal_event(rules: Any, state: Any) -> Event:
    """The `deal` line of a state just dealt; each hand in the order in which it was drawn."""
    first = int(state.first_drawer)
    drawn = [card_text(int(card)) for card in state.drawn]
    return {
        "e": "deal",
        "game": "redten",
        "round": int(state.round_no),
        "first_drawer": first,
        "hands": [drawn[(seat - first) % PLAYERS :: PLAYERS] for seat in range(PLAYERS)],
        "leader": int(state.leader),
    }


def _texts(cards: list[int]) -> list[str]:
    return [card_text(card) for card in cards]


def _decision(before: Any, seat: int, action: int, after: Any) -> Event:
    if before.asking != NOBODY:
        shown = cards_in(int(after.showing[seat])) if action == SHOW else []
        return {"e": "show", "p": seat, "cards": _texts(shown)}
    if action == PASS:
        return {"e": "pass", "p": seat}
    played = [int(card) for card in after.pile[int(before.pile_n) : int(after.pile_n)]]
    kind = plays.KINDS[plays.kind_of(action)]
    return {"e": "play", "p": seat, "kind": kind, "cards": _texts(in_order(action, played))}


def consequences(before: Any, after: Any) -> list[Event]:
    """The lines that a decision brings about by itself."""
    if before.asking != NOBODY:
        return [{"e": "shown", "valid": bool(after.shown)}] if after.asking == NOBODY else []
    lines: list[Event] = []
    if after.out_n > before.out_n:
        lines.append({"e": "out", "p": int(after.places[int(before.out_n)]), "place": int(after.out_n)})
    if after.table == NOTHING and before.table != NOTHING:
        lines.append({"e": "trick", "winner": int(after.last_seat), "leads": int(after.turn)})
    return lines


def events(rules: Any, before: Any, move: Any, after: Any) -> list[Event]:
    """The lines of one decision, up to the next."""
    decision = _decision(before, int(move.seat), int(move.action), after)
    return [decision | {"legal": int(move.legal)}, *consequences(before, after)]


def end_events(rules: Any, before: Any, after: Any) -> list[Event]:
    """The result of the hand."""
    return [
        {
            "e": "end",
            "places": [int(seat) for seat in after.places],
            "sides": [int(side) for side in after.side],
            "points": [int(points) for points in after.points],
            "multiplier": int(after.multiplier),
            "totals": [int(total) for total in after.totals],
        }
    ]
