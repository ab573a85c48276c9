"""The run folder: games 0..N-1, each once, the same bytes, whatever happened on the way."""

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from simcli import app
from simcli.config.scenario import identity_of
from simcli.errors import USAGE, VIOLATION, UserError
from simcli.play.simulate import Table
from simcli.runs import document, part_file, runfolder
from simcli.runs.checksum import Damaged
from simcli.runs.partition import Part, Shard
from simcli.runs.runfolder import EQUAL, KEPT, WRITTEN, first_difference, open_run
from simcli.tables import frames
from tests.simcli.toyruns import PART, digests, flip, make, scenario

pytestmark = pytest.mark.usefixtures("toy")


def encoded(folder: runfolder.RunFolder, part: Part) -> bytes:
    return folder.encode(part, frames.rounds(folder.scenario, Table(folder.scenario).play(part.first, part.count)))


def test_a_run_has_the_files_it_promises_and_no_other(tmp_path: Path) -> None:
    folder = make(tmp_path, 2500)
    names = ["run.json", "log.jsonl", "summary.parquet", "summary.csv", "summary.json"]
    names += [f"parts/{index:06d}.parquet" for index in range(3)]
    assert sorted(str(p.relative_to(folder.path)) for p in folder.path.rglob("*") if p.is_file()) == sorted(names)
    assert folder.path == tmp_path / f"toy-{scenario().identity}"
    rows = pl.concat([folder.rows(index) for index in range(3)])
    assert rows["game"].unique().sort().to_list() == list(range(2500))


def test_run_json_knows_what_decides_the_games_and_nothing_of_how_they_are_made(tmp_path: Path) -> None:
    about = json.loads((make(tmp_path, 10).path / "run.json").read_text())
    assert about["identity"] == scenario().identity
    assert about["config"]["rules"] == {"players": 3, "rounds": 2}
    assert about["versions"]["engine"] == 1
    assert set(about) == {"checksum", "schema", "name", "identity", "part_games", "versions", "config", "questions"}


def test_threads_shards_and_extensions_do_not_show_in_the_bytes(tmp_path: Path) -> None:
    straight = digests(make(tmp_path / "a", 4300).path)
    assert digests(make(tmp_path / "b", 4300, jobs=3).path) == straight
    for shard in (2, 0, 1):
        folder = make(tmp_path / "c", 4300, Shard(shard, 3))
    assert digests(folder.path) == straight
    for games in (1, 700, 1000, 2999, 4300):
        folder = make(tmp_path / "d", games)
    assert digests(folder.path) == straight


def test_fewer_games_than_there_are_leave_all_as_it_is(tmp_path: Path) -> None:
    before = digests(make(tmp_path, 2500).path)
    assert digests(make(tmp_path, 1200).path) == before


def test_nothing_is_played_twice(tmp_path: Path) -> None:
    folder = make(tmp_path, 2500)
    times = [folder.part_path(index).stat().st_mtime_ns for index in range(3)]
    make(tmp_path, 3000)
    assert [folder.part_path(index).stat().st_mtime_ns for index in range(2)] == times[:2]
    assert folder.part_path(2).stat().st_mtime_ns > times[2]


def test_a_lost_or_damaged_part_is_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make(tmp_path, 3000)
    before = digests(folder.path)
    folder.part_path(0).unlink()
    flip(folder.part_path(1), 9999)
    with pytest.raises(Damaged, match=r"000001\.parquet: damaged: its checksum"):
        folder.rows(1)
    make(tmp_path, 3000)
    assert "000001.parquet: damaged: its checksum does not fit its bytes; its games are played again" in (
        capsys.readouterr().err
    )
    assert digests(folder.path) == before


def test_a_part_under_another_number_is_damaged(tmp_path: Path) -> None:
    folder = make(tmp_path, 3000)
    before = digests(folder.path)
    shutil.copy(folder.part_path(0), folder.part_path(1))
    with pytest.raises(Damaged, match="holds part 0"):
        folder.rows(1)
    make(tmp_path, 3000)
    assert digests(folder.path) == before


def test_a_part_of_another_run_is_refused_by_the_field_that_differs(tmp_path: Path) -> None:
    folder, other = make(tmp_path / "a", 2000), make(tmp_path / "b", 2000, seed=8)
    shutil.copy(other.part_path(1), folder.part_path(1))
    with pytest.raises(UserError, match=r"is of another run, .*: seed is 7 in this run, 8 in the part"):
        make(tmp_path / "a", 3000)


