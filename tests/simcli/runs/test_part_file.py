"""A part as bytes: the same for the same table, and nothing but itself."""

import os
import random
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from simcli.errors import UserError
from simcli.runs import part_file
from simcli.runs.checksum import Damaged
from simcli.runs.part_file import Label
from simcli.runs.partition import Part

LABEL = Label("0123456789abcdef", {"game": "toy", "seed": 7}, Part(3, 300, 100), 100)
FLIPS = 300
CAMPAIGN_FLIPS = 10_000


def rounds(seed: int = 1, rows: int = 150) -> pl.DataFrame:
    source = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "game": np.sort(source.integers(300, 400, rows)),
            "outcome": np.array(["out", "slam", "void"])[source.integers(0, 3, rows)],
            "slam": source.integers(0, 2, rows) == 1,
            "points_0": source.integers(-50, 50, rows).astype(np.int32),
        }
    )


def test_there_and_back() -> None:
    data = part_file.encode(rounds(), LABEL)
    assert part_file.label(data, "here") == LABEL
    assert part_file.table(data).equals(rounds())


def test_polars_reads_the_file_as_it_is(tmp_path: object) -> None:
    path = f"{tmp_path}/part.parquet"
    with open(path, "wb") as file:
        file.write(part_file.encode(rounds(), LABEL))
    assert pl.read_parquet(path).equals(rounds())


def test_same_table_same_bytes_whatever_its_chunks() -> None:
    pieces = pl.concat([rounds()[:70], rounds()[70:]], rechunk=False)
    assert part_file.encode(pieces, LABEL) == part_file.encode(rounds(), LABEL)


def test_same_bytes_with_other_numbers_of_threads() -> None:
    code = (
        "import hashlib; from tests.simcli.runs.test_part_file import LABEL, rounds; from simcli.runs import part_file;"
        "print(hashlib.sha256(part_file.encode(rounds(rows=300_000), LABEL)).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"POLARS_MAX_THREADS": n}, check=True, capture_output=True
        ).stdout
        for n in ("1", "3")
    }
    assert len(seen) == 1


def count_accepted_flips(flips: int, seed: int) -> int:
    data = part_file.encode(rounds(), LABEL)
    source = random.Random(seed)
    accepted = 0
    for _ in range(flips):
        bit = source.randrange(8 * len(data))
        bad = bytearray(data)
        bad[bit // 8] ^= 1 << bit % 8
        try:
            part_file.label(bytes(bad), "here")
            accepted += 1
        except Damaged:
            pass
    return accepted


def test_no_flipped_bit_is_accepted() -> None:
    assert count_accepted_flips(FLIPS, seed=1) == 0


@pytest.mark.campaign
def test_campaign_no_flipped_bit_is_accepted() -> None:
    accepted = count_accepted_flips(CAMPAIGN_FLIPS, seed=2)
    print(f"\nbit flips in a part: {CAMPAIGN_FLIPS}, accepted: {accepted}")
    assert accepted == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data + b"\0",
        lambda data: b"PAR1" + data,
        lambda data: data[:100] + bytes(100) + data[200:],
        lambda data: b"0" * len(data),
        lambda data: data * 2,
    ],
)
def test_other_damage_is_noticed(spoil: object) -> None:
    with pytest.raises(Damaged, match="here: "):
        part_file.label(spoil(part_file.encode(rounds(), LABEL)), "here")  # type: ignore[operator]


def test_a_foreign_parquet_file_is_no_part(tmp_path: object) -> None:
    path = f"{tmp_path}/other.parquet"
    rounds().write_parquet(path)
    with open(path, "rb") as file, pytest.raises(Damaged, match="no checksum"):
        part_file.label(file.read(), "here")


def test_a_sealed_file_that_is_no_part_is_refused() -> None:
    with pytest.raises(Damaged, match="not a part"):
        part_file.label(part_file.seal(rounds(), {"schema": part_file.SCHEMA}), "here")
    with pytest.raises(UserError, match="another version"):
        part_file.label(part_file.seal(rounds(), {"schema": part_file.SCHEMA + 1}), "here")
