"""Files appear whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from simcli.runs import files


def test_create_leaves_what_is_there(tmp_path: Path) -> None:
    assert files.create(tmp_path / "a", b"one")
    assert not files.create(tmp_path / "a", b"two")
    assert files.read(tmp_path / "a") == b"one"
    assert os.listdir(tmp_path) == ["a"]


def test_replace_puts_the_new_bytes(tmp_path: Path) -> None:
    files.replace(tmp_path / "a", b"one")
    files.replace(tmp_path / "a", b"two")
    assert files.read(tmp_path / "a") == b"two"
    assert os.listdir(tmp_path) == ["a"]


def test_without_hard_links_a_rename_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    assert files.create(tmp_path / "a", b"one")
    assert not files.create(tmp_path / "a", b"two")
    assert files.read(tmp_path / "a") == b"one"


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="full") as caught:
        files.create(tmp_path / "a", b"one")
    assert caught.value.filename == str(tmp_path / "a")
    assert os.listdir(tmp_path) == []


def test_what_the_dead_left_is_swept_and_what_the_living_write_is_not(tmp_path: Path) -> None:
    dead = tmp_path / f".000000.parquet.{files.host()}.0123.tmp"
    dead.write_bytes(b"half")
    descriptor, alive = files.open_temporary(tmp_path / "000001.parquet")
    assert files.sweep(tmp_path) == 1
    assert not dead.exists()
    assert alive.exists()
    os.close(descriptor)
    assert files.sweep(tmp_path) == 1
    assert os.listdir(tmp_path) == []


def test_another_machines_file_is_swept_only_when_old(tmp_path: Path) -> None:
    foreign = tmp_path / ".000000.parquet.00000000.0123.tmp"
    foreign.write_bytes(b"half")
    assert files.sweep(tmp_path) == 0
    os.utime(foreign, (0, 0))
    assert files.sweep(tmp_path) == 1


def test_a_swept_temporary_file_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link, removed = os.link, []

    def remove_once(temporary: Path, path: Path) -> None:
        if not removed:
            removed.append(temporary)
            os.unlink(temporary)
        link(temporary, path)

    monkeypatch.setattr(os, "link", remove_once)
    assert files.create(tmp_path / "a", b"one")
    assert os.listdir(tmp_path) == ["a"]


def test_symbolic_links_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "a").symlink_to("secret")
    with pytest.raises(OSError, match="symbolic"):
        files.read(tmp_path / "a")
