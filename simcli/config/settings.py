"""Settings to compare: policies, or keys of a config changed, as given on the command line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from kernels.options import POLICIES
from kernels.registry import Game
from simcli.config.loading import load, make_policy
from simcli.config.scenario import Scenario
from simcli.errors import UserError, shorten, unknown

MAX_SETTINGS = 100


@dataclass(frozen=True)
class Setting:
    """A scenario with a label that says what is different."""

    label: str
    scenario: Scenario


def is_policy(text: str) -> bool:
    """Whether a setting is the name of a policy. Raises UserError if it is neither that nor KEY=VALUE."""
    if "=" in text:
        return False
    if text not in POLICIES:
        raise UserError(text, f"{unknown('policy', text, POLICIES)}, or KEY=VALUE,...")
    return True


def changed(config: str, sets: Sequence[str], text: str, base: Scenario) -> Setting:
    """The config with a policy for all seats, or with comma-separated KEY=VALUE on top; the seed is the base's.

    Raises UserError.
    """
    if is_policy(text):
        players = (make_policy(Game(base.game).options, text),) * base.players
        return Setting(text, replace(base, policies=players))
    return Setting(text, load(config, [*sets, *split(text)], None, str(base.seed)))


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
    key, equals, values = text.partition("=")
    if not key or not equals or not values:
        raise UserError(f"-p {text}", f"{shorten(text)} is not KEY=V1,V2,...")
    return [f"{key}={value}" for value in split(values)]
