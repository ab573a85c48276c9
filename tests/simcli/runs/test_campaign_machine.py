"""Random sequences of run, kill, damage, resume, shard, merge and extend: the bytes stay those of a straight run.

CI plays a few sequences; `pytest -m campaign -s tests/simcli/runs/test_campaign_machine.py` plays many.
"""

import contextlib
import shutil
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from simcli.cli.options import Output
from simcli.cli.runs import Shown, print_run
from simcli.errors import UserError
from simcli.play.simulate import Table
from simcli.runs import document, merging, partition, runfolder
from simcli.runs.making import deliver
from simcli.runs.partition import Part, Shard
from simcli.runs.runfolder import RunFolder
from simcli.tables import frames
from tests.simcli.runs.test_campaign_faults import Faulty, Killed
from tests.simcli.toyruns import digests, flip, make, scenario

pytestmark = pytest.mark.usefixtures("small_parts")

PART = 40
MAX_GAMES = 7 * PART + 13
SHARDS = 3
FOLDERS = ("a", "b", "c")

games = st.integers(1, MAX_GAMES)
folders = st.sampled_from(FOLDERS)
done: Counter[str] = Counter()


@pytest.fixture
def small_parts(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "PART_GAMES", PART)


@cache
def expected(part: Part) -> bytes:
    """The bytes that a part must have."""
    folder = RunFolder(Path("nowhere"), document.describe(scenario()))
    return folder.encode(part, frames.rounds(scenario(), Table(scenario()).play(part.first, part.count)))


@cache
def straight(count: int) -> dict[str, str]:
    """Digests of a run of so many games that nothing ever happened to."""
    with tempfile.TemporaryDirectory() as folder:
        return digests(make(Path(folder), count).path)


class Runs(RuleBasedStateMachine):
    """Three results folders, and what may happen to the runs in them."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.harmed: dict[str, set[int]] = {name: set() for name in FOLDERS}

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def folder(self, name: str) -> RunFolder:
        return runfolder.begin(self.root / name, scenario())

    @rule(name=folders, count=games, jobs=st.integers(1, 2))
    def run(self, name: str, count: int, jobs: int) -> None:
        """Run or extend: afterwards all games are there, and nothing in them is harmed."""
        done["run"] += 1
        folder = make(self.root / name, count, jobs=jobs)
        self.harmed[name] -= set(range(-(-count // PART)))
        held = {part.index: part for part in folder.survey()[0]}
        assert all(held[part.index].count >= part.count for part in partition.parts(count, PART))

    @rule(name=folders, count=games, index=st.integers(0, SHARDS - 1))
    def shard(self, name: str, count: int, index: int) -> None:
        done["shard"] += 1
        make(self.root / name, count, Shard(index, SHARDS))
        self.harmed[name] -= {i for i in range(-(-count // PART)) if i % SHARDS == index}

    @rule(name=folders, count=games, when=st.integers(1, 60))
    def kill(self, name: str, count: int, when: int) -> None:
        """A writer dies at one of its calls."""
        folder = self.folder(name)
        table = Table(folder.scenario)
        with pytest.MonkeyPatch.context() as patch, contextlib.suppress(Killed):
            faulty = Faulty(patch, "kill", when)
            for part in partition.parts(count, PART):
                deliver(folder, table.play(part.first, part.count))
                self.harmed[name].discard(part.index)
        done["killed" if faulty.dead else "done before the kill"] += 1

    @precondition(lambda self: any(self.folder(name).indices() for name in FOLDERS))
    @rule(name=folders, data=st.data())
    def harm(self, name: str, data: st.DataObject) -> None:
        """A bit of a part flips, or a part is lost."""
        folder = self.folder(name)
        if not folder.indices():
            return
        index = data.draw(st.sampled_from(folder.indices()))
        path = folder.part_path(index)
        if data.draw(st.booleans()):
            done["lost"] += 1
            path.unlink()
            self.harmed[name].discard(index)
        elif index not in self.harmed[name]:
            done["flipped"] += 1
            flip(path, data.draw(st.integers(0, 8 * path.stat().st_size - 1)))
            self.harmed[name].add(index)

    @rule(sources=st.sets(folders, min_size=1), into=folders, partial=st.booleans())
    def merge(self, sources: set[str], into: str, partial: bool) -> None:
        """Merging succeeds or is refused; never does it take a harmed part."""
        runs = [self.folder(name) for name in sorted(sources)]
        try:
            merged = merging.merge(runs, self.root / into, None, partial)
            done["merged"] += 1
        except UserError:
            done["merge refused"] += 1
            return
        assert not any(self.harmed[name] for name in sources)
        self.harmed[into] -= {index for run in runs for index in run.indices()}
        print_run(merged, Shown(Output.csv, quiet=True, summary=False))

    @invariant()
    def nothing_wrong_is_taken_for_right(self) -> None:
        """Sound parts have the right bytes; harmed ones, and no others, are found damaged."""
        for name in FOLDERS:
            if hasattr(self, "root") and (self.root / name).exists():
                folder = self.folder(name)
                sound, damaged = folder.survey()
                assert {damage.index for damage in damaged} == self.harmed[name] & set(folder.indices())
                for part in sound:
                    assert folder.part_path(part.index).read_bytes() == expected(part)

    @rule(name=folders)
    def finish(self, name: str) -> None:
        """Go on to the most games there may be: all files are those of a straight run."""
        done["finished"] += 1
        make(self.root / name, MAX_GAMES)
        self.harmed[name].clear()
        assert digests(self.root / name / f"toy-{scenario().identity}") == straight(MAX_GAMES)


def play(sequences: int, steps: int) -> None:
    done.clear()
    quick = settings(
        max_examples=sequences, stateful_step_count=steps, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck), print_blob=False,
    )  # fmt: skip
    run_state_machine_as_test(Runs, settings=quick)
    print("\n" + ", ".join(f"{what}: {count}" for what, count in sorted(done.items())))


def test_a_few_sequences() -> None:
    play(sequences=4, steps=10)
    assert done["finished"] > 0


@pytest.mark.campaign
def test_campaign_of_many_sequences() -> None:
    play(sequences=60, steps=40)
