"""The same question under other players, or under each documented alternative of the rules, on the same deals."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from kernels.options import POLICIES, SEARCH, Option, RuleError, Value, policy_names
from kernels.registry import Game
from simcli.asking.questions import MEAN, PROPORTION
from simcli.asking.request import Asked, Request, prepare
from simcli.config import predeal
from simcli.config.loading import make_policy
from simcli.config.scenario import Policy, Scenario
from simcli.config.settings import player
from simcli.errors import UserError, unknown
from simcli.play import threads
from simcli.play.simulate import Table
from simcli.progress import Progress

BASE = "as given"
SLOW_SECONDS = 20
_TRIAL_GAMES = 10


class Variant(NamedTuple):
    """A scenario, and in what it differs from the one given."""

    label: str
    scenario: Scenario
    sets: tuple[str, ...] = ()
    is_slow: bool = False
    """Whether it plays as many games as fit into SLOW_SECONDS, not all that are asked for."""


def policies(scenario: Scenario, names: str) -> Iterator[Variant]:
    """The scenario with all seats played by each policy of a comma-separated list, or by `all` in turn.

    A policy that the config seats has the parameters that it has there. One of `all` that searches is slow.
    """
    known = policy_names(Game(scenario.game).options.STYLES)
    wanted = list(POLICIES) if names == "all" else [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in known:
            raise UserError(f"--policies {names}", unknown("policy", name, ["all", *known]))
        policy = player(scenario, name)
        players = (policy,) * scenario.players
        sets = (f"policies={_written(policy, scenario)}",)
        yield Variant(name, replace(scenario, policies=players), sets, names == "all" and name == SEARCH)


def rules(scenario: Scenario) -> Iterator[Variant]:
    """The scenario as given, then with each documented alternative of each option, one at a time."""
    options = Game(scenario.game).options
    yield Variant(BASE, scenario)
    for option in options.OPTIONS:
        for value in alternatives(option):
            changed = _with_rule(scenario, option, value)
            if changed is not None:
                label = f"{option.key}={_text(value)}"
                seated = (_seated(changed),) if changed.players != scenario.players else ()
                yield Variant(label, changed, (f"rules.{label}", *seated))


def alternatives(option: Option) -> Sequence[Value]:
    """Other values that players are known to use: those documented, else the other words, or the other truth."""
    if option.alternatives:
        return option.alternatives
    if isinstance(option.default, bool):
        return (not option.default,)
    return tuple(word for word in option.choices if word != option.default)


def _with_rule(scenario: Scenario, option: Option, value: Value) -> Scenario | None:
    """The scenario with one rule changed; None where that is what it has, or cannot be played."""
    if scenario.rules[option.key] == value:
        return None
    options = Game(scenario.game).options
    try:
        values = dict(options.check({**scenario.rules, option.key: value}))
    except RuleError:
        return None
    if not predeal.fits(scenario.game, values, scenario.predeal):
        return None
    seats = options.players(values)
    players = tuple(scenario.policies[seat % scenario.players] for seat in range(seats))
    return replace(scenario, rules=values, policies=players)


def _text(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _seated(scenario: Scenario) -> str:
    """The setting that says who plays, seat by seat: the config's own list may be of another length."""
    return f"policies=[{', '.join(_written(policy, scenario) for policy in scenario.policies)}]"


def _written(policy: Policy, scenario: Scenario) -> str:
    """A player as a config writes it, with its parameters where they are not at their defaults."""
    usual = make_policy(Game(scenario.game).options, str(policy))
    return str(policy) if policy == usual else json.dumps(policy.describe())


# Asking


def choose(scenario: Scenario, names: str | None, vary: str | None) -> Iterator[Variant]:
    """The variants that `--policies` or `--vary` ask for. Raises UserError."""
    if names and vary:
        raise UserError("--policies --vary", "exclude each other")
    if vary not in (None, "rules"):
        raise UserError(
            f"--vary {vary}", "not allowed; only rules can be varied: --vary rules; simcli sweep takes values"
        )
    return policies(scenario, names) if names else rules(scenario)


def prepare_all(
    request: Request, variants: Iterable[Variant], quiet: bool
) -> tuple[list[tuple[Variant, Asked]], list[str]]:
    """The variants under which the request can be answered, and why others are left out or play fewer games.

    Raises UserError if it cannot be answered under the first.
    """
    ready: list[tuple[Variant, Asked]] = []
    notes = []
    for variant in variants:
        own = replace(request, sets=[*request.sets, *variant.sets])
        try:
            asked = prepare(own, variant.scenario)
            _check_kinds(asked)
        except UserError as error:
            if not ready:
                raise
            notes.append(f"{variant.label}: left out; {error}")
            continue
        if variant.is_slow:
            asked = prepare(fitted(own, variant.scenario, quiet), variant.scenario)
            games = f"{asked.collector.rule.games:,} games, which take about {SLOW_SECONDS} s"
            notes.append(f"{variant.label}: plays {games}; --policies {variant.label} -n N plays N")
        ready.append((variant, asked))
    return ready, notes


def fitted(request: Request, scenario: Scenario, quiet: bool) -> Request:
    """The request for as many games, of those asked for, as a core plays in SLOW_SECONDS, to one digit."""
    threads.prepare(scenario, Progress(None, quiet))
    table = Table(scenario)
    begun = time.perf_counter()
    table.play(0, _TRIAL_GAMES)
    fit = int(SLOW_SECONDS * _TRIAL_GAMES / (time.perf_counter() - begun))
    digit = 10 ** max(0, len(str(fit)) - 1)
    most = max(_TRIAL_GAMES, fit // digit * digit)
    games = min(most, request.games or scenario.games, request.max_games or most)
    return replace(request, games=games, precision=None, hits=None, decide=None, min_games=None, max_games=None)


def _check_kinds(asked: Asked) -> None:
    """Refuse what has no single estimate to compare."""
    asked_of = [estimator.question for estimator in asked.collector.estimators]
    if any(question.kind not in (PROPORTION, MEAN) or question.by for question in asked_of):
        raise UserError("--policies, --vary", "compare shares and means, not quantiles, tables or groups (--by)")
