"""What a game's `bench.py` gives `simcli bench`: things to time, and ratios between them.

Its `suite()` returns them; a ratio may also name things that every run of `bench` times, such as `numpy permutes 108
cards`, `GAME: a game by expert`, or another program's. Absolute times mean little from one machine to the next; ratios
of things timed in turn do.
"""

from collections.abc import Callable
from typing import NamedTuple


class Measure(NamedTuple):
    """Something to time. `run(n)` does it n times; it is called with 1 before, to warm up, and timed with `times`."""

    name: str
    run: Callable[[int], object]
    times: int


class Ratio(NamedTuple):
    """Time of one thing over time of another, each for doing it once, and what is promised of it."""

    name: str
    over: str
    under: str
    low: float | None = None
    high: float | None = None


class Suite(NamedTuple):
    """Things to time, and ratios between these and others'."""

    measures: list[Measure]
    ratios: list[Ratio]
