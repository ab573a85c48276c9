"""`simcli query`: SQL over the tables of a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from simcli.cli.options import Format, Output, Quiet, Run, Text, argument, count, duration, option
from simcli.errors import UserError

if TYPE_CHECKING:
    import polars as pl

MAX_ROWS = 10_000_000
_ENDINGS = (".parquet", ".csv")


def main(
    run: Run,
    sql: Annotated[str, argument("SQL", "A SELECT over rounds, seats and games.")],
    limit: Annotated[str, option("--limit", "N", "Maximum number of rows.")] = "100000",
    time_limit: Annotated[str, option("--time-limit", "TIME", "Give up after this long: 30, 30s, 1m.")] = "60s",
    file: Annotated[Text, option("-O --file", "FILE", "Write to this .parquet or .csv, replacing it.")] = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Run a SELECT over the tables `rounds`, `seats` and `games` of a run. Nothing else is read, or written."""
    rows, seconds = count("--limit", limit, MAX_ROWS), duration("--time-limit", time_limit)
    if file is not None:
        _check_file(Path(file))

    from simcli.runs.runfolder import open_run
    from simcli.tables import query

    folder = open_run(Path(run))
    tables = query.open_tables(folder.scenario, folder.paths(), query.Budget(rows, seconds))
    found = query.ask(tables, sql)
    if file is not None:
        _write(found, Path(file))
    else:
        _print(found, output)


def _check_file(path: Path) -> None:
    if path.suffix not in _ENDINGS:
        raise UserError(f"-O {path}", f"not a file of a known kind; its name ends in {' or '.join(_ENDINGS)}")
    if path.is_dir() or not path.parent.is_dir():
        raise UserError(f"-O {path}", "is a folder" if path.is_dir() else "its folder does not exist")


def _print(frame: "pl.DataFrame", output: Output) -> None:
    from simcli.cli.printing import print_rows
    from simcli.tables.query import plain_rows

    if frame.height or output is Output.json:
        print_rows(plain_rows(frame), output)
    else:
        print(",".join(frame.columns) if output is Output.csv else "no rows")


def _write(frame: "pl.DataFrame", path: Path) -> None:
    import contextlib
    import io

    from simcli.runs import files

    if path.suffix == ".parquet":
        binary = io.BytesIO()
        frame.write_parquet(binary)
        files.replace(path, binary.getvalue())
    else:
        with contextlib.redirect_stdout(io.StringIO()) as text:
            _print(frame, Output.csv)
        files.replace(path, text.getvalue().encode())
