"""A cache folder that is damaged or full costs time and nothing else."""

import os
from pathlib import Path

import numpy as np
import pytest

from kernels.compiler import cache, jit
from kernels.redox.slam import store

KEEP = [0, 1, 15, 16, 20, 60]
"""Bytes that are left of a file."""


def files_of(folder):
    return cache.Files(str(folder), "function", "stamp")


def test_a_folder_that_cannot_be_written_and_no_home_are_no_folder(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SIMCLI_CACHE", str(tmp_path / "folder"))
    assert jit.prepare_cache_folder() == tmp_path / "folder" / "simcli" / jit.source_hash()
    monkeypatch.setenv("SIMCLI_CACHE", str(tmp_path / "file"))
    assert jit.prepare_cache_folder() is None
    for name in ("SIMCLI_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 12345)  # nobody's
    assert jit.prepare_cache_folder() is None


def saved(folder):
    for key in "ab":
        files_of(folder).save(key, key * 100)
    return [folder / name for name in ("function.nbi", "function.1.nbc", "function.2.nbc")]


def check_saves(folder):
    for key in "ba":
        files_of(folder).save(key, key * 100)
    assert [files_of(folder).load(key) for key in "ab"] == ["a" * 100, "b" * 100]


def test_what_is_saved_is_loaded_under_its_stamp_until_it_is_flushed(tmp_path):
    saved(tmp_path)
    assert [files_of(tmp_path).load(key) for key in "abc"] == ["a" * 100, "b" * 100, None]
    assert cache.Files(str(tmp_path), "function", "another stamp").load("a") is None
    files_of(tmp_path).flush()
    assert files_of(tmp_path).load("a") is None


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("keep", KEEP)
def test_a_version_cut_short_is_compiled_again(tmp_path, place, keep):
    with saved(tmp_path)[place].open("r+b") as file:
        file.truncate(keep)
    assert files_of(tmp_path).load("a") is None
    assert files_of(tmp_path).load("b") == (None, "b" * 100)[place]
    check_saves(tmp_path)


@pytest.mark.parametrize("place", [0, 1])
def test_no_flipped_bit_passes(tmp_path, place):
    path = saved(tmp_path)[place]
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        assert files_of(tmp_path).load("a") is None
    check_saves(tmp_path)


def test_no_file_is_taken_for_another(tmp_path):
    _, one, two = saved(tmp_path)
    one.write_bytes(two.read_bytes())
    assert files_of(tmp_path).load("a") is None


def test_a_version_that_cannot_be_saved_is_not_missed(tmp_path, monkeypatch):
    files_of(tmp_path / "missing").save("a", 1)
    files_of(tmp_path).save("a", 1)
    for ending in ("nbc", "nbi"):
        whole = cache.Files._write

        def fail(self, name, value, ending=ending, whole=whole):
            if name.endswith(ending):
                raise OSError(28, "No space left on device")
            whole(self, name, value)

        with monkeypatch.context() as patch:
            patch.setattr(cache.Files, "_write", fail)
            files_of(tmp_path).save("b", 2)
        assert [files_of(tmp_path).load(key) for key in "ab"] == [1, None]


def test_half_a_file_is_not_left_behind(tmp_path, monkeypatch):
    def fail(self, data):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    files_of(tmp_path).save("a", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


@pytest.mark.parametrize("keep", [*KEEP, 127, 200])
def test_tables_cut_short_are_built_again(tmp_path, keep):
    arrays = {name: np.arange(100) for name in store.ARRAYS}
    assert store.load(tmp_path) is None
    store.save(tmp_path, arrays)
    assert all((store.load(tmp_path)[name] == arrays[name]).all() for name in arrays)
    with (tmp_path / "slam_covers.npy").open("r+b") as file:
        file.truncate(keep)
    assert store.load(tmp_path) is None


@pytest.mark.parametrize("name", ["covers", "classes", "checksums"])
def test_tables_with_a_flipped_bit_are_built_again(tmp_path, name):
    store.save(tmp_path, {name: np.arange(100) for name in store.ARRAYS})
    path = tmp_path / f"slam_{name}.npy"
    whole = path.read_bytes()
    for byte in (128, len(whole) - 1):  # the array begins at byte 128
        path.write_bytes(whole[:byte] + bytes([whole[byte] ^ 1]) + whole[byte + 1 :])
        assert store.load(tmp_path) is None


def test_tables_that_cannot_be_saved_are_not_missed(tmp_path, monkeypatch):
    def fail(file, array):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", fail)
    store.save(tmp_path, {name: np.arange(3) for name in store.ARRAYS})
    assert list(tmp_path.iterdir()) == []
