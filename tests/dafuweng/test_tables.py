"""What the tables of Da Fu Weng hold."""

import numpy as np

from kernels.dafuweng import game
from simcli.config.loading import from_plain
from simcli.tables import frames, sql


def test_every_second_seat_is_of_a_team():
    scenario = from_plain({"game": "dafuweng", "rules": {"players": 6}}, "test", "test")
    rows = np.zeros(2, game.RECORD)
    rows["game"] = 0, 1
    rows["round"] = 1
    seats = frames.seats(scenario, rows)
    assert seats["team"].to_list() == [0, 1] * 6
    queried = sql.ask(sql.tables(scenario, frames.rounds(scenario, rows).lazy()), "SELECT * FROM seats")
    assert queried.equals(seats)
