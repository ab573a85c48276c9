"""Putting parts in place costs at most a tenth of the time that a run takes.

Processor time, so that other work on the machine does not show. `random` players of the quickest game need little more
than two microseconds a game; there the share is only printed.
"""

import statistics
import time
from pathlib import Path

import pytest

from simcli.config import loading
from simcli.play.simulate import Table
from simcli.runs import runfolder
from simcli.runs.making import deliver

MAX_PROPORTION = 0.1
ROUNDS = 5


@pytest.mark.campaign
@pytest.mark.parametrize("name", sorted(loading.shipped()))
@pytest.mark.parametrize("policy", ["random", "expert"])
def test_campaign_share_of_writing(tmp_path: Path, name: str, policy: str) -> None:
    scenario = loading.load(name, [f"policies={policy}"], seed="7")
    folder = runfolder.begin(tmp_path, scenario)
    table = Table(scenario)
    table.play(0, 1)
    shares = []
    for index in range(ROUNDS):
        start = time.process_time()
        rows = table.play(index * folder.size, folder.size)
        played = time.process_time()
        deliver(folder, rows)
        shares.append((time.process_time() - played) / (time.process_time() - start))
    share = statistics.median(shares)
    print(f"\n{name}, {policy}: writing takes {share:.1%} of the time")
    assert share <= MAX_PROPORTION or policy == "random"
