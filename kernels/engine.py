"""The loop that plays every game, written once; what a game must bring for it is in `kernels.protocol`."""

from typing import Any, NamedTuple

import numpy as np

from kernels import policies, protocol, rng
from kernels.compiler import dispatch
from kernels.compiler.jit import ZERO, jit, jit_inline
from kernels.protocol import (
    apply,
    deal,
    expert,
    greedy,
    is_over,
    legal,
    match_over,
    new_match,
    random_action,
    record,
    redeal_hidden,
    score,
    to_act,
)
from kernels.search import Searcher, search

dispatch.connect(protocol.FUNCTIONS)

ACTIONS = 4096
"""Length of the buffer for legal actions; games with more are asked again from a later one on."""

MOVE = np.dtype([("seat", "i8"), ("action", "i8"), ("legal", "i8")])
DEALT = -1
SCORED = -2
"""What `action` says in a trace where the engine itself acted."""

COUNT, APPLY, SCORE, DEAL, IS_OVER, TO_ACT, CHOOSE, START = range(8)
"""Verbs of `step`."""


@jit_inline
def choose(rules, policy, params, state, streams, actions, seat):
    """The action of a seat under its policy."""
    if policy == policies.EXPERT:
        return expert(rules, params, state, streams, actions, seat)
    if policy == policies.GREEDY:
        return greedy(rules, params, state, streams, actions, seat)
    return random_action(rules, state, streams, actions, seat)


@jit
def _note(state, trace, moves, steps, seat, action, count):
    """Append a decision, and the state it led to, to the trace, where there is one."""
    if steps < len(trace):
        trace[steps] = state
        moves[steps].seat = seat
        moves[steps].action = action
        moves[steps].legal = count
    return steps + 1


@jit
def _decide(rules, policy, params, state, streams, actions, seat, decision, searcher):
    """The action of a seat under its policy, which may be `search` where there is a searcher."""
    if searcher is not None:  # noqa: SIM102 (decides what is compiled)
        if policy[seat] == policies.SEARCH:
            return search(rules, params[seat], state, streams, searcher, decision, seat)
    return choose(rules, policy[seat], params[seat], state, streams, actions, seat)


@jit
def _deal_next(rules, state, streams, game):
    """Deal the next round of a match."""
    state.round_no += 1
    rng.start_round(streams, game, state.round_no)
    deal(rules, state, streams)


@jit
def _begin(rules, state, streams, game, position):
    """Deal the first round of a game, or take up the position that every game begins from."""
    if position is None:
        new_match(rules, state)
        state.round_no = 0
        _deal_next(rules, state, streams, game)
    else:
        position.states[TABLE] = position.states[BEGINNING]
        rng.start_round(streams, game, state.round_no)
        redeal_hidden(rules, state, streams, position.seat)


@jit
def _play_round(rules, policy, params, state, streams, actions, trace, moves, steps, searcher):
    """Play a round that has been dealt to its end and score it; returns the length of the trace."""
    traced = len(trace) > 0
    steps = _note(state, trace, moves, steps, -1, DEALT, 0)
    decision = ZERO
    while not is_over(rules, state):
        seat = to_act(rules, state)
        count = legal(rules, state, actions, ZERO) if traced else 0
        action = _decide(rules, policy, params, state, streams, actions, seat, decision, searcher)
        decision += 1
        apply(rules, state, streams, action)
        if traced:
            steps = _note(state, trace, moves, steps, seat, action, count)
    score(rules, state)
    return _note(state, trace, moves, steps, -1, SCORED, 0)


@jit
def play(rules, policy, params, state, streams, actions, rows, trace, moves, first, count, searcher, position):
    """Play games first..first+count-1, one row a round, until `rows` has no room for the next game.

    policy: int64, one a seat; params: one record a seat; rows: records of the game's RECORD; trace and moves:
    empty, or room for the states and decisions of the games; searcher: a `kernels.search.Searcher` if a seat searches,
    else None; position: a `Position` that every game begins from, else None. Each of the two that is None is left
    out of what is compiled. Returns how many games were finished, how many rows they filled, and how long the trace
    is (what does not fit is counted but not kept).
    """
    filled = 0
    steps = ZERO
    for done in range(count):
        game = first + done
        kept = filled
        _begin(rules, state, streams, game, position)
        while True:
            if filled == len(rows):
                return done, kept, steps
            steps = _play_round(rules, policy, params, state, streams, actions, trace, moves, steps, searcher)
            record(rules, state, rows[filled])
            rows[filled].game = game
            filled += 1
            if match_over(rules, state):
                break
            _deal_next(rules, state, streams, game)
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


def new_state(kernel: Any) -> Any:
    """A blank state of the game: a record that compiled and plain code can both write to. kernel: `protocol.Kernel`."""
    return np.zeros(1, kernel.STATE).view(np.recarray)[0]


def new_rows(kernel: Any, length: int) -> np.ndarray:
    """Room for `length` records of the game."""
    return np.zeros(length, kernel.RECORD).view(np.recarray)


BEGINNING, TABLE = range(2)
"""States of a position."""


class Position(NamedTuple):
    """Where games begin that do not begin with a deal."""

    states: np.ndarray
    """Records of the game's STATE. BEGINNING: the position, after `protocol.hide`; TABLE: the state that `play` plays
    on."""
    seat: int
    """The seat from which things are hidden."""


class Workspace(NamedTuple):
    """What one thread needs to play a game, allocated once."""

    policy: np.ndarray
    params: np.ndarray
    state: Any
    streams: Any
    actions: np.ndarray
    trace: np.ndarray
    moves: np.ndarray
    searcher: Searcher | None
    position: Position | None


def new_workspace(
    kernel: Any,
    policy: np.ndarray,
    params: np.ndarray,
    seed: int,
    trace: int = 0,
    searcher: Searcher | None = None,
    position: Position | None = None,
) -> Workspace:
    """Buffers for one thread. policy: int64 a seat; params: records of the game's PARAMS; trace: its capacity;
    searcher: needed if a seat searches."""
    return Workspace(
        policy,
        params.view(np.recarray),
        new_state(kernel) if position is None else position.states[TABLE],
        rng.new_streams(seed),
        np.zeros(ACTIONS, np.int64),
        np.zeros(trace, kernel.STATE).view(np.recarray),
        np.zeros(trace, MOVE).view(np.recarray),
        searcher,
        position,
    )
