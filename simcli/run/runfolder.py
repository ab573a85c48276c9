"""A run's folder: `run.json` says which games it holds, `parts/` holds them.

`run.json` is created once and never touched again. A part is put in place under the folder's lock: a part that is
already there must have the same games in it, a short one gives way to a longer one, a damaged one to a sound one.
"""

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import polars as pl

from simcli.config.scenario import RUN_NAME, Policy, Scenario, Shuffle, identity_of
from simcli.errors import VIOLATION, UserError, shorten
from simcli.run import files, part_file, partition
from simcli.run.part_file import Damaged, Label
from simcli.run.partition import Part

_RUN = "run.json"
_LOG = "log.jsonl"
_PARTS = "parts"
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

    def __init__(self, path: Path, document: Mapping[str, Any]) -> None:
        self.path = path
        self.document = document
        self.identity: str = document["identity"]
        self.name: str = document["name"]
        self.size: int = document["part_games"]
        self.scenario = _scenario(document)

    def __str__(self) -> str:
        return str(self.path)

    def describe(self) -> dict[str, Any]:
        """All that decides the games, as in `Scenario.describe` when the run was begun."""
        versions = self.document["versions"]
        return {**self.document["config"], "versions": {"engine": versions["engine"], "game": versions["game"]}}

    def about(self) -> dict[str, Any]:
        """Which run it is, for files that are made of its games."""
        return {"name": self.name, "identity": self.identity}

    def part_path(self, index: int) -> Path:
        """Where the part of this number is, or will be."""
        return self.path / _PARTS / f"{index:06d}.parquet"

    def indices(self) -> list[int]:
        """Numbers of the part files there are, whatever is in them."""
        names = os.listdir(self.path / _PARTS)
        return sorted(int(name.partition(".")[0]) for name in names if _PART_FILE.fullmatch(name))

    def read(self, index: int) -> tuple[Part, bytes]:
        """One part's range and its bytes, verified. Raises Damaged, UserError (foreign) or FileNotFoundError."""
        path = self.part_path(index)
        try:
            data = files.read(path)
        except OSError as error:
            if isinstance(error, FileNotFoundError | PermissionError):
                raise
            raise Damaged(str(path), f"cannot be read ({(error.strerror or '').lower()})") from error
        return self._checked(part_file.label(data, str(path)), index, str(path)), data

    def rows(self, index: int) -> pl.DataFrame:
        """The `rounds` table of one part, verified."""
        return part_file.table(self.read(index)[1])

    def paths(self) -> list[Path]:
        """The files of games 0, 1, ... up to the first that is missing. Raises UserError without any."""
        paths = [self.part_path(part.index) for part in self.prefix()]
        if not paths:
            raise UserError(str(self.path), "holds no games yet")
        return paths

    def survey(self, indices: Iterator[int] | list[int] | None = None) -> tuple[list[Part], list[Damage]]:
        """Which parts are sound, and which are damaged. Raises UserError for a part of another run."""
        sound, damaged = [], []
        for index in self.indices() if indices is None else indices:
            try:
                sound.append(self.read(index)[0])
            except FileNotFoundError:
                continue
            except Damaged as error:
                damaged.append(Damage(index, error.message))
        return sound, damaged

    def prefix(self) -> list[Part]:
        """The parts that hold games 0, 1, 2, ... up to the first that is missing or short. Raises Damaged."""
        sound, damaged = self.survey()
        for damage in damaged:
            raise Damaged(str(self.part_path(damage.index)), f"{damage.reason}; `simcli resume` makes it again")
        return _unbroken(sound)

    def sound_prefix(self) -> list[Part]:
        """The same, up to the first that is damaged too."""
        return _unbroken(self.survey()[0])

    def encode(self, part: Part, table: pl.DataFrame) -> bytes:
        """The bytes that this part's file must have."""
        return part_file.encode(table, Label(self.identity, self.describe(), part, self.size))

    def commit(self, part: Part, data: bytes) -> str:
        """Put a part in place: WRITTEN, or EQUAL or KEPT if it was there. Raises UserError if the games differ."""
        path = self.part_path(part.index)
        with self.locked():
            if files.create(path, data):
                return WRITTEN
            try:
                there, held = self.read(part.index)
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
        path = self.path / name
        if not path.exists() or files.read(path) != data:
            files.replace(path, data)

    def log(self, event: str, **fields: Any) -> None:
        """Add a line to the log, outside of what the run promises."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = {"time": now, "event": event, "pid": os.getpid(), **fields}
        files.append_line(self.path / _LOG, json.dumps(line, default=str))

    def games_asked_for(self) -> int:
        """How many games the run was last meant to have; without a log, as many as its last part reaches to."""
        for line in reversed(self._log_lines()):
            if line.get("event") == "begin" and isinstance(line.get("games"), int):
                return int(line["games"])
        return max((part.end for part in self.survey()[0]), default=0)

    def _log_lines(self) -> list[dict[str, Any]]:
        try:
            lines = files.read(self.path / _LOG).decode(errors="replace").splitlines()
        except OSError:
            return []
        found = []
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                found.append(json.loads(line))
        return [line for line in found if isinstance(line, dict)]

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
            raise UserError(place, f"is of another run, {label.identity}: {difference}")
        part = label.part
        fits = part.index == index and part.first == index * self.size and 0 < part.count <= self.size
        if not fits or label.size != self.size:
            raise Damaged(place, f"holds {part}, which is not what its name says")
        return part


def _unbroken(sound: list[Part]) -> list[Part]:
    found: list[Part] = []
    for part in sound:
        if part.first != (found[-1].end if found else 0):
            break
        found.append(part)
    return found


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
    document = describe(scenario)
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if files.create(path / _RUN, text.encode()):
        return RunFolder(path, document)
    folder = open_run(path)
    folder.must_hold(scenario)
    return folder


def describe(scenario: Scenario) -> dict[str, Any]:
    """The content of `run.json`: what decides the games, and nothing about how they are made."""
    described = scenario.describe()
    return {
        "schema": part_file.SCHEMA,
        "name": scenario.name,
        "identity": scenario.identity,
        "part_games": partition.PART_GAMES,
        "versions": {**described.pop("versions"), "simcli": _own_version(), "polars": pl.__version__},
        "config": described,
        "questions": {name: dict(question) for name, question in scenario.questions.items()},
    }


def adopt(results: Path, run: RunFolder) -> RunFolder:
    """The folder under `results` for the same run: created with the same `run.json`, or opened."""
    path = folder_of(results, run.name, run.identity)
    _stay_inside(path)
    files.make_folder(path / _PARTS)
    files.create(path / _RUN, files.read(run.path / _RUN))
    return open_run(path)


def open_run(path: Path) -> RunFolder:
    """The run in a folder, its `run.json` verified. Raises UserError."""
    place = path / _RUN
    _stay_inside(path / _PARTS)
    try:
        document = json.loads(files.read(place))
    except FileNotFoundError as error:
        raise UserError(str(path), "is not a run's folder: it has no run.json") from error
    except (ValueError, RecursionError) as error:
        raise Damaged(str(place), "damaged: it is not JSON") from error
    if isinstance(document, dict) and document.get("schema") != part_file.SCHEMA:
        raise UserError(str(place), f"written by another version of this program (layout {document.get('schema')})")
    try:
        folder = RunFolder(path, document)
        sound = isinstance(folder.size, int) and folder.size > 0 and RUN_NAME.fullmatch(folder.name) is not None
        sound = sound and identity_of(folder.describe()) == folder.identity
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Damaged(str(place), "damaged: it does not describe a run") from error
    if not sound:
        raise Damaged(str(place), "damaged: its config does not have the identity it names")
    return folder


def _stay_inside(path: Path) -> None:
    """Raise UserError if a folder of ours is a symbolic link, which may lead out of the results folder."""
    if "\0" in str(path):
        raise UserError(str(path), "a path cannot hold a null character")
    if path.is_symlink():
        raise UserError(str(path), "is a symbolic link; runs are kept in plain folders")
    if path.exists() and not path.is_dir():
        raise UserError(str(path), "is not a folder")


def _own_version() -> str:
    try:
        return version("simcli")
    except PackageNotFoundError:
        return "unknown"


def _scenario(document: Mapping[str, Any]) -> Scenario:
    config = document["config"]
    shuffle = config["shuffle"]
    kind, passes = next(iter(shuffle.items())) if isinstance(shuffle, dict) else (shuffle, 0)
    return Scenario(
        name=document["name"],
        game=config["game"],
        rules={key: tuple(value) if isinstance(value, list) else value for key, value in config["rules"].items()},
        policies=tuple(Policy(policy["name"], policy["params"]) for policy in config["policies"]),
        shuffle=Shuffle(kind, passes),
        seed=config["seed"],
        games=0,
        questions=document["questions"],
    )
