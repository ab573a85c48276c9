"""What `run`, `resume` and `merge` end with: a run's summary written, and its questions answered."""

from dataclasses import replace
from typing import NamedTuple

from simcli.asking.request import Request, answer, prepare
from simcli.cli.answers import print_answers
from simcli.cli.options import Output
from simcli.cli.printing import note, print_json, print_rows
from simcli.config.scenario import Scenario
from simcli.errors import DONE, UNEXPECTED, Stopped, command_line
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.runs import summary
from simcli.runs.making import RunRequest, TallyCache, conclude, fill
from simcli.runs.runfolder import RunFolder


class Shown(NamedTuple):
    """What a command shows of a run, and how."""

    output: Output
    quiet: bool
    summary: bool
    """Whether people get the summary too, not the answers."""
    config: Request | None = None
    scenario: Scenario | None = None
    """The config through which the run is asked, and its scenario; without them, it is asked as it was begun."""


def carry_out(folder: RunFolder, request: RunRequest, shown: Shown) -> int:
    """Make what the folder is missing and print what it comes to. Raises Stopped, and UserError if it cannot."""
    return print_run(folder, shown, request, fill(folder, request))


def print_run(
    folder: RunFolder, shown: Shown, request: RunRequest | None = None, cache: TallyCache | None = None
) -> int:
    """Write the summary, once the folder holds the games asked for, and print what the run comes to.

    That is the answers to its questions for people, the summary for programs and where there are no questions.
    Returns the exit code.
    """
    tally, table = conclude(folder, request, cache)
    scenario = shown.scenario or folder.scenario
    if table is None:
        if not shown.quiet:
            note(f"{folder}: {tally.games} games from game 0 on; the summary is written when all shards are there")
        return DONE
    if shown.output is Output.json:
        print_json({"run": str(folder), **summary.document(table, tally, folder.about())})
        return DONE
    if shown.output is Output.table:
        print(f"{folder}: {tally.games:,} games, {tally.rounds:,} rounds")
        if scenario.questions and not shown.summary:
            return _print_answers(folder, shown, scenario)
    print_rows(table.to_dicts(), shown.output)
    return DONE


def _print_answers(folder: RunFolder, shown: Shown, scenario: Scenario) -> int:
    request = shown.config or Request(str(folder.path))
    held = max(part.end for part in folder.prefix())
    with Interrupts() as interrupts, Progress(held, shown.quiet) as progress:
        found = answer(prepare(replace(request, games=held), scenario, folder), 1, progress, interrupts)
    if interrupts():
        raise Stopped(interrupts.signal, command_line(["simcli", "ask", str(folder.path)]))
    print()
    print_answers(found, Output.table)
    if not shown.quiet:
        note(f"--summary prints a line for every column, as in {folder}/{summary.CSV}")
    return UNEXPECTED if any(answer.expected is False for answer in found) else DONE
