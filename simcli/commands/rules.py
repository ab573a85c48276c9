"""`simcli rules`: the games, their options, and what each default rests on."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcli.cli.options import Format, GameName, Output, Sets, argument

if TYPE_CHECKING:
    from kernels.options import Option
    from simcli.config.scenario import Scenario

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="The games, their rules and options, and what each default rests on.",
)


@app.command("list")
def list_games(output: Format = Output.table) -> None:
    """List the games."""
    from kernels.registry import GAMES, Game
    from simcli.cli.printing import print_rows

    rows = []
    for name in GAMES:
        game = Game(name)
        title = game.rules_text.partition("\n")[0].lstrip("# ")
        rows.append(
            {"game": name, "title": title, "options": len(game.options.OPTIONS), "version": game.options.VERSION}
        )
    print_rows(rows, output)


@app.command()
def show(game: GameName, output: Format = Output.table) -> None:
    """Print the rules of a game as they are played, and its options."""
    from simcli.cli.printing import print_json, print_rows
    from simcli.config.loading import known_game

    chosen = known_game(game)
    rows = [_row(option) for option in chosen.options.OPTIONS]
    if output is Output.json:
        print_json({"game": game, "version": chosen.options.VERSION, "rules": chosen.rules_text, "options": rows})
        return
    if output is not Output.csv:
        print(chosen.rules_text)
    print_rows(rows, output, title="Options")


@app.command()
def explain(
    game: GameName,
    key: Annotated[str, argument("KEY", "An option, such as scoring.joker; all by default.")] = "",
    output: Format = Output.table,
) -> None:
    """Say what an option does, and what its default rests on."""
    from simcli.cli.printing import print_rows
    from simcli.config.loading import known_game
    from simcli.errors import UserError, unknown

    options = {option.key: option for option in known_game(game).options.OPTIONS}
    wanted = key.removeprefix("rules.")
    chosen = [option for name, option in options.items() if not key or name == wanted or name.startswith(f"{wanted}.")]
    if not chosen:
        groups = dict.fromkeys(name.partition(".")[0] for name in options if "." in name)
        raise UserError(f"rules explain {game}", unknown("option", key, [*groups, *options]))
    print_rows([_row(option) | {"source": option.source} for option in chosen], output)


@app.command()
def diff(
    config: Annotated[str, argument("A", "A config.")],
    other: Annotated[str, argument("B", "Another; by default, the game's defaults.")] = "",
    sets: Sets = None,
    output: Format = Output.table,
) -> None:
    """Show in which rules a config differs from another one, or from the game's defaults; `-s` changes A."""
    from simcli.cli.printing import print_rows
    from simcli.config.loading import from_plain, load
    from simcli.errors import UserError

    left = load(config, sets or ())
    right = load(other) if other else from_plain({"game": left.game}, "defaults", "defaults")
    if left.game != right.game:
        raise UserError("rules diff", f"{config} is about {left.game}, {other} about {right.game}")
    rows = _differences(left, right, other or "default")
    if rows or output is not Output.table:
        print_rows(rows, output)
    else:
        print("no difference")


@app.command()
def columns(game: GameName, output: Format = Output.table) -> None:
    """List the columns that events and queries may use, with the values of those that are words."""
    from simcli.cli.printing import print_rows
    from simcli.config.loading import from_plain, known_game
    from simcli.tables import frames

    scenario = from_plain({"game": known_game(game).name}, "rules columns", "columns")
    rows = [
        {
            "table": table,
            "column": name,
            "kind": column.kind.name.lower(),
            "values": ", ".join(word or "''" for word in column.names),
        }
        for table in frames.TABLES
        for name, column in frames.schema(scenario, table).items()
    ]
    print_rows(rows, output)


def _differences(left: "Scenario", right: "Scenario", name: str) -> list[dict[str, Any]]:
    from kernels.registry import Game

    return [
        {"rule": o.key, left.name: _plain(left.rules[o.key]), name: _plain(right.rules[o.key]), "what it does": o.doc}
        for o in Game(left.game).options.OPTIONS
        if left.rules[o.key] != right.rules[o.key]
    ]


def _row(option: "Option") -> dict[str, Any]:
    return {
        "option": option.key,
        "default": _plain(option.default),
        "allowed": _allowed(option),
        "what it does": option.doc,
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _allowed(option: "Option") -> str:
    if option.choices:
        return " | ".join(option.choices)
    if isinstance(option.default, bool):
        return "true | false"
    span = f"{option.low}..{option.high}"
    return f"[{', '.join(option.parts)}] each {span}" if option.parts else span
