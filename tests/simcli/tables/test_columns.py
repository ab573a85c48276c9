"""What is said of columns is true of the tables."""

import numpy as np
import pytest

from kernels.records import record_dtype
from kernels.registry import GAMES, Game
from simcli.config.loading import from_plain
from simcli.tables import columns, frames
from simcli.tables.expressions import Kind

KINDS = {"number": Kind.INTEGER, "seat": Kind.INTEGER, "flag": Kind.BOOLEAN, "word": Kind.TEXT}


@pytest.mark.parametrize("table", columns.TABLES)
@pytest.mark.parametrize("name", GAMES)
def test_the_columns_are_those_of_the_tables(name, table):
    scenario = from_plain({"game": name}, "test", "test")
    described = {one: column for name, column in columns.of_table(scenario, table).items()
                 for one in columns.names(name, column)}  # fmt: skip
    schema = frames.schema(scenario, table)
    assert list(described) == list(schema)
    for one, column in described.items():
        assert KINDS[column.kind] == schema[one].kind
        assert column.words == schema[one].names
        assert column.meaning.endswith(".")


@pytest.mark.parametrize("name", GAMES)
def test_what_zero_or_none_stands_for_is_within_the_range(name):
    for column in Game(name).columns.COLUMNS.values():
        if column.absent:
            assert column.low == (-1 if column.kind == "seat" else 0)


def test_teams_are_as_described():
    for name, team in (("dafuweng", [0, 1, 0, 1]), ("redten", [1, 0, 0, 1])):
        scenario = from_plain({"game": name}, "test", "test")
        rows = np.zeros(1, record_dtype(Game(name).columns.COLUMNS))
        if name == "redten":
            rows["side"][0, :4] = team
        assert frames.seats(scenario, rows)["team"].to_list() == team
        (said,) = [about for one, about in columns.of_table(scenario, "seats").items() if one == "team"]
        assert (said.low, said.high) == (0, 1)
