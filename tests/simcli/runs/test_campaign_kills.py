"""kill -9 at random moments, with two writers at work: nothing that was done is lost, nothing is there in half.

CI kills a few times; `pytest -m campaign -s tests/simcli/runs/test_campaign_kills.py` kills 200 times.
"""

import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from simcli.runs.runfolder import RunFolder, open_run
from tests.simcli.toyruns import CONFIG, call, command, digests

pytestmark = pytest.mark.usefixtures("toy")

PART = 500
GAMES = 60_250
LOADING = 2.5
WRITING = 0.3
PATIENCE = 10
"""Seconds: until a kill while writers load, after a new part, and until no new part is waited for."""


def words(folder: Path, name: str, *more: str) -> list[str | Path]:
    config = folder / "toy.yaml"
    config.write_text(CONFIG)
    return ["run", config, "-n", str(GAMES), "--results", folder / name, *more]


def only_run(results: Path) -> RunFolder:
    (path,) = results.iterdir()
    return open_run(path)


def kill_one_of_two(folder: Path, source: Random, seen: Counter[str]) -> None:
    """Start two writers; kill one or both at a random moment. Sound parts are never lost; none is ever damaged."""
    arguments = words(folder, "r", "-q")
    writers = [command([*arguments, "-j", "2"], PART), command([*arguments, "-j", "1"], PART)]
    wait_until_they_write(folder, source)
    victims = [writer for writer in writers if source.random() < 0.75] or writers[:1]
    for victim in victims:
        seen["killed" if victim.poll() is None else "done before"] += 1
        victim.kill()
    if source.random() < 0.5:  # the survivor dies too, a little later
        time.sleep(source.uniform(0, WRITING))
        for writer in set(writers) - set(victims):
            seen["killed" if writer.poll() is None else "done before"] += 1
            writer.kill()
    for writer in writers:
        _, err = writer.communicate(timeout=60)
        assert writer.returncode in (0, -9), err


def wait_until_they_write(folder: Path, source: Random) -> None:
    """Now and then while they still load; else at a random moment after a new part has appeared."""
    if source.random() < 0.2:
        time.sleep(source.uniform(0, LOADING))
        return
    before = len(list(folder.glob("r/*/parts/*.parquet")))
    limit = time.monotonic() + PATIENCE
    while len(list(folder.glob("r/*/parts/*.parquet"))) == before and time.monotonic() < limit:
        time.sleep(0.001)
    time.sleep(source.uniform(0, WRITING))


def look(folder: Path, before: set[str], seen: Counter[str]) -> set[str]:
    """What is there after a kill: sound parts, all of those that were there before, and perhaps what the dead left."""
    if not (folder / "r").exists() or not list((folder / "r").glob("*/run.json")):
        seen["nothing yet"] += 1
        return before
    run = only_run(folder / "r")
    sound, damaged = run.survey()
    assert damaged == []
    names = {f"{part.index}:{part.count}" for part in sound}
    assert before <= names
    seen["half-written files left"] += len(list(run.path.rglob(".*")))
    return names


def campaign(folder: Path, kills: int, seed: int) -> Counter[str]:
    source = Random(seed)
    seen: Counter[str] = Counter()
    before: set[str] = set()
    restarts = 0
    while seen["killed"] < kills:
        kill_one_of_two(folder, source, seen)
        before = look(folder, before, seen)
        restarts += 1
        if len(before) == -(-GAMES // PART):
            judge(folder)
            seen["runs finished"] += 1
            before = set()
            for path in sorted((folder / "r").rglob("*"), reverse=True):
                path.unlink() if path.is_file() else path.rmdir()
    assert call(words(folder, "r", "-q"), PART)[0] == 0
    judge(folder)
    seen["runs finished"] += 1
    seen["starts of two writers"] = restarts
    return seen


def judge(folder: Path) -> None:
    """The run, once gone on with, has the bytes of one that was never killed."""
    assert call(words(folder, "r", "-q"), PART)[0] == 0
    if not (folder / "straight").exists():
        assert call(words(folder, "straight", "-q"), PART)[0] == 0
    assert digests(only_run(folder / "r").path) == digests(only_run(folder / "straight").path)


def test_a_few_kills(tmp_path: Path) -> None:
    seen = campaign(tmp_path, 4, seed=1)
    assert seen["killed"] >= 4


@pytest.mark.campaign
def test_campaign_of_200_kills(tmp_path: Path) -> None:
    seen = campaign(tmp_path, 200, seed=2)
    print("\n" + ", ".join(f"{what}: {count}" for what, count in sorted(seen.items())))
