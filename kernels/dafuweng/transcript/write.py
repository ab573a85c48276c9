"""Transcript lines written from the states before and after a decision."""

from typing import Any

from kernels.dafuweng import diary, game, hands
from kernels.notation import card_text
from kernels.referee.lines import Event


def _text(card: int) -> str | None:
    return None if card == game.NONE else card_text(int(card))


def _hand(state: Any, seat: int) -> list[str]:
    hand = int(state.hand[seat])
    return [card_text(hands.card_in(hand, slot)) for slot in range(hands.size(hand))]


def deal_event(rules: Any, state: Any) -> Event:
    """The `deal` line."""
    return {
        "e": "deal",
        "game": "dafuweng",
        "round": int(state.round_no),
        "first": int(state.leader),
        "hands": [_hand(state, seat) for seat in range(rules.players)],
        "pile": [card_text(int(card)) for card in state.stock[: int(state.stock_n)][::-1]],
    }


def _choice(line: Any) -> Event:
    """Sign and target of a play or flip."""
    kind, option = int(line[diary.KIND]), int(line[diary.OPTION])
    signed = kind in (hands.TEN, hands.QUEEN)
    return {
        "sign": (1 if option == hands.PLAIN else -1) if signed else None,
        "target": option if 0 <= option < hands.PLAIN else None,
    }


def _gains(line: Any) -> Event:
    return {"took": _text(line[diary.TOOK]), "drew": _text(line[diary.DREW])}


def _event(line: Any, after: Any) -> Event:
    """A line of the diary as an event."""
    kind, seat = line[diary.EVENT], int(line[diary.SEAT])
    if kind == diary.REMADE:
        return {"e": "remake", "pile": [card_text(int(card)) for card in after.remade[: int(after.remade_n)]]}
    if kind == diary.DIED:
        return {"e": "die", "p": seat, "why": game.WHYS[int(line[diary.KIND])]}
    choice = _choice(line)
    n = int(line[diary.N])
    if kind == diary.FLIPPED:
        card = card_text(int(line[diary.CARD]))
        alive = bool(line[diary.SECOND])
        given = {"sign": choice["sign"], "alive": alive, "target": choice["target"]}
        return {"e": "flip", "p": seat, "card": card, "n": n, **given, **_gains(line)}
    cards = [card_text(int(card)) for card in (line[diary.CARD], line[diary.SECOND]) if card != game.NONE]
    return {"e": "play", "p": seat, "cards": cards, "n": n, **choice, **_gains(line)}


def events(rules: Any, before: Any, move: Any, after: Any) -> list[Event]:
    """The lines of one decision; what happened by itself afterwards has no number of legal actions."""
    lines = [_event(line, after) for line in after.diary[: int(after.diary_n)]]
    for event in lines:
        if event["e"] in ("play", "flip"):
            event["legal"] = int(move.legal)
            break
        if event["e"] == "die":
            break
    return lines


def end_events(rules: Any, before: Any, after: Any) -> list[Event]:
    """The `end` line."""
    first_dead = int(after.first_dead)
    return [
        {
            "e": "end",
            "outcome": game.OUTCOMES[int(after.result)],
            "turns": int(after.turns),
            "first_dead": None if first_dead == game.NONE else first_dead,
        }
    ]
