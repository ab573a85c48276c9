"""Parts over threads: in order, the same for any number of threads, and stopped at once."""

import signal
import threading
import time

import numpy as np
import pytest

from simcli.errors import Stopped
from simcli.play import simulate, threads
from simcli.play.threads import Interrupts, Piece
from simcli.progress import Progress
from tests.games import scenario

pytestmark = pytest.mark.usefixtures("toy")

WANTED = [(0, 300), (300, 1), (1000, 200), (301, 99)]


@pytest.fixture
def toy_scenario():
    return scenario("toy", players=3, rounds=2)


def test_pieces_cover_the_games_and_keep_threads_busy():
    for games, jobs in ((1, 2), (7, 3), (10_000, 2), (1_000_000, 2)):
        found = list(threads.pieces(games, jobs))
        assert [piece.first for piece in found] == [0, *np.cumsum([piece.games for piece in found])[:-1]]
        assert sum(piece.games for piece in found) == games
        assert max(piece.games for piece in found) <= 20_000


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_parts_come_in_order_and_alike_for_any_number_of_threads(toy_scenario, jobs):
    found = list(threads.parts(toy_scenario, WANTED, jobs))
    assert [piece for piece, _ in found] == [Piece(*wanted) for wanted in WANTED]
    for (first, count), (_, rows) in zip(WANTED, found, strict=True):
        assert rows.tobytes() == simulate.Table(toy_scenario).play(first, count).tobytes()


def test_rows_can_be_reduced_on_the_threads(toy_scenario):
    names = set()

    def count(rows: np.ndarray) -> int:
        names.add(threading.current_thread().name)
        return len(rows)

    assert [found for _, found in threads.parts(toy_scenario, WANTED, 2, reduce=count)] == [600, 2, 400, 198]
    assert all(name.startswith("games") for name in names)


def test_memory_is_bounded(toy_scenario):
    asked = []

    def wanted():
        for number in range(100):
            asked.append(number)
            yield number * 10, 10

    parts = threads.parts(toy_scenario, wanted(), 2)
    next(parts)
    assert len(asked) <= 2 * 2 + 1
    parts.close()


def test_closing_stops_the_threads(toy_scenario):
    before = threading.active_count()
    parts = threads.parts(toy_scenario, [(0, 10), (10, 10**9), (10**9, 10**9)], 2)
    next(parts)
    begun = time.monotonic()
    parts.close()
    assert time.monotonic() - begun < 1
    assert threading.active_count() == before


def test_an_error_on_a_thread_arrives(toy_scenario):
    def fail(rows: np.ndarray) -> None:
        raise RuntimeError("oops")

    with pytest.raises(RuntimeError, match="oops"):
        list(threads.parts(toy_scenario, WANTED, 2, reduce=fail))


def test_the_first_signal_asks_and_the_second_insists(toy_scenario):
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as interrupts:
        assert not interrupts()
        parts = threads.parts(toy_scenario, ((n * 100, 100) for n in range(10**6)), 2, interrupts=interrupts)
        next(parts)
        signal.raise_signal(signal.SIGINT)
        assert interrupts()
        assert len(list(parts)) <= 1
        with pytest.raises(Stopped) as caught:
            signal.raise_signal(signal.SIGTERM)
        assert caught.value.code == 143
    assert signal.getsignal(signal.SIGINT) is before


def test_while_compiling_the_first_signal_insists(toy_scenario):
    with Interrupts() as interrupts:
        interrupts.raising = True
        with pytest.raises(Stopped):
            signal.raise_signal(signal.SIGINT)


def test_slices_never_show(toy_scenario):
    table = simulate.Table(toy_scenario)
    slices = []
    rows = table.play(5, 500, played=slices.append)
    assert sum(slices) == 500
    assert len(slices) > 1
    single = np.concatenate([simulate.Table(toy_scenario).play(5 + n, 1) for n in range(500)])
    assert rows.tobytes() == single.tobytes()


def test_progress_counts_and_keeps_quiet(capsys):
    progress = Progress(1000, quiet=True)
    progress.advance(10)
    progress.tick()
    progress.say("hello")
    assert progress.played == 10
    assert capsys.readouterr().err == ""


def test_progress_off_a_terminal_is_a_line_now_and_then(capsys, monkeypatch):
    progress = Progress(1000)
    progress.advance(500)
    progress.note = "12%"
    progress.tick()
    assert capsys.readouterr().err == ""
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 31)
    progress.tick()
    progress.tick()
    err = capsys.readouterr().err
    assert err.startswith("500 of 1,000 games, ")
    assert "12%" in err
    assert err.count("\n") == 1
