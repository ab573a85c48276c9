"""A run's folder: `run.json` says which games it holds, `parts/` holds them.

`run.json` is created once and never touched again. A part is put in place under the folder's lock: a part that is
already there must have the same games in it, a short one gives way to a longer one, a damaged one to a sound one.
"""

import contextlib
import errno
import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from simcli.config.scenario import Scenario
from simcli.errors import VIOLATION, UserError, command_line, printable, shorten
from simcli.runs import document, files, part_file, part_rows
from simcli.runs.checksum import Damaged
from simcli.runs.part_file import Label
from simcli.runs.partition import Part

_RUN = "run.json"
_LOG = "log.jsonl"
_PARTS = "parts"
_LARGEST_RUN = 2**24
_LARGEST_LOG = 2**26
"""Bytes of `run.json` and of the log that are read at most."""
_AGAIN = "the `simcli run` command that began the run"
_PART_FILE = re.compile(r"[0-9]{6,12}\.parquet")

WRITTEN, EQUAL, KEPT = "written", "equal", "kept"
"""What became of a part: written, already there with the same bytes, or a longer one was there."""


@dataclass(frozen=True)
class Damage:
    """A part file that cannot be used, and why."""

    index: int
    reason: str


class RunFolder:
    """One run on disk."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """`about` is a verified document, as `document.decode` gives it."""
        self.path = path
        self.document = about
        self.identity: str = about["identity"]
        self.name: str = about["name"]
        self.size: int = about["part_games"]
        self.scenario = document.scenario_of(about)

    def __str__(self) -> str:
        """The folder's name as a terminal may get it."""
        return printable(str(self.path))

    def resume(self, *options: str) -> str:
        """The command that makes what the run is missing."""
        return command_line(["simcli", "resume", str(self.path), *options])

    def describe(self) -> dict[str, Any]:
        """All that decides the games, as in `Scenario.describe` when the run was begun."""
        return document.described(self.document)

    def about(self) -> dict[str, Any]:
        """Which run it is, for files that are made of its games."""
        return {"name": self.name, "identity": self.identity}

    def part_path(self, index: int) -> Path:
        """Where the part of this number is, or will be."""
        return self.path / _PARTS / f"{index:06d}.parquet"

    def indices(self) -> list[int]:
        """Numbers of the part files there are, whatever is in them."""
        try:
            names = os.listdir(self.path / _PARTS)
        except FileNotFoundError:
            return []
        return sorted(int(name.partition(".")[0]) for name in names if _PART_FILE.fullmatch(name))

    def read(self, index: int) -> tuple[Part, bytes]:
        """One part's range and its bytes, its checksum and its label verified; its rows are not looked at.

        Raises Damaged, UserError (a part of another run), and OSError where that is no fault of the file's.
        """
        path = self.part_path(index)
        try:
            data = files.read(path)
            return self._checked(part_file.label(data, str(path)), index, str(path)), data
        except files.NotPlain as error:
            raise Damaged(str(path), str(error.strerror), self._remedy) from error
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            raise Damaged(str(path), "cannot be read (input/output error)", self._remedy) from error
        except Damaged as error:
            raise Damaged(str(path), error.reason, self._remedy) from error

    def rows(self, index: int) -> pl.DataFrame:
        """The `rounds` table of one part, verified to the last row. Raises as `read` does."""
        return self._rows(*self.read(index))

    def _rows(self, part: Part, data: bytes) -> pl.DataFrame:
        rounds = part_file.table(data, part_rows.most(self.scenario, part) + 1)
        wrong = part_rows.misfit(rounds, self.scenario, part)
        if wrong:
            raise Damaged(str(self.part_path(part.index)), f"damaged: {wrong}", self._remedy)
        return rounds

    @property
    def _remedy(self) -> str:
        return f"`{self.resume()}` repairs the run"

    def paths(self) -> list[Path]:
        """The files of games 0, 1, ... up to the first that is missing, every row of theirs verified."""
        held = self.prefix()
        for part in held:
            self.rows(part.index)
        return [self.part_path(part.index) for part in held]

    def survey(self) -> tuple[list[Part], list[Damage]]:
        """Which parts are sound to the last row, and which are damaged. Raises UserError for a part of another run."""
        sound, damaged = [], []
        for index in self.indices():
            try:
                part, data = self.read(index)
                self._rows(part, data)
                sound.append(part)
            except FileNotFoundError:
                continue
            except Damaged as error:
                damaged.append(Damage(index, error.reason))
        return sound, damaged

    def prefix(self) -> list[Part]:
        """The parts that hold games 0, 1, 2, ... up to the first that is missing, by their labels.

        Raises UserError where there is no game 0, and what `read` raises for any part of the run.
        """
        held = self.unbroken()
        if not held:
            raise UserError(str(self), f"game 0 is missing; `{self.resume()}` plays it")
        return held

    def unbroken(self) -> list[Part]:
        """The same; empty where there is no game 0."""
        found: list[Part] = []
        for part in (self.read(index)[0] for index in self.indices()):
            if part.first != (found[-1].end if found else 0):
                break
            found.append(part)
        return found

    def encode(self, part: Part, table: pl.DataFrame) -> bytes:
        """The bytes that this part's file must have."""
        return part_file.encode(table, Label(self.identity, self.describe(), part, self.size))

    def commit(self, part: Part, data: bytes) -> str:
        """Put a part in place: WRITTEN, or EQUAL or KEPT if it was there. Raises UserError if the games differ."""
        path = self.part_path(part.index)
        files.make_folder(path.parent)
        with self.locked():
            if files.create(path, data):
                return WRITTEN
            try:
                there, held = self.read(part.index)
                self._rows(there, held)
            except Damaged:
                files.replace(path, data)
                return WRITTEN
            return self._settle(part, data, there, held)

    def _settle(self, part: Part, data: bytes, there: Part, held: bytes) -> str:
        """Two files of one part: keep the longer, provided that they agree."""
        if held == data:
            return EQUAL
        common = min(part.end, there.end)
        mine, theirs = (part_file.table(file).filter(pl.col("game") < common) for file in (data, held))
        if not mine.equals(theirs):
            place = str(self.part_path(part.index))
            raise UserError(place, "not deterministic: computed again, its games differ from those there", VIOLATION)
        if part.count <= there.count:
            return EQUAL if part.count == there.count else KEPT
        files.replace(self.part_path(part.index), data)
        return WRITTEN

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Keep other writers out."""
        return files.locked(self.path)

    def put(self, name: str, data: bytes) -> None:
        """Make a file of the folder have these bytes."""
        if not self.has(name, data):
            files.replace(self.path / name, data)

    def has(self, name: str, data: bytes) -> bool:
        """Whether a file of the folder has these bytes."""
        try:
            return files.read(self.path / name, len(data)) == data
        except (FileNotFoundError, files.NotPlain):
            return False

    def log(self, event: str, **fields: Any) -> None:
        """Add a line to the log, outside of what the run promises."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = {"time": now, "event": event, "pid": os.getpid(), **fields}
        try:
            files.append_line(self.path / _LOG, json.dumps(line, default=str))
        except files.NotPlain as error:
            raise UserError(str(self.path / _LOG), f"{error.strerror}; remove it") from error

    def games_asked_for(self) -> int:
        """How many games the run was last meant to have, or as many as its last part reaches to if that is more."""
        begun = (line.get("games") for line in reversed(self._log_lines()) if line.get("event") == "begin")
        return max(next((games for games in begun if isinstance(games, int)), 0), self._reach())

    def _reach(self) -> int:
        """The game after the last that a part holds."""
        for index in reversed(self.indices()):
            with contextlib.suppress(Damaged, FileNotFoundError):
                return self.read(index)[0].end
        return 0

    def _log_lines(self) -> list[dict[str, Any]]:
        try:
            lines = files.read(self.path / _LOG, _LARGEST_LOG).decode(errors="replace").splitlines()
        except OSError:
            return []
        found = []
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                found.append(json.loads(line))
        return [line for line in found if isinstance(line, dict)]

    def discard(self, index: int) -> None:
        """Take a damaged part away: a file is removed, a folder moved aside. A sound one stays."""
        with self.locked(), contextlib.suppress(FileNotFoundError):
            try:
                self.rows(index)
            except Damaged:
                files.remove(self.part_path(index))

    def restore(self) -> bool:
        """Write `run.json` again if it was deleted meanwhile, and say so. Raises UserError if it is another now."""
        if files.create(self.path / _RUN, document.encode(self.document)):
            return True
        if open_run(self.path).identity != self.identity:
            raise UserError(str(self), "became the folder of another run meanwhile")
        return False

    def sweep(self) -> int:
        """Remove what killed writers left behind; returns how many files."""
        return files.sweep(self.path) + files.sweep(self.path / _PARTS)

    def must_hold(self, scenario: Scenario, where: str = "in the config") -> None:
        """Raise UserError unless the folder holds this scenario's games, naming what differs."""
        difference = first_difference(self.describe(), scenario.describe(), "there", where)
        if difference:
            raise UserError(str(self.path), f"holds other games: {difference}")

    def _checked(self, label: Label, index: int, place: str) -> Part:
        """The label's range, if it belongs here under this number."""
        if label.identity != self.identity:
            difference = first_difference(self.describe(), label.scenario, "in this run", "in the part")
            raise UserError(place, f"is of another run, {label.identity}: {difference}; remove it")
        part = label.part
        fits = part.index == index and part.first == index * self.size and 0 < part.count <= self.size
        if not fits or label.size != self.size:
            raise Damaged(place, f"holds {part}, which is not what its name says")
        return part


