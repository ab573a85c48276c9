"""What is simulated, resolved to the last option, and the identity of its games.

Free of compiled code and of polars, so that errors in a config come at once.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kernels import VERSION as ENGINE_VERSION
from kernels.notation import card_text
from kernels.options import Value
from kernels.registry import Game

RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What a run may be called: it begins the name of a folder."""


@dataclass(frozen=True)
class Policy:
    """A seat's player by name, with every parameter it has."""

    name: str
    params: Mapping[str, int] = field(default_factory=dict)
    style: str = field(default="", compare=False)
    """What people call these parameters, if the player was named so."""

    def describe(self) -> dict[str, Any]:
        """As in a config."""
        return {"name": self.name, "params": dict(sorted(self.params.items()))}

    def __str__(self) -> str:
        return self.style or self.name


@dataclass(frozen=True)
class Shuffle:
    """How packs are shuffled: uniform (0 passes), or by a number of riffles or overhand passes."""

    kind: str = "uniform"
    passes: int = 0

    def describe(self) -> Any:
        """As in a config."""
        return self.kind if self.kind == "uniform" else {self.kind: self.passes}


@dataclass(frozen=True)
class Position:
    """Where every game begins, if not with a deal: what one seat sees of a game in the middle of a round."""

    place: str
    """Where it comes from, for messages: `FILE:LINE`."""
    seat: int
    """Who sees it: what is hidden from them is dealt anew in each game."""
    state: bytes = field(repr=False)
    """A record of the game's STATE, as `kernels.protocol.hide` leaves it."""

    def describe(self) -> dict[str, Any]:
        """What decides the games."""
        return {"seat": self.seat, "state": hashlib.sha256(self.state).hexdigest()[:16]}


@dataclass(frozen=True)
class Scenario:
    """Everything that decides the games, and how many of them are asked for."""

    name: str
    """What a run is called; matches RUN_NAME."""
    game: str
    """A name of `kernels.registry.GAMES`."""
    rules: Mapping[str, Value]
    """Every option of the game by its dotted key: a number, a truth value, a word, None, or a tuple of numbers."""
    policies: tuple[Policy, ...]
    """One for each seat."""
    shuffle: Shuffle
    seed: int
    """0 to 2^64-1."""
    games: int
    """From 1 on; 0 in the scenario of a run, which may always be extended."""
    questions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The config's questions by name: keys as in `loading.QUESTION_KEYS`, values as they were read."""
    predeal: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Cards, sorted, that hands hold when the first round begins, by the hand's name in `kernels.options.Deal`."""
    position: Position | None = None
    """Where games begin; None: with a deal."""
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where each key of the config is (`questions.early.event` at `FILE:LINE:COLUMN ...`), for messages."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.policies)

    def describe(self) -> dict[str, Any]:
        """All that decides the outcome of game 0, game 1, ...; the number of games is not part of it."""
        return {
            "game": self.game,
            "rules": {key: _plain(value) for key, value in sorted(self.rules.items())},
            "policies": [policy.describe() for policy in self.policies],
            "shuffle": self.shuffle.describe(),
            **({"predeal": self.predealt} if self.predeal else {}),
            **({"position": self.position.describe()} if self.position else {}),
            "seed": self.seed,
            "versions": {"engine": ENGINE_VERSION, "game": Game(self.game).options.VERSION},
        }

    @property
    def predealt(self) -> dict[str, str]:
        """The predealt cards as in a config."""
        return {name: " ".join(map(card_text, cards)) for name, cards in self.predeal.items()}

    @property
    def identity(self) -> str:
        """Hash of `describe()`: 16 hexadecimal digits. The same identity and game index is the same game."""
        return identity_of(self.describe())

    @property
    def rules_hash(self) -> str:
        """Hash of the resolved rules alone: 12 hexadecimal digits."""
        return identity_of({"game": self.game, "rules": self.describe()["rules"]})[:12]


def _plain(value: Value) -> Any:
    return list(value) if isinstance(value, tuple) else value


def identity_of(value: Any) -> str:
    """Hash of a description: 16 hexadecimal digits."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
