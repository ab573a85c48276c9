"""Transcript lines written from the states before and after a decision."""

from typing import Any

from kernels.compiler.bits import lowest
from kernels.erbaiwu import actions as act
from kernels.erbaiwu import game
from kernels.erbaiwu.masks import BIT_OF, CARD_OF, cards_in
from kernels.erbaiwu.transcript.parse import NAMES
from kernels.notation import SMALL_JOKER, card_text
from kernels.referee.lines import Event

_ONE_CARD = ("show7", "outlaw", "discard")
_ONE_NAMED = ("layoff", "lift")


def _text(bit: int) -> str:
    return card_text(int(CARD_OF[bit]))


def _texts(mask: int) -> list[str]:
    return [card_text(card) for card in cards_in(mask)]


def deal_event(rules: Any, state: Any) -> Event:
    """The `deal` line of a state just dealt, its whole stock settled."""
    return {
        "e": "deal",
        "game": "erbaiwu",
        "round": int(state.round_no),
        "dealer": int(state.dealer),
        "hands": [_texts(int(state.hands[seat])) for seat in range(rules.players)],
        "stock": [card_text(int(card)) for card in state.stock[: int(state.stock_n)][::-1]],
    }


def _played(before: Any, action: int, after: Any) -> tuple[list[str], list[str]]:
    """The cards of a reduction as they left the hand, and what each stands for."""
    stand_ins = act.jokers_of(action)
    faces, names = [], []
    for card in cards_in(act.named_by(action)):
        bit = int(BIT_OF[card])
        face = card
        if stand_ins >> bit & 1:
            face = SMALL_JOKER + [int(named) for named in after.joker_as].index(bit)
        faces.append(card_text(face))
        names.append(card_text(card))
    return faces, names


def _decision(before: Any, seat: int, action: int, after: Any) -> Event:
    kind = act.kind_of(action)
    name = NAMES[kind]
    event: Event = {"e": name, "p": seat}
    if kind == act.DRAW:
        return event | {"card": _texts(int(after.hands[seat]) & ~int(before.hands[seat]))[0]}
    if name in _ONE_CARD:
        return event | {"card": _text(lowest(act.named_by(action)))}
    if name in ("settle", "keep", "nopong"):
        return event
    faces, names = _played(before, action, after)
    if name in _ONE_NAMED:
        return event | {"card": faces[0], "as": names[0]}
    if kind == act.LOCK:
        return event | {"end": _text(lowest(act.end_of(action))), "cards": faces, "as": names}
    if kind == act.PONG:
        return event | {"cards": faces, "of": _text(int(before.last))}
    return event | {"cards": faces, "as": names}


def _fine(seat: int, why: str, points: int) -> Event:
    return {"e": "fine", "p": seat, "why": why, "points": points}


def _consequences(rules: Any, before: Any, seat: int, action: int, after: Any) -> list[Event]:
    """Fines and the forced draw after an outlaw or a pong."""
    dead = int(after.outlaw_fines) - int(before.outlaw_fines)
    lines = [_fine(seat, "outlaw", rules.scoring_fine_outlaw)] * dead
    if after.followed and not before.followed:
        lines.append(_fine(int(after.leader), "followed", rules.scoring_fine_followed))
    if act.kind_of(action) in (act.OUTLAW, act.PONG):
        drawn = int(after.hands[seat]) & ~int(before.hands[seat])
        lines.append({"e": "draw", "p": seat, "card": _texts(drawn)[0]})
    return lines


def events(rules: Any, before: Any, move: Any, after: Any) -> list[Event]:
    """The lines of one decision, up to the next."""
    seat, action = int(move.seat), int(move.action)
    decision = _decision(before, seat, action, after) | {"legal": int(move.legal)}
    return [decision, *_consequences(rules, before, seat, action, after)]


def end_events(rules: Any, before: Any, after: Any) -> list[Event]:
    """The score of the round, and the end of the match if it is one."""
    seats = range(rules.players)
    flags = {"whole_five": after.whole_five, "gouge": after.gouged, "held_sevens": after.held}
    lines: list[Event] = [
        {
            "e": "score",
            "hands": [_texts(int(after.hands[seat])) for seat in seats],
            "round": [int(after.hand_points[seat]) for seat in seats],
            "flags": [flag for flag, is_set in flags.items() if is_set],
            "points": [int(after.points[seat]) for seat in seats],
            "totals": [int(after.totals[seat]) for seat in seats],
            "bonus250": [seat for seat in seats if int(after.bonus) >> seat & 1],
        }
    ]
    if after.match_outcome != game.GOING_ON:
        losers = [seat for seat in seats if game.has_lost(rules, after, seat)]
        outcome = game.MATCH_OUTCOMES[int(after.match_outcome)]
        lines.append({"e": "end", "outcome": outcome, "losers": losers, "rounds": int(after.round_no)})
    return lines
