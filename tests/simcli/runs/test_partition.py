"""Games into parts and shards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.errors import UserError
from simcli.runs.partition import MissingParts, Part, Shard, parse_shard, parts


@given(games=st.integers(0, 500), size=st.integers(1, 60), of=st.integers(1, 9))
def test_shards_of_parts_tile_the_games(games: int, size: int, of: int) -> None:
    shards = [[part for part in parts(games, size) if Shard(index, of).holds(part)] for index in range(of)]
    tiles = sorted(part for shard in shards for part in shard)
    assert [game for part in tiles for game in range(part.first, part.end)] == list(range(games))
    assert all(part.first == part.index * size for part in tiles)
    assert all(part.count == size for part in tiles[:-1])


def test_a_shard_is_written_as_its_number_and_how_many_there_are() -> None:
    assert parse_shard("0/4") == Shard(0, 4)
    assert parse_shard("3/4") == Shard(3, 4)


@pytest.mark.parametrize(
    "text", ["4/4", "5/4", "0/0", "-1/4", "1", "1/", "/4", "a/b", "1/4/2", "1.0/4", " 1/4", "٣/٤", ""]
)
def test_other_shards_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="--shard"):
        parse_shard(text)


@given(
    games=st.integers(0, 500),
    size=st.integers(1, 60),
    of=st.integers(1, 9),
    held=st.dictionaries(st.integers(0, 600), st.integers(1, 60)),
)
def test_what_is_lacking_is_counted_without_listing_it(games: int, size: int, of: int, held: dict[int, int]) -> None:
    for index in range(of):
        shard = Shard(index, of)
        listed = [part for part in parts(games, size) if shard.holds(part) and held.get(part.index, 0) < part.count]
        missing = MissingParts(games, size, shard, held)
        assert list(missing) == listed
        assert (len(missing), missing.games) == (len(listed), sum(part.count for part in listed))


def test_a_plan_of_the_longest_run_costs_nothing() -> None:
    missing = MissingParts(10**12, 20_000, Shard(1, 3), {1: 20_000})
    assert (len(missing), next(iter(missing))) == (16_666_666, Part(4, 80_000, 20_000))
