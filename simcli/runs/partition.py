"""Games into parts: which part holds which games, and which parts are whose. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from simcli.errors import UserError, shorten

PART_GAMES = 20_000
"""Games in a part of a new run folder: seconds of work, and milliseconds of writing."""

_MAX_LISTED = 8


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


def parts(games: int, size: int, shard: Shard = WHOLE) -> Iterator[Part]:
    """Games 0..games-1 in parts of `size`, the last of which may be short: those that are the shard's."""
    for first in range(shard.index * size, games, shard.of * size):
        yield Part(first // size, first, min(size, games - first))


class MissingParts:
    """The parts of a plan that are not held yet, made up as they are asked for: there may be millions.

    `held` says how many games each part has that is there, by its number; `reach` is the game after the last of them.
    """

    def __init__(self, games: int, size: int, shard: Shard, held: Mapping[int, int]) -> None:
        self._plan = (games, size, shard)
        self._held = held
        self.reach = max((index * size + count for index, count in held.items()), default=0)
        firsts = range(shard.index * size, games, shard.of * size)
        done = [part for part in map(self._planned, held) if part is not None and held[part.index] >= part.count]
        planned = sum(part.count for part in map(self._planned, [firsts[-1] // size] if firsts else []) if part)
        self._count = len(firsts) - len(done)
        self.games = max(0, len(firsts) - 1) * size + planned - sum(part.count for part in done)

    def _planned(self, index: int) -> Part | None:
        """The part of this number, if it is planned."""
        games, size, shard = self._plan
        part = Part(index, index * size, min(size, games - index * size))
        return part if part.count > 0 and shard.holds(part) else None

    def __iter__(self) -> Iterator[Part]:
        return (part for part in parts(*self._plan) if self._held.get(part.index, 0) < part.count)

    def __len__(self) -> int:
        return self._count

    def __str__(self) -> str:
        if not self._count:
            return "nothing is missing"
        return f"{self.games} games are missing: {self.named()}"

    def named(self) -> str:
        """The first parts by name, and how many more there are."""
        named = ", ".join(str(part) for part in islice(self, _MAX_LISTED))
        return f"{named} and {self._count - _MAX_LISTED} more" if self._count > _MAX_LISTED else named


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