def test_a_folder_that_holds_other_games_is_refused(tmp_path: Path) -> None:
    folder = make(tmp_path, 100)
    os.rename(folder.path, tmp_path / f"toy-{scenario(rounds=5).identity}")
    with pytest.raises(UserError, match=r"holds other games: rules.rounds is 2 there, 5 in the config"):
        make(tmp_path, 100, rounds=5)


def test_commit_keeps_the_longer_of_two_parts_that_agree(tmp_path: Path) -> None:
    folder = runfolder.begin(tmp_path, scenario())
    short, longer, full = (encoded(folder, Part(0, 0, count)) for count in (400, 700, PART))
    assert folder.commit(Part(0, 0, 700), longer) == WRITTEN
    assert folder.commit(Part(0, 0, 700), longer) == EQUAL
    assert folder.commit(Part(0, 0, 400), short) == KEPT
    assert folder.commit(Part(0, 0, PART), full) == WRITTEN
    assert folder.commit(Part(0, 0, 700), longer) == KEPT
    assert folder.part_path(0).read_bytes() == full


@pytest.mark.parametrize("count", [400, 700, PART])
def test_commit_stops_when_games_computed_again_differ(tmp_path: Path, count: int) -> None:
    folder = runfolder.begin(tmp_path, scenario())
    folder.commit(Part(0, 0, 700), encoded(folder, Part(0, 0, 700)))
    other = frames.rounds(scenario(), Table(scenario(seed=8)).play(0, count))
    with pytest.raises(UserError, match="not deterministic") as caught:
        folder.commit(Part(0, 0, count), folder.encode(Part(0, 0, count), other))
    assert caught.value.code == VIOLATION


def test_run_json_is_created_once_and_checked(tmp_path: Path) -> None:
    folder = make(tmp_path, 100)
    path = folder.path / "run.json"
    before = path.stat()
    make(tmp_path, 200)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def spoil(about: dict[str, Any], **changes: Any) -> str:
    """As somebody writes it who knows how: with the right checksum."""
    return document.encode({**about, **changes}).decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (lambda d: "", "it is not JSON"),
        (lambda d: json.dumps(d)[:200], "it is not JSON"),
        (lambda d: "[" * 100_000, "it is not JSON"),
        (lambda d: "[]", "does not describe a run"),
        (lambda d: "{}", "it has no checksum"),
        (lambda d: spoil(d, schema=3), "another version of this program"),
        (lambda d: spoil(d, identity="0123456789abcdef"), "does not have the identity"),
        (lambda d: spoil(d, config=d["config"] | {"seed": 8}), "does not have the identity"),
        (lambda d: spoil(d, config=d["config"] | {"policies": 3}), "does not describe a run"),
        (lambda d: spoil(d, part_games=0), "does not"),
        (lambda d: spoil(d, part_games="x"), "does not"),
        (lambda d: spoil(d, versions={}), "does not describe a run"),
    ],
)
def test_a_damaged_run_json_is_refused(tmp_path: Path, text: Any, message: str) -> None:
    folder = make(tmp_path, 100)
    path = folder.path / "run.json"
    path.write_text(text(json.loads(path.read_text())))
    with pytest.raises(UserError, match=message):
        open_run(folder.path)


