"""`simcli merge`: join the folders of a run's shards."""

from pathlib import Path
from typing import Annotated

import typer

from simcli.cli.options import Format, Output, Quiet, Results, Summary, Text, argument, game_count, option
from simcli.errors import command_line

Runs = Annotated[list[str], argument("RUN...", "Folders of the shards, or results folders that hold them.")]
Total = Annotated[Text, option("-n --games", "N", "Refuse to join anything but games 0 to N-1.")]
Partial = Annotated[bool, typer.Option("--partial", help="Join what there is, even with gaps.")]


def main(
    runs: Runs,
    games: Total = None,
    partial: Partial = False,
    results: Results = "results",
    summary: Summary = False,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> int:
    """Join shards into RESULTS/NAME-IDENTITY and answer the questions of the run.

    The parts must tile the games from 0 on exactly: an overlap, a gap, a damaged part or a part of another run is
    refused before anything is written.
    """
    wanted = None if games is None else game_count("-n", games)
    from simcli.cli.runs import Shown, print_run
    from simcli.runs.merging import merge, sources

    again = ["simcli", "merge", *runs, *(["-n", games] if games else []), *(["--partial"] if partial else [])]
    again += ["--results", results]
    merged = merge(sources([Path(run) for run in runs]), Path(results), wanted, partial, command_line(again))
    return print_run(merged, Shown(output, quiet, summary))
