"""Da Fu Weng as transcript lines, and transcript lines checked."""

from typing import Any

from kernels.dafuweng import diary, game, hands
from kernels.dafuweng.transcript.referee import Referee as Referee
from kernels.notation import card_symbol, card_text, parse_card
from kernels.referee.base import Event

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


# For people

_WHY_TEXT = {
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
        return f"seat {event['p']} {_WHY_TEXT[event['why']]}"
    if kind == "remake":
        return "the played cards are shuffled into a new pile"
    won = {"draw": "A draw", "limit": "Undecided: no turns left"}.get(event["outcome"])
    return f"{won or 'Team ' + event['outcome'][-1] + ' wins'} after {event['turns']} turns"
