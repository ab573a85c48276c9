"""Joins the parts of several folders of one run into one, if they fit together exactly."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from simcli.errors import UserError
from simcli.runs.making import naming
from simcli.runs.partition import Part
from simcli.runs.runfolder import RunFolder, adopt, first_difference, folder_of, open_run

_MAX_NAMED = 5


def sources(paths: Iterable[Path]) -> list[RunFolder]:
    """The runs that these folders are, or hold (a results folder means all runs in it). Raises UserError."""
    folders = [open_run(path) for given in paths for path in _runs_in(given)]
    seen: dict[Path, RunFolder] = {}
    for folder in folders:
        if seen.setdefault(folder.path.resolve(), folder) is not folder:
            raise UserError(str(folder), "is given twice")
    return folders


def merge(runs: Sequence[RunFolder], results: Path, games: int | None, partial: bool, again: str = "") -> RunFolder:
    """Copy the parts of all runs into one folder under `results`. Nothing is written unless all fits together.

    `again` is the command that does it, for messages. Raises UserError for a run of another identity, a damaged part,
    an overlap, and (unless `partial`) a gap.
    """
    for run in runs[1:]:
        _same_run(runs[0], run)
    target = folder_of(results, runs[0].name, runs[0].identity)
    holders = _holders(runs, target)
    if not partial:
        _tiles(runs[0], [part for part, _ in holders.values()], games)
    merged = adopt(results, runs[0])
    with naming(merged, again):
        merged.sweep()
        for index, (part, holder) in sorted(holders.items()):
            if holder.path.resolve() != merged.path.resolve():
                merged.commit(part, holder.read(index)[1])
    return merged


def missing_games(size: int, held: Iterable[Part], games: int) -> Iterator[tuple[int, int]]:
    """The games below `games` that no part holds, as half-open ranges."""
    end = 0
    for part in sorted(held):
        if part.first > end:
            yield end, part.first
        end = part.end
    if end < games:
        yield end, games


def ranges(gaps: Iterable[tuple[int, int]]) -> str:
    """Ranges of games for people, cut if there are many."""
    texts = [f"{first}..{end - 1}" for first, end in gaps]
    return ", ".join(texts[:_MAX_NAMED]) + (f" and {len(texts) - _MAX_NAMED} more" if len(texts) > _MAX_NAMED else "")


def _runs_in(path: Path) -> list[Path]:
    if (path / "run.json").exists() or not path.is_dir():
        return [path]
    return sorted(child for child in path.iterdir() if (child / "run.json").exists()) or [path]


def _same_run(one: RunFolder, other: RunFolder) -> None:
    places = (f"in {one}", f"in {other}")
    difference = first_difference(one.describe(), other.describe(), *places)
    difference = difference or first_difference({"part_games": one.size}, {"part_games": other.size}, *places)
    if difference:
        raise UserError(str(other), f"is of another run: {difference}")


def _holders(runs: Sequence[RunFolder], target: Path) -> dict[int, tuple[Part, RunFolder]]:
    """Which run holds which part. A part that the target has already, byte for byte, is not an overlap."""
    holders: dict[int, tuple[Part, RunFolder]] = {}
    for run in sorted(runs, key=lambda run: run.path.resolve() != target.resolve()):
        for index in run.indices():
            part, data = run.read(index)
            run.rows(index)
            if index in holders and not _merged_before(holders[index][1], index, data, target):
                raise UserError(str(run.part_path(index)), f"overlaps: {part} is in {holders[index][1]} too")
            holders.setdefault(index, (part, run))
    return holders


def _merged_before(holder: RunFolder, index: int, data: bytes, target: Path) -> bool:
    return holder.path.resolve() == target.resolve() and holder.read(index)[1] == data


def _tiles(run: RunFolder, held: list[Part], games: int | None) -> None:
    reached = max((part.end for part in held), default=0)
    gaps = list(missing_games(run.size, held, reached if games is None else games))
    if gaps:
        raise UserError("merge", f"games {ranges(gaps)} are missing; --partial joins what there is")
    if games is not None and reached > games:
        raise UserError("merge", f"there are {reached} games, not {games}")
    if not held:
        raise UserError("merge", "there are no parts to join")
