"""Every option of every game's rules changes its records, and every parameter of every player its play."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from kernels.options import PLAIN_POLICIES, Option, Parameter, Value
from kernels.registry import GAMES, Game
from simcli.play.simulate import Table
from tests.games import from_values, scenario

MATCHES = 400
RARE = {("erbaiwu", "scoring.fine_followed"): 4000}
"""What happens in few matches only is looked for in more."""

NEEDED: dict[tuple[str, str], dict[str, Any]] = {
    ("redox", "max_rounds"): {"target": 100},
}
"""Rules without which an option or a parameter decides nothing: a bound on matches with a target."""

HINT = "if it matters only with other options, add them to NEEDED"

NUMBERS = {"rounds": 2}
"""A value to try where the lowest is no change."""


def other_values(option: Option) -> list[Value]:
    """Every documented alternative; of a number without any, the lowest value, or the highest."""
    if option.alternatives:
        return list(option.alternatives)
    if option.choices:
        return list(option.choices)
    if isinstance(option.default, bool):
        return [not option.default]
    if isinstance(option.default, tuple):
        return [tuple(part + 1 for part in option.default)]
    if option.key in NUMBERS:
        return [NUMBERS[option.key]]
    return [option.low if option.low != option.default else option.high]


def every_option() -> Iterator[tuple[str, str, Value]]:
    """Game, key and value; what the option is anyway is no other value."""
    for name in GAMES:
        for option in Game(name).options.OPTIONS:
            usual = scenario_rules(name, option.key)[option.key]
            yield from ((name, option.key, value) for value in other_values(option) if value != usual)


def scenario_rules(name: str, key: str) -> dict[str, Value]:
    """The default rules with what this option or parameter needs."""
    return scenario(name, **NEEDED.get((name, key), {})).rules


@cache
def usual_records(name: str, key: str, matches: int) -> bytes:
    return Table(from_values(name, scenario_rules(name, key), PLAIN_POLICIES)).play(0, matches).tobytes()


@pytest.mark.parametrize(("name", "key", "value"), list(every_option()))
def test_every_option_matters(name, key, value):
    rules = Game(name).options.check(scenario_rules(name, key) | {key: value})
    matches = RARE.get((name, key), MATCHES)
    changed = Table(from_values(name, rules, PLAIN_POLICIES)).play(0, matches)
    matters = changed.tobytes() != usual_records(name, key, matches)
    assert matters, f"{key}={value} changes nothing; {HINT}"


def test_only_an_option_with_one_value_is_left_out():
    options = {(name, option.key) for name in GAMES for option in Game(name).options.OPTIONS}
    assert options - {(name, key) for name, key, _ in every_option()} == {("redten", "players")}


def every_parameter() -> Iterator[tuple[str, str, Parameter]]:
    for name in GAMES:
        for policy, parameters in Game(name).options.PARAMETERS.items():
            yield from ((name, policy, parameter) for parameter in parameters)


@pytest.mark.parametrize(
    ("name", "policy", "parameter"), list(every_parameter()), ids=lambda value: getattr(value, "name", value)
)
def test_every_parameter_matters(name, policy, parameter):
    usual = scenario(name, policy, **NEEDED.get((name, parameter.name), {}))
    records = Table(usual).play(0, MATCHES).tobytes()
    for end in {parameter.low, parameter.high} - {parameter.default}:
        seats = tuple(replace(seat, params=seat.params | {parameter.name: end}) for seat in usual.policies)
        if Table(replace(usual, policies=seats)).play(0, MATCHES).tobytes() != records:
            return
    pytest.fail(f"{parameter.name} changes nothing at {parameter.low} or {parameter.high}; {HINT}")
