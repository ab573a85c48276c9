"""What the columns of the tables `rounds`, `seats` and `games` mean; loads nothing compiled and no polars."""

from collections.abc import Mapping
from dataclasses import replace

from kernels.protocol import Columns
from kernels.records import Column, Kind, number
from kernels.registry import Game
from simcli.config.scenario import Scenario

TABLES = ("rounds", "seats", "games")


def of_table(scenario: Scenario, table: str) -> dict[str, Column]:
    """The columns of a table in their order. One with `seats` stands for as many, `NAME_0`, `NAME_1`, ..."""
    room = Game(scenario.game).columns
    bounds = room.bounds(scenario.rules)
    known = {name: _at_table(column, scenario.players, bounds.get(name)) for name, column in room.COLUMNS.items()}
    if table == "rounds":
        return known
    return _of_seats(known, room, scenario.players) if table == "seats" else _of_games(known, scenario.players)


def names(name: str, column: Column) -> list[str]:
    """The names that a column of `of_table` stands for."""
    return [f"{name}_{seat}" for seat in range(column.seats)] if column.seats else [name]


def _at_table(column: Column, players: int, bounds: tuple[int, int] | None) -> Column:
    """A column where so many play, by rules that may bound it."""
    low, high = bounds or (column.low, players - 1 if column.kind is Kind.seat else column.high)
    return replace(column, low=low, high=high, seats=min(column.seats, players))


def _of_seats(known: Mapping[str, Column], room: Columns, players: int) -> dict[str, Column]:
    found = {name: column for name, column in known.items() if not column.seats}
    found["seat"] = Column(Kind.seat, "i1", "The seat.", 0, players - 1, "seat")
    if room.SIDES:
        found["team"] = replace(known[room.SIDES], seats=0)
    elif room.TEAMS:
        found["team"] = number("i1", f"The seat's team: seat % {room.TEAMS}.", "", high=room.TEAMS - 1)
    return found | {name: replace(column, seats=0) for name, column in known.items() if column.seats}


def _of_games(known: Mapping[str, Column], players: int) -> dict[str, Column]:
    return {
        "game": known["game"],
        "rounds": number("i4", "Rounds of the match.", "rounds", low=1),
        "match_outcome": replace(known["match_outcome"], meaning="Why the match ended.", absent=""),
        "total": number("i8", "The seat's points in the whole match.", "points", low=None, seats=players),
        "place": number("i1", "The seat's place by its total; equals share one.", "", 1, players, seats=players),
    }
