"""What the tables of Da Fu Weng hold."""

import numpy as np

from kernels.dafuweng import game
from simcli import frames, query
from simcli.config import from_plain


def test_every_second_seat_is_of_a_team():
    scenario = from_plain({"game": "dafuweng", "rules": {"players": 6}}, "test", "test")
    rows = np.zeros(2, game.RECORD)
    rows["game"] = 0, 1
    rows["round"] = 1
    seats = frames.seats(scenario, rows)
    assert seats["team"].to_list() == [0, 1] * 6
    queried = query.ask(query.tables(scenario, frames.rounds(scenario, rows).lazy()), "SELECT * FROM seats")
    assert queried.equals(seats)
