"""verify: what is damaged, forged or foreign is found."""

import os
from pathlib import Path
from random import Random

import numpy as np
import pytest

from simcli.errors import UserError
from simcli.play.simulate import Table
from simcli.runs import verifying
from simcli.runs.making import conclude
from simcli.runs.partition import Part
from simcli.runs.runfolder import RunFolder
from simcli.runs.verifying import Verdict, homogeneity, verify
from simcli.tables import frames
from tests.simcli.toyruns import PART, digests, flip, make, scenario

pytestmark = pytest.mark.usefixtures("toy")


def judged(folder: RunFolder, sample: int | None = 1, games: tuple[int, ...] = ()) -> Verdict:
    return verify(folder, sample, games, Random(1))


def forge(folder: RunFolder, index: int, **changes: int) -> None:
    """Put a part with a proper seal and other games in the place of the right one."""
    part = Part(index, index * PART, PART)
    rows = frames.rounds(folder.scenario, Table(scenario(**changes)).play(part.first, part.count))  # type: ignore[arg-type]
    folder.part_path(index).write_bytes(folder.encode(part, rows))


def test_a_sound_run_passes(tmp_path: Path) -> None:
    verdict = judged(make(tmp_path, 3500), None, (0, 3499))
    assert verdict.violations == []
    assert (verdict.parts, verdict.games, verdict.recomputed, verdict.checked_games) == (
        4,
        3500,
        [0, 1, 2, 3],
        [0, 3499],
    )


def test_damage_is_found_without_computing_anything(tmp_path: Path) -> None:
    folder = make(tmp_path, 3500)
    flip(folder.part_path(2), 4321)
    message = judged(folder, 0).violations[0]
    assert "000002.parquet: damaged" in message


def test_a_forged_part_is_found_when_it_is_computed_again(tmp_path: Path) -> None:
    folder = make(tmp_path, 3500)
    forge(folder, 1, seed=8)
    for path in folder.path.glob("summary.*"):
        path.unlink()
    conclude(folder)
    assert judged(folder, 0).violations == []
    assert ["000001.parquet: computed again, its bytes differ" in v for v in judged(folder, None).violations] == [True]
    assert ["game 1500 differs" in v for v in judged(folder, 0, (1500,)).violations] == [True]


def test_a_forged_part_does_not_fit_the_summary(tmp_path: Path) -> None:
    folder = make(tmp_path, 3500)
    forge(folder, 1, seed=8)
    assert [v.partition(": ")[2].partition(";")[0] for v in judged(folder, 0).violations] == [
        "is not the summary of the parts"
    ] * 3


def test_the_verdict_says_what_its_sample_may_have_missed(tmp_path: Path) -> None:
    folder = make(tmp_path, 3500)
    verdict = judged(folder, 1)
    assert verdict.power == verdict.describe()["power"] == 0.25
    assert list(verdict.lines()) == [
        "4 parts, 3500 games, 1 parts and 0 games computed again: all sound",
        "1 of 4 parts computed again: one that was changed is among them with probability 0.25; "
        "--parts all computes every part again",
    ]
    assert list(judged(folder, None).lines()) == ["4 parts, 3500 games, 4 parts and 0 games computed again: all sound"]
    assert judged(folder, 0).power == 0
    found = 0
    forge(folder, 2, seed=8)
    conclude(folder)
    for seed in range(40):
        found += any("000002" in v for v in verify(folder, 1, (), Random(seed)).violations)
    assert 1 <= found <= 22  # binomial(40, 1/4): outside with probability 4e-5


SUMMARIES = ("summary.parquet", "summary.csv", "summary.json")


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_damaged_or_missing_summary_is_named_and_made_again(tmp_path: Path, name: str) -> None:
    folder = make(tmp_path, 2500)
    before = digests(folder.path)
    path = folder.path / name
    source = Random(name)
    for spoil in (
        path.unlink,
        lambda: flip(path, source.randrange(8 * path.stat().st_size)),
        lambda: path.write_bytes(path.read_bytes()[:-3]),
        lambda: path.write_bytes(b""),
        lambda: (path.unlink(), path.mkdir()),
        lambda: (path.unlink(), path.symlink_to("run.json")),
        lambda: (path.unlink(), os.mkfifo(path)),
    ):
        spoil()
        (message,) = judged(folder, 0).violations
        assert message.startswith(f"{path}: is ")
        assert message.endswith(f"; `simcli resume {folder}` writes it again")
        make(tmp_path, 2500)
        assert {name: digest for name, digest in digests(folder.path).items() if "aside" not in name} == before
        assert judged(folder, 0).violations == []


@pytest.mark.parametrize("name", SUMMARIES)
def test_no_flipped_bit_of_a_summary_passes(tmp_path: Path, name: str) -> None:
    folder = make(tmp_path, 500)
    path = folder.path / name
    data = path.read_bytes()
    source = Random(3)
    for _ in range(40):
        flip(path, source.randrange(8 * len(data)))
        assert len(judged(folder, 0).violations) == 1
        path.write_bytes(data)


def test_a_run_that_is_not_done_needs_no_summary_and_may_have_an_older_one(tmp_path: Path) -> None:
    folder = make(tmp_path, 1500)
    old = {name: (folder.path / name).read_bytes() for name in SUMMARIES}
    make(tmp_path, 4000)
    folder.part_path(3).unlink()
    for name in SUMMARIES:
        (folder.path / name).unlink()
    verdict = judged(folder, 0)
    assert (verdict.violations, verdict.missing) == ([], [(3000, 4000)])
    assert "games 3000..3999 are missing" in list(verdict.lines())
    for name in SUMMARIES:
        (folder.path / name).write_bytes(old[name])
    assert judged(folder, 0).violations == []
    flip(folder.path / "summary.csv", 801)
    assert len(judged(folder, 0).violations) == 1


def test_a_part_whose_outcomes_do_not_belong_is_found(tmp_path: Path) -> None:
    folder = make(tmp_path, 6000)
    part = Part(4, 4 * PART, PART)
    rows = Table(scenario()).play(part.first, part.count)
    rows["winner"] = np.where(rows["winner"] == 0, 1, rows["winner"])
    folder.part_path(4).write_bytes(folder.encode(part, frames.rounds(folder.scenario, rows)))
    message = judged(folder, 0).violations[-1]
    assert "000004.parquet: its outcomes differ from those of the other parts" in message


def test_a_game_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not in the run"):
        judged(make(tmp_path, 500), 0, (500,))


def test_homogeneity_is_uniform_when_all_parts_are_alike() -> None:
    """Share of p below 0.1 in 4,000 rows: mean 400, deviation 19; four deviations are allowed."""
    source = np.random.default_rng(5)
    chances = np.concatenate(
        [homogeneity(source.multinomial(500, [0.5, 0.3, 0.2], 8).astype(float)) for _ in range(500)]
    )
    assert 324 < (chances < 0.1).sum() < 476
    assert chances.min() > verifying.FALSE_ALARM
