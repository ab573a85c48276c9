"""The whole contract of a game: what its folder must and may bring so that everything else can play it.

A game is a package of these rooms, and one line in `kernels.registry`:

    RULES.md      the rules as played, in words; its first line is `# TITLE`
    options.py    `Options`: what can vary in the rules and in the players; nothing compiled
    columns.py    `Columns`: what the record of a round says; nothing compiled
    game.py       `Kernel`, and the functions of the rules below; compiled
    expert.py     the players `greedy` and `expert`; compiled
    transcript    `Transcript`: decisions as lines, and lines judged; plain Python
    exact.py      may be left out. `Exact`: probabilities that can be counted
    hand.py       may be left out. `Hand`: what one hand is worth
    bench.py      may be left out. `Bench`: what `simcli bench` times besides whole games
    pictures.py   may be left out. `Pictures`: what `simcli report` shows besides what all games have

What has a value or a body here may be left out of a room and is then as here; the rest must be there. A room is checked
when it is first asked for, and `Incomplete` names the game and all that is missing.

A game is the type of its `Rules`. The functions of the rules and players are compiled into the engine's loop: each one
below resolves at compile time to the function of the same name in the package that defines the type of its first
argument, or with compilation off when it is called. They get the arrays they work on and make none themselves. The
order of arguments is the same everywhere: rules, [params,] state, [streams,] [actions,] the rest.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from kernels.measure import Suite
    from kernels.options import Deal, Option, Parameter, Style, Value
    from kernels.pictures import Picture
    from kernels.records import Column

Rules = Any
"""The game's `Rules`: a NamedTuple of integers, and of tables that `prepare` put in. Passed by value."""
State = Any
"""One record of the game's STATE, with its fields as attributes."""
Streams = Any
"""One record of `kernels.rng.STREAMS`."""
Params = Any
"""One record of the game's PARAMS: the parameters of the seat's player."""
Row = Any
"""One record of the game's RECORD."""
Actions = Any
"""An int64 array, 1-d; an action is any int64 that the game gives a meaning."""
Event = dict[str, Any]
"""A line of a transcript: `e` is its kind, the other fields are those of the game's KINDS."""


