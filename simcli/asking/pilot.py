"""A pilot before a long run: how many games a precision takes, and how long they take."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from simcli.asking.collector import Collector
from simcli.asking.estimators import Estimator
from simcli.asking.questions import PROPORTION
from simcli.config.loading import MAX_GAMES
from simcli.errors import UserError
from simcli.stats import intervals, stopping
from simcli.stats.intervals import Interval

PILOT_GAMES = 2_000
LIMITS_LEVEL = 0.99
"""Level of the pilot's interval, through which a plan has limits."""
_LEAST = 1e-12


@dataclass(frozen=True)
class Pilot:
    """What a few games say of a proportion: a guess and its limits, effective rows a game, and games a second."""

    proportion: float
    rows: float
    rate: float
    hits: int
    limits: Interval


def read(collector: Collector, rate: float) -> Pilot:
    """What a pilot's collector says. Raises UserError unless it was one proportion."""
    estimator: Estimator = collector.estimators[0]
    if len(collector.estimators) != 1 or estimator.question.kind != PROPORTION or estimator.question.by:
        raise UserError("plan", "plans are for one event at a time, without groups")
    tally = estimator.proportions[()]
    if not tally.eligible:
        raise UserError("plan", f"no row was eligible in the {collector.games} games of the pilot")
    hits, eligible, sample = tally.hits, tally.eligible, tally.sample()
    # Without hits (or misses) half a hit: the plan errs on the side of what may be there.
    proportion = min(max(hits, 0.5), eligible - 0.5) / eligible
    spread = proportion * (1 - proportion)
    clustered = sample.most > 1 and 0 < hits < eligible
    variance = intervals.standard_error(sample) ** 2 if clustered else spread / eligible
    rows = min(spread / variance if variance > 0 else math.inf, eligible) / collector.games
    return Pilot(proportion, rows, rate, hits, intervals.proportion(sample, LIMITS_LEVEL))


def plan(pilot: Pilot, games: int | None, width: str | None, level: float | None) -> dict[str, Any]:
    """The missing one of games, half-width and level, its limits, and the time it takes. Raises UserError.

    The limits are what it comes to if the proportion lies anywhere in the pilot's interval, None where that has no
    end.
    """
    asked = None if width is None else stopping.precision(width, MAX_GAMES, "--precision")

    def solve(proportion: float) -> stopping.Plan:
        half = None if asked is None else asked.width * (proportion if asked.relative else 1)
        return stopping.solve(proportion, games, half, level, pilot.rows)

    solved = solve(pilot.proportion)
    missing = "games" if games is None else "half_width" if width is None else "level"
    found = [_part(solve, proportion, missing) for proportion in _possible(pilot.limits)]
    return {
        "games": solved.games,
        "half_width": solved.half_width,
        "level": solved.level,
        f"{missing}_low": min(value for value in found if value is not None),
        f"{missing}_high": None if None in found else max(value for value in found if value is not None),
        "seconds": solved.games / pilot.rate,
        "share_in_pilot": pilot.proportion,
        "hits_in_pilot": pilot.hits,
        "rows_a_game": pilot.rows,
        "games_a_second": pilot.rate,
    }


def _possible(limits: Interval) -> list[float]:
    """Proportions at which a plan may be at its shortest or longest: the ends, and the half if it is between."""
    ends = [min(max(limit, _LEAST), 1 - _LEAST) for limit in limits[:2]]
    return [*ends, 0.5] if limits.low < 0.5 < limits.high else ends


def _part(solve: Callable[[float], stopping.Plan], proportion: float, missing: str) -> float | None:
    """What is missing if this is the proportion; None if no number of games suffices."""
    try:
        found: float = getattr(solve(proportion), missing)
    except UserError:
        return None
    return found
