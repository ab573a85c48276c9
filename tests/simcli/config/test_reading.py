"""Configs come from files and pipes, and only from these."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from simcli.config.loading import load
from simcli.config.reading import MAX_CONFIG_BYTES
from simcli.errors import UserError


def test_a_pipe_may_be_read_again_and_again(tmp_path: Path):
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=["game: redten\nseed: 5\n"])
    writer.start()
    assert [load(str(pipe)).seed for _ in range(3)] == [5, 5, 5]
    writer.join()


def test_a_file_is_read_anew(tmp_path: Path):
    config = tmp_path / "c.yaml"
    for seed in (5, 6):
        config.write_text(f"game: redten\nseed: {seed}\n")
        assert load(str(config)).seed == seed


def test_no_more_is_read_than_a_config_may_hold(tmp_path: Path):
    config = tmp_path / "sparse.yaml"
    with config.open("wb") as file:
        file.truncate(5 * 10**9)
    with pytest.raises(UserError, match=f"too large; at most {MAX_CONFIG_BYTES:_} bytes"):
        load(str(config))


def test_nothing_is_read_from_the_empty_device():
    with pytest.raises(UserError, match="the file is empty"):
        load("/dev/null")


@pytest.mark.parametrize(
    ("redirection", "message"),
    [("<&-", "-: stdin is closed"), ("< /dev/zero", "-: is a device; a file or a pipe is needed")],
)
def test_a_stdin_that_gives_no_text(redirection: str, message: str):
    for command in ("hand redten --file -", "replay -"):
        line = f"{sys.executable} -m simcli {command} {redirection}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(message)
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
def test_no_device_is_read(device: str):
    with pytest.raises(UserError, match="is a device; a file or a pipe is needed"):
        load(device)
