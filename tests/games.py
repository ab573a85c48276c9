"""Scenarios of every game for tests: by default or by random rules drawn from the options themselves; their records."""

import random
from collections.abc import Iterator
from typing import Any

from kernels.options import Option, RuleError, Value, defaults, parameters_of
from kernels.registry import Game
from simcli.config.scenario import Policy, Scenario, Shuffle
from simcli.play.simulate import Table
from simcli.tables import frames

_LONGEST_RANGE = 12
"""Random values stay this close to an option's lower end or its default, so that matches stay short."""


def default_params(game: Game, policy: str) -> dict[str, int]:
    """Every parameter of a policy at its default."""
    return {parameter.name: parameter.default for parameter in parameters_of(game.options.PARAMETERS, policy)}


def scenario(
    name: str, policy: str = "random", seed: int = 7, shuffle: Shuffle | None = None, **rules: Any
) -> Scenario:
    """A scenario of one policy for all seats; rules by key, with __ for a dot."""
    game = Game(name)
    values = defaults(game.options.OPTIONS) | {key.replace("__", "."): value for key, value in rules.items()}
    return from_values(name, game.options.check(values), (policy,), seed, shuffle)


def from_values(
    name: str, values: dict[str, Value], policies: tuple[str, ...], seed: int = 7, shuffle: Shuffle | None = None
) -> Scenario:
    """A scenario of checked rules; policies are repeated over the seats."""
    game = Game(name)
    seats = tuple(policies[seat % len(policies)] for seat in range(game.options.players(values)))
    chosen = tuple(Policy(policy, default_params(game, policy)) for policy in seats)
    return Scenario(name, name, values, chosen, shuffle or Shuffle(), seed, 1)


def records(chosen: Scenario, games: int) -> list[dict[str, Any]]:
    """Rows of the table `rounds` for games 0 to games - 1."""
    return frames.rounds(chosen, Table(chosen).play(0, games)).to_dicts()


def _random_value(option: Option, source: random.Random) -> Value:
    if option.choices:
        return source.choice(option.choices)
    if isinstance(option.default, bool):
        return source.random() < 0.5
    if option.parts or option.low is None or option.high is None:
        return source.choice([option.default, *option.alternatives])
    base = option.default if isinstance(option.default, int) else option.low
    near = [value for value in range(option.low, option.high + 1) if value < option.low + _LONGEST_RANGE]
    return source.choice([base, *near])


def random_rules(name: str, count: int, seed: int) -> Iterator[dict[str, Value]]:
    """Checked rule sets in which a few options differ from the default; combinations that cannot be played are
    drawn again."""
    game = Game(name)
    source = random.Random(seed)
    found = 0
    while found < count:
        values = defaults(game.options.OPTIONS)
        for option in source.sample(game.options.OPTIONS, min(4, len(game.options.OPTIONS))):
            values[option.key] = _random_value(option, source)
        try:
            checked = game.options.check(values)
        except RuleError:
            continue
        found += 1
        yield checked
