"""What the tables of Da Fu Weng hold."""

import numpy as np

from kernels.dafuweng import game
from simcli.config.loading import from_plain
from simcli.tables import frames, query


def test_every_second_seat_is_of_a_team(tmp_path):
    scenario = from_plain({"game": "dafuweng", "rules": {"players": 6}}, "test", "test")
    rows = np.zeros(2, game.RECORD)
    rows["game"] = 0, 1
    rows["round"] = 1
    seats = frames.seats(scenario, rows)
    assert seats["team"].to_list() == [0, 1] * 6
    frames.rounds(scenario, rows).write_parquet(tmp_path / "part.parquet")
    tables = query.open_tables(scenario, [tmp_path / "part.parquet"], query.Budget())
    assert query.ask(tables, "SELECT * FROM seats").rows() == seats.rows()
