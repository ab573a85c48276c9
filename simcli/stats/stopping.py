"""When to stop: after so many games, at a precision, at the K-th hit, or at a decision.

Every rule looks at games 0..m-1 in index order, at game counts fixed beforehand, so the stopping point does not depend
on threads or luck with time.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from simcli.errors import UserError, shorten
from simcli.stats.intervals import Interval, clopper_pearson

GAMES, PRECISION, HITS, DECISION = "games", "precision", "hits", "decision"
MAX_GAMES, TIME_LIMIT, INTERRUPTED = "max_games", "time_limit", "interrupted"
"""What an answer says under `stopped`."""

PRECISION_ERROR = 0.85
"""Stopping when an interval is narrow favours those that are narrow by luck: at looks and in the answer its error
probability is multiplied by this, which keeps the level (measured in the coverage tests)."""

FIRST_LOOK = 1_000
MAX_PLANNED = 10**12
MIN_HITS = 2
YES, NO, UNDECIDED = "yes", "no", "undecided"

_BETS = np.array([0.95, *(2.0**-k for k in range(1, 25))])
_RUIN = 1e-9
_BISECTIONS = 60
_WIDEST = 0.5

Bets = Mapping[tuple[int, int, int], int]
"""How many games have had a cap on their length (0: none was known), so many eligible rows, and so many hits."""


def looks() -> Iterator[int]:
    """Numbers of games after which rules look: 1,000, then a tenth more each time."""
    games = FIRST_LOOK
    while True:
        yield games
        games += games // 10


class Seen(Protocol):
    """What a rule sees of a question at a look."""

    @property
    def estimate(self) -> float | None:
        """The estimate so far."""

    @property
    def bets(self) -> Bets:
        """Games by the length that was expected of them at most, eligible rows and hits."""

    def interval(self, error: float = 1.0) -> Interval | None:
        """Its interval; its error probability is multiplied by `error`."""


@dataclass(frozen=True)
class Rule:
    """A stopping rule. `games` is the most that may be played; the fixed rule stops there, others fall short.

    Looks before `least` games do not count.
    """

    games: int
    least: int = field(default=0, kw_only=True)
    cut: bool = field(default=False, kw_only=True)
    """Whether a fixed number of games was asked for, and this is less."""

    kind = GAMES

    def stops(self, seen: Seen) -> bool:
        """Whether the target is reached, at a look."""
        return False

    @property
    def spent(self) -> str:
        """What to call it when the games are used up."""
        return GAMES if self.kind == GAMES and not self.cut else MAX_GAMES


@dataclass(frozen=True)
class Precision(Rule):
    """Stops when half the width of the interval is at most `width`, or that fraction of the estimate."""

    width: float = 0.01
    relative: bool = True

    kind = PRECISION

    def stops(self, seen: Seen) -> bool:
        interval, estimate = seen.interval(PRECISION_ERROR), seen.estimate
        if interval is None or estimate is None:
            return False
        return interval.half_width <= (self.width * abs(estimate) if self.relative else self.width)


@dataclass(frozen=True)
class Hits(Rule):
    """Stops at exactly this hit in index order."""

    hits: int = MIN_HITS

    kind = HITS


@dataclass(frozen=True)
class Decide(Rule):
    """Stops when an always-valid interval leaves the threshold to one side. `below`: asked whether it is smaller."""

    below: bool = True
    threshold: float = 0.5
    level: float = 0.95
    most: int = 1

    kind = DECISION

    def stops(self, seen: Seen) -> bool:
        return self.decision(seen.bets) != UNDECIDED

    def decision(self, bets: Bets) -> str:
        """Yes, no or undecided."""
        limit = math.log(2 / (1 - self.level))
        if _log_wealth(bets, self.threshold, self.most, above=False) >= limit:
            return YES if self.below else NO
        if _log_wealth(bets, self.threshold, self.most, above=True) >= limit:
            return NO if self.below else YES
        return UNDECIDED

    def interval(self, bets: Bets) -> Interval:
        """The always-valid interval."""
        return always_valid(bets, self.most, self.level)


# Always-valid intervals


def _log_wealth(bets: Bets, proportion: float, most: int, above: bool) -> float:
    """Logarithm of the money won by betting, game by game, that the proportion is above (or below) `proportion`.

    With eligible rows x and hits y, y - proportion * x has mean 0 if `proportion` is true, so the money is a martingale
    and reaches 1 / alpha with a chance of at most alpha, whenever one looks (Ville; Waudby-Smith and Ramdas 2024). The
    bets are a fixed mixture of sizes, in units of what a game of the greatest length can lose. That length is `most`
    for the first games, then a quarter more than the longest game before. A game beyond that by more than a twentieth
    could lose more than there is; what is lacking is forgiven, which is all that is not strict here.
    """
    rows = np.array(sorted(bets), dtype=np.int64).reshape(-1, 3)
    counts = np.array([bets[int(cap), int(x), int(y)] for cap, x, y in rows], dtype=np.float64)
    caps = np.where(rows[:, 0] == 0, most, np.minimum(rows[:, 0], most))
    gains = rows[:, 2] - proportion * rows[:, 1]
    stake = 1 / (proportion * caps) if above else -1 / ((1 - proportion) * caps)
    logs = counts @ np.log(np.maximum(1 + np.outer(gains * stake, _BETS), _RUIN))
    largest = logs.max()
    return float(largest + np.log(np.exp(logs - largest).sum()) - math.log(len(_BETS)))


def always_valid(bets: Bets, most: int, level: float) -> Interval:
    """Interval of a proportion that holds at all looks together, at the level."""
    limit = math.log(2 / (1 - level))
    estimate = sum(y * n for (_, _, y), n in bets.items()) / max(1, sum(x * n for (_, x, _), n in bets.items()))
    low = _edge(bets, most, limit, 0.0, estimate, above=True)
    high = _edge(bets, most, limit, 1.0, estimate, above=False)
    return Interval(low, high, "always valid: betting confidence sequence")


def _edge(bets: Bets, most: int, limit: float, end: float, estimate: float, above: bool) -> float:
    """The proportion next to `end` that the bets have not refuted; those between it and `end` they have."""
    refuted, held = end, estimate
    for _ in range(_BISECTIONS):
        middle = (refuted + held) / 2
        if 0 < middle < 1 and _log_wealth(bets, middle, most, above) >= limit:
            refuted = middle
        else:
            held = middle
    return refuted


# Rules from text

_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(%|pp)?")
_DECISION = re.compile(r"\s*(<=?|>=?)\s*(\S+)\s*")


def precision(text: str, games: int, place: str = "--precision", bounded: bool = True) -> Precision:
    """`2%` of the estimate, `0.1pp` (percentage points), or a plain half-width such as 0.001.

    A share (`bounded`) always has a half-width below one half, so that is no target. Raises UserError.
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or float(match[1]) <= 0:
        raise UserError(place, f"{shorten(text)} is no precision; write 2% (of the estimate), 0.1pp, or 0.001")
    amount = float(match[1]) / (100 if match[2] else 1)
    if bounded and match[2] != "%" and amount >= _WIDEST:
        raise UserError(place, f"{shorten(text)} is wider than any share; write 2% (of the estimate), or 0.1pp")
    return Precision(games, amount, relative=match[2] == "%")


