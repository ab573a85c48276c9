"""Games into parts: which part holds which games, and which parts are whose. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from simcli.errors import UserError, shorten

PART_GAMES = 20_000
"""Games in a part of a new run folder: seconds of work, and milliseconds of writing."""


@dataclass(frozen=True, order=True)
class Part:
    """Games first..first+count-1 of a run."""

    index: int
    first: int
    count: int

    @property
    def end(self) -> int:
        """The game after the last."""
        return self.first + self.count

    def __str__(self) -> str:
        return f"part {self.index} (games {self.first}..{self.end - 1})"


@dataclass(frozen=True)
class Shard:
    """Every `of`-th part, from part `index` on."""

    index: int
    of: int

    def holds(self, part: Part) -> bool:
        """Whether the part is this shard's to compute."""
        return part.index % self.of == self.index

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


WHOLE = Shard(0, 1)


def parts(games: int, size: int) -> Iterator[Part]:
    """Games 0..games-1 in parts of `size`; the last may be short."""
    for index, first in enumerate(range(0, games, size)):
        yield Part(index, first, min(size, games - first))


def parse_shard(text: str | None) -> Shard:
    """`I/N` with 0 <= I < N, both plain numbers; all parts if nothing is given. Raises UserError."""
    if text is None:
        return WHOLE
    index, slash, of = text.partition("/")
    if not (slash and _is_number(index) and _is_number(of) and int(of)):
        raise UserError("--shard", f"{shorten(text)} is not a shard; write I/N, for example 0/4 to 3/4")
    shard = Shard(int(index), int(of))
    if shard.index >= shard.of:
        raise UserError("--shard", f"{text}: shards are numbered from 0 to {shard.of - 1}")
    return shard


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9
