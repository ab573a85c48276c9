"""Carries out what `run`, `resume` and `merge` are asked for: make what a folder lacks, sum up, print."""

import json
import shlex
import signal
import sys
from typing import NamedTuple, NoReturn

import polars as pl

from simcli.errors import BUDGET, Stopped, UserError
from simcli.options import Output
from simcli.plan import WHOLE, Part, Shard
from simcli.produce import Accounts, Engine, missing, summarise
from simcli.runfolder import RunFolder

_WIDEST = 200
_MOST_LISTED = 8


class Order(NamedTuple):
    """What is asked for."""

    games: int
    shard: Shard
    engine: Engine
    output: Output
    quiet: bool


def carry_out(folder: RunFolder, order: Order) -> None:
    """Make what the folder lacks and print its summary. Raises Stopped, and UserError if something stays undone."""
    folder.sweep()
    lacking = missing(folder, order.games, order.shard)
    folder.log("begin", games=order.games, shard=str(order.shard), missing=len(lacking.parts), command=sys.argv)
    if not order.quiet:
        for damage in lacking.damaged:
            note(f"{folder.part_path(damage.index)}: {damage.reason}; its games are played again")
        note(describe(folder, lacking.parts))
    accounts = Accounts()
    try:
        for receipt in order.engine.make(folder, lacking.parts):
            accounts.add(receipt)
    except (KeyboardInterrupt, Stopped, OSError, UserError) as stop:
        _stop(folder, order, stop)
    finally:
        folder.sweep()  # workers that were killed cannot tidy up
    conclude(folder, order.output, order.quiet, order.games, accounts)


def conclude(folder: RunFolder, output: Output, quiet: bool, games: int = 0, accounts: Accounts | None = None) -> None:
    """Write and print the summary, if the folder holds so many games from 0 on."""
    with folder.locked():
        whole = (accounts or Accounts()).whole(folder)
        summary = summarise(folder, whole) if whole.games >= max(games, 1) else None
    folder.log("end", games=whole.games)
    if summary is not None:
        write_table(summary, output)
    elif not quiet:
        note(f"{folder}: games 0..{whole.games - 1} are there" if whole.games else f"{folder}: game 0 is not there yet")
        note("the summary comes when all shards are there")


def list_missing(folder: RunFolder, order: Order) -> str:
    """What the folder lacks, in words."""
    return describe(folder, missing(folder, order.games, order.shard).parts)


def describe(folder: RunFolder, lacking: list[Part]) -> str:
    """Parts that are missing, in words."""
    games = sum(part.count for part in lacking)
    if not lacking:
        return f"{folder}: nothing is missing"
    named = ", ".join(str(part) for part in lacking[:_MOST_LISTED])
    more = f" and {len(lacking) - _MOST_LISTED} more" if len(lacking) > _MOST_LISTED else ""
    return f"{folder}: {games} games are missing: {named}{more}"


def _stop(folder: RunFolder, order: Order, stop: BaseException) -> NoReturn:
    command = go_on(folder, order)
    if isinstance(stop, UserError):
        raise UserError(stop.place, f"{stop.message}; go on with: {command}", BUDGET) if stop.code == BUDGET else stop
    if isinstance(stop, OSError):
        why = (stop.strerror or str(stop) or type(stop).__name__).lower()
        place = str(stop.filename or folder)
        raise UserError(place, f"{why}; what is done is kept; go on with: {command}", BUDGET) from stop
    raise Stopped(stop.signal if isinstance(stop, Stopped) else signal.SIGINT, command) from None


def go_on(folder: RunFolder, order: Order) -> str:
    """The command that goes on with a run."""
    words = ["simcli", "resume", str(folder), "-n", str(order.games)]
    return shlex.join(words + (["--shard", str(order.shard)] if order.shard != WHOLE else []))


def write_table(table: pl.DataFrame, output: Output) -> None:
    """Print a table as the answer."""
    if output is Output.json:
        print(json.dumps(table.to_dicts(), indent=1))
    elif output is Output.csv:
        sys.stdout.write(table.write_csv())
    else:
        with pl.Config(
            tbl_formatting="MARKDOWN" if output is Output.md else "UTF8_BORDERS_ONLY",
            tbl_rows=-1,
            tbl_cols=-1,
            tbl_hide_dataframe_shape=True,
            tbl_hide_column_data_types=True,
            tbl_width_chars=_WIDEST,
        ):
            print(table)


def note(text: str) -> None:
    """Tell the user something that is no answer."""
    print(text, file=sys.stderr)