def decide(text: str, games: int, level: float, most: int, place: str = "--decide") -> Decide:
    """`< 0.5%`, `> 0.005`; `most` is the largest number of rows that a game may give. Raises UserError."""
    match = _DECISION.fullmatch(text)
    amount = _AMOUNT.fullmatch(match[2]) if match else None
    if match is None or amount is None or amount[2] == "pp":
        raise UserError(place, f"{shorten(text)} is no decision; write '< 0.5%' or '> 0.005'")
    threshold = float(amount[1]) / (100 if amount[2] else 1)
    if not 0 < threshold < 1:
        raise UserError(place, f"{shorten(match[2])} is no share between 0 and 1")
    return Decide(games, match[1][0] == "<", threshold, level, most)


def hits(count: int, games: int, most: int, place: str = "--hits") -> Hits:
    """Stop at hit number `count`; refused where a game may give several rows. Raises UserError."""
    if count < MIN_HITS:
        raise UserError(place, f"{count} hits are too few for an estimate; at least {MIN_HITS}")
    if most > 1:
        raise UserError(place, "a game may give several rows here; ask per round, of matches of one round")
    return Hits(games, count)


# Planning


@dataclass(frozen=True)
class Plan:
    """Games, half-width of the interval and level of a share: two of them decide the third."""

    games: int
    half_width: float
    level: float


def solve(
    share: float, games: int | None = None, half_width: float | None = None, level: float | None = None,
    rows: float = 1.0,
) -> Plan:  # fmt: skip
    """The plan with the missing one of games, half-width and level filled in, for a share near `share`.

    The half-width is that of the Clopper-Pearson interval about the share itself, which near 0 and 1 is far from the
    normal one. `rows`: effective independent rows a game (a pilot's). Raises UserError unless exactly one is missing,
    or where no number of games suffices.
    """
    if [games, half_width, level].count(None) != 1:
        raise UserError("plan", "give two of games, width and level")
    if not 0 < share < 1:
        raise UserError("plan", "a share of 0 or 1 needs a pilot with hits and misses")

    def half(count: float, at: float) -> float:
        return clopper_pearson(share * count * rows, count * rows, at).half_width

    if games is None:
        assert half_width is not None
        assert level is not None
        if half(MAX_PLANNED, level) > half_width:
            raise UserError("plan", f"more than {MAX_PLANNED:,} games")
        return Plan(_least_games(lambda count: half(count, level) <= half_width), half_width, level)
    if half_width is None:
        assert level is not None
        return Plan(games, half(games, level), level)
    return Plan(games, half_width, _largest_level(lambda at: half(games, at) <= half_width))


def _least_games(enough: Callable[[int], bool]) -> int:
    low, high = 0, MAX_PLANNED
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _largest_level(holds: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
