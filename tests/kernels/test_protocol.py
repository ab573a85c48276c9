"""A game that lacks something it must have is named at once, with what is missing; the rest has defaults."""

import importlib
import shutil
import sys
from pathlib import Path

import pytest

from kernels import policies, protocol
from kernels.registry import GAMES, Game

TOY = Path(__file__).parents[1] / "toy"


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A function that copies the toy game, lets a test change its files, and gives the copy as a game."""
    monkeypatch.syspath_prepend(tmp_path)
    name = f"toy_{tmp_path.name}"

    def make(change):
        folder = tmp_path / name
        shutil.copytree(TOY, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for path in folder.glob("*.py"):
            path.write_text(path.read_text().replace("tests.toy", name))
        change(folder)
        importlib.invalidate_caches()
        monkeypatch.setitem(GAMES, name, name)
        return name

    yield make
    for module in [module for module in sys.modules if module.split(".")[0] == name]:
        del sys.modules[module]
    protocol.room.cache_clear()


@pytest.mark.parametrize("room", ["options.py", "columns.py", "game.py", "expert.py", "transcript.py", "RULES.md"])
def test_a_missing_room_is_named_when_the_game_is_looked_up(copied, room):
    name = copied(lambda folder: (folder / room).unlink())
    with pytest.raises(protocol.Incomplete, match=rf"the game {name} lacks {room.removesuffix('.py')}$"):
        Game(name)


@pytest.mark.parametrize(
    ("room", "item"),
    [
        ("options", "most_rounds"),
        ("columns", "HIGHER_WINS"),
        ("game", "STATE"),
        ("game", "legal"),
        ("expert", "greedy"),
        ("transcript", "describe"),
    ],
)
def test_a_missing_item_is_named_when_its_room_is_looked_up(copied, room, item):
    def rename(folder):
        path = folder / f"{room}.py"
        path.write_text(path.read_text() + f"\ndel {item}\n")

    name = copied(rename)
    with pytest.raises(protocol.Incomplete, match=rf"the game {name} lacks {room}\.{item}$"):
        protocol.room(name, room)


def test_what_may_be_left_out_is_there(copied):
    game = Game(copied(lambda folder: None))
    assert (game.columns.TEAMS, game.columns.SIDES, game.columns.UNFINISHED) == (0, "", ())
    assert game.kernel.prepare(3) == 3
    assert game.transcript.is_silent({"e": "play"}) is False
    assert game.kernel.random_action is policies.random_action
    assert (game.exact, game.hand, game.bench, game.pictures) == (None, None, None, None)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_complete(name):
    game = Game(name)
    rooms = {room for room in protocol.ROOMS if protocol.room(game.package, room) is not None}
    assert rooms >= set(protocol.ROOMS) - {"exact", "hand", "bench", "pictures"}
    assert game.rules_text.startswith("# ")
