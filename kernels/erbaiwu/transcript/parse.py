"""What a transcript line of Er Bai Wu may hold, and lines read as actions."""

from typing import Any

from kernels.compiler.bits import lowest
from kernels.erbaiwu import actions as act
from kernels.erbaiwu.masks import BIT_OF, NATURALS, mask_of
from kernels.notation import SMALL_JOKER, card_text, parse_card
from kernels.referee.lines import Event, Illegal

_SEAT = {"p": int}
_TEXT = {"p": int, "card": str}
_NAMED = {"p": int, "card": str, "as": str}
KINDS: dict[str, dict[str, Any]] = {
    "deal": {"game": str, "round": int, "dealer": int, "hands": list, "stock": list},
    "show7": _TEXT,
    "layoff": _NAMED,
    "lock": {"p": int, "end": str, "cards": list, "as": list},
    "string": {"p": int, "cards": list, "as": list},
    "pong": {"p": int, "cards": list, "of": str},
    "nopong": _SEAT,
    "lift": _NAMED,
    "fine": {"p": int, "why": str, "points": int},
    "outlaw": _TEXT,
    "draw": _TEXT,
    "discard": _TEXT,
    "keep": _SEAT,
    "settle": _SEAT,
    "score": {"hands": list, "round": list, "flags": list, "points": list, "totals": list, "bonus250": list},
    "end": {"outcome": str, "losers": list, "rounds": int},
}
NAMES = {
    act.SHOW7: "show7",
    act.LAYOFF: "layoff",
    act.LOCK: "lock",
    act.STRING: "string",
    act.LIFT: "lift",
    act.SETTLE: "settle",
    act.OUTLAW: "outlaw",
    act.DRAW: "draw",
    act.DISCARD: "discard",
    act.KEEP: "keep",
    act.PONG: "pong",
    act.PASS: "nopong",
}
_BARE = {"settle": act.SETTLE, "draw": act.DRAW, "keep": act.KEEP, "nopong": act.PASS}
KIND_OF = {name: kind for kind, name in NAMES.items()}


def is_silent(event: Event) -> bool:
    """Whether a line is a pong declined, which is written only with numbers of legal actions."""
    return bool(event["e"] == "nopong")


def _suits(mask: int, rank: int) -> int:
    return mask >> (4 * rank) & 15


def _cards_played(event: Event) -> tuple[int, int, int]:
    """Rank, named suits and jokers' suits of a line with `cards` and `as` (or `card` and `as`)."""
    faces = [parse_card(text) for text in _texts(event.get("cards", event.get("card")))]
    names = [parse_card(text) for text in _texts(event.get("as", [card_text(face) for face in faces]))]
    if len(faces) != len(names):
        raise Illegal(f"{len(faces)} cards, but {len(names)} names")
    if any(face < SMALL_JOKER and face != name for face, name in zip(faces, names, strict=True)):
        raise Illegal("only a joker stands for another card")
    if len(set(faces)) < len(faces) or len(set(names)) < len(names):
        raise Illegal("the same card twice")
    named, jokers = mask_of(names), mask_of([n for f, n in zip(faces, names, strict=True) if f >= SMALL_JOKER])
    if not names or named & ~NATURALS:
        raise Illegal("a joker stands for no joker")
    rank = lowest(named) >> 2
    if named & ~(15 << (4 * rank)):
        raise Illegal("cards of different ranks")
    return rank, _suits(named, rank), _suits(jokers, rank)


def _texts(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


_SIZES = {"string": 3, "lock": 2, "pong": 2}


def action_of(state: Any, event: Event) -> int:
    """The action that a line stands for. Raises Illegal if there is none, or if its texts are no cards."""
    kind = event["e"]
    if kind in _BARE:
        return _BARE[kind]
    try:
        rank, named, jokers = _cards_played(event)
        end = mask_of([parse_card(event["end"])]) if kind == "lock" else 0
        of = int(BIT_OF[parse_card(event["of"])]) if kind == "pong" else None
    except Illegal:
        raise
    except ValueError as reason:
        raise Illegal(str(reason)) from None
    if kind in _SIZES and named.bit_count() != _SIZES[kind]:
        raise Illegal(f"a {kind} is of {_SIZES[kind]} cards")
    if end & ~(15 << (4 * rank)):
        raise Illegal("the lock is of another rank than the end")
    if of is not None and of != state.last:
        raise Illegal(f"the last discard is not {event['of']}")
    return int(act.group(KIND_OF[kind], rank, named, jokers, _suits(end, rank)))


def parse_all(texts: Any) -> list[int]:
    """Cards of a list in a transcript. Raises Illegal with the reason."""
    if not isinstance(texts, list):
        raise Illegal(f"{str(texts)[:60]} is no list of cards")
    try:
        return [parse_card(str(text)) for text in texts]
    except ValueError as reason:
        raise Illegal(str(reason)) from None


def cards_of(event: Event) -> list[int]:
    """The cards that a line shows leaving or entering the hand. Raises Illegal if they are none."""
    return parse_all(event.get("cards", [event["card"]] if "card" in event else []))


def joker_laid(event: Event) -> int:
    """0 if the small joker is laid, or stands for the lower card of two; else 1, for the big one."""
    faces, names = _texts(event.get("cards", event.get("card", []))), _texts(event.get("as", []))
    jokers = [(name, face) for face, name in zip(faces, names, strict=False) if face in ("Xb", "Xs")]
    if not jokers:
        return 1
    lowest_name = min(jokers, key=lambda pair: int(BIT_OF[parse_card(pair[0])]))
    return int(lowest_name[1] != "Xs")
