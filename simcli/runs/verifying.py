"""Checks a run: that its parts are intact, that they are what is computed again, and that they look alike."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
from scipy.stats import chi2

from simcli.errors import UserError
from simcli.play.simulate import Table
from simcli.runs import files, part_file, summary
from simcli.runs.merging import missing_games, ranges
from simcli.runs.partition import Part
from simcli.runs.runfolder import RunFolder
from simcli.tables import frames

FALSE_ALARM = 1e-6
"""Chance that the comparison of outcomes flags a sound run."""

_MIN_EXPECTED = 5
"""Rarer outcomes are put together, so that the chi-square distribution holds."""


@dataclass
class Verdict:
    """What was looked at, and what was found wrong."""

    parts: int = 0
    games: int = 0
    recomputed: list[int] = field(default_factory=list)
    checked_games: list[int] = field(default_factory=list)
    chi_square: dict[str, float] | None = None
    missing: list[tuple[int, int]] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    @property
    def power(self) -> float | None:
        """The probability that one part whose games were changed is among those computed again."""
        return len(self.recomputed) / self.parts if self.parts else None

    def lines(self) -> Iterator[str]:
        """For people."""
        again = f"{len(self.recomputed)} parts and {len(self.checked_games)} games computed again"
        found = f"{len(self.violations)} violations" if self.violations else "all sound"
        yield f"{self.parts} parts, {self.games} games, {again}: {found}"
        if self.missing:
            yield f"games {ranges(self.missing)} are missing"
        if self.power is not None and self.power < 1:
            chance = f"{len(self.recomputed)} of {self.parts} parts computed again: one that was changed is among them"
            yield f"{chance} with probability {self.power:.3g}; --parts all computes every part again"

    def describe(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {**asdict(self), "power": self.power, "sound": not self.violations}


def verify(folder: RunFolder, sample: int | None, games: Sequence[int], chooser: Random) -> Verdict:
    """Check all parts and the summary, and compute `sample` parts (all if None) and some games again."""
    verdict = Verdict()
    sound = _intact(folder, verdict)
    asked = folder.games_asked_for()
    verdict.missing = list(missing_games(folder.size, sound, asked))
    verdict.violations += _wrong_summaries(folder, [part for part in sound if part.end <= _reach(sound)], asked)
    _look_alike(folder, sound, verdict)
    table = Table(folder.scenario)
    chosen = sound if sample is None else chooser.sample(sound, min(sample, len(sound)))
    for part in sorted(chosen):
        _recompute(folder, table, part, verdict)
    for game in games:
        _replay(folder, table, game, sound, verdict)
    return verdict


def _intact(folder: RunFolder, verdict: Verdict) -> list[Part]:
    sound = []
    for index in folder.indices():
        try:
            folder.rows(index)
            sound.append(folder.read(index)[0])
        except UserError as error:
            verdict.violations.append(str(error))
    verdict.parts = len(sound)
    verdict.games = sum(part.count for part in sound)
    return sound


def _reach(sound: Iterable[Part]) -> int:
    """The first game that is in no part."""
    end = 0
    for part in sound:
        if part.first != end:
            break
        end = part.end
    return end


def _wrong_summaries(folder: RunFolder, held: Sequence[Part], asked: int) -> Iterator[str]:
    """What is wrong with the summary files of the games 0, 1, ... that are held.

    As long as the run is short of what was asked for there may be none, or those of fewer games. Those of more games,
    some of which were lost, cannot be judged.
    """
    games = sum(part.count for part in held)
    there = [name for name in (summary.PARQUET, summary.CSV, summary.JSON) if os.path.lexists(folder.path / name)]
    if not games or (games < asked and not there):
        return
    stated = _stated_games(folder.path / summary.PARQUET) or games
    if stated > games:
        return
    if games < asked:
        games = stated
    whole = summary.total(_tallies(folder, held, games))
    for name, data in summary.files(summary.summarise(whole), whole, folder.about()).items():
        path = folder.path / name
        if name not in there:
            yield f"{path}: is missing; `{folder.resume()}` writes it again"
        elif not folder.has(name, data) and not _same_table(path, data):
            yield f"{path}: is not the summary of the parts; `{folder.resume()}` writes it again"


def _tallies(folder: RunFolder, held: Iterable[Part], games: int) -> Iterator[summary.Tally]:
    """Those of games 0..games-1 of the run."""
    for part in held:
        rounds = folder.rows(part.index).filter(pl.col("game") < games)
        yield summary.tally(folder.scenario.game, rounds)


def _stated_games(path: Path) -> int | None:
    """Of how many games a `summary.parquet` says it is; None if it is damaged."""
    try:
        return int(part_file.unseal(files.read(path), str(path))["games"])
    except (OSError, UserError, KeyError, TypeError, ValueError):
        return None


def _same_table(path: Path, data: bytes) -> bool:
    """Whether a sealed file says the same as these bytes; another version of polars may pack the rows otherwise."""
    if path.suffix != ".parquet":
        return False
    try:
        there = files.read(path)
        same = part_file.unseal(there, str(path)) == part_file.unseal(data, str(path))
    except (OSError, UserError):
        return False
    return same and part_file.table(there).equals(part_file.table(data))


def _recompute(folder: RunFolder, table: Table, part: Part, verdict: Verdict) -> None:
    rounds = frames.rounds(folder.scenario, table.play(part.first, part.count))
    held = folder.read(part.index)[1]
    same = folder.encode(part, rounds) == held
    if not same and folder.document["versions"].get("polars") != pl.__version__:
        same = part_file.table(held).equals(rounds)  # another version may pack the same rows differently
    verdict.recomputed.append(part.index)
    if not same:
        remedy = f"remove it, and `{folder.resume()}` plays its games again"
        verdict.violations.append(f"{folder.part_path(part.index)}: computed again, its bytes differ; {remedy}")


def _replay(folder: RunFolder, table: Table, game: int, sound: Iterable[Part], verdict: Verdict) -> None:
    index = game // folder.size
    if not any(part.index == index and part.first <= game < part.end for part in sound):
        raise UserError(f"--game {game}", "is not in the run")
    rounds = frames.rounds(folder.scenario, table.play(game, 1))
    verdict.checked_games.append(game)
    if not folder.rows(index).filter(pl.col("game") == game).equals(rounds):
        verdict.violations.append(f"{folder.part_path(index)}: game {game} differs when it is played again")


def _look_alike(folder: RunFolder, sound: Sequence[Part], verdict: Verdict) -> None:
    """Chi-square of each part's outcomes against those of all parts; first rounds only, which are independent."""
    counts = [_outcomes(folder.rows(part.index), part.index) for part in sound]
    if len(counts) < 2:
        return
    table = pl.concat(counts).pivot("outcome", index="part", values="n", sort_columns=True).fill_null(0)
    observed = _pooled(table.drop("part").to_numpy().astype(float))
    for row, chance in outliers(observed):
        index = int(table["part"][row])
        verdict.chi_square = verdict.chi_square or {"part": index, "p": chance}
        if chance < FALSE_ALARM / len(observed):
            wrong = f"its outcomes differ from those of the other parts (p = {chance:.1g})"
            verdict.violations.append(f"{folder.part_path(index)}: {wrong}")


