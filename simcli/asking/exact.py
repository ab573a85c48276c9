"""Exact probabilities: of dealt hands by the name of an event, and of questions that the deal alone decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kernels import protocol
from kernels.options import RuleError, Value
from kernels.registry import Game
from simcli.config.loading import from_plain, known_game
from simcli.config.scenario import Scenario
from simcli.errors import UserError, unknown

if TYPE_CHECKING:
    from simcli.asking.questions import Question

SCHEMA = 1
"""Version of the JSON of a count."""


@dataclass(frozen=True)
class Exact:
    """A probability that can be counted: favourable of total equally likely deals."""

    favourable: int
    total: int

    @property
    def p(self) -> float:
        """As a decimal."""
        return self.favourable / self.total

    def describe(self) -> dict[str, Any]:
        """For JSON; integers as text."""
        return {"favourable": str(self.favourable), "total": str(self.total), "p": self.p}


# Events of a dealt hand


def events(game: str) -> list[dict[str, Any]]:
    """The events of a game that can be counted. Raises UserError."""
    return [{"event": name, "meaning": meaning} for name, meaning in _room(game).EVENTS.items()]


def count(game: str, event: str, sets: Sequence[str] = (), recount: bool = False) -> dict[str, Any]:
    """The event's probability, and what was counted, for JSON. Raises UserError."""
    exact = _room(game)
    if event not in exact.EVENTS:
        raise UserError("EVENT", unknown("event", event, exact.EVENTS))
    rules = _one_hand_rules(game, sets)
    try:
        counted = Exact(exact.favourable(event, rules, recount), exact.total(rules))
    except RuleError as error:
        raise UserError(f"rules.{error.key}", error.message) from None
    return {
        "event": event,
        **counted.describe(),
        "game": known_game(game).name,
        "rules": {key: rules[key] for key in exact.RULES},
        "meaning": exact.EVENTS[event],
        "schema": SCHEMA,
    }


def _room(game: str) -> protocol.Exact:
    found = known_game(game).exact
    if found is None:
        raise UserError(game, "nothing of this game is counted exactly; `simcli ask` plays it instead")
    return found


def _one_hand_rules(game: str, sets: Sequence[str]) -> Mapping[str, Value]:
    """The rules; those that do not matter to one hand as the game's ONE_HAND has them, so that any pack will do."""
    full = [text if text.startswith("rules.") else f"rules.{text}" for text in sets]
    plain = {"game": game, "rules": dict(_room(game).ONE_HAND)}
    return from_plain(plain, "exact", "exact", full).rules


# Questions that the deal decides


def known(scenario: Scenario, question: "Question") -> Exact | None:
    """The exact probability of an event about one column that a uniformly shuffled deal decides, where it is known.

    The column's values fall into classes of known probability; the event must be all true or all false in each.
    """
    import polars as pl

    from simcli.asking.questions import PROPORTION
    from simcli.tables.expressions import select

    target = question.target
    if question.kind != PROPORTION or question.given or target is None or len(target.columns) != 1:
        return None
    if scenario.shuffle.kind != "uniform" or scenario.predeal:
        return None
    (column,) = target.columns
    classes = _classes(scenario, question.per == "seat", column)
    favourable = 0
    for values, ways in classes:
        truths = select(pl.DataFrame({column: values}), target.polars.alias("target "))["target "]
        if truths.null_count() or truths.n_unique() != 1:
            return None
        favourable += ways if truths[0] else 0
    return Exact(favourable, sum(ways for _, ways in classes)) if classes else None


def _classes(scenario: Scenario, per_seat: bool, column: str) -> list[tuple[tuple[Any, ...], int]]:
    """Values that the column may have, class by class, and in how many deals; empty if unknown."""
    exact = Game(scenario.game).exact
    if exact is None:
        return []
    base, _, seat = (column, "", "") if per_seat else column.rpartition("_")
    if base in exact.DEALT and (per_seat or seat.isdigit()):
        return list(exact.distribution(base, scenario.rules))
    return list(exact.distribution(column, scenario.rules)) if column in exact.DEALT_TO_ALL else []
