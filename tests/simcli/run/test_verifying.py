"""verify: what is damaged, forged or foreign is found."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from simcli.errors import UserError
from simcli.play.simulate import Table
from simcli.run import verifying
from simcli.run.partition import Part
from simcli.run.runfolder import RunFolder
from simcli.run.verifying import Verdict, homogeneity, verify
from simcli.tables import frames
from tests.simcli.toyruns import PART, flip, make, scenario

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
    (message,) = judged(folder, 0).violations
    assert "000002.parquet: damaged" in message


def test_a_forged_part_is_found_when_it_is_computed_again(tmp_path: Path) -> None:
    folder = make(tmp_path, 3500)
    forge(folder, 1, seed=8)
    assert ["000001.parquet: computed again, its bytes differ" in v for v in judged(folder, None).violations] == [True]
    assert judged(folder, 0).violations == []
    assert ["game 1500 differs" in v for v in judged(folder, 0, (1500,)).violations] == [True]


def test_a_part_whose_outcomes_do_not_belong_is_found(tmp_path: Path) -> None:
    folder = make(tmp_path, 6000)
    part = Part(4, 4 * PART, PART)
    rows = Table(scenario()).play(part.first, part.count)
    rows["winner"] = np.where(rows["winner"] == 0, 1, rows["winner"])
    folder.part_path(4).write_bytes(folder.encode(part, frames.rounds(folder.scenario, rows)))
    (message,) = judged(folder, 0).violations
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
