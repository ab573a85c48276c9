"""The protocol that every game fills, and the one loop that plays them all.

A game is the type of its `Rules`: at compile time each function of the protocol resolves to the function of the
same name in `game.py` or `expert.py` of the package that defines that type. With compilation off the same functions
resolve at run time and give the same games.

Argument order everywhere: rules, [policy, params,] state, [streams,] [actions,] the rest.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from kernels import policies, rng
from kernels.compiler.jit import jit, jit_inline, makes_arrays, options

ACTIONS = 4096
"""Length of the buffer for legal actions; games with more are asked again from a later one on."""

MOVE = np.dtype([("seat", "i8"), ("action", "i8"), ("legal", "i8")])
DEALT = -1
SCORED = -2
"""What `action` says in the trail where the engine itself acted."""

ZERO = np.int64(0)
"""Zero as an argument: numba compiles a function a second time for an argument that is a literal."""

COUNT, APPLY, SCORE, DEAL, IS_OVER, TO_ACT, CHOOSE, START = range(8)
"""Verbs of `step`."""


PER_DECISION = ("to_act", "is_over", "apply", "random_action")
"""Functions of the protocol that become part of the loop's own machine code: a call, with all rules and arrays passed
on, costs as much as what a quick game does in them."""

Default = Callable[..., Any] | None


def implementation(rules_class: type, name: str, default: Default = None) -> Callable[..., Any]:
    """The function of this name in the game that `rules_class` belongs to, or the default.

    Raises LookupError if there is neither.
    """
    package = sys.modules[rules_class.__module__].__package__
    for room in ("game", "expert"):
        function = getattr(import_module(f"{package}.{room}"), name, None)
        if function is not None:
            return function  # type: ignore[no-any-return]
    if default is not None:
        return default
    raise LookupError(f"{package} has no function {name!r}")


def _overload(dispatch: Callable[..., Any], name: str, default: Default, counting: bool) -> None:
    """Let compiled code find the functions of this name in the games; apart those that count references, and not."""

    @overload(dispatch, strict=False, jit_options={**options(counting), "forceinline": name in PER_DECISION})
    def resolve(rules, *arguments):
        if isinstance(rules, (types.NamedTuple, types.NamedUniTuple)):
            function = implementation(rules.instance_class, name, default)
            plain = getattr(function, "py_func", function)
            return plain if makes_arrays(plain) == counting else None
        return None


def _dispatcher(stub: Callable[..., Any], default: Default) -> Callable[..., Any]:
    name = stub.__name__

    def dispatch(rules, *arguments):
        return implementation(type(rules), name, default)(rules, *arguments)

    dispatch.__name__ = name
    dispatch.__doc__ = stub.__doc__

    for counting in (False, True):
        _overload(dispatch, name, default, counting)
    return dispatch


def protocol(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of the protocol out of a stub that has only its name, arguments and docstring."""
    return _dispatcher(stub, None)


