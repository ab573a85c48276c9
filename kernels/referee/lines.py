"""Transcript lines as such: shortened for messages, compared."""

from collections.abc import Iterable, Mapping
from typing import Any

from kernels.protocol import Event as Event

MAX_VALUE = 80
MAX_BRIEF = 160
"""Characters of a value, and of a line, in a message."""


class Illegal(ValueError):
    """A line that the rules do not allow, with the reason."""


def short(value: Any) -> str:
    """A field's value for a message."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= MAX_VALUE else text[: MAX_VALUE - 3] + "..."


def brief(event: Event) -> str:
    """A line for a message."""
    fields = (f"{name}={short(value)}" for name, value in event.items() if name not in ("e", "legal"))
    return " ".join([event["e"], *fields])[:MAX_BRIEF]


def sorted_lists(value: Any) -> Any:
    """A list, or lists in a list, with their parts in a fixed order."""
    if not isinstance(value, list):
        return value
    if any(isinstance(part, list) for part in value):
        return [sorted_lists(part) for part in value]
    return sorted(value, key=repr)


def duplicates_in(cards: Iterable[int], copies: Mapping[int, int]) -> list[int]:
    """Cards that occur more often than the pack holds them."""
    seen: dict[int, int] = {}
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
    return [card for card, count in seen.items() if count > copies.get(card, 0)]
