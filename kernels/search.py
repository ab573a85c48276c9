"""A player that looks ahead, the same for every game: it imagines the hidden cards, plays games out, and takes the
action that does best on average.

Each decision: the actions that plain players would take, and others at random, are tried in the same imagined worlds.
After each round of worlds the worse half is left out, so that worlds are spent where it matters (sequential halving:
Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013). The expert's
own action stays to the end; another one must beat it by a margin of standard errors of the paired difference, or noise
would play. Averaging over worlds that are each played out in the open is Monte Carlo by determinization (M. Ginsberg,
"GIB: imperfect information in a computationally challenging game", JAIR 14, 2001).

Nothing of the real future is looked at: a world is made from a state that `protocol.hide` has taken all hidden things
from, and its random numbers come from keys of their own, one for each game, round and decision; worlds are numbered.
"""

from typing import Any, NamedTuple

import numpy as np

from kernels import policies, rng
from kernels.compiler.jit import ZERO, jit
from kernels.options import SEARCH_PARAMETERS
from kernels.protocol import (
    apply,
    expert,
    greedy,
    has_won,
    hide,
    imagine,
    is_over,
    legal,
    random_action,
    score,
    to_act,
    utility,
)

MAX_CANDIDATES = {parameter.name: parameter.high for parameter in SEARCH_PARAMETERS}["candidates"]
HIDDEN, WORLD, COPY = range(3)
"""States of a searcher: what the seat sees, one world, and the copy of it that is played out."""
ACTIONS = 4096
_PERCENT = 100.0


class Searcher(NamedTuple):
    """What one thread needs to search, allocated once."""

    policy: np.ndarray
    """int64, one a seat: who plays the games out."""
    params: np.ndarray
    """Their parameters: records of the game's PARAMS, one a seat."""
    states: np.ndarray
    """Records of the game's STATE: HIDDEN, WORLD, COPY."""
    streams: Any
    """A record of `rng.STREAMS`, for the worlds alone."""
    actions: np.ndarray
    """int64 [ACTIONS]: room for legal actions."""
    candidates: np.ndarray
    """int64 [MAX_CANDIDATES]: the actions looked at, the expert's first."""
    gains: np.ndarray
    """int64 [2, MAX_CANDIDATES]: what each has gained over the first in all worlds so far, and the squares of it."""
    values: np.ndarray
    """int64 [2, MAX_CANDIDATES]: what each came to in the last world, and whether the seat won."""


def new_searcher(kernel: Any, params: np.ndarray, seed: int = 0) -> Searcher:
    """A searcher for one thread. kernel: `protocol.Kernel`; params: one record a seat, those that play games out; seed:
    of the streams, where no `enter` keys them."""
    return Searcher(
        np.full(rng.MAX_SEATS, policies.EXPERT, np.int64),
        params.view(np.recarray),
        np.zeros(3, kernel.STATE).view(np.recarray),
        rng.new_streams(seed),
        np.zeros(ACTIONS, np.int64),
        np.zeros(MAX_CANDIDATES, np.int64),
        np.zeros((2, MAX_CANDIDATES), np.int64),
        np.zeros((2, MAX_CANDIDATES), np.int64),
    )


@jit
def _plain_choice(rules, policy, params, state, streams, actions, seat):
    """What a plain player does: as in `engine.choose`, but a function of its own, so that it is compiled once here."""
    if policy == policies.EXPERT:
        return expert(rules, params, state, streams, actions, seat)
    if policy == policies.GREEDY:
        return greedy(rules, params, state, streams, actions, seat)
    return random_action(rules, state, streams, actions, seat)


@jit
def play_out(rules, searcher, state, action):
    """Carry out an action, let plain players play the round to its end, and score it."""
    policy, params, streams, actions = searcher.policy, searcher.params, searcher.streams, searcher.actions
    while True:
        apply(rules, state, streams, action)
        if is_over(rules, state):
            break
        seat = to_act(rules, state)
        action = _plain_choice(rules, policy[seat], params[seat], state, streams, actions, seat)
    score(rules, state)


@jit
def _key(streams, source, decision):
    """Key the streams of worlds by the game and round of `source`, the real streams, and the number of the decision."""
    what = rng.SEARCH | int(source.round_no) << rng.PURPOSE_BITS
    words = rng.philox(
        int(decision), what, int(source.game_low), int(source.game_high), int(source.key_low), int(source.key_high)
    )
    streams.key_low = words[0]
    streams.key_high = words[1]


@jit
def enter_world(rules, searcher, seat, number):
    """Deal the hidden cards of world `number`; returns where its streams go on after that."""
    states = searcher.states
    streams = searcher.streams
    states[WORLD] = states[HIDDEN]
    rng.start_round(streams, number, 1)
    imagine(rules, states[WORLD], streams, seat)
    used = max(int(streams.used[rng.DEAL]), int(streams.used[rng.CHANCE]))
    return used + rng.WORDS - 1 & ~(rng.WORDS - 1)  # a whole buffer on: what is drawn now is the same for every action


