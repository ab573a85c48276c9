"""Speed as ratios: everything is timed in turn, in one run, and each ratio is the median over the rounds."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kernels import protocol
from kernels.compiler.jit import ZERO
from kernels.measure import Measure, Ratio, Suite
from kernels.options import PLAIN_POLICIES
from kernels.registry import GAMES, Game
from kernels.search import HIDDEN, find_candidates, new_searcher, try_worlds
from simcli.config.loading import from_plain
from simcli.config.scenario import Scenario
from simcli.errors import DONE, USAGE
from simcli.play import threads
from simcli.play.simulate import Table, plain_params
from simcli.play.threads import Interrupts, Piece
from simcli.progress import Progress

_SEED = 7
SLICE_SECONDS = 0.3
"""A game's measures play about so long each."""
_TRIAL_GAMES = 50
_PIECES = 16
_ASKED = 10_000
_EVENT = "winner = leader"
_PERMUTED = 108
_POSITIONS = 20
_WORLDS = 500
_ERROR = "rules.players=1000"


def measure(measures: Sequence[Measure], rounds: int, progress: Progress) -> dict[str, list[float]]:
    """Seconds for doing each thing once, by name and round."""
    for thing in measures:
        progress.say(f"warming up: {thing.name}")
        thing.run(1)
    seconds: dict[str, list[float]] = {thing.name: [] for thing in measures}
    for number in range(rounds):
        progress.say(f"round {number + 1} of {rounds}")
        for thing in measures:
            begun = time.perf_counter()
            thing.run(thing.times)
            seconds[thing.name].append((time.perf_counter() - begun) / thing.times)
    return seconds


def compare(ratios: Sequence[Ratio], seconds: dict[str, list[float]]) -> Iterator[dict[str, Any]]:
    """One row a ratio whose two things were timed."""
    for ratio in ratios:
        if ratio.over in seconds and ratio.under in seconds:
            each = [a / b for a, b in zip(seconds[ratio.over], seconds[ratio.under], strict=True)]
            median = statistics.median(each)
            yield {
                "ratio": ratio.name,
                "median": float(f"{median:.3g}"),
                "from": float(f"{min(each):.3g}"),
                "to": float(f"{max(each):.3g}"),
                "promised": _promise(ratio),
                "kept": _is_kept(ratio, median),
            }


def _promise(ratio: Ratio) -> str:
    if ratio.low is not None:
        return f"at least {ratio.low:g}"
    return f"at most {ratio.high:g}" if ratio.high is not None else "-"


def _is_kept(ratio: Ratio, median: float) -> bool | None:
    if ratio.low is not None:
        return median >= ratio.low
    return median <= ratio.high if ratio.high is not None else None


# What is timed


def start_up() -> Suite:
    """How long a newcomer waits for help, for an error in a config, and for a small answer."""
    name = next(iter(GAMES))
    python = [sys.executable, "-c"]
    program = [sys.executable, "-m", "simcli"]
    commands = {
        "python -c pass": [*python, "pass"],
        "import numba": [*python, "import numba"],
        "simcli --help": [*program, "--help"],
        "error in a config": [*program, "run", name, "--set", _ERROR],
        "ask, 10,000 games": [*program, "ask", name, _EVENT, "-n", str(_ASKED), "--seed", "7", "-q"],
    }
    measures = [
        Measure(what, _starter(command, USAGE if _ERROR in command else DONE), 1) for what, command in commands.items()
    ]
    ratios = [
        Ratio("simcli --help over python -c pass", "simcli --help", "python -c pass", high=10),
        Ratio("an error in a config over python -c pass", "error in a config", "python -c pass", high=10),
        Ratio("a warm ask of 10,000 games over import numba", "ask, 10,000 games", "import numba", high=3),
    ]
    return Suite(measures, ratios)


def _starter(command: Sequence[str], expected: int) -> Any:
    def start(count: int) -> None:
        for _ in range(count):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != expected:
                raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")

    return start


def game(name: str) -> Suite:
    """A game's rounds under every player, two threads against one, the cost of records, and its own measures."""
    suites = [_players(name), _rollouts(name), _threads(name), _own(name)]
    return Suite([m for suite in suites for m in suite.measures], [r for suite in suites for r in suite.ratios])


