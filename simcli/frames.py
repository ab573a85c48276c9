"""Records as polars tables: `rounds`, `seats` and `games`.

A game's RECORD says it all: a field with a number a seat becomes one column a seat, a field named in the game's
NAMED becomes text, and fields of type bool stay Boolean.
"""

from typing import Any

import numpy as np
import polars as pl

from kernels.registry import Game
from simcli.scenario import Scenario


def rounds(scenario: Scenario, rows: np.ndarray) -> pl.DataFrame:
    """One row a round, columns as in the README; `rows` are records of the game's RECORD."""
    kernel = Game(scenario.game).kernel
    columns: dict[str, Any] = {}
    for name in rows.dtype.names or ():
        values = np.asarray(rows[name])
        if values.ndim == 2:
            columns.update({f"{name}_{seat}": values[:, seat] for seat in range(scenario.players)})
        elif name in kernel.NAMED:
            columns[name] = _named(values, kernel.NAMED[name])
        else:
            columns[name] = values
    return pl.DataFrame({name: _series(values) for name, values in columns.items()})


def _named(values: np.ndarray, names: tuple[str, ...]) -> pl.Series:
    return pl.Series(values.astype(np.uint8)).cast(pl.Enum(names)) if False else pl.Series(np.array(names)[values])


def _series(values: Any) -> pl.Series:
    return values if isinstance(values, pl.Series) else pl.Series(np.ascontiguousarray(values))