def first_difference(
    here: Mapping[str, Any], there: Mapping[str, Any], one: str = "there", other: str = "in the config"
) -> str:
    """The first field in which two descriptions differ, with both values; empty if they are equal."""
    left, right = _flat(here), _flat(there)
    for key in sorted(left.keys() | right.keys(), key=lambda key: (key.startswith("versions"), key)):
        if left.get(key) != right.get(key):
            return f"{key} is {_brief(left.get(key))} {one}, {_brief(right.get(key))} {other}"
    return ""


def _brief(value: Any) -> str:
    return shorten(json.dumps(value))[1:-1]


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    if isinstance(value, Mapping):
        pairs = value.items()
    elif isinstance(value, list | tuple):
        pairs = enumerate(value)  # type: ignore[assignment]
    else:
        return {prefix: value}
    return {k: v for key, inner in pairs for k, v in _flat(inner, f"{prefix}.{key}" if prefix else str(key)).items()}


def folder_of(results: Path, name: str, identity: str) -> Path:
    """Where a run lives."""
    return results / f"{name}-{identity}"


def begin(results: Path, scenario: Scenario) -> RunFolder:
    """Create a scenario's run folder, or open the one there is. Raises UserError or OSError."""
    path = folder_of(results, scenario.name, scenario.identity)
    _stay_inside(path)
    files.make_folder(path / _PARTS)
    if files.create(path / _RUN, document.encode(document.describe(scenario))):
        return open_run(path)
    folder = open_run(path)
    folder.must_hold(scenario)
    return folder


