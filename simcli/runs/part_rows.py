"""Whether the rows of a part are those that its label promises.

A right checksum says that a file is as somebody wrote it, not that its rows are whole games of its run: all of them, in
order, in the columns of the game, without gaps, and with no number that the game cannot give.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from kernels.records import Kind
from kernels.registry import Game
from simcli.config.scenario import Scenario
from simcli.runs.partition import Part
from simcli.tables import frames
from simcli.tables.columns import names, of_table


def most(scenario: Scenario, part: Part) -> int:
    """The largest number of rows that the part can have."""
    return part.count * Game(scenario.game).options.most_rounds(dict(scenario.rules))


def misfit(rounds: pl.DataFrame, scenario: Scenario, part: Part) -> str:
    """What is wrong with the `rounds` table of a part, in words; empty if nothing is."""
    if rounds.schema != _schema(scenario):
        return "its columns are not those of its run"
    if rounds.height > most(scenario, part):
        return "it has more rows than its games can have rounds"
    for column in rounds.iter_columns():
        if column.null_count():
            return f"its column {column.name} has gaps"
    return _not_its_games(rounds, part) or next(_out_of_range(rounds, scenario), "")


def _schema(scenario: Scenario) -> pl.Schema:
    return frames.rounds(scenario, np.zeros(0, Game(scenario.game).kernel.RECORD)).schema


def _not_its_games(table: pl.DataFrame, part: Part) -> str:
    """The same of which games there are; a game's rows count up from round 1, and only the last ends the match."""
    games, rounds = table["game"].to_numpy(), table["round"].to_numpy()
    if len(games) and not part.first <= games.min() <= games.max() < part.end:
        return "it holds games of another part"
    begins = np.diff(games, prepend=part.first - 1)
    held = int(np.count_nonzero(begins))
    if held < part.count:
        return f"it has {held} of its {part.count} games"
    follows = np.diff(rounds, prepend=0) == 1
    if not np.all(np.where(begins == 1, rounds == 1, (begins == 0) & follows)):
        return "it has rows out of order"
    ends = table["match_outcome"].to_physical().to_numpy() != 0
    if not np.array_equal(ends, np.append(begins[1:] == 1, True)):
        return "it has a match without an end, or with two"
    return ""


def _out_of_range(table: pl.DataFrame, scenario: Scenario) -> Iterator[str]:
    """Numbers that the game cannot give."""
    for name, column in of_table(scenario, "rounds").items():
        if column.kind not in (Kind.number, Kind.seat):
            continue
        for field in names(name, column):
            values = table[field].to_numpy()
            wrong = _outside(values, column.low, column.high)
            if wrong.any():
                row = int(np.argmax(wrong))
                yield f"{field} is {values[row]} in game {table['game'][row]}"


def _outside(values: np.ndarray, low: int | None, high: int | None) -> np.ndarray:
    below = values < low if low is not None else np.zeros(len(values), np.bool_)
    return below | (values > high) if high is not None else below
