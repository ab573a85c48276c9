"""A config to begin with: every key of a game at its default, with its range and what it does."""

import json
from collections.abc import Iterator
from textwrap import wrap

from kernels.options import POLICIES, Option, Value, defaults, parameters_of, policy_names
from kernels.registry import Game
from simcli.config.loading import DEFAULT_GAMES, DEFAULT_POLICY, MAX_GAMES, MAX_PASSES, shipped

_WIDTH = 100
_QUESTIONS = '  points:\n    title: Points of seat 0 in a round.\n    mean: "points_0"\n'
"""What a game without a config of its own is asked."""


def schema_name(game: str) -> str:
    """The file that a config's first line names for editors, which lies beside the config."""
    return f"{game}.schema.json"


def draft(name: str) -> str:
    """The text of a config of the game of this name."""
    game = Game(name)
    title = game.rules_text.partition("\n")[0].lstrip("# ").partition(":")[0]
    names = ", ".join(policy_names(game.options.STYLES))
    return "\n".join([
        f"# yaml-language-server: $schema={schema_name(name)}",
        f"# {title}",
        f"# Every key stands at its default. `simcli rules show {name}` says more, `simcli rules columns {name}` what",
        "# events may be about.",
        f"game: {name}",
        "# name: what-runs-are-called     # left out: as this file",
        "rules:",
        *_rules(game),
        f"# One for all seats, or a list with one for each: {names}, or with parameters:",
        f"policies: {DEFAULT_POLICY}",
        *_parameters(game),
        *_predeal(game),
        f"shuffle: uniform                # or {{riffle: 7}}, {{overhand: 20}}; 1 to {MAX_PASSES} passes",
        f"games: {DEFAULT_GAMES:_}                # 1 to {MAX_GAMES:_}",
        "# seed: 7                       # 0 to 2^64-1; left out: drawn, and printed",
        "questions:",
        _questions(name),
    ])  # fmt: skip


def allowed(option: Option) -> str:
    """The values that an option may have, for people."""
    if option.choices:
        return " | ".join(option.choices)
    if isinstance(option.default, bool):
        return "true | false"
    span = f"{option.low}..{option.high}"
    return f"[{', '.join(option.parts)}] each {span}" if option.parts else span


def _rules(game: Game) -> Iterator[str]:
    """The options, those with a dot in their key under the word before it."""
    group = ""
    for option in game.options.OPTIONS:
        above, _, key = option.key.rpartition(".")
        if above != group and above:
            yield f"  {above}:"
        group = above
        indent = "    " if above else "  "
        nothing = " | null" if option.default is None else ""
        yield from _comment(f"{option.doc} {allowed(option)}{nothing}", indent)
        yield f"{indent}{key}: {_written(option.default)}"


def _written(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _comment(text: str, indent: str = "") -> list[str]:
    return [f"{indent}# {line}" for line in wrap(text, _WIDTH - len(indent) - 2)]


def _parameters(game: Game) -> Iterator[str]:
    """The players that have parameters, all of them written out."""
    for policy in POLICIES:
        parameters = parameters_of(game.options.PARAMETERS, policy)
        if parameters:
            yield "# policies:"
            yield f"#   name: {policy}"
            yield "#   params:"
        for one in parameters:
            yield from (f"#     {line}" for line in _comment(f"{one.doc} {one.low}..{one.high}"))
            yield f"#     {one.name}: {one.default}"


def _predeal(game: Game) -> Iterator[str]:
    deal = game.options.deal(game.options.check(defaults(game.options.OPTIONS)))
    if deal is not None:
        places = ", ".join(deal.hands)
        yield f"# predeal: {{0: As 2s}}          # cards that hands hold when the first round begins; hands: {places}"


def _questions(name: str) -> str:
    """Those of the config that comes with the game, as they are written there."""
    path = shipped().get(name)
    return _QUESTIONS if path is None else path.read_text(encoding="utf-8").partition("\nquestions:\n")[2]
