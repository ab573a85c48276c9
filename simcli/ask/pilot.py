"""A pilot before a long run: how many games a precision takes, and how long they take."""

import math
from dataclasses import dataclass
from typing import Any

from simcli.ask.collector import Collector
from simcli.ask.estimators import Estimator
from simcli.ask.questions import SHARE
from simcli.config.loading import MAX_GAMES
from simcli.errors import UserError
from simcli.stats import intervals, stopping

PILOT_GAMES = 2_000


@dataclass(frozen=True)
class Pilot:
    """What a few games say of a proportion: a guess, effective rows a game, and games a second."""

    proportion: float
    rows: float
    rate: float
    hits: int


def read(collector: Collector, rate: float) -> Pilot:
    """What a pilot's collector says. Raises UserError unless it was one proportion."""
    estimator: Estimator = collector.estimators[0]
    if len(collector.estimators) != 1 or estimator.question.kind != SHARE or estimator.question.by:
        raise UserError("plan", "plans are for one event at a time, without groups")
    tally = estimator.shares[()]
    if not tally.eligible:
        raise UserError("plan", f"no row was eligible in the {collector.games} games of the pilot")
    hits, eligible, sample = tally.hits, tally.eligible, tally.sample()
    # Without hits (or misses) half a hit: the plan errs on the side of what may be there.
    proportion = min(max(hits, 0.5), eligible - 0.5) / eligible
    spread = proportion * (1 - proportion)
    clustered = sample.most > 1 and 0 < hits < eligible
    variance = intervals.standard_error(sample) ** 2 if clustered else spread / eligible
    rows = min(spread / variance if variance > 0 else math.inf, eligible) / collector.games
    return Pilot(proportion, rows, rate, hits)


def plan(pilot: Pilot, games: int | None, width: str | None, level: float | None) -> dict[str, Any]:
    """The missing one of games, half-width and level, and the time it takes. Raises UserError."""
    half = None
    if width is not None:
        asked = stopping.precision(width, MAX_GAMES, "--precision")
        half = asked.width * pilot.proportion if asked.relative else asked.width
    solved = stopping.solve(pilot.proportion, games, half, level, pilot.rows)
    return {
        "games": solved.games,
        "half_width": solved.half_width,
        "level": solved.level,
        "seconds": solved.games / pilot.rate,
        "share_in_pilot": pilot.proportion,
        "hits_in_pilot": pilot.hits,
        "rows_a_game": pilot.rows,
        "games_a_second": pilot.rate,
    }