def test_a_folder_that_is_none_or_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no run\.json"):
        open_run(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    results = tmp_path / "results"
    results.mkdir()
    link = results / f"toy-{scenario().identity}"
    link.symlink_to(outside)
    with pytest.raises(UserError, match="is a symbolic link"):
        make(results, 100)
    assert list(outside.iterdir()) == []
    link.unlink()
    folder = make(results, 100)
    shutil.rmtree(folder.path / "parts")
    (folder.path / "parts").symlink_to(outside)
    with pytest.raises(UserError, match="is a symbolic link"):
        make(results, 100)
    assert list(outside.iterdir()) == []


def test_glob_characters_in_the_results_folder_are_plain(tmp_path: Path) -> None:
    for name in ("a[1]*?", "{x,y}", "-dash", "trailing space ", "红十"):
        assert digests(make(tmp_path / name, 1500).path) == digests(make(tmp_path / "plain", 1500).path)


def test_first_difference_names_the_field_and_puts_versions_last() -> None:
    one = {"policies": [{"name": "a"}, {"name": "b"}], "versions": {"game": 1}}
    other = {"policies": [{"name": "a"}, {"name": "c"}], "versions": {"game": 2}}
    assert first_difference(one, other) == 'policies.1.name is "b" there, "c" in the config'
    assert first_difference(one, one) == ""
    assert "versions.game is 1 there" in first_difference(one, one | {"versions": {"game": 2}})


def test_no_flipped_bit_of_run_json_passes(tmp_path: Path) -> None:
    folder = make(tmp_path, 100, questions={"zero": {"event": "winner = 0"}, "high": {"mean": "points_0"}})
    path = folder.path / "run.json"
    data = path.read_bytes()
    source = Random(12)
    for _ in range(500):
        flip(path, source.randrange(8 * len(data)))
        with pytest.raises(UserError, match=r"run\.json: damaged.*; remove it, and the `simcli run` command"):
            open_run(folder.path)
        path.write_bytes(data)
    assert open_run(folder.path).scenario.questions["zero"] == {"event": "winner = 0"}


def test_a_damaged_run_json_is_written_again_as_it_was(tmp_path: Path) -> None:
    folder = make(tmp_path, 2500)
    before = digests(folder.path)
    path = folder.path / "run.json"
    flip(path, 1234)
    with pytest.raises(Damaged, match="remove it, and the `simcli run` command that began the run writes it again"):
        make(tmp_path, 2500)
    path.unlink()
    with pytest.raises(Damaged, match="is missing; the `simcli run` command that began the run writes it again"):
        open_run(folder.path)
    make(tmp_path, 2500)
    assert digests(folder.path) == before


def test_a_run_of_the_layout_without_a_checksum_is_read_and_goes_on(tmp_path: Path) -> None:
    folder = make(tmp_path, 1500)
    path = folder.path / "run.json"
    about = {key: value for key, value in folder.document.items() if key != "checksum"} | {"schema": 1}
    path.write_text(json.dumps(about, indent=2))
    old = path.read_bytes()
    straight = digests(make(tmp_path / "straight", 2500).path)
    held = digests(make(tmp_path, 2500).path)
    assert path.read_bytes() == old
    assert held | {"run.json": ""} == straight | {"run.json": ""}
    path.write_text(json.dumps(about | {"schema": 2}, indent=2))
    with pytest.raises(Damaged, match="it has no checksum"):
        open_run(folder.path)
    path.write_text(json.dumps(about | {"checksum": "0" * 64}, indent=2))
    with pytest.raises(Damaged, match=r"its checksum|it has no checksum"):
        open_run(folder.path)


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("kept")


def a_giant(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 * 2**30)


def a_device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")


ODD: dict[str, tuple[Callable[[Path], None], str]] = {
    "folder": (a_folder, "is a folder"),
    "pipe": (os.mkfifo, "is not a plain file"),
    "device": (a_device, "is not a plain file"),
    "link": (lambda path: path.symlink_to("/dev/zero"), "is a symbolic link"),
    "giant": (a_giant, "has 5368709120 bytes, more than any file of a run"),
    "empty": (Path.touch, "it has no checksum"),
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_file_is_not_read_and_resume_puts_the_part_in_its_place(tmp_path: Path, odd: str) -> None:
    folder = make(tmp_path, 2500)
    before = digests(folder.path)
    put, message = ODD[odd]
    folder.part_path(1).unlink()
    put(folder.part_path(1))
    with pytest.raises(Damaged, match=message):
        folder.prefix()
    make(tmp_path, 2500)
    (aside,) = list(folder.path.glob("parts/*.aside")) if odd == "folder" else [None]
    if aside is not None:
        assert (aside / "inside").read_text() == "kept"
        shutil.rmtree(aside)
    assert digests(folder.path) == before


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_file_is_no_run_json(tmp_path: Path, odd: str) -> None:
    folder = make(tmp_path, 500)
    put, message = ODD[odd]
    (folder.path / "run.json").unlink()
    put(folder.path / "run.json")
    with pytest.raises(Damaged, match="it is not JSON" if odd == "empty" else message):
        open_run(folder.path)


@pytest.mark.parametrize("odd", ["folder", "pipe", "device", "link"])
def test_what_is_no_file_is_no_log(tmp_path: Path, odd: str) -> None:
    folder = make(tmp_path, 500)
    (folder.path / "log.jsonl").unlink()
    ODD[odd][0](folder.path / "log.jsonl")
    assert folder.games_asked_for() == 500
    with pytest.raises(UserError, match=r"log\.jsonl: .*; remove it"):
        make(tmp_path, 600)


@pytest.mark.parametrize("odd", ODD)
def test_a_damaged_part_beyond_the_last_game_is_taken_away(tmp_path: Path, odd: str) -> None:
    folder = make(tmp_path, 2000)
    before = digests(folder.path)
    ODD[odd][0](folder.part_path(2))
    with pytest.raises(Damaged, match=ODD[odd][1]):
        folder.prefix()
    assert app.run(["resume", str(folder)]) == 0
    assert {name: digest for name, digest in digests(folder.path).items() if "aside" not in name} == before
    assert len(folder.prefix()) == 2


def test_a_shorter_run_leaves_resume_the_longer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make(tmp_path, 2500)
    before = digests(folder.path)
    folder.part_path(1).unlink()
    capsys.readouterr()
    make(tmp_path, 10)
    assert f"{folder} holds 2,500 games, more than the 10 asked for; none is played\n" in capsys.readouterr().err
    assert app.run(["resume", str(folder)]) == 0
    assert digests(folder.path) == before


def reidentified(about: dict[str, Any], **config: Any) -> bytes:
    """A `run.json` whose checksum and identity are right, whatever its config says."""
    changed = {**about, "config": {**about["config"], **config}}
    changed["identity"] = identity_of(document.described(changed))
    return document.encode(changed)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"game": "nosuch"}, "this program does not play 'nosuch'"),
        ({"rules": {}}, "3 policies for 2 seats"),
        ({"rules": {"players": 3}}, "its config is not resolved as this program does it"),
        ({"rules": {"players": 99, "rounds": 2}}, "99 is not allowed"),
        ({"rules": {"players": "x", "rounds": 2}}, "'x' is not allowed"),
        ({"rules": {"players": 3, "rounds": 2, "other": 1}}, "unknown rule"),
        ({"policies": []}, "0 policies for 3 seats"),
        ({"policies": [{"name": "nosuch", "params": {}}] * 3}, "'nosuch' is not allowed"),
        ({"policies": [{"name": "expert", "params": {"courage": 5}}] * 3}, "5 is not allowed"),
        ({"seed": -1}, "-1 is not allowed"),
        ({"seed": "x"}, "'x' is not allowed"),
        ({"shuffle": {"riffle": "x"}}, "'x' is not allowed"),
        ({"shuffle": {}}, "does not describe a run"),
    ],
)
def test_a_config_that_was_never_one_is_not_played(tmp_path: Path, config: dict[str, Any], message: str) -> None:
    folder = make(tmp_path, 100)
    (folder.path / "run.json").write_bytes(reidentified(folder.document, **config))
    with pytest.raises(UserError, match=message):
        open_run(folder.path)


def test_a_run_of_an_older_version_is_asked_and_never_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make(tmp_path, 100)
    about = {**folder.document, "versions": folder.document["versions"] | {"game": 0}}
    (folder.path / "run.json").write_bytes(reidentified(about))
    part, data = folder.read(0)
    old = open_run(folder.path)
    folder.part_path(0).write_bytes(old.encode(part, part_file.table(data)))
    capsys.readouterr()
    assert app.run(["ask", str(folder), "winner = 0"]) == 0
    assert "in 100 games" in capsys.readouterr().out
    for words in (["ask", str(folder), "winner = 0", "-n", "200"], ["resume", str(folder), "-n", "200"]):
        assert app.run(words) == USAGE
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "holds other games: versions.game is 0 there, 1 in this program" in captured.err


def test_a_run_without_its_folder_of_parts_is_made_again(tmp_path: Path) -> None:
    folder = make(tmp_path, 1500)
    before = digests(folder.path)
    shutil.rmtree(folder.path / "parts")
    with pytest.raises(UserError, match=r"game 0 is missing; `simcli resume .*` plays it"):
        folder.prefix()
    assert app.run(["resume", str(folder)]) == 0
    assert digests(folder.path) == before
