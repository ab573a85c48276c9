"""Who plays the games of a run: the options that say so, the same in `run` and `resume`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.options import Text, job_count, option
from simcli.errors import UserError

if TYPE_CHECKING:
    from simcli.runs.making import Engine


class EngineName(StrEnum):
    """Names of the engines."""

    threads = "threads"
    dask = "dask"


ShardOption = Annotated[Text, option("--shard", "I/N", "Only every Nth part, from part I on (0 to N-1).")]
EngineOption = Annotated[
    EngineName, typer.Option("--engine", help="Threads of this process, or the workers of a Dask cluster.")
]
Scheduler = Annotated[Text, option("--scheduler", "ADDRESS", "Address of a running cluster, for --engine dask.")]


def choose(engine: EngineName, scheduler: Text, jobs: Text) -> "Engine":
    """The engine that the options ask for. Raises UserError."""
    threads = job_count(jobs)
    if engine is EngineName.dask:
        from simcli.runs.cluster import Dask

        return Dask(scheduler, threads)
    if scheduler is not None:
        raise UserError(f"--scheduler {scheduler}", "goes with --engine dask")
    from simcli.runs.making import Threads

    return Threads(threads)
