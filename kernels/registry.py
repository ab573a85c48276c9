"""The games there are. A new game is one folder and one line here."""

from functools import cached_property
from typing import cast

from kernels import protocol

GAMES = {
    "redox": "kernels.redox",
    "dafuweng": "kernels.dafuweng",
    "erbaiwu": "kernels.erbaiwu",
    "redten": "kernels.redten",
}
OWN_NAMES = {"大富翁": "dafuweng", "二百五": "erbaiwu", "嘉兴红十": "redten"}
"""What players call the games that have a name of their own."""


class Game:
    """One game's rooms, each imported and checked when it is first asked for; see `kernels.protocol`.

    Raises `protocol.Incomplete` where something is missing that the game must have.
    """

    def __init__(self, name: str) -> None:
        """Raises KeyError if no game has this name."""
        self.name = name
        self.package = GAMES[name]
        self._folder = protocol.folder(self.package)

    @cached_property
    def options(self) -> protocol.Options:
        """Options, parameters and VERSION; free of compiled code."""
        return cast(protocol.Options, protocol.room(self.package, "options"))

    @cached_property
    def columns(self) -> protocol.Columns:
        """What the record of a round says; free of compiled code."""
        return cast(protocol.Columns, protocol.room(self.package, "columns"))

    @cached_property
    def kernel(self) -> protocol.Kernel:
        """Rules in action: STATE, RECORD, PARAMS and the functions of the rules."""
        return cast(protocol.Kernel, protocol.room(self.package, "game"))

    @cached_property
    def transcript(self) -> protocol.Transcript:
        """Decisions as transcript lines, and back."""
        return cast(protocol.Transcript, protocol.room(self.package, "transcript"))

    @cached_property
    def exact(self) -> protocol.Exact | None:
        """Exact probabilities of dealt hands, where there are any."""
        return cast(protocol.Exact | None, protocol.room(self.package, "exact"))

    @cached_property
    def hand(self) -> protocol.Hand | None:
        """What one hand is worth, where the game can say."""
        return cast(protocol.Hand | None, protocol.room(self.package, "hand"))

    @cached_property
    def bench(self) -> protocol.Bench | None:
        """What else is timed, where there is something."""
        return cast(protocol.Bench | None, protocol.room(self.package, "bench"))

    @cached_property
    def pictures(self) -> protocol.Pictures | None:
        """What a report shows of it besides what all games have, where there is something."""
        return cast(protocol.Pictures | None, protocol.room(self.package, "pictures"))

    @property
    def rules_text(self) -> str:
        """RULES.md of the game."""
        return (self._folder / protocol.RULES_TEXT).read_text(encoding="utf-8")
