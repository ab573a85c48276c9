"""A pilot before a long run: how many games a precision takes, and how long they take."""

import math
from dataclasses import dataclass
from typing import Any

from simcli.ask.collector import Fold
from simcli.ask.estimators import Counting
from simcli.ask.questions import SHARE
from simcli.errors import UserError
from simcli.stats import intervals, stopping

PILOT_GAMES = 2_000


@dataclass(frozen=True)
class Pilot:
    """What a few games say of a share: a guess, effective rows a game, and games a second."""

    share: float
    rows: float
    rate: float
    hits: int


def read(fold: Fold, rate: float) -> Pilot:
    """What a pilot's fold says. Raises UserError unless it was one share."""
    counting: Counting = fold.countings[0]
    if len(fold.countings) != 1 or counting.question.kind != SHARE or counting.question.by:
        raise UserError("plan", "plans are for one event at a time, without groups")
    sums = counting.shares[()].sums()
    if not sums.x:
        raise UserError("plan", f"no row was eligible in the {fold.games} games of the pilot")
    hits = int(sums.y)
    # Without hits (or misses) half a hit: the plan errs on the side of what may be there.
    share = min(max(hits, 0.5), sums.x - 0.5) / sums.x
    clustered = sums.most > 1 and 0 < hits < sums.x
    variance = intervals.ratio_variance(sums) if clustered else share * (1 - share) / sums.x
    rows = min(share * (1 - share) / variance if variance > 0 else math.inf, sums.x) / fold.games
    return Pilot(share, rows, rate, hits)


def plan(pilot: Pilot, games: int | None, width: str | None, level: float | None) -> dict[str, Any]:
    """The missing one of games, half-width and level, and the time it takes. Raises UserError."""
    half = None
    if width is not None:
        asked = stopping.precision(width, stopping.MOST_GAMES, "--precision")
        half = asked.width * pilot.share if asked.relative else asked.width
    solved = stopping.solve(pilot.share, games, half, level, pilot.rows)
    return {
        "games": solved.games,
        "half_width": solved.half_width,
        "level": solved.level,
        "seconds": solved.games / pilot.rate,
        "share_in_pilot": pilot.share,
        "hits_in_pilot": pilot.hits,
        "rows_a_game": pilot.rows,
        "games_a_second": pilot.rate,
    }
