"""Files are replaced whole; what is no file is written to and stays what it is."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from fedcheck.lint.files.disk import read_regular
from fedcheck.reports.console.files import write_atomically


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_stays_a_pipe_and_gets_the_text(tmp_path: Path) -> None:
    """As root, a rename over a device such as the null device would break the machine."""
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_atomically(pipe, b"found")
    reader.join(10)
    assert (got, pipe.is_fifo(), sorted(tmp_path.iterdir())) == ([b"found"], True, [pipe])


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs pipes that have a name")
def test_a_pipe_without_a_path_gets_the_text() -> None:
    """``-o /dev/stdout | program`` and ``-o >(program)``: the link leads to ``pipe:[123]``."""
    end, begin = os.pipe()
    write_atomically(Path(f"/dev/fd/{begin}"), b"found")
    os.close(begin)
    with os.fdopen(end, "rb") as pipe:
        assert b"found" == pipe.read()


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    """The file behind it is replaced, with its mode."""
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_atomically(link, b"new")
    assert (link.is_symlink(), real.read_bytes(), real.stat().st_mode & 0o777) == (
        True,
        b"new",
        0o640,
    )


def test_a_folder_is_refused_and_stays(tmp_path: Path) -> None:
    """Nothing is left beside it."""
    with pytest.raises(OSError, match=r".+"):
        write_atomically(tmp_path / ".", b"x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_a_written_file_keeps_its_owner(tmp_path: Path) -> None:
    """A container that runs as root does not take the author's files away."""
    file = tmp_path / "main.py"
    file.write_bytes(b"old")
    os.chown(file, 1234, 4321)
    file.chmod(0o640)

    write_atomically(file, b"new")

    status = file.stat()
    assert (1234, 4321, 0o640) == (status.st_uid, status.st_gid, status.st_mode & 0o777)
    assert b"new" == file.read_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A pipe without a writer and an endless device are refused at once."""
    file = tmp_path / "main.py"
    file.write_bytes(b"x = 1\n")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")

    assert b"x = 1\n" == read_regular(file)
    for name in ("pipe.py", "zero.py"):
        with pytest.raises(OSError, match="it is no regular file"):
            read_regular(tmp_path / name)
