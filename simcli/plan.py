"""Games into parts: which part holds which games, and which parts are whose. Pure."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from simcli.errors import BadInput

PART_GAMES = 20_000
"""Games in a part of a new run folder: seconds of work, and milliseconds of writing."""

MOST_GAMES = 2**63 - 1


class Part(NamedTuple):
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


class Shard(NamedTuple):
    """Every `of`-th part, from part `index` on."""

    index: int
    of: int

    def __contains__(self, part: object) -> bool:
        return isinstance(part, Part) and part.index % self.of == self.index

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


WHOLE = Shard(0, 1)


def parts(games: int, size: int) -> Iterator[Part]:
    """Games 0..games-1 in parts of `size`; the last may be short."""
    for index, first in enumerate(range(0, games, size)):
        yield Part(index, first, min(size, games - first))


def parse_shard(text: str) -> Shard:
    """`I/N` with 0 <= I < N, both plain numbers. Raises BadInput."""
    index, slash, of = text.partition("/")
    if not (slash and _is_number(index) and _is_number(of)):
        raise BadInput(f"--shard {text!r}: not a shard; write I/N, for example 0/4 to 3/4")
    shard = Shard(int(index), int(of))
    if shard.index >= shard.of:
        allowed = f"0/{shard.of} to {shard.of - 1}/{shard.of}"
        raise BadInput(f"--shard {text}: shards are numbered from 0; allowed: {allowed}")
    return shard


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def tiling(found: Iterable[Part], size: int) -> tuple[int, list[int]]:
    """How many games parts reach to (whole, unless short in the middle), and the indices missing on the way.

    A part that is short although others follow it counts as missing.
    """
    held = {part.index: part for part in found}
    last = max(held, default=-1)
    missing = [i for i in range(last + 1) if i not in held or (i < last and held[i].count < size)]
    return (held[last].end if held else 0), missing
