"""How fast Red Ten is played, beside another program's game of the same family."""

from functools import partial

import numpy as np

from kernels import engine, rng
from kernels.measure import Measure, Ratio, Suite
from kernels.options import POLICIES, compile_rules, defaults
from kernels.redten import game, options

_SEED = 7
_GAMES = {"random": 40_000, "expert": 8_000}
_PEER = "a game of OpenSpiel's dou_dizhu, at random"
_PROMISED = {"random": 5, "expert": 1}


def _play(policy: str, count: int) -> None:
    """Games 0 to count - 1 by one policy on all seats."""
    rules = compile_rules(options.Rules, options.OPTIONS, options.check(defaults(options.OPTIONS)), "uniform", 0)
    params = np.zeros(rng.MAX_SEATS, game.PARAMS)
    for parameter in options.PARAMETERS.get(policy, ()):
        params[parameter.name] = parameter.default
    numbers = np.full(rng.MAX_SEATS, POLICIES.index(policy), np.int64)
    work = engine.new_workspace(game, numbers, params, _SEED)
    rows = engine.new_rows(game, count)
    engine.play(
        rules, work.policy, work.params, work.state, work.streams, work.actions, rows, work.trace, work.moves, 0, count,
        work.searcher, work.position,
    )  # fmt: skip


def suite() -> Suite:
    """A game by random and by expert, and how many of them go into one of the other program's."""
    return Suite(
        [Measure(f"redten: a game by {policy}", partial(_play, policy), count) for policy, count in _GAMES.items()],
        [Ratio(f"redten: {_PEER} over a game by {policy}", _PEER, f"redten: a game by {policy}", low=low)
         for policy, low in _PROMISED.items()],
    )  # fmt: skip
