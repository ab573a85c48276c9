"""`doctor` says which test failed when something here is wrong."""

import json

import pytest

from kernels import rng
from kernels.registry import Game
from simcli import app
from simcli.play import threads

GAME = "redten"
"""Any game would do."""


def failed(capsys):
    """The tests that a quick `doctor` of the game finds failed."""
    code = app.run(["doctor", GAME, "--quick", "-q", "-o", "json"])
    rows = json.loads(capsys.readouterr().out)
    assert {row["game"] for row in rows} == {GAME}
    assert code == (0 if all(row["ok"] for row in rows) else 5)
    return [row["test"] for row in rows if not row["ok"]]


def test_nothing_is_wrong(capsys):
    assert failed(capsys) == []


def test_wrong_random_numbers_are_found(capsys, monkeypatch):
    philox = rng.philox
    monkeypatch.setattr(rng, "philox", lambda *given: [word ^ 1 for word in philox(*given)])
    assert failed(capsys) == ["random streams give the published numbers"]


@pytest.mark.parametrize("column", ["points", "turns"])
def test_a_game_that_differs_on_threads_is_found(capsys, monkeypatch, column):
    parts = threads.parts

    def wrong(*given):
        for piece, rows in parts(*given):
            rows[column][-1] += 1
            yield piece, rows

    monkeypatch.setattr(threads, "parts", wrong)
    assert failed(capsys) == ["the same games in any split, on two threads"]


@pytest.mark.parametrize("field", ["legal", "p"])
def test_a_line_that_the_rules_do_not_allow_is_found(capsys, monkeypatch, field):
    transcript = Game(GAME).transcript
    events = transcript.events

    def wrong(*given):
        first, *rest = events(*given)
        return [first | {field: first[field] + 1}, *rest]

    monkeypatch.setattr(transcript, "events", wrong)
    assert failed(capsys) == ["transcripts of every player replay clean"]
