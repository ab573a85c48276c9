"""Transcript lines written from the states before and after a decision."""

from typing import Any

from kernels.notation import card_text
from kernels.redox import actions as act
from kernels.redox import game, table
from kernels.redox.transcript.parse import PLOT_KINDS, SOURCES
from kernels.redox.transcript.splitting import split
from kernels.referee.lines import Event

_CALL_AT = 3


def _texts(cards: list[int]) -> list[str]:
    return [card_text(card) for card in cards]


def _hand(state: Any, seat: int) -> list[str]:
    return _texts(table.cards_of_hand(state, seat))


def _plot(state: Any, plot: int) -> list[str]:
    return _texts(table.cards_of_plot(state, plot))


def _stock(state: Any) -> list[str]:
    """The stock, its top card first."""
    return _texts([int(card) for card in state.stock[: int(state.stock_n)][::-1]])


def deal_event(rules: Any, state: Any) -> Event:
    """The `deal` line."""
    return {
        "e": "deal",
        "game": "redox",
        "round": int(state.round_no),
        "leader": int(state.leader),
        "dir": int(state.dir),
        "hands": [_hand(state, seat) for seat in range(rules.players)],
        "face": card_text(int(state.discards[0])),
        "stock": _stock(state),
    }


def _discard(before: Any, action: int, after: Any) -> Event:
    return {
        "a": "discard",
        "card": card_text(int(after.discards[int(after.discards_n) - 1])),
        "from": SOURCES[act.source(action)],
        "got": card_text(int(after.last_got)),
    }


def _added(old: list[str], new: list[str]) -> list[str]:
    """Cards of `new` beyond those of `old`, which it contains as they lie (run) or in any order (set)."""
    rest = list(old)
    added = []
    for card in new:
        if card in rest:
            rest.remove(card)
        else:
            added.append(card)
    return added


def _connect(before: Any, plot: int, after: Any) -> Event:
    old = _plot(before, plot)
    now = _plot(after, plot)
    if after.plot_kind[plot] == act.RUN:
        first = int(before.plot_low[plot]) - int(after.plot_low[plot])
        added = now[:first] + now[first + len(old) :]
    else:
        added = _added(old, now)
        now = old + added
    return {"a": "connect", "plot": plot, "cards": added, "now": now}


def _slam(rules: Any, before: Any) -> Event:
    hand = table.cards_of_hand(before, int(before.turn))
    return {"a": "slam", "plots": [_texts(plot) for plot in split(hand, rules.min_naturals) or [hand]]}


def _decision(rules: Any, before: Any, action: int, after: Any) -> Event:
    kind = act.kind(action)
    if kind == act.DISCARD:
        return _discard(before, action, after)
    if kind == act.SLAM:
        return _slam(rules, before)
    if kind in (act.TO_RUN, act.TO_SET):
        return _connect(before, act.plot(action), after)
    plot = int(before.plots)
    return {"a": "plot", "kind": PLOT_KINDS[kind], "cards": _plot(after, plot)}


def events(rules: Any, before: Any, move: Any, after: Any) -> list[Event]:
    """The lines of one turn: a new stock if it needed one, the turn, the call."""
    action = int(move.action)
    seat = int(move.seat)
    lines: list[Event] = []
    turn = {"e": "turn", "p": seat, **_decision(rules, before, action, after), "legal": int(move.legal)}
    if after.recycles > before.recycles:
        lines.append({"e": "recycle", "stock": [turn["got"], *_stock(after)]})
    lines.append(turn)
    left = int(after.hand_n[seat])
    if 0 < left <= _CALL_AT and left < before.hand_n[seat]:
        lines.append({"e": "last", "p": seat, "n": left})
    return lines


def end_events(rules: Any, before: Any, after: Any) -> list[Event]:
    """The `end` line."""
    seats = range(rules.players)
    winner = int(after.winner)
    return [
        {
            "e": "end",
            "outcome": game.OUTCOMES[int(after.outcome)],
            "winner": None if winner == game.NOBODY else winner,
            "left": [_hand(after, seat) if after.hand_n[seat] else [] for seat in seats],
            "points": [int(after.points[seat]) for seat in seats],
            "totals": [int(after.totals[seat]) for seat in seats],
        }
    ]