def optional(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function that a game may leave out: it then is this one."""
    function.is_optional = True  # type: ignore[attr-defined]
    return function


# Rooms


class Options(Protocol):
    """`options.py`: read before anything is compiled, so it imports nothing that is."""

    VERSION: int
    """Part of the identity of a run. Raised with each change of the rules as played or of a player."""
    Rules: Any
    """A NamedTuple: a field for each option (a dot in a key is an underscore; one for each part of a list), then
    `shuffle` and `passes`, then what `prepare` fills in. `kernels.options.compile_rules` makes it."""
    OPTIONS: "Sequence[Option]"
    """The rules that can vary; their keys are those of `values` below."""
    PARAMETERS: "Mapping[str, Sequence[Parameter]]"
    """The parameters of each player that has some, by the player's name; names differ between players too."""
    STYLES: "Mapping[str, Style]" = MappingProxyType({})
    """Ways to play that people know, by name: the expert with other parameters."""

    @staticmethod
    def players(values: "Mapping[str, Value]") -> int:
        """Number of seats: 1..`kernels.rng.MAX_SEATS`."""
        ...

    @staticmethod
    def most_rounds(values: "Mapping[str, Value]") -> int:
        """The largest number of rounds that a match may have, at least 1. `values` have been checked."""
        ...

    @staticmethod
    def check(values: "dict[str, Value]") -> "dict[str, Value]":
        """The options, each within its range, with those filled in that follow from others. Raises
        `kernels.options.RuleError` for a combination that cannot be played."""
        ...

    @staticmethod
    @optional
    def deal(values: "Mapping[str, Value]") -> "Deal | None":
        """The first deal of a match, if its cards can be predealt: its kernel then draws who is dealt to first by
        `kernels.predeal.draw_first_seat`, where that is drawn, and the cards by `kernels.predeal.draw_deal`."""
        return None


class Columns(Protocol):
    """`columns.py`: what the record of a round says; imports nothing compiled."""

    COLUMNS: "Mapping[str, Column]"
    """Those of `kernels.records.round_columns` first, then the game's own; `match_outcome` is one of them."""
    HIGHER_WINS: bool
    """Whether the highest total of points wins a match, or the lowest."""
    UNFINISHED: Sequence[str] = ()
    """Outcomes of rounds that came to no end of their own; every answer gives their share."""
    TEAMS: int = 0
    """Number of teams, to which seats belong in turn; 0: no such teams."""
    SIDES: str = ""
    """The column of seats that says which side each is on in this round; empty: no such sides."""

    @staticmethod
    @optional
    def bounds(values: "Mapping[str, Value]") -> "Mapping[str, tuple[int, int]]":
        """The least and the largest that numbers can be under these options, by column: what the rules prove, where
        that is narrower than COLUMNS and near to what happens. The interval of a mean relies on them."""
        return {}


class Kernel(Protocol):
    """`game.py`, beside the functions of the rules below."""

    STATE: "np.dtype[Any]"
    """All that a round needs, and what is carried to the next: an aligned struct that begins with
    `kernels.cards.stock_fields`."""
    RECORD: "np.dtype[Any]"
    """`kernels.records.record_dtype` of COLUMNS."""
    PARAMS: "np.dtype[Any]"
    """`kernels.policies.parameter_dtype` of PARAMETERS."""

    @staticmethod
    @optional
    def prepare(rules: Rules) -> Rules:
        """The rules with their tables filled in; called once a command, not compiled."""
        return rules


class Transcript(Protocol):
    """`transcript`, a file or a package: decisions as lines, lines for people, and lines judged."""

    KINDS: Mapping[str, Mapping[str, Any]]
    """The kinds of lines, each with its fields and the types they may have; `deal` is one of them."""
    Referee: Any
    """A subclass of `kernels.referee.base.Referee`, made with (game, rules, partial): `read(event)` names what is wrong
    with the next line, `finish()` what is missing at the end, `give_up()` that a round is not followed any further."""

    @staticmethod
    def deal_event(rules: Rules, state: State) -> Event:
        """The `deal` line of a state just dealt, its whole stock settled."""
        ...

    @staticmethod
    def events(rules: Rules, before: State, move: Any, after: State) -> list[Event]:
        """The lines of one decision: what had to come before it, the decision, and all that follows up to the next.
        `move` has the fields `seat`, `action` and `legal`; the line of the decision carries the last one."""
        ...

    @staticmethod
    def end_events(rules: Rules, before: State, after: State) -> list[Event]:
        """The lines of a round's end, from the states before and after `score`."""
        ...

    @staticmethod
    def describe(rules: Rules, before: State, event: Event) -> str:
        """A line for people, or nothing; `before` is the state before the event, for a deal the state dealt."""
        ...

    @staticmethod
    @optional
    def is_silent(event: Event) -> bool:
        """Whether a line is a decision to do nothing, written only with the numbers of legal actions."""
        return False


class Exact(Protocol):
    """`exact.py`: probabilities of what the deal alone decides, as whole numbers of equally likely deals."""

    EVENTS: Mapping[str, str]
    """What can be counted, each with its meaning."""
    RULES: Sequence[str]
    """Keys of the options that the counts depend on."""
    ONE_HAND: "Mapping[str, Value]" = MappingProxyType({})
    """Options that make any pack serve the one hand that is counted."""
    DEALT: Sequence[str] = ()
    """Columns of seats whose distribution is known, at least in part."""
    DEALT_TO_ALL: Sequence[str] = ()
    """The same, of the round."""

    @staticmethod
    def favourable(event: str, values: "Mapping[str, Value]", recount: bool = False) -> int:
        """Number of deals with an event of EVENTS; `recount`: count what is shipped as a number too. Raises
        `kernels.options.RuleError` for options under which it cannot be counted."""
        ...

    @staticmethod
    def total(values: "Mapping[str, Value]") -> int:
        """Number of all deals."""
        ...

    @staticmethod
    @optional
    def distribution(column: str, values: "Mapping[str, Value]") -> list[tuple[tuple[int, ...], int]]:
        """What a column of DEALT or DEALT_TO_ALL may be: classes of values, and the number of deals of each class.
        Empty where it is not known."""
        return []


class Hand(Protocol):
    """`hand.py`: what one hand is worth, for people who ask."""

    @staticmethod
    def hand(values: "Mapping[str, Value]", cards: list[int]) -> dict[str, Any]:
        """The worth by name, in the order to print, `cards` first. Raises ValueError for cards that are no hand."""
        ...


class Bench(Protocol):
    """`bench.py`: what `simcli bench` times besides whole games."""

    @staticmethod
    def suite() -> "Suite":
        """Things to time, and ratios with what is promised of them."""
        ...


class Pictures(Protocol):
    """`pictures.py`: what a report on games shows besides what all games have."""

    PICTURES: "Sequence[Picture]" = ()
    """In the order to show; one whose columns a setting lacks is left out there."""


# The functions of the rules and players

FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""The compiled functions of the contract, by name."""
_PLAYERS = ("greedy", "expert")
_DEFAULTS = dict.fromkeys(("random_action", "imagine"), "kernels.policies")
"""Compiled functions that a game may leave out, and where the one is that is then taken."""


def compiled(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of the contract out of a stub that has only its name, arguments and docstring.

    The stub is never called: a body that raises NotImplementedError only tells mypy that something is returned.
    """
    name = stub.__name__

    def function(rules: Rules, *arguments: Any) -> Any:
        kind: type = type(rules)
        return implementation(kind, name)(rules, *arguments)

    function.__name__ = name
    function.__doc__ = stub.__doc__
    FUNCTIONS[name] = function
    return function


@compiled
def new_match(rules: Rules, state: State) -> None:
    """Forget the last match: totals, carried leader. `state.round_no` is 0; `deal` will be called next."""


@compiled
def collect(rules: Rules, state: State) -> None:
    """Put all cards of the last round into `state.stock` in the order in which players collect them, or a new pack
    (`cards.new_pack`) before the first round (`state.round_no` is 1). Called by the game's own `deal`.

    With `rules.shuffle == UNIFORM` every round begins with a new pack: a stock that is drawn lazily has no order. With
    any other shuffle they are collected as they lie: `cards.shuffle_pack` and `cards.restock` settle their order."""


@compiled
def deal(rules: Rules, state: State, streams: Streams) -> None:
    """Deal round `state.round_no` (counted by the engine): shuffle, hands, first to act. Draws from `rng.DEAL` only.
    Settles the stock if `state.eager`."""


@compiled
def to_act(rules: Rules, state: State) -> int:
    """The seat that decides now, while the round is not over."""
    raise NotImplementedError


@compiled
def legal(rules: Rules, state: State, actions: Actions, skip: int) -> int:
    """Count the different legal actions of the seat to act, and write those numbered skip, skip + 1, ... into
    `actions` as far as it reaches. Always at least 1, in a fixed order."""
    raise NotImplementedError


@compiled
def apply(rules: Rules, state: State, streams: Streams, action: int) -> None:
    """Carry out a legal action, and all that happens until the next decision or the end of the round."""


@compiled
def is_over(rules: Rules, state: State) -> bool:
    """Whether the round has ended."""
    raise NotImplementedError


@compiled
def score(rules: Rules, state: State) -> None:
    """Book the ended round: points, totals, and what the next round carries over."""


@compiled
def match_over(rules: Rules, state: State) -> bool:
    """Whether no further round follows the one just scored."""
    raise NotImplementedError


@compiled
def record(rules: Rules, state: State, row: Row) -> None:
    """Fill one row for the round just scored; the engine fills `row.game`. What is a seat's stays 0 where nobody
    sits."""


@compiled
def greedy(rules: Rules, params: Params, state: State, streams: Streams, actions: Actions, seat: int) -> int:
    """The legal action that the simple player takes; sees only what `seat` may see, draws from `rng.SEAT + seat`."""
    raise NotImplementedError


@compiled
def expert(rules: Rules, params: Params, state: State, streams: Streams, actions: Actions, seat: int) -> int:
    """The legal action that the strong player takes; sees and draws as `greedy` does."""
    raise NotImplementedError


@compiled
def random_action(rules: Rules, state: State, streams: Streams, actions: Actions, seat: int) -> int:
    """What the `random` player does: each legal action equally likely. May be left out, and is then
    `kernels.policies.random_action`; a game may have its own shorter way to the same action."""
    raise NotImplementedError


@compiled
def count_cards(rules: Rules, state: State, counts: Any) -> None:
    """Add every card of the round, wherever it lies, to `counts` (int64, one for each of the 54 faces)."""


@compiled
def hide(rules: Rules, state: State, seat: int) -> None:
    """Take away all that `seat` cannot see: hidden cards go to the stock, hands keep the number of theirs, the stock
    forgets its order (`cards.forget_order`), and what a transcript has told the state is forgotten. Such a state has
    no fault but the missing cards; states that look alike to the seat become one."""


@compiled
def redeal_hidden(rules: Rules, state: State, streams: Streams, seat: int) -> None:
    """Deal a state that `hide` left among the places its hidden cards may lie in, drawing from `rng.DEAL`."""


@compiled
def imagine(rules: Rules, state: State, streams: Streams, seat: int) -> None:
    """As `redeal_hidden`, for a seat that weighs how the others have played; draws from `rng.CHANCE` too. May be left
    out, and is then `redeal_hidden`."""


@compiled
def utility(rules: Rules, state: State, seat: int) -> int:
    """What the round just scored is worth to a seat; a player wants much of it."""
    raise NotImplementedError


@compiled
def has_won(rules: Rules, state: State, seat: int) -> int:
    """Whether the seat has won the round just scored: 0 or 1."""
    raise NotImplementedError


# What a game brings


ROOMS: dict[str, Any] = {
    "options": Options,
    "columns": Columns,
    "game": Kernel,
    "expert": None,
    "transcript": Transcript,
    "exact": Exact,
    "hand": Hand,
    "bench": Bench,
    "pictures": Pictures,
}
_OPTIONAL_ROOMS = ("exact", "hand", "bench", "pictures")
RULES_TEXT = "RULES.md"


class Incomplete(LookupError):
    """A game that lacks something it must have."""


def folder(package: str) -> Path:
    """The folder of a game. Raises Incomplete if it lacks a room, or its rules in words."""
    path = Path(str(import_module(package).__file__)).parent
    missing = [name for name in ROOMS if name not in _OPTIONAL_ROOMS and find_spec(f"{package}.{name}") is None]
    if not (path / RULES_TEXT).is_file():
        missing.append(RULES_TEXT)
    _require(package, missing)
    return path


@cache
def room(package: str, name: str) -> Any:
    """A room of a game, with what it leaves out as it is here; None if the whole room may be left out and is.

    Raises Incomplete.
    """
    if find_spec(f"{package}.{name}") is None:
        _require(package, [] if name in _OPTIONAL_ROOMS else [name])
        return None
    found = {**_defaults(name), **vars(import_module(f"{package}.{name}"))}
    _require(package, [f"{name}.{item}" for item in _items(name) if item not in found])
    return SimpleNamespace(**found)


@cache
def implementation(rules_class: type, name: str) -> Callable[..., Any]:
    """The function of this name in the game that `rules_class` belongs to. Raises Incomplete."""
    package = str(sys.modules[rules_class.__module__].__package__)
    return getattr(room(package, _room_of(name)), name)  # type: ignore[no-any-return]


def _require(package: str, missing: Sequence[str]) -> None:
    if missing:
        raise Incomplete(f"the game {package} lacks {', '.join(missing)}")


def _room_of(function: str) -> str:
    return "expert" if function in _PLAYERS else "game"


def _items(name: str) -> list[str]:
    """What the contract knows of in a room."""
    contract = ROOMS[name]
    own = [] if contract is None else [*contract.__annotations__, *vars(contract)]
    return [item for item in own if not item.startswith("_")] + [key for key in FUNCTIONS if _room_of(key) == name]


def _defaults(name: str) -> dict[str, Any]:
    contract = ROOMS[name]
    given = {item: getattr(contract, item) for item in _items(name) if hasattr(contract, item)}
    functions = {item: module for item, module in _DEFAULTS.items() if _room_of(item) == name}
    return {
        **{item: value for item, value in given.items() if not callable(value) or hasattr(value, "is_optional")},
        **{item: getattr(import_module(module), item) for item, module in functions.items()},
    }
