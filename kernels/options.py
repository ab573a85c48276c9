"""How a game describes its options and its players' parameters, without compiled code.

A game's `options.py` holds `VERSION`, `Rules` (a NamedTuple, the compiled side of the options), `OPTIONS`,
`PARAMETERS` and `check`; configs are validated against them before anything is compiled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Value = int | bool | str | tuple[int, ...] | None

SHUFFLES = ("uniform", "riffle", "overhand")
"""Shuffles by name; compiled code knows them by their number here."""

EXPERT = "expert"
SEARCH = "search"
PLAYERS = {
    "random": "Takes each legal action with the same chance.",
    "greedy": "Takes at once what looks best for the moment.",
    EXPERT: "Weighs what an action is good for by rules of thumb with parameters.",
    SEARCH: "Plays rounds out from what its seat sees, and takes what comes to most.",
}
POLICIES = tuple(PLAYERS)
PLAIN_POLICIES = POLICIES[: POLICIES.index(SEARCH)]
"""Players by name; compiled code knows them by their number. A plain one answers at once; `search` (`kernels.search`)
plays games out by one of them."""


@dataclass(frozen=True)
class Option:
    """One rule that can vary. `key` is as in a config, with a dot for each level."""

    key: str
    default: Value
    doc: str
    source: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    alternatives: tuple[Value, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of this option's fields in `Rules`: one, or one for each part of a list."""
        name = self.key.replace(".", "_")
        return tuple(f"{name}_{part}" for part in self.parts) if self.parts else (name,)


@dataclass(frozen=True)
class Parameter:
    """One number that a player plays by: an integer within low..high."""

    name: str
    default: int
    low: int
    high: int
    doc: str
    choices: tuple[str, ...] = ()
    """Where the number stands for a word: the words, from 0 on."""


SEARCH_PARAMETERS = (
    Parameter("worlds", 32, 1, 65_536, "Deals of the hidden cards that an action is played out in, on average."),
    Parameter("candidates", 12, 2, 64, "Actions looked at, at most: the expert's, greedy's, and others at random."),
    Parameter("margin", 100, 0, 1_000, "Hundredths of a standard error by which an action must beat the expert's."),
    Parameter("by", 2, 0, 2, "Who plays the games out on every seat.", PLAIN_POLICIES),
)


def parameters_of(parameters: Mapping[str, Sequence[Parameter]], policy: str) -> Sequence[Parameter]:
    """The parameters of a player, by its name; parameters: those of the game's own players."""
    return SEARCH_PARAMETERS if policy == SEARCH else parameters.get(policy, ())


@dataclass(frozen=True)
class Deal:
    """The first deal of a game: the pack, and the hand that each card of it goes to."""

    pack: tuple[int, ...]
    """All its cards."""
    orders: tuple[tuple[int, ...], ...]
    """For each seat that may be dealt to first: the hand that each card goes to in the order dealt, seats by their
    number, then what lies open by its place in `open`."""
    open: tuple[str, ...] = ()
    """Names of the places where cards lie open."""

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of all hands: the numbers of the seats, then what lies open."""
        return (*map(str, range(len(self.orders))), *self.open)

    def first_seats(self, hands: Mapping[str, Sequence[int]]) -> list[int]:
        """Seats that may be dealt to first so that each hand has room for these cards, given by its name."""
        needed = [(self.hands.index(name), len(cards)) for name, cards in hands.items()]
        return [
            seat for seat, order in enumerate(self.orders) if all(order.count(hand) >= cards for hand, cards in needed)
        ]


def one_at_a_time(seats: int, cards: int) -> tuple[tuple[int, ...], ...]:
    """The orders of a deal of so many cards one at a time, from any seat on."""
    return tuple(tuple((first + number) % seats for number in range(cards)) for first in range(seats))


@dataclass(frozen=True)
class Style:
    """A way to play that people know, by the expert with other parameters."""

    doc: str
    params: Mapping[str, int]
    strength: tuple[float, float, float]
    """Points a round that it gains on the expert, and the limits of the 95% interval, measured at one table."""


def policy_names(styles: Mapping[str, Style]) -> tuple[str, ...]:
    """What a policy of a game may be called: a player, or one of its styles."""
    return (*POLICIES, *styles)


class RuleError(ValueError):
    """An option, or a combination of options, that cannot be played."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.message = message


def defaults(options: Sequence[Option]) -> dict[str, Value]:
    """Every option at its default, by key."""
    return {option.key: option.default for option in options}


def _numbers(option: Option, value: Value) -> tuple[int, ...]:
    if value is None:
        return (0,)
    if isinstance(value, tuple):
        return value
    if isinstance(value, str):
        return (option.choices.index(value),)
    return (int(value),)


def compile_rules(
    rules: Callable[..., Any], options: Sequence[Option], values: Mapping[str, Value], shuffle: str, passes: int
) -> Any:
    """The game's `Rules` as compiled code sees them: integers only; choices by their number, None as 0."""
    fields: dict[str, int] = {"shuffle": SHUFFLES.index(shuffle), "passes": passes}
    for option in options:
        fields.update(zip(option.fields, _numbers(option, values[option.key]), strict=True))
    return rules(**fields)
