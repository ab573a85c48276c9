"""Options of the toy game."""

from typing import NamedTuple

from kernels.notation import new_deck
from kernels.options import Deal, Option, Parameter, Value

VERSION = 1
HAND = 3
SEATS = 4
"""At most so many play."""
OPTIONS = (
    Option("players", 2, "How many play.", "[default]", low=2, high=SEATS),
    Option("rounds", 1, "Rounds in a match.", "[default]", low=1, high=10),
)
PARAMETERS = {"expert": (Parameter("courage", 1, 0, 1, "Play the highest card (1) or the lowest (0)."),)}


class Rules(NamedTuple):
    """Options as compiled code sees them."""

    players: int
    rounds: int
    shuffle: int = 0
    passes: int = 0


def players(values: dict[str, Value]) -> int:
    """Number of seats."""
    return int(values["players"])  # type: ignore[arg-type]


def most_rounds(values: dict[str, Value]) -> int:
    """Every match has the same number of rounds."""
    return int(values["rounds"])  # type: ignore[arg-type]


def check(values: dict[str, Value]) -> dict[str, Value]:
    """Every combination of options can be played."""
    return values


def deal(values: dict[str, Value]) -> Deal:
    """Whole hands, from seat 0 on."""
    seats = players(values)
    order = tuple(number // HAND for number in range(HAND * seats))
    return Deal(tuple(new_deck(0)), (order,) * seats)
