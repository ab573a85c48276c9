"""A run's tables as polars LazyFrames, which read one part at a time."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

from kernels.records import record_dtype
from kernels.registry import Game
from simcli.runs.runfolder import RunFolder
from simcli.tables import frames


def table(folder: RunFolder, name: str) -> pl.LazyFrame:
    """`rounds`, `seats` or `games` of games 0, 1, ... up to the first that is missing; each part is verified when read.

    Raises UserError where there is no game 0.
    """
    parts = folder.prefix()
    scenario = folder.scenario

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, batch: int | None
    ) -> Iterator[pl.DataFrame]:
        for part in parts:
            records = frames.records(scenario, folder.rows(part.index))
            frame = frames.table(scenario, records, name)
            frame = frame if predicate is None else frame.filter(predicate)
            frame = frame if columns is None else frame.select(columns)
            yield frame if rows is None else frame.head(rows)
            rows = None if rows is None else max(0, rows - frame.height)
            if rows == 0:
                return

    nothing = np.zeros(0, record_dtype(Game(scenario.game).columns.COLUMNS))
    return register_io_source(read, schema=frames.table(scenario, nothing, name).schema)
