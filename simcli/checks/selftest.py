"""Tests that `doctor` runs on the user's machine: do compiled kernels give the same, legal games here?"""

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import numba
import numpy as np

from kernels import rng
from kernels.compiler import jit
from kernels.options import PLAIN_POLICIES
from kernels.registry import Game
from simcli.config.loading import from_plain
from simcli.config.scenario import Scenario
from simcli.play import threads
from simcli.play.simulate import Table
from simcli.progress import Progress
from simcli.transcript import replay, write

_GAMES = 1_000
_TRANSCRIPTS = 20
_QUICK = 10
"""The quick form plays a tenth."""
_SEED = 7

_PHILOX_ANSWERS = (
    ((0, 0, 0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 6, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
)
"""Counter and key to block: from the known-answer vectors published with Philox4x32-10."""


def environment() -> Iterator[str]:
    """What the results may depend on, and where compiled code is kept."""
    yield f"Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}, {sys.platform}"
    yield f"{os.cpu_count()} cores, compiled code in {jit.cache_folder or 'memory only: the cache cannot be written'}"


def examine(name: str, progress: Progress, quick: bool = False) -> list[dict[str, Any]]:
    """One row for each test of a game: what was tested, whether it is right, and how long it took."""
    fraction = _QUICK if quick else 1
    scenario = _scenario(name, "random")
    begun = time.perf_counter()
    threads.prepare(scenario, progress)
    rows = [_row(name, "kernels compiled and loaded", True, begun)]
    tests: tuple[tuple[str, Callable[[str, int], bool]], ...] = (
        ("random streams give the published numbers", _known_answers),
        ("the same games in any split, on two threads", _same_games),
        ("transcripts of every player replay clean", _clean_transcripts),
    )
    for what, test in tests:
        begun = time.perf_counter()
        rows.append(_row(name, what, test(name, fraction), begun))
    return rows


def _row(game: str, what: str, is_right: bool, begun: float) -> dict[str, Any]:
    return {"game": game, "test": what, "ok": is_right, "seconds": round(time.perf_counter() - begun, 2)}


def _scenario(name: str, policy: str) -> Scenario:
    return from_plain({"game": name, "policies": policy, "seed": _SEED}, "doctor", "doctor")


def _known_answers(name: str, fraction: int) -> bool:
    return all(tuple(rng.philox(*given)) == expected for given, expected in _PHILOX_ANSWERS)


def _same_games(name: str, fraction: int) -> bool:
    games = _GAMES // fraction
    for policy in PLAIN_POLICIES:
        scenario = _scenario(name, policy)
        whole = Table(scenario).play(0, games)
        split = [(0, 1), (1, games // 3), (1 + games // 3, games - 1 - games // 3)]
        parts = [rows for _, rows in threads.parts(scenario, split, 2)]
        if np.concatenate(parts).tobytes() != whole.tobytes():
            return False
    return True


def _clean_transcripts(name: str, fraction: int) -> bool:
    game = Game(name)
    for policy in PLAIN_POLICIES:
        table = Table(_scenario(name, policy))
        lines = [
            write.json_line(event)
            for number in range(_TRANSCRIPTS // fraction)
            for event in write.events(game, table, number, legal=True)
        ]
        findings = replay.Findings(lambda _, partial, t=table: game.transcript.Referee(game, t.rules, partial), False)
        if list(findings.check(BytesIO("\n".join(lines).encode()))):
            return False
    return True
