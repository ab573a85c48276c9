"""All players of a game against each other: how many points a round each gains on the next."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kernels.options import POLICIES, SEARCH
from kernels.registry import Game
from simcli.asking import comparing
from simcli.asking.request import Request
from simcli.config.scenario import Scenario
from simcli.play import threads
from simcli.progress import Progress


@dataclass(frozen=True)
class Doses:
    """How many games a pair of players plays: plain ones, and pairs one of which searches, which takes far longer."""

    plain: int
    search: int

    def of(self, pair: Sequence[str]) -> int:
        """Games for a pair."""
        return self.search if SEARCH in pair else self.plain


def climb(
    base: Scenario, names: Sequence[str], doses: Doses, jobs: int, quiet: bool
) -> Iterator[tuple[dict[str, Any], int]]:
    """A row for each pair of players, the better one of the usual order first, and the signal that ended it (0: none).

    `gain` is what the first gains on the second in points a round, at the same tables, seats turned, on the same deals;
    more is better whatever wins the game.
    """
    sign = 1 if Game(base.game).columns.HIGHER_WINS else -1
    for weaker, stronger in combinations(names, 2):
        work = comparing.duels(Request(base.game), base, stronger, weaker)
        threads.prepare(work.scenarios[0], Progress(None, quiet))
        begun = time.monotonic()
        signal = comparing.play(work, doses.of((weaker, stronger)), jobs, quiet)
        if work.games == 0:
            return
        (found,) = comparing.pairs(work)
        low, high = sorted(sign * found[limit] for limit in ("low", "high"))
        yield (
            {
                "a": stronger,
                "b": weaker,
                "gain": sign * found["difference"],
                "low": low,
                "high": high,
                "a_is": found["a_is"],
                "games": work.games,
                "games_a_second": round(work.games * work.plays / (time.monotonic() - begun), 1),
                "level": found["level"],
                "method": found["method"],
                "game": base.game,
                "rules_hash": base.rules_hash,
                "seed": base.seed,
            },
            signal,
        )
        if signal:
            return


def steps() -> tuple[str, ...]:
    """The players from the weakest to the strongest."""
    return POLICIES
