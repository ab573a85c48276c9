"""Who plays the games of a run: the options that say so, the same in `run` and `resume`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.options import job_count
from simcli.errors import UserError

if TYPE_CHECKING:
    from simcli.run.making import Engine


class EngineName(StrEnum):
    """Names of the engines."""

    threads = "threads"
    dask = "dask"


ShardOption = Annotated[
    str | None, typer.Option("--shard", metavar="I/N", help="Only every Nth part, from part I on (0 to N-1).")
]
EngineOption = Annotated[
    EngineName, typer.Option("--engine", help="Threads of this process, or the workers of a Dask cluster.")
]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="A cluster that runs already; for --engine dask.")
]


def choose(engine: EngineName, scheduler: str | None, jobs: str | None) -> "Engine":
    """The engine that the options ask for. Raises UserError."""
    threads = job_count(jobs)
    if engine is EngineName.dask:
        from simcli.run.cluster import Dask

        return Dask(scheduler, threads)
    if scheduler is not None:
        raise UserError(f"--scheduler {scheduler}", "goes with --engine dask")
    from simcli.run.making import Threads

    return Threads(threads)
