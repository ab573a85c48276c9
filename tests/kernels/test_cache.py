"""A cache folder that is damaged or full costs time and nothing else."""

import os

import numpy as np
import pytest
from numba.core import caching

from kernels.compiler import jit
from kernels.redox.slam import tables

KEEP = [0, 1, 20, 60]
"""Bytes that are left of a file."""


def files_of(folder):
    return caching.IndexDataCacheFile(str(folder), "function", "stamp")


def test_a_folder_that_cannot_be_written_and_no_home_are_no_folder(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SIMCLI_CACHE", str(tmp_path / "folder"))
    assert jit._prepare_cache_folder() == tmp_path / "folder" / "simcli" / jit.source_hash()
    monkeypatch.setenv("SIMCLI_CACHE", str(tmp_path / "file"))
    assert jit._prepare_cache_folder() is None
    for name in ("SIMCLI_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 12345)  # nobody's
    assert jit._prepare_cache_folder() is None


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("keep", KEEP)
def test_a_version_cut_short_is_compiled_again(tmp_path, ending, keep):
    for key in "ab":
        files_of(tmp_path).save(key, key * 100)
    with (tmp_path / {"nbi": "function.nbi", "nbc": "function.1.nbc"}[ending]).open("r+b") as file:
        file.truncate(keep)
    assert files_of(tmp_path).load("a") is None
    assert files_of(tmp_path).load("b") in (None, "b" * 100)
    for key in "ba":
        files_of(tmp_path).save(key, key * 100)
    assert [files_of(tmp_path).load(key) for key in "ab"] == ["a" * 100, "b" * 100]


def test_a_version_that_cannot_be_saved_is_not_missed(tmp_path, monkeypatch):
    def fail(*arguments):
        raise OSError(28, "No space left on device")

    files_of(tmp_path / "missing").save("a", 1)
    files_of(tmp_path).save("a", 1)
    for name in ("_save_data", "_save_index"):
        with monkeypatch.context() as patch:
            patch.setattr(caching.IndexDataCacheFile, name, fail)
            files_of(tmp_path).save("b", 2)
        assert [files_of(tmp_path).load(key) for key in "ab"] == [1, None]


@pytest.mark.parametrize("keep", [*KEEP, 127, 200])
def test_tables_cut_short_are_built_again(tmp_path, keep):
    arrays = {name: np.arange(100) for name in tables._ARRAYS}
    assert tables._load(tmp_path) is None
    tables._save(tmp_path, arrays)
    assert all((tables._load(tmp_path)[name] == arrays[name]).all() for name in arrays)
    with (tmp_path / "slams_covers.npy").open("r+b") as file:
        file.truncate(keep)
    assert tables._load(tmp_path) is None


def test_tables_that_cannot_be_saved_are_not_missed(tmp_path, monkeypatch):
    def fail(file, array):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", fail)
    tables._save(tmp_path, {name: np.arange(3) for name in tables._ARRAYS})
    assert list(tmp_path.iterdir()) == []
