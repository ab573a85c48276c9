"""Other programs that ours are compared with, where they are installed (`pip install 'simcli[bench]'`)."""

import random
import shutil
import subprocess
from importlib.util import find_spec
from typing import Any

from kernels.measure import Measure, Suite

_DEALER_HANDS = 300_000
_DEALER_INPUT = (
    f"generate {_DEALER_HANDS}\nproduce {_DEALER_HANDS}\ncondition hcp(north) >= 20\naction average hcp(north)\n"
)
_ROUND_DECISIONS = 2_000
"""A peer's game is played until so many decisions at least are made."""
_ROUND_GAMES = 300


def suite() -> Suite:
    """One measure for each peer that is there."""
    found = []
    if find_spec("pyspiel"):
        found += [
            _openspiel("gin_rummy", "a decision of OpenSpiel's gin rummy bots", _simple_bots),
            _openspiel("hearts", "a decision of OpenSpiel's hearts, at random", _random_bots),
            _openspiel("dou_dizhu", "a game of OpenSpiel's dou_dizhu, at random", _random_bots, _ROUND_GAMES),
        ]
    if shutil.which("dealer"):
        found.append(Measure("a deal by dealer", _dealer, _DEALER_HANDS))
    return Suite(found, [])


def _dealer(count: int) -> None:
    subprocess.run(["dealer"], input=_DEALER_INPUT, text=True, capture_output=True, check=True)


def _openspiel(name: str, label: str, bots: Any, games: int = 0) -> Measure:
    """One of its games by bots, each game with bots of its own; timed by decisions, or by so many games."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(count: int) -> None:
        done = 0
        while done < count:
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots(pyspiel, game), random.randrange(2**31))
            done += 1 if games else sum(taken.player >= 0 for taken in state.full_history())

    return Measure(label, play, games or _ROUND_DECISIONS)


def _simple_bots(pyspiel: Any, game: Any) -> list[Any]:
    return [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), seat) for seat in range(game.num_players())]


def _random_bots(pyspiel: Any, game: Any) -> list[Any]:
    return [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]
