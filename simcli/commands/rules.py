"""`simcli rules`: the games, their options, and what each default rests on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcli.cli import completion
from simcli.cli.options import Format, GameName, Output, Sets, argument

if TYPE_CHECKING:
    from kernels.options import Option
    from kernels.records import Column
    from simcli.config.scenario import Scenario

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="The games, their rules and options, and what each default rests on.",
)

_SQL_KINDS = {"number": "integer", "seat": "integer", "flag": "boolean", "word": "text"}


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
    """Print the rules of a game as they are played, its options, the parameters of its players, and its columns."""
    from simcli.cli.paging import page
    from simcli.cli.printing import print_json, print_rows, row_lines
    from simcli.commands.players import parameters
    from simcli.config.loading import known_game

    chosen = known_game(game)
    columns = _columns(game, output=output)
    listings = {
        "options": [_row(option) for option in chosen.options.OPTIONS],
        "parameters": list(parameters(chosen)),
        "columns": columns,
    }
    if output is Output.json:
        print_json({"game": chosen.name, "version": chosen.options.VERSION, "rules": chosen.rules_text, **listings})
        return
    if output is Output.csv:
        print_rows(listings["options"], output)
        return
    if output is Output.table:
        del listings["columns"]
        listings |= {f"columns of {tables}": rows for tables, rows in _by_tables(columns).items()}
    texts: list[str | list[str]] = [chosen.rules_text]
    for name, rows in listings.items():
        texts += [f"\n## {name.capitalize()}\n", row_lines(rows, output)]
    page(texts)


@app.command()
def explain(
    game: GameName,
    key: Annotated[str, argument("KEY", "An option, such as scoring.joker; all by default.", completion.rules)] = "",
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
    config: Annotated[str, argument("A", "A config.", completion.configs)],
    other: Annotated[str, argument("B", "Another; by default, the game's defaults.", completion.configs)] = "",
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
def columns(game: GameName, sets: Sets = None, output: Format = Output.table) -> None:
    """Say what each column means that events and queries may use: its values, its unit, and what -1 or 0 stands for.

    What each seat has, such as points_0, points_1, ..., and what several tables have, is one line, except with
    `-o json` and `csv`.
    """
    from simcli.cli.printing import print_rows

    rows = _columns(game, sets or (), output)
    if output is not Output.table:
        print_rows(rows, output)
        return
    for number, (tables, shown) in enumerate(_by_tables(rows).items()):
        print("\n" * bool(number) + f"{tables}:")
        print_rows(shown)


@app.command()
def schema(
    game: Annotated[str, argument("GAME", "Configs of this game alone; by default, of all.", completion.games)] = "",
) -> None:
    """Print the JSON Schema of configs, by which editors complete and check them."""
    from simcli.cli.printing import print_json
    from simcli.config.loading import known_game
    from simcli.config.schema import schema as schema_of

    print_json(schema_of(known_game(game).name if game else None))


def _columns(game: str, sets: Sequence[str] = (), output: Output = Output.table) -> list[dict[str, Any]]:
    from simcli.config.loading import from_plain, known_game
    from simcli.tables.columns import TABLES, names, of_table

    scenario = from_plain({"game": known_game(game).name}, "rules columns", "columns", sets)
    columns = [(table, name, column) for table in TABLES for name, column in of_table(scenario, table).items()]
    if output in (Output.table, Output.md):
        return _once([(table, names(name, column), column) for table, name, column in columns])
    return [
        {"table": table, "column": one, **_described(column), "low": column.low, "high": column.high}
        for table, name, column in columns
        for one in names(name, column)
    ]


def _once(columns: Sequence[tuple[str, list[str], "Column"]]) -> list[dict[str, Any]]:
    """For people: what several tables have, and what each seat has, in one row."""
    tables: dict[tuple[str, Column], list[str]] = {}
    for table, each, column in columns:
        name = f"{each[0]}..{len(each) - 1}" if column.seats else each[0]
        tables.setdefault((name, column), []).append(table)
    return [
        {"column": name, "tables": ", ".join(having), **_described(column)} for (name, column), having in tables.items()
    ]


def _by_tables(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """For people: the columns by the tables that have them, what belongs together in one cell."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        meaning = f"{row['meaning']} ({row['special']})" if row["special"] else row["meaning"]
        values = f"{row['values']} {row['unit']}".strip()
        found.setdefault(row["tables"], []).append({"column": row["column"], "values": values, "meaning": meaning})
    return found


def _described(column: "Column") -> dict[str, Any]:
    missing = {"seat": "-1", "word": "''"}.get(column.kind, "0")
    return {
        "kind": _SQL_KINDS[column.kind],
        "values": _values(column),
        "unit": column.unit,
        "special": f"{missing}: {column.absent}" if column.absent else "",
        "meaning": column.meaning,
    }


def _values(column: "Column") -> str:
    if column.words:
        return ", ".join(word or "''" for word in column.words if word or column.absent)
    if column.kind == "flag":
        return "true, false"
    low, high = ("" if limit is None else str(limit) for limit in (column.low, column.high))
    return f"{low}..{high}" if low or high else "any"


def _differences(left: "Scenario", right: "Scenario", name: str) -> list[dict[str, Any]]:
    from kernels.registry import Game

    return [
        {"rule": o.key, left.name: _plain(left.rules[o.key]), name: _plain(right.rules[o.key]), "what it does": o.doc}
        for o in Game(left.game).options.OPTIONS
        if left.rules[o.key] != right.rules[o.key]
    ]


def _row(option: "Option") -> dict[str, Any]:
    from simcli.config.draft import allowed

    return {
        "option": option.key,
        "default": _plain(option.default),
        "allowed": allowed(option),
        "what it does": option.doc,
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
