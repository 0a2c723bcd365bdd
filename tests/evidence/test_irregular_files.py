"""What is no regular file is no input: it may never end, or never begin."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli
from fedcheck.invariants.vocabulary.errors import FedcheckError
from fedcheck.reports.record.writer import write_record

from .bundles import small_record


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
@pytest.mark.parametrize(
    "words",
    [
        "report X",
        "history X",
        "diff X X",
        "bundle X -o OUT",
        "bundle RUN -o OUT --kernel-file X",
        "bundle RUN -o OUT --key X",
        "bundle RUN -o OUT --lint X",
        "bundle RUN -o OUT --require X",
        "sign RUN --key X",
        "verify X",
        "verify RUN --key X",
        "verify RUN --kernel-file X",
        "replay X --kernel reference",
        "shrink X --kernel reference",
        "run --config X",
        "run --require X.json",
        "run --record X",
        "waive X C-X/y --reason r --requested-by a --approved-by b --ticket t --expires 2030-01-01",
    ],
)
def test_what_is_no_regular_file_is_refused_at_once(words: str, kind: str, tmp_path: Path) -> None:
    """A pipe that nobody writes to, a device without an end, a folder: exit code 2, no hang."""
    names = {name: tmp_path / name for name in ("X.json", "X", "OUT", "RUN")}
    _make(names["X"], kind)
    _make(names["X.json"], kind)
    write_record(names["RUN"], small_record())
    for name, path in names.items():
        words = " ".join(str(path) if word == name else word for word in words.split())
    if kind == "folder" and words.startswith(("replay", "shrink")):
        (names["X"] / "a.json").symlink_to(os.devnull)  # a folder of files may be named there
    result = CliRunner().invoke(cli, words.split())
    assert isinstance(result.exception, (FedcheckError, SystemExit)), result.exception
    assert not isinstance(result.exception, SystemExit) or 2 == result.exit_code
    assert not names["OUT"].exists()


def _make(path: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()


def test_an_output_that_is_a_pipe_which_nobody_reads_is_told(tmp_path: Path) -> None:
    """Who opens it to write would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    write_record(tmp_path / "run", small_record())
    words = ["report", str(tmp_path / "run"), "--format", "tap", "-o", str(tmp_path / "pipe")]
    result = CliRunner().invoke(cli, words)
    assert 2 == result.exit_code
    assert "pipe (tap) could not be written (No such device or address)" in result.stderr