def outliers(observed: np.ndarray) -> Iterator[tuple[int, float]]:
    """The row least like the others and its chance; without it the next, as long as they are too unlike."""
    rows = np.arange(len(observed))
    chance = 0.0
    while len(rows) > 1 and chance < FALSE_ALARM / len(observed):
        chances = homogeneity(observed[rows])
        worst = int(np.argmin(chances))
        chance = float(chances[worst])
        yield int(rows[worst]), chance
        rows = np.delete(rows, worst)


def homogeneity(observed: np.ndarray) -> np.ndarray:
    """For each row of counts, the chance of a chi-square at least so large against the other rows together."""
    columns = observed.sum(axis=0)
    total = columns.sum()
    rows = observed.sum(axis=1, keepdims=True)
    expected = rows * columns / total
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (observed - expected) ** 2 / expected, 0.0)
    others = 1 - rows[:, 0] / total
    statistic = np.divide(terms.sum(axis=1), others, out=np.zeros(len(observed)), where=others > 0)
    return np.asarray(chi2.sf(statistic, max(1, observed.shape[1] - 1)))


def _outcomes(rounds: pl.DataFrame, index: int) -> pl.DataFrame:
    first = rounds.filter(pl.col("round") == 1)
    kinds = first.select(outcome=pl.concat_str(pl.col("outcome").cast(pl.String), pl.lit("/"), pl.col("winner")))
    return kinds.group_by("outcome").len("n").with_columns(part=pl.lit(index))


def _pooled(observed: np.ndarray) -> np.ndarray:
    """The same counts with rare columns put together."""
    proportions = observed.sum(axis=0) / observed.sum()
    rare = proportions * observed.sum(axis=1).min() < _MIN_EXPECTED
    return np.column_stack([observed[:, ~rare], observed[:, rare].sum(axis=1)]) if rare.any() else observed
