"""Settings to compare: policies, or keys of a config changed, as given on the command line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from kernels.options import policy_names
from kernels.registry import Game
from simcli.config.loading import load, make_policy, shipped, written_policy
from simcli.config.scenario import Policy, Scenario
from simcli.errors import UserError, shorten, unknown

MAX_SETTINGS = 100
SAME_IN_ALL = {"seed": "give it with --seed", "games": "give their number with -n", "name": "nothing is kept",
               "questions": "ask them by name, or write them out"}  # fmt: skip
"""Keys that change no game, and what to do instead."""

_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")


@dataclass(frozen=True)
class Setting:
    """A scenario with a label that says what is different."""

    label: str
    scenario: Scenario


def is_config(text: str, base: Scenario) -> bool:
    """Whether a setting is a config of its own, not a policy or KEY=VALUE."""
    return text not in _policies(base) and "=" not in text and (text.endswith((".yaml", ".yml")) or text in shipped())


def _policies(base: Scenario) -> tuple[str, ...]:
    return policy_names(Game(base.game).options.STYLES)


def is_policy(text: str, base: Scenario) -> bool:
    """Whether a setting is a policy, by name or written out. Raises UserError if it is neither that nor KEY=VALUE."""
    if text.startswith("{"):
        return True
    if "=" in text:
        return False
    if text not in _policies(base):
        raise UserError(text, f"{unknown('policy', text, _policies(base))}, or KEY=VALUE,...")
    return True


def player(base: Scenario, text: str) -> Policy:
    """A policy by name, as the first seat that it has in the config plays it, or else with parameters at their
    defaults; or one written out as `{name: expert, params: {...}}`. Raises UserError."""
    options = Game(base.game).options
    if text.startswith("{"):
        return written_policy(options, text)
    return next((policy for policy in base.policies if str(policy) == text), make_policy(options, text))


def changed(config: str, sets: Sequence[str], text: str, base: Scenario) -> Setting:
    """The config with a policy for all seats, or with comma-separated KEY=VALUE on top; the seed is the base's.

    Raises UserError.
    """
    if is_policy(text, base):
        return Setting(text, replace(base, policies=(player(base, text),) * base.players))
    changes = split(text)
    for change in changes:
        _check_key(change, text)
    return Setting(text, load(config, [*sets, *changes], None, str(base.seed)))


def other_config(config: str, sets: Sequence[str], base: Scenario) -> Setting:
    """Another config, to be asked the base's questions on the base's deals. Raises UserError."""
    scenario = load(config, sets, None, str(base.seed))
    if scenario.game != base.game:
        raise UserError(config, f"is of {scenario.game}, the other of {base.game}; deals are of one game")
    return Setting(config, replace(scenario, questions=base.questions, places=base.places))


def _check_key(change: str, place: str) -> None:
    """Raise UserError for a key that changes nothing in the games: settings are compared on the same ones."""
    key = change.partition("=")[0].strip().split(".")[0]
    if key in SAME_IN_ALL:
        raise UserError(place, f"{key} is the same in all settings, which play the same deals; {SAME_IN_ALL[key]}")


def split(text: str) -> list[str]:
    """`a=1,b=[2,3]` at the commas outside brackets and quotes."""
    found, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0 and not quote:
            found.append("")
        else:
            found[-1] += letter
    return found


def grid(config: str, sets: Sequence[str], axes: Sequence[str], base: Scenario) -> list[Setting]:
    """Every combination of the values of `key=v1,v2,...`, 1 to MAX_SETTINGS of them. Raises UserError."""
    values = [_axis(text) for text in axes]
    if not values:
        raise UserError("-p", "nothing to sweep; for example -p rules.players=3,4,5")
    found = [", ".join(combination) for combination in product(*values)]
    if len(found) > MAX_SETTINGS:
        raise UserError("-p", f"{len(found)} settings; at most {MAX_SETTINGS}")
    return [
        Setting(label, load(config, [*sets, *combination], None, str(base.seed)))
        for label, combination in zip(found, product(*values), strict=True)
    ]


def _axis(text: str) -> list[str]:
    """`key=v1,v2,...`, where a value may be a range of whole numbers: `key=3..6`."""
    key, equals, values = text.partition("=")
    if not key or not equals or not values:
        raise UserError(f"-p {text}", f"{shorten(text)} is not KEY=V1,V2,...")
    _check_key(text, f"-p {text}")
    found = [f"{key}={value}" for part in split(values) for value in _expand(part, f"-p {text}")]
    for setting in found:
        if found.count(setting) > 1:
            raise UserError(f"-p {text}", f"{shorten(setting)} is given twice")
    return found


def _expand(value: str, place: str) -> list[str]:
    ends = _RANGE.fullmatch(value.strip())
    if ends is None:
        return [value]
    low, high = int(ends[1]), int(ends[2])
    if not 0 <= high - low < MAX_SETTINGS:
        raise UserError(place, f"{value} is not a range of 1 to {MAX_SETTINGS} numbers; write LOW..HIGH")
    return [str(number) for number in range(low, high + 1)]
