"""Records that no game was played for: columns as in the contract, drawn at random."""

from itertools import pairwise

import numpy as np

from kernels.redox.game import MATCH_OUTCOMES, OUTCOMES, RECORD
from simcli.config.scenario import Scenario
from tests.games import scenario


def redox(seed: int = 7, rounds: int = 1, players: int = 4) -> Scenario:
    """A REDOX scenario; it is never played."""
    return scenario("redox", seed=seed, rounds=rounds, players=players)


def records(games: int, rounds: int = 1, slam: float = 0.1, seed: int = 1, first: int = 0) -> np.ndarray:
    """Records of games first..first+games-1 of up to `rounds` rounds; slams of a game are dependent."""
    source = np.random.default_rng(seed)
    lengths = source.integers(1, rounds + 1, games)
    rows: np.ndarray = np.zeros(lengths.sum(), RECORD)
    rows["game"] = np.repeat(np.arange(first, first + games), lengths)
    starts = np.cumsum(lengths) - lengths
    rows["round"] = np.arange(len(rows)) - np.repeat(starts, lengths) + 1
    liking = np.repeat(source.choice([0.2, 1.8], games), lengths)
    rows["slam"] = source.random(len(rows)) < slam * liking
    rows["outcome"] = np.where(rows["slam"], OUTCOMES.index("slam"), OUTCOMES.index("out"))
    rows["outcome"][source.random(len(rows)) < 0.05] = OUTCOMES.index("void")
    rows["orbit"] = source.integers(0, 9, len(rows))
    rows["winner"] = source.integers(0, 4, len(rows))
    rows["points"][:, :4] = source.integers(-10, 200, (len(rows), 4))
    rows["match_outcome"][starts + lengths - 1] = MATCH_OUTCOMES.index("rounds")
    return rows


def blocks(rows: np.ndarray, size: int) -> list[np.ndarray]:
    """Records cut into blocks of whole games."""
    edges = np.searchsorted(rows["game"], np.arange(rows["game"][0], rows["game"][-1] + size + 1, size))
    return [rows[a:b] for a, b in pairwise(edges)]
