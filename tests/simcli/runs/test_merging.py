"""Shards joined: exactly the games from 0 on, or nothing."""

import shutil
from pathlib import Path

import pytest

from simcli.cli.options import Output
from simcli.cli.runs import Shown, print_run
from simcli.errors import UserError
from simcli.runs import merging
from simcli.runs.checksum import Damaged
from simcli.runs.merging import merge, missing_games, sources
from simcli.runs.partition import Part, Shard
from simcli.runs.runfolder import RunFolder
from tests.simcli.toyruns import digests, flip, make

pytestmark = pytest.mark.usefixtures("toy")

GAMES = 4300


def shards(tmp_path: Path, of: int = 3) -> list[RunFolder]:
    return [make(tmp_path / f"shard{index}", GAMES, Shard(index, of)) for index in range(of)]


def join(paths: list[Path], results: Path, games: int | None = None, partial: bool = False) -> RunFolder:
    merged = merge(sources(paths), results, games, partial)
    print_run(merged, Shown(Output.csv, quiet=True, summary=False))
    return merged


def test_shards_join_to_the_bytes_of_a_straight_run(tmp_path: Path) -> None:
    paths = [shard.path for shard in shards(tmp_path)]
    straight = digests(make(tmp_path / "straight", GAMES).path)
    assert digests(join(paths, tmp_path / "a").path) == straight
    assert digests(join(paths[::-1], tmp_path / "b", GAMES).path) == straight
    assert digests(join(paths, tmp_path / "a").path) == straight  # once more changes nothing


def test_a_results_folder_stands_for_the_run_in_it_and_the_target_may_be_a_source(tmp_path: Path) -> None:
    shards(tmp_path)
    straight = digests(make(tmp_path / "straight", GAMES).path)
    into = tmp_path / "shard0"
    for _ in range(2):  # the second time its own copies are no overlap
        merged = join([tmp_path / f"shard{index}" for index in range(3)], into)
        assert digests(merged.path) == straight


@pytest.mark.parametrize("games", [GAMES + 1, GAMES - 1])
def test_another_number_of_games_than_asked_for_is_refused(tmp_path: Path, games: int) -> None:
    with pytest.raises(UserError, match=r"games 4300\.\.4300 are missing|there are 4300 games, not 4299"):
        join([shard.path for shard in shards(tmp_path)], tmp_path / "a", games)


def refused(paths: list[Path], results: Path, message: str, error: type[UserError] = UserError) -> None:
    with pytest.raises(error, match=message):
        join(paths, results)
    assert not results.exists()


def test_a_gap_is_refused_unless_partial(tmp_path: Path) -> None:
    paths = [shard.path for shard in shards(tmp_path)]
    refused(paths[:2], tmp_path / "a", r"games 2000\.\.2999 are missing; --partial")
    merged = join(paths[:2], tmp_path / "a", partial=True)
    assert merged.indices() == [0, 1, 3, 4]
    assert [part.index for part in merged.prefix()] == [0, 1]


def test_a_short_part_before_others_is_a_gap(tmp_path: Path) -> None:
    short = make(tmp_path / "short", 400)
    rest = [make(tmp_path / "rest", GAMES, Shard(index, 3)) for index in (1, 2)]
    later = make(tmp_path / "later", 3500, Shard(0, 3))
    later.part_path(0).unlink()
    refused([short.path, rest[0].path, later.path], tmp_path / "a", r"games 400\.\.999, 3500\.\.3999 are missing")


def test_an_overlap_is_refused_even_if_it_is_equal(tmp_path: Path) -> None:
    paths = [shard.path for shard in shards(tmp_path)]
    other = make(tmp_path / "other", 1500)
    refused([*paths, other.path], tmp_path / "a", "overlaps: part 0")
    refused([*paths, paths[0]], tmp_path / "a", "is given twice")
    shutil.copytree(paths[0], tmp_path / "copy" / paths[0].name)
    refused([*paths, tmp_path / "copy"], tmp_path / "a", "overlaps: part 0")


def test_another_run_is_refused_by_the_field_that_differs(tmp_path: Path) -> None:
    one = make(tmp_path / "one", GAMES, Shard(0, 2))
    other = make(tmp_path / "other", GAMES, Shard(1, 2), seed=8)
    refused([one.path, other.path], tmp_path / "a", "is of another run: seed is 7 in .*, 8 in")
    foreign = make(tmp_path / "foreign", GAMES, Shard(1, 2))
    shutil.copy(other.part_path(1), foreign.part_path(1))
    refused([one.path, foreign.path], tmp_path / "a", r"000001\.parquet: is of another run")


def test_a_damaged_part_is_refused(tmp_path: Path) -> None:
    found = shards(tmp_path)
    flip(found[1].part_path(4), 12345)
    refused([shard.path for shard in found], tmp_path / "a", r"000004\.parquet: damaged", Damaged)


def test_missing_games_are_ranges() -> None:
    held = [Part(0, 0, 10), Part(2, 20, 5), Part(3, 30, 10)]
    assert list(missing_games(10, held, 45)) == [(10, 20), (25, 30), (40, 45)]
    assert merging.ranges((i, i + 1) for i in range(7)) == "0..0, 1..1, 2..2, 3..3, 4..4 and 2 more"
