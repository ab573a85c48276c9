"""Fixtures for all tests."""

import pytest

from kernels import registry


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> str:
    """The toy game, playable under its name."""
    monkeypatch.setitem(registry.GAMES, "toy", "tests.toy")
    return "toy"
