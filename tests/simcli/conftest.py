"""The toy game among the games, with small parts, for tests that ask for it."""

import pytest

from kernels.registry import GAMES
from simcli.runs import partition
from tests.simcli.toyruns import PART


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(GAMES, "toy", "tests.toy")
    monkeypatch.setattr(partition, "PART_GAMES", PART)
    return "toy"