def adopt(results: Path, run: RunFolder) -> RunFolder:
    """The folder under `results` for the same run: created with the same `run.json`, or opened."""
    path = folder_of(results, run.name, run.identity)
    _stay_inside(path)
    files.make_folder(path / _PARTS)
    files.create(path / _RUN, files.read(run.path / _RUN))
    return open_run(path)


def open_run(path: Path) -> RunFolder:
    """The run in a folder, its `run.json` verified. Raises UserError."""
    _stay_inside(path / _PARTS)
    place = str(path / _RUN)
    try:
        return RunFolder(path, document.decode(files.read(path / _RUN, _LARGEST_RUN), place))
    except FileNotFoundError as error:
        if (path / _PARTS).is_dir():
            raise Damaged(place, "is missing", f"{_AGAIN} writes it again") from error
        raise UserError(str(path), "is not a run's folder: it has no run.json") from error
    except files.NotPlain as error:
        raise Damaged(place, str(error.strerror), f"remove it, and {_AGAIN} writes it again") from error
    except Damaged as error:
        raise Damaged(place, error.reason, f"remove it, and {_AGAIN} writes it again") from error


def _stay_inside(path: Path) -> None:
    """Raise UserError if a folder of ours is a symbolic link, which may lead out of the results folder."""
    if "\0" in str(path):
        raise UserError(str(path), "a path cannot hold a null character")
    if path.is_symlink():
        raise UserError(str(path), "is a symbolic link; runs are kept in plain folders")
    if path.exists() and not path.is_dir():
        raise UserError(str(path), "is not a folder")