@jit
def try_candidates(rules, searcher, seat, number, count):
    """Play one world out after each of the first `count` candidates; see `Searcher.values`."""
    states = searcher.states
    streams = searcher.streams
    used = enter_world(rules, searcher, seat, number)
    for i in range(count):
        states[COPY] = states[WORLD]
        rng.start_round(streams, number, 1)
        streams.used[rng.DEAL] = used
        streams.used[rng.CHANCE] = used
        play_out(rules, searcher, states[COPY], searcher.candidates[i])
        searcher.values[0, i] = utility(rules, states[COPY], seat)
        searcher.values[1, i] = has_won(rules, states[COPY], seat)


@jit
def _add(candidates, n, action):
    """Append an action unless it is there; returns how many there are."""
    for i in range(n):
        if candidates[i] == action:
            return n
    candidates[n] = action
    return n + 1


@jit
def find_candidates(rules, searcher, seat, most):
    """The expert's action, greedy's, and others: all where there are at most `most`, else a random choice of them.
    Returns how many. Looks at world 0, in which the seat sees what it sees in all."""
    enter_world(rules, searcher, seat, ZERO)
    state = searcher.states[WORLD]
    streams = searcher.streams
    candidates = searcher.candidates
    actions = searcher.actions
    n = 0
    for policy in (policies.EXPERT, policies.GREEDY):
        n = _add(candidates, n, _plain_choice(rules, policy, searcher.params[seat], state, streams, actions, seat))
    left = min(legal(rules, state, actions, ZERO), len(actions))
    if left <= n or n >= most:
        return n
    while left > 0 and n < most:
        place = rng.below(streams, rng.SEARCH, left)
        n = _add(candidates, n, int(actions[place]))
        left -= 1
        actions[place] = actions[left]
    return n


@jit
def try_worlds(rules, searcher, seat, first, count, alive):
    """Play worlds first..first+count-1 out, and book what each candidate gains over the first one."""
    values = searcher.values
    gains = searcher.gains
    for number in range(first, first + count):
        try_candidates(rules, searcher, seat, number, alive)
        for i in range(1, alive):
            gain = values[0, i] - values[0, 0]
            gains[0, i] += gain
            gains[1, i] += gain * gain


@jit
def _best_first(searcher, alive):
    """Sort the candidates but the first by what they gained, the most first."""
    candidates = searcher.candidates
    gains = searcher.gains
    for i in range(2, alive):
        action, gain, square = candidates[i], gains[0, i], gains[1, i]
        place = i
        while place > 1 and gains[0, place - 1] < gain:
            candidates[place] = candidates[place - 1]
            gains[0, place] = gains[0, place - 1]
            gains[1, place] = gains[1, place - 1]
            place -= 1
        candidates[place] = action
        gains[0, place] = gain
        gains[1, place] = square


@jit
def _stands_out(gain, squares, worlds, margin):
    """Whether a total gain in so many worlds is more than `margin` hundredths of its standard error."""
    if gain <= 0 or worlds < 2:
        return False
    spread = float(worlds) * float(squares) - float(gain) * float(gain)  # worlds * (worlds - 1) * variance
    error = margin / _PERCENT
    return float(gain) * float(gain) * float(worlds - 1) > error * error * spread


@jit
def _halve(rules, searcher, params, seat, count):
    """Try candidates until two are left; the action that wins."""
    searcher.gains[:] = 0
    rounds = 1
    while count > 1 << rounds:
        rounds += 1
    budget = int(params.worlds) * count
    worlds = 0
    alive = count
    for _ in range(rounds):
        more = max(1, budget // (rounds * alive))
        try_worlds(rules, searcher, seat, worlds, more, alive)
        worlds += more
        _best_first(searcher, alive)
        if searcher.gains[0, 1] <= 0:
            return int(searcher.candidates[0])  # nothing looks better: most decisions end here, after a few worlds
        if alive > 2:
            alive = alive + 1 >> 1
    if _stands_out(searcher.gains[0, 1], searcher.gains[1, 1], worlds, params.margin):
        return int(searcher.candidates[1])
    return int(searcher.candidates[0])


@jit
def search(rules, params, state, streams, searcher, decision, seat):
    """The action of a searching seat with these parameters; `streams`: the game's own, which nothing is drawn from;
    decision: its number in the round."""
    states = searcher.states
    states[HIDDEN] = state
    hide(rules, states[HIDDEN], seat)
    _key(searcher.streams, streams, decision)
    for other in range(len(searcher.policy)):
        searcher.policy[other] = params.by
    count = find_candidates(rules, searcher, seat, int(params.candidates))
    if count == 1:
        return int(searcher.candidates[0])
    return _halve(rules, searcher, params, seat, count)
