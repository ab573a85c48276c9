"""Exact counts of dealt hands, by the name of an event."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from kernels.options import RuleError, Value
from simcli.config.loading import from_plain, known_game
from simcli.errors import UserError, unknown

SCHEMA = 1


def events(game: str) -> list[dict[str, Any]]:
    """The events of a game that can be counted."""
    exact = known_game(game).exact
    return [{"event": name, "meaning": meaning} for name, meaning in exact.EVENTS.items()]


def counted(game: str, event: str, sets: Sequence[str] = (), recount: bool = False) -> dict[str, Any]:
    """The event's probability as favourable of total hands (integers as text) and as a decimal. Raises UserError."""
    exact = known_game(game).exact
    if event not in exact.EVENTS:
        raise UserError("EVENT", unknown("event", event, exact.EVENTS))
    values = _values(game, sets)
    try:
        favourable, total = exact.favourable(event, values, recount), exact.total(values)
    except RuleError as error:
        raise UserError(f"rules.{error.key}", error.message) from None
    return {
        "event": event,
        "favourable": str(favourable),
        "total": str(total),
        "p": float(Fraction(favourable, total)),
        "game": game,
        "rules": {key: values[key] for key in exact.RULES},
        "meaning": exact.EVENTS[event],
        "schema": SCHEMA,
    }


def for_people(row: Mapping[str, Any]) -> dict[str, Any]:
    """The same with its rules on one line, and as one in so many."""
    rules = ", ".join(f"{key}={value}" for key, value in row["rules"].items())
    hands = {"one_in": f"{1 / row['p']:.6g}"} if row["p"] else {}
    numbers = {"p": f"{row['p']:.12g}", **hands, "favourable": row["favourable"], "total": row["total"]}
    return {"event": row["event"], **numbers, "game": row["game"], "rules": rules or "any", "meaning": row["meaning"]}


def _values(game: str, sets: Sequence[str]) -> Mapping[str, Value]:
    """The rules; those that do not matter to one hand as the game's ONE_HAND has them, so that any pack will do."""
    full = [text if text.startswith("rules.") else f"rules.{text}" for text in sets]
    plain = {"game": game, "rules": dict(known_game(game).exact.ONE_HAND)}
    return from_plain(plain, "exact", "exact", full).rules
