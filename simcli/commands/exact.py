"""`simcli exact`: probabilities of dealt hands, counted instead of simulated."""

from typing import Annotated

import typer

from simcli.cli.options import Format, Output, Quiet, Sets


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; see `simcli rules list`.")],
    event: Annotated[str | None, typer.Argument(metavar="EVENT", help="Left out: the events there are.")] = None,
    recount: Annotated[
        bool, typer.Option("--recount", help="Count anew what is shipped as a number; may take minutes.")
    ] = False,
    sets: Sets = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Count the dealt hands with an event, exactly: favourable of all, every hand equally likely."""
    from simcli.ask.counted import counted, events, for_people
    from simcli.cli.printing import print_fields, print_json, print_rows

    if event is None:
        print_rows(events(game), output)
        return
    row = counted(game, event, sets or (), recount)
    if output is Output.json:
        print_json(row)
    elif output is Output.table:
        print_fields(for_people(row))
    else:
        print_rows([for_people(row)], output)
