"""Preloaded by Dask workers in tests: the toy game, and a part that kills whoever plays it, if one is named."""

import os
import signal
from typing import Any

import tests.simcli.toycli  # noqa: F401
from simcli.runs import cluster

_deliver = cluster.deliver
_deadly = os.environ.get("TOY_DEADLY_PART")


def deliver(folder: Any, rows: Any) -> Any:
    """As `making.deliver`, but for the deadly part."""
    if str(int(rows["game"][0]) // folder.size) == _deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return _deliver(folder, rows)


cluster.deliver = deliver


class Hostile:
    """Whoever unpickles it makes a file."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (os.environ["TOY_TRACE"],)


ANSWERS = {"object": Hostile, "nonsense": lambda: "[1]", "lies": lambda: '{"system": ["x"]}', "number": lambda: 7}
_hostile = os.environ.get("TOY_HOSTILE")

if _hostile == "inspection":
    cluster.inspect_worker = lambda *_: Hostile()  # type: ignore[assignment,return-value]
elif _hostile:
    cluster.play_part = lambda *_: ANSWERS[_hostile]()  # type: ignore[assignment]