def _scenario(name: str, policy: str) -> Scenario:
    return from_plain({"game": name, "policies": policy, "seed": _SEED}, "bench", "bench")


def _games_in(table: Table, seconds: float) -> int:
    table.play(0, 1)
    begun = time.perf_counter()
    table.play(0, _TRIAL_GAMES)
    return max(_PIECES, int(_TRIAL_GAMES * seconds / (time.perf_counter() - begun)))


def _players(name: str) -> Suite:
    measures = [_turns(name, policy) for policy in PLAIN_POLICIES]
    random = measures[0].name
    return Suite(measures, [Ratio(f"{thing.name} over one by random", thing.name, random) for thing in measures[1:]])


def _turns(name: str, policy: str) -> Measure:
    """Whole games by one policy, a turn counting as one thing."""
    table = Table(_scenario(name, policy))
    games = _games_in(table, SLICE_SECONDS)
    turns = int(table.play(0, games)["turns"].sum())
    return Measure(f"{name}: a turn by {policy}", lambda count: table.play(0, games if count > 1 else 1), turns)


def _rollouts(name: str) -> Suite:
    """What a search is made of: rounds played out by expert from the middle of random ones, hidden cards dealt anew."""
    table = Table(_scenario(name, "expert"))
    searcher = new_searcher(table.kernel, plain_params(Game(name)))
    positions = [_middle(table, number) for number in range(_POSITIONS)]

    def run(count: int) -> None:
        for state, seat in positions:
            searcher.states[HIDDEN] = state
            protocol.hide(table.rules, searcher.states[HIDDEN], seat)
            find_candidates(table.rules, searcher, seat, 1)
            try_worlds(table.rules, searcher, seat, ZERO, np.int64(-(-count // _POSITIONS)), 1)

    rollout = Measure(f"{name}: a rollout by expert", run, _POSITIONS * _WORLDS)
    return Suite([rollout], [Ratio(f"{rollout.name} over a turn", rollout.name, f"{name}: a turn by expert")])


def _middle(table: Table, number: int) -> tuple[Any, int]:
    """The state in the middle of a game's decisions, and the seat to act."""
    states, moves = table.trace(number)
    decisions = [place for place, move in enumerate(moves) if move["seat"] >= 0]
    place = decisions[len(decisions) // 2]
    return states[place - 1], int(moves[place]["seat"])


def _threads(name: str) -> Suite:
    scenario = _scenario(name, "expert")
    size = -(-_games_in(Table(scenario), 4 * SLICE_SECONDS) // _PIECES)

    def play(jobs: int) -> Any:
        def run(count: int) -> None:
            wanted = [Piece(n * size, size) for n in range(_PIECES)]
            for _ in threads.parts(scenario, wanted, jobs):
                pass

        return run

    one, two = f"{name}: games on one thread", f"{name}: games on two threads"
    kept = _kept(name, scenario, size)
    ratios = [
        Ratio(f"{name}: one thread over two", one, two, low=1.9),
        Ratio(f"{name}: games kept as a run over games played", kept.name, one, high=1.1),
    ]
    return Suite([Measure(one, play(1), 1), Measure(two, play(2), 1), kept], ratios)


def _kept(name: str, scenario: Scenario, size: int) -> Measure:
    """The same games, kept in a new run folder by one thread."""
    from simcli.runs import partition, runfolder
    from simcli.runs.making import Threads

    def run(count: int) -> None:
        with tempfile.TemporaryDirectory(prefix="simcli-bench-") as results:
            folder = runfolder.begin(Path(results), scenario)
            todo = list(partition.parts(size * _PIECES, folder.size))
            for _ in Threads(1).make(folder, todo, Progress(None, quiet=True), Interrupts()):
                pass

    return Measure(f"{name}: games kept as a run", run, 1)


def _own(name: str) -> Suite:
    """What the game itself wants timed."""
    room = Game(name).bench
    return room.suite() if room else Suite([], [])


def references() -> Suite:
    """What any game may be compared with."""
    source = np.random.default_rng(_SEED)

    def permute(count: int) -> None:
        for _ in range(count):
            source.permutation(_PERMUTED)

    return Suite([Measure("numpy permutes 108 cards", permute, 20_000)], [])
