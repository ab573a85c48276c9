"""What a shell offers for a word that is not finished: configs, games, questions, columns, rule keys, players.

Each function is given what was typed before (`ctx.params`) and the beginning of the word, and gives words with that
beginning, most of them with their meaning. Wrong input before the word offers nothing.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

from simcli.errors import UserError

Offer = str | tuple[str, str]
"""A word, or a word and its meaning."""


def _offered(offers: Callable[[Any, str], Iterable[Offer]]) -> Callable[[Any, str], list[Offer]]:
    @wraps(offers)
    def function(ctx: Any, incomplete: str) -> list[Offer]:
        try:
            return list(offers(ctx, incomplete))
        except (UserError, OSError):
            return []

    return function


@_offered
def games(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """Games by name."""
    from kernels.registry import GAMES

    return GAMES


@_offered
def configs(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """Configs that come along, and those in the folder."""
    from simcli.config.loading import shipped

    return [*shipped(), *_paths(incomplete, "*.yaml")]


@_offered
def targets(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """Configs and runs."""
    return [*configs(ctx, incomplete), *runs(ctx, incomplete)]


@_offered
def runs(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """Folders that hold a run, in the results folder and where the word leads."""
    places = [*Path("results").glob("*/run.json"), *(Path(path) for path in _paths(incomplete, "*/run.json"))]
    return dict.fromkeys(str(path.parent) for path in places)


@_offered
def questions(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """The questions of the config given before."""
    named = _scenario(ctx).questions
    return [(name, str(question.get("title", ""))) for name, question in named.items()]


@_offered
def columns(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """Columns that groups may be of: after a comma, one more."""
    from simcli.tables.columns import names, of_table

    before, comma, _ = incomplete.rpartition(",")
    scenario = _scenario(ctx)
    table = "seats" if ctx.params.get("per") == "seat" else "rounds"
    for name, column in of_table(scenario, table).items():
        for one in names(name, column):
            yield f"{before}{comma}{one}", column.meaning


@_offered
def changes(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """Keys of a config, and the words that they may be set to."""
    from kernels.registry import Game

    scenario = _scenario(ctx)
    names = _players(scenario)
    for option in Game(scenario.game).options.OPTIONS:
        words = option.choices or (("true", "false") if isinstance(option.default, bool) else ("",))
        yield from ((f"rules.{option.key}={word}", option.doc) for word in words)
    yield from (f"policies={name}" for name in names)
    yield from (f"policies.{seat}={name}" for seat in range(scenario.players) for name in names)
    yield from ("shuffle.riffle=7", "shuffle.overhand=20")


@_offered
def settings(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """What is compared: players, changes of the config, other configs."""
    return [*_players(_scenario(ctx)), *changes(ctx, incomplete), *configs(ctx, incomplete)]


@_offered
def rules(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """Options of the game given before, by their keys."""
    from simcli.config.loading import known_game

    return [(option.key, option.doc) for option in known_game(ctx.params["game"]).options.OPTIONS]


@_offered
def events(ctx: Any, incomplete: str) -> Iterable[Offer]:
    """What of the game given before is counted."""
    from simcli.config.loading import known_game

    room = known_game(ctx.params["game"]).exact
    return [] if room is None else room.EVENTS.items()


def _players(scenario: Any) -> Iterable[str]:
    from kernels.options import policy_names
    from kernels.registry import Game

    return policy_names(Game(scenario.game).options.STYLES)


def _paths(incomplete: str, pattern: str) -> list[str]:
    """Paths below the folder that a word leads to, as the word would go on."""
    folder = incomplete.rpartition("/")[0]
    found = Path(folder or ".").glob(pattern)
    return sorted(f"{folder}/{path.relative_to(folder)}" if folder else str(path) for path in found)


def _scenario(ctx: Any) -> Any:
    """The scenario of the config or run given before, its changes left out. Raises UserError."""
    from simcli.cli.options import open_target

    # Before the value of an option typer has not read the places of the command line yet.
    target = ctx.params.get("target") or ctx.params.get("config") or next(iter(ctx.args), None)
    if target is None:
        raise UserError("config", "is not given yet")
    return open_target(target)[1]
