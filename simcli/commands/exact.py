"""`simcli exact`: probabilities of dealt hands, counted instead of simulated."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from simcli.cli import completion
from simcli.cli.options import Format, GameName, Output, Quiet, Sets, Text, argument


def main(
    game: GameName,
    event: Annotated[
        Text, argument("EVENT", "What is counted; by default, the events are listed.", completion.events)
    ] = None,
    recount: Annotated[
        bool, typer.Option("--recount", help="Count again what is stored as a number; may take minutes.")
    ] = False,
    sets: Sets = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Count exactly in how many of all dealt hands an event happens, every hand equally likely."""
    from simcli.asking import exact
    from simcli.cli.printing import print_fields, print_json, print_rows

    if event is None:
        print_rows(exact.events(game), output)
        return
    row = exact.count(game, event, sets or (), recount)
    if output is Output.json:
        print_json(row)
    elif output is Output.table:
        print_fields(_for_people(row))
    else:
        print_rows([_for_people(row)], output)


def _for_people(row: Mapping[str, Any]) -> dict[str, Any]:
    """The same with its rules on one line, and as one in how many."""
    rules = ", ".join(f"{key}={value}" for key, value in row["rules"].items())
    hands = {"one_in": f"{1 / row['p']:.6g}"} if row["p"] else {}
    numbers = {"p": f"{row['p']:.12g}", **hands, "favourable": row["favourable"], "total": row["total"]}
    return {"event": row["event"], **numbers, "game": row["game"], "rules": rules or "any", "meaning": row["meaning"]}
