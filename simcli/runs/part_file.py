"""A part as bytes: one parquet file that says whose it is, which games it holds, and whether it is intact.

Parquet does not notice most flipped bits, so the file carries a checksum over all its bytes (with the checksum's own
digits taken as zeros), and nothing in it is interpreted before that has been verified. The same table gives the same
bytes: compression, row groups and pages are fixed here.
"""

import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

import polars as pl

from simcli.errors import UserError
from simcli.runs import checksum
from simcli.runs.checksum import Damaged
from simcli.runs.partition import Part

SCHEMA = 1
"""Version of the files' layout."""

_KEY = "simcli"
_BEFORE_CHECKSUM = b'{"!checksum":"'
_COMPRESSION_LEVEL = 1
_ROW_GROUP = 2**18
_PAGE_BYTES = 2**20


class Label(NamedTuple):
    """What a part says of itself."""

    identity: str
    scenario: Mapping[str, Any]  # all that decides the games, as hashed to the identity
    part: Part
    size: int  # games in a full part of this run


def encode(table: pl.DataFrame, label: Label) -> bytes:
    """The file of a part."""
    fields = label._asdict() | {"part": asdict(label.part), "schema": SCHEMA}
    return seal(table, fields)


def seal(table: pl.DataFrame, fields: Mapping[str, Any]) -> bytes:
    """A parquet file with JSON-able fields and a checksum inside."""
    note = json.dumps({"!checksum": checksum.BLANK, **fields}, sort_keys=True, separators=(",", ":"))
    buffer = io.BytesIO()
    table.rechunk().write_parquet(
        buffer,
        compression="zstd",
        compression_level=_COMPRESSION_LEVEL,
        statistics=False,
        row_group_size=_ROW_GROUP,
        data_page_size=_PAGE_BYTES,
        metadata={_KEY: note},
    )
    return checksum.fill_in(buffer.getvalue(), _BEFORE_CHECKSUM)


def unseal(data: bytes, place: str) -> dict[str, Any]:
    """The fields of a sealed file, once its checksum has been verified. Raises Damaged, calling the file `place`."""
    checksum.check(data, _BEFORE_CHECKSUM, place)
    try:
        fields: dict[str, Any] = json.loads(pl.read_parquet_metadata(data)[_KEY])
    except (pl.exceptions.PolarsError, KeyError, ValueError) as error:
        raise Damaged(place, "not a file of this program") from error
    if fields.get("schema") != SCHEMA:
        raise UserError(place, f"written by another version of this program (layout {fields.get('schema')})")
    return fields


def label(data: bytes, place: str) -> Label:
    """What an intact part says of itself. Raises Damaged."""
    fields = unseal(data, place)
    try:
        return Label(fields["identity"], fields["scenario"], Part(**fields["part"]), fields["size"])
    except (KeyError, TypeError) as error:
        raise Damaged(place, "not a part of a run") from error


def table(data: bytes, limit: int | None = None) -> pl.DataFrame:
    """The rows of a file whose checksum has been verified; no more than `limit`."""
    return pl.read_parquet(io.BytesIO(data), n_rows=limit, use_statistics=False, glob=False)
