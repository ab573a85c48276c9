"""The games there are. A new game is one folder and one line here."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

GAMES = {
    "redox": "kernels.redox",
    "dafuweng": "kernels.dafuweng",
    "erbaiwu": "kernels.erbaiwu",
    "redten": "kernels.redten",
}


class Game:
    """One game's rooms, each imported when it is first asked for."""

    def __init__(self, name: str) -> None:
        """Raises KeyError if no game has this name."""
        self.name = name
        self.package = GAMES[name]

    @property
    def options(self) -> ModuleType:
        """Options, parameters and VERSION; free of compiled code."""
        return import_module(f"{self.package}.options")

    @property
    def kernel(self) -> ModuleType:
        """Rules in action: STATE, RECORD and the functions of the protocol."""
        return import_module(f"{self.package}.game")

    @property
    def transcript(self) -> ModuleType:
        """Decisions as transcript lines, and back."""
        return import_module(f"{self.package}.transcript")

    @property
    def exact(self) -> ModuleType:
        """Exact probabilities of dealt hands."""
        return import_module(f"{self.package}.exact")

    @property
    def rules_text(self) -> str:
        """RULES.md of the game."""
        package = import_module(self.package)
        return (Path(str(package.__file__)).parent / "RULES.md").read_text(encoding="utf-8")