def optional(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the protocol that a game may leave to the engine."""
    return _dispatcher(function, function)


@protocol
def new_match(rules, state):
    """Forget the last match: totals, carried leader. `state.round_no` is 0; `deal` will be called next."""


@protocol
def gather(rules, state):
    """Put all cards of the last round into `state.stock` in the order in which players gather them, or a new pack
    before the first round (`state.round_no` is 1). Called by the game's own `deal`."""


@protocol
def deal(rules, state, streams):
    """Deal round `state.round_no` (counted by the engine): shuffle, hands, first to act. Draws from rng.DEAL only."""


@protocol
def to_act(rules, state):
    """The seat that decides now, while the round is not over."""


@protocol
def legal(rules, state, actions, skip):
    """Count the different legal actions of the seat to act, and write those numbered skip, skip + 1, ... into
    `actions` (int64) as far as it reaches. Always at least 1, in a fixed order."""


@protocol
def apply(rules, state, streams, action):
    """Carry out a legal action, and all that happens until the next decision or the end of the round."""


@protocol
def is_over(rules, state):
    """Whether the round has ended."""


@protocol
def score(rules, state):
    """Book the ended round: points, totals, and what the next round carries over."""


@protocol
def match_over(rules, state):
    """Whether no further round follows the one just scored."""


@protocol
def record(rules, state, row):
    """Fill one row (a record of the game's RECORD) for the round just scored; the engine fills `row.game`."""


@protocol
def greedy(rules, params, state, streams, actions, seat):
    """The legal action that the simple player takes; sees only what `seat` may see."""


@protocol
def expert(rules, params, state, streams, actions, seat):
    """The legal action that the strong player takes; sees only what `seat` may see. `params` is the seat's record."""


@protocol
def census(rules, state, counts):
    """Add every card of the round, wherever it lies, to `counts` (int64, one a face)."""


@protocol
def redeal_hidden(rules, state, streams, seat):
    """Permute the cards that `seat` cannot see among the places they may lie in, drawing from rng.SEARCH."""


@optional
def random_action(rules, state, streams, actions, seat):
    """What the `random` player does: each legal action equally likely. A game may have its own shorter way to the
    same action."""
    count = legal(rules, state, actions, ZERO)
    choice = policies.pick(streams, seat, count)
    if choice < len(actions):
        return int(actions[choice])
    legal(rules, state, actions, choice)
    return int(actions[0])


@jit_inline
def choose(rules, policy, params, state, streams, actions, seat):
    """The action of a seat under its policy."""
    if policy == policies.EXPERT:
        return expert(rules, params, state, streams, actions, seat)
    if policy == policies.GREEDY:
        return greedy(rules, params, state, streams, actions, seat)
    return random_action(rules, state, streams, actions, seat)


@jit
def _note(state, trail, moves, steps, seat, action, count):
    """Append to the trail, where there is one: a decision and the state it led to."""
    if steps < len(trail):
        trail[steps] = state
        moves[steps].seat = seat
        moves[steps].action = action
        moves[steps].legal = count
    return steps + 1


@jit
def _play_round(rules, policy, params, state, streams, actions, trail, moves, steps):
    """Deal one round, play it to its end and score it; returns the length of the trail."""
    traced = len(trail) > 0
    deal(rules, state, streams)
    steps = _note(state, trail, moves, steps, -1, DEALT, 0)
    while not is_over(rules, state):
        seat = to_act(rules, state)
        count = legal(rules, state, actions, ZERO) if traced else 0
        action = choose(rules, policy[seat], params[seat], state, streams, actions, seat)
        apply(rules, state, streams, action)
        if traced:
            steps = _note(state, trail, moves, steps, seat, action, count)
    score(rules, state)
    return _note(state, trail, moves, steps, -1, SCORED, 0)


@jit
def play(rules, policy, params, state, streams, actions, rows, trail, moves, first, count):
    """Play games first..first+count-1, one row a round, until `rows` has no room for the next game.

    policy: int64, one a seat; params: one record a seat; rows: records of the game's RECORD; trail and moves:
    empty, or room for the states and decisions of the games. Returns how many games were finished, how many rows
    they filled, and how long the trail is (what does not fit is counted but not kept).
    """
    filled = 0
    steps = ZERO
    for done in range(count):
        game = first + done
        kept = filled
        new_match(rules, state)
        state.round_no = 0
        while True:
            if filled == len(rows):
                return done, kept, steps
            state.round_no += 1
            rng.start_round(streams, game, state.round_no)
            steps = _play_round(rules, policy, params, state, streams, actions, trail, moves, steps)
            record(rules, state, rows[filled])
            rows[filled].game = game
            filled += 1
            if match_over(rules, state):
                break
    return count, filled, steps


@jit
def step(rules, policy, params, state, streams, actions, verb, number):
    """One move of the machinery by itself, for checking transcripts and for tests; see the verbs.

    COUNT: number of legal actions, written from `number` on; APPLY: action `number`; CHOOSE: what policy[0] with
    params[0] would do on seat `number`; START: point the streams at round `state.round_no` of game `number`.
    """
    if verb == COUNT:
        return legal(rules, state, actions, number)
    if verb == APPLY:
        apply(rules, state, streams, number)
    elif verb == SCORE:
        score(rules, state)
    elif verb == DEAL:
        deal(rules, state, streams)
    elif verb == IS_OVER:
        return int(is_over(rules, state))
    elif verb == TO_ACT:
        return int(to_act(rules, state))
    elif verb == CHOOSE:
        return choose(rules, policy[0], params[0], state, streams, actions, number)
    elif verb == START:
        rng.start_round(streams, number, state.round_no)
    return 0


def new_state(kernel: ModuleType) -> Any:
    """A blank state of the game: a record that compiled and plain code can both write to."""
    return np.zeros(1, kernel.STATE).view(np.recarray)[0]


def new_rows(kernel: ModuleType, length: int) -> np.ndarray:
    """Room for `length` records of the game."""
    return np.zeros(length, kernel.RECORD).view(np.recarray)


class Workspace(NamedTuple):
    """What one thread needs to play a game, allocated once."""

    policy: np.ndarray
    params: np.ndarray
    state: Any
    streams: Any
    actions: np.ndarray
    trail: np.ndarray
    moves: np.ndarray


def new_workspace(kernel: ModuleType, policy: np.ndarray, params: np.ndarray, seed: int, trail: int = 0) -> Workspace:
    """Buffers for one thread. policy: int64 a seat; params: records of the game's PARAMS; trail: its capacity."""
    return Workspace(
        policy,
        params.view(np.recarray),
        new_state(kernel),
        rng.new_streams(seed),
        np.zeros(ACTIONS, np.int64),
        np.zeros(trail, kernel.STATE).view(np.recarray),
        np.zeros(trail, MOVE).view(np.recarray),
    )
