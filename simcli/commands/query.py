"""`simcli query`: SQL over the tables of a run."""

from typing import Annotated

import typer

from simcli.cli.options import Format, Output, Quiet, number

MOST = 10_000_000


def main(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a run.")],
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A SELECT over rounds, seats and games.")],
    limit: Annotated[str | None, typer.Option("--limit", metavar="N", help="Most rows; 100000 if left out.")] = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Run a SELECT over the tables `rounds`, `seats` and `games` of a run. Nothing else can be read, or written."""
    most = None if limit is None else number("--limit", limit, 1, MOST)
    from pathlib import Path

    from simcli.cli.printing import print_rows
    from simcli.run.runfolder import open_run
    from simcli.tables import query

    query.check(sql)
    folder = open_run(Path(run))
    found = query.ask(query.tables(folder.scenario, folder.scan()), sql, most or query.MOST_ROWS)
    if not found.height and output is not Output.json:
        print(",".join(found.columns) if output is Output.csv else "no rows")
        return
    print_rows(query.plain_rows(found), output)
