"""`simcli players`: who can play a game, by which parameters, and how strong they are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcli.cli import options
from simcli.cli.options import Format, GameName, Output, Text, option
from simcli.errors import exit_code

if TYPE_CHECKING:
    from kernels.registry import Game

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Who can play a game, by which parameters, and how strong they are.",
)

_SEED = "7"
_SHOWN = ("a", "b", "gain", "low", "high", "a_is", "games", "games_a_second")


@app.command("list")
def list_players(game: GameName, output: Format = Output.table) -> None:
    """List the players of a game, its styles, and all their parameters."""
    from simcli.cli.printing import print_json, print_rows
    from simcli.config.loading import known_game

    chosen = known_game(game)
    listings = {
        "players": list(_players(chosen)), "styles": list(_styles(chosen)), "parameters": list(parameters(chosen))
    }  # fmt: skip
    if output is Output.json:
        print_json({"game": chosen.name, "version": chosen.options.VERSION, **listings})
        return
    for name, rows in listings.items():
        if rows:
            print_rows(rows, output, name.capitalize())


@app.command()
def ladder(
    game: GameName,
    games: Annotated[Text, option("-n", "N", "Games of each pair of players that decide at once.")] = "2000",
    searched: Annotated[Text, option("--search-games", "N", "Games of each pair one of which searches.")] = "200",
    sets: options.Sets = None,
    seed: options.Seed = _SEED,
    jobs: options.Jobs = None,
    output: Format = Output.table,
    quiet: options.Quiet = False,
) -> int:
    """Measure all players against each other: points a round, on the same deals, seats turned."""
    from simcli.asking import ladder, reproduce
    from simcli.cli.printing import note, print_json, print_rows

    doses = ladder.Doses(*(options.load_scenario(game, sets, dose, seed).games for dose in (games, searched)))
    base = options.load_scenario(game, sets, games, seed)
    threads = options.job_count(jobs)
    rows, ended = [], 0
    for row, ended in ladder.climb(base, ladder.steps(), doses, threads, quiet):  # noqa: B007 (the last one is asked for)
        rows.append(row)
        if not quiet:
            note(f"{row['a']} over {row['b']}: {row['gain']:+.3g} points a round")
    limits = [("-n", doses.plain), ("--search-games", doses.search)]
    again = reproduce.command("players", ["ladder", game], reproduce.common({}, sets or (), limits, base.seed))
    if output is Output.json:
        print_json({"rows": rows, "reproduce": again})
    else:
        shown = [{name: row[name] for name in _SHOWN} for row in rows] if output is Output.table else rows
        print_rows(shown, output)
    if output is Output.table and rows:
        print(f"gain: points a round of a over b, {rows[0]['method']}, level {rows[0]['level']:g}, {game}, rules hash")
        print(f"{base.rules_hash}, seed {base.seed}\nagain: {again}")
    return exit_code(ended)


def _players(game: "Game") -> Iterator[dict[str, Any]]:
    from kernels.options import PLAYERS, parameters_of

    for name, doc in PLAYERS.items():
        yield {"player": name, "parameters": len(parameters_of(game.options.PARAMETERS, name)), "what it does": doc}


def _styles(game: "Game") -> Iterator[dict[str, Any]]:
    for name, style in game.options.STYLES.items():
        gain, low, high = style.strength
        changed = ", ".join(f"{key}={value}" for key, value in style.params.items())
        yield {
            "style": name,
            "parameters of expert": changed,
            "points a round over expert": f"{gain:+.3g} [{low:+.3g}, {high:+.3g}]",
            "what it does": style.doc,
        }


def parameters(game: "Game") -> Iterator[dict[str, Any]]:
    """A row for each parameter of each player."""
    from kernels.options import POLICIES, parameters_of

    for name in POLICIES:
        for one in parameters_of(game.options.PARAMETERS, name):
            yield {
                "player": name,
                "parameter": one.name,
                "default": one.choices[one.default] if one.choices else one.default,
                "allowed": f"{one.choices[0]}..{one.choices[-1]}" if one.choices else f"{one.low}..{one.high}",
                "what it does": one.doc,
            }
