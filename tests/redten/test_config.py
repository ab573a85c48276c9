"""The config that ships with the game."""

from pathlib import Path

import pytest

from kernels.redten import options
from simcli.asking import questions
from simcli.config import loading

CONFIG = Path(__file__).parents[2] / "configs" / "redten.yaml"


@pytest.fixture(scope="module")
def chosen():
    return loading.load(str(CONFIG))


def test_every_rule_is_at_its_default(chosen):
    assert chosen.game == "redten"
    assert dict(chosen.rules) == {option.key: option.default for option in options.OPTIONS}


def test_named_questions_are_sound(chosen):
    builder = questions.Builder(chosen)
    named = {name: builder.build(name, asked) for name, asked in chosen.questions.items()}
    assert len(named) >= 6
    wanted = ("lone_wins", "showing_pays", "leader_first", "drawn_hand", "red_ten_bomb_decides", "two_bombs_dealt")
    for name in wanted:
        assert named[name]
