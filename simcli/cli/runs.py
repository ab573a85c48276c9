"""Carries out what `run`, `resume` and `merge` are asked for: make what a folder lacks, sum up, print."""

import shlex
import sys
from itertools import islice
from typing import NamedTuple

from simcli.cli.options import Output
from simcli.cli.printing import print_json, print_rows
from simcli.errors import BUDGET, Stopped, UserError
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.run import summary
from simcli.run.making import Accounts, Engine, missing, summarise
from simcli.run.partition import WHOLE, Lacking, Shard
from simcli.run.runfolder import RunFolder

_MOST_LISTED = 8


class Order(NamedTuple):
    """What a folder is to hold, and who makes it."""

    games: int
    shard: Shard
    engine: Engine
    quiet: bool


def carry_out(folder: RunFolder, order: Order, output: Output) -> None:
    """Make what the folder lacks and print its summary. Raises Stopped, and UserError if something stays undone."""
    accounts = fill(folder, order)
    conclude(folder, output, order.quiet, order.games, accounts)


def fill(folder: RunFolder, order: Order) -> Accounts:
    """Make what the folder lacks. Raises Stopped, and UserError if something stays undone."""
    folder.sweep()
    lacking = missing(folder, order.games, order.shard)
    folder.log("begin", games=order.games, shard=str(order.shard), missing=len(lacking.parts), command=sys.argv)
    if not order.quiet:
        for damage in lacking.damaged:
            note(f"{folder.part_path(damage.index)}: {damage.reason}; its games are played again")
        note(describe(folder, lacking.parts))
    try:
        return _make(folder, order, lacking.parts)
    except (Stopped, OSError, UserError) as stop:
        raise _with_command(stop, folder, order) from stop
    finally:
        folder.sweep()  # workers that were killed cannot tidy up


def _make(folder: RunFolder, order: Order, lacking: Lacking) -> Accounts:
    accounts = Accounts()
    with Interrupts() as interrupts, Progress(lacking.games, order.quiet) as progress:
        for receipt in order.engine.make(folder, lacking, progress, interrupts):
            accounts.add(receipt)
        if interrupts():
            raise Stopped(interrupts.signal)
    return accounts


def _with_command(stop: Stopped | OSError | UserError, folder: RunFolder, order: Order) -> BaseException:
    """The same, with the command to go on where there is something to go on with."""
    command = go_on(folder, order)
    if isinstance(stop, Stopped):
        return Stopped(stop.signal, command)
    if isinstance(stop, UserError):
        return UserError(stop.place, f"{stop.message}; go on with: {command}", BUDGET) if stop.code == BUDGET else stop
    why = (stop.strerror or str(stop) or type(stop).__name__).lower()
    return UserError(str(stop.filename or folder), f"{why}; what is done is kept; go on with: {command}", BUDGET)


def conclude(folder: RunFolder, output: Output, quiet: bool, games: int = 1, accounts: Accounts | None = None) -> None:
    """Write and print the summary, if the folder holds so many games from 0 on."""
    with folder.locked():
        whole = (accounts or Accounts()).whole(folder)
        table = summarise(folder, whole) if whole.games >= games else None
    folder.log("end", games=whole.games)
    if table is None:
        if not quiet:
            note(f"{folder}: {whole.games} games from 0 on; the summary comes when all shards are there")
    elif output is Output.json:
        print_json({"run": str(folder), **summary.document(table, whole, folder.about())})
    else:
        print_rows(table.to_dicts(), output, f"{folder}: {whole.games:,} games, {whole.rounds:,} rounds")


def list_missing(folder: RunFolder, order: Order) -> str:
    """What the folder lacks, in words."""
    return describe(folder, missing(folder, order.games, order.shard).parts)


def describe(folder: RunFolder, lacking: Lacking) -> str:
    """Parts that are missing, in words."""
    if not lacking:
        return f"{folder}: nothing is missing"
    named = ", ".join(str(part) for part in islice(lacking, _MOST_LISTED))
    more = f" and {len(lacking) - _MOST_LISTED} more" if len(lacking) > _MOST_LISTED else ""
    return f"{folder}: {lacking.games} games are missing: {named}{more}"


def go_on(folder: RunFolder, order: Order) -> str:
    """The command that goes on with a run."""
    words = ["simcli", "resume", str(folder), "-n", str(order.games)]
    return shlex.join(words + (["--shard", str(order.shard)] if order.shard != WHOLE else []))


def note(text: str) -> None:
    """Tell the user something that is no answer."""
    print(text, file=sys.stderr)
