"""What `run`, `resume` and `merge` end with: a run's summary, written and printed."""

from simcli.cli.options import Output
from simcli.cli.printing import note, print_json, print_rows
from simcli.run import summary
from simcli.run.making import RunRequest, TallyCache, conclude, fill
from simcli.run.runfolder import RunFolder


def carry_out(folder: RunFolder, request: RunRequest, output: Output) -> None:
    """Make what the folder is missing and print its summary. Raises Stopped, and UserError if it cannot."""
    print_summary(folder, output, request.quiet, request, fill(folder, request))


def print_summary(
    folder: RunFolder,
    output: Output,
    quiet: bool,
    request: RunRequest | None = None,
    cache: TallyCache | None = None,
) -> None:
    """Write and print the summary, if the folder holds all the games from 0 on that were asked for."""
    whole, table = conclude(folder, request, cache)
    if table is None:
        if not quiet:
            note(f"{folder}: {whole.games} games from game 0 on; the summary is written when all shards are there")
    elif output is Output.json:
        print_json({"run": str(folder), **summary.document(table, whole, folder.about())})
    else:
        print_rows(table.to_dicts(), output, f"{folder}: {whole.games:,} games, {whole.rounds:,} rounds")
