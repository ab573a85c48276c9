"""Monte Carlo simulation of card games: how likely something is, in a notebook or a script as on the command line.

>>> import simcli
>>> answer = simcli.ask("redten", "solo", games=2000, seed=3, policies="random", quiet=True)
>>> answer.hits, answer.eligible, answer.stopped
(467, 2000, 'games')

What the program offers is in `simcli.notebook` and loaded when it is first used; wrong input raises `UserError`, whose
text is the line that the command would print.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcli.errors import UserError
    from simcli.notebook.calls import ask, ask_all, compare, exact, hand, open, run, show
    from simcli.notebook.results import Answer, Count, Difference, Run, Transcript

__all__ = [
    "Answer", "Count", "Difference", "Run", "Transcript", "UserError",
    "ask", "ask_all", "compare", "exact", "hand", "open", "run", "show",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """What `__all__` names, from where it is."""
    if name not in __all__:
        raise AttributeError(f"module 'simcli' has no attribute {name!r}")
    globals()[name] = getattr(import_module(_home(name)), name)
    return globals()[name]


def _home(name: str) -> str:
    if name == "UserError":
        return "simcli.errors"
    return "simcli.notebook.results" if name[0].isupper() else "simcli.notebook.calls"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
