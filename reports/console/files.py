"""Files that a user names: one that cannot be read or written is told, with what to do next.

Nobody ever sees half of one, and no input is written over.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from ...invariants.vocabulary.errors import FedcheckError, UsageError
from ...invariants.vocabulary.regular_files import refuse_irregular
from .escape import printable

_READER_SECONDS = 3
"""How long a pipe waits for whoever will read it."""

_LONGEST_LINE = 2**24
"""Bytes of a first line by which it is told what a file is."""

OWNER_ALONE = 0o600
"""Mode of a file that holds what a kernel said."""


@contextmanager
def reading(
    path: str | Path,
    remedy: str = "name a file that can be read",
    *,
    error: type[FedcheckError] = UsageError,
) -> Generator[None]:
    """Turn what the system says against reading a file inside the block into one of our errors.

    A pipe, on which a reader may wait for ever, or a device is refused before it is opened.

    Args:
        path: the file or folder, as messages name it.
        remedy: what to do next.
        error: the error to raise.
    """
    with _told(path, "read", remedy, error):
        refuse_irregular(Path(path))
        yield


@contextmanager
def writing(
    path: str | Path, remedy: str = "name a file in a folder that exists and has room"
) -> Generator[None]:
    """Turn what the system says against writing a file or folder into a ``UsageError``.

    Args:
        path: the file or folder, as messages name it.
        remedy: what to do next.
    """
    with _told(path, "written", remedy, UsageError):
        yield


def write_output(path: Path, data: bytes, *, inputs: Iterable[Path | None] = ()) -> None:
    """Write what a command made, whole or not at all.

    Args:
        path: the file.
        data: its content.
        inputs: what the command read; none of them is written over.

    Raises:
        UsageError: it cannot be written, or is one of the inputs.
    """
    refuse_to_write_over(path, inputs, "is what the command reads")
    with writing(path):
        write_atomically(path, data)


def refuse_to_write_over(path: Path, kept: Iterable[Path | None], why: str) -> None:
    """Raise a ``UsageError`` if a file is one of those that are kept, or a link to one."""
    if any(each is not None and _is_same(path, each) for each in kept):
        raise UsageError(f"{printable(str(path))}: {why}; name another file to write")


def refuse_to_replace(path: Path, is_own: Callable[[bytes], bool], what: str) -> None:
    """Raise a ``UsageError`` if a file is there that the command would not have written.

    Args:
        path: where to write.
        is_own: whether the first line of a file is that of what is written there.
        what: what is written there, for people.
    """
    if not path.is_file() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        if not is_own(file.readline(_LONGEST_LINE)):
            raise UsageError(
                f"{printable(str(path))}: exists and is no {what}; name another file, or remove "
                "this one"
            )


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.is_file() and path.samefile(other)
    except OSError:
        return False


def write_atomically(path: Path, data: bytes | Iterable[bytes], *, private: bool = False) -> None:
    """Replace a file's content at once; its mode and owner stay, and a link stays a link.

    What comes in pieces is never held whole. With ``private`` the file's owner alone may read and
    write it, whoever could before.

    A pipe or a device is written to, by the name that it was given: replacing ``/dev/null`` would
    break the machine, and where ``/dev/stdout`` leads may have no path.

    Raises:
        OSError: it cannot be written; the file is then as it was.
    """
    import shutil
    import tempfile

    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "the file is read-only", str(path))
    if path.exists() and not path.is_file():
        _write_on(path, data if isinstance(data, bytes) else b"".join(data))
        return
    real = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(dir=real.parent, prefix=".fedcheck-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines((data,) if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        if real.exists():
            _keep_owner(real, name)
        if private:
            Path(name).chmod(OWNER_ALONE)
        elif real.exists():
            shutil.copymode(real, name)
        else:
            Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(real)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _write_on(path: Path, data: bytes) -> None:
    """Write to a pipe that somebody reads, or soon will, or to a device."""
    handle = _opened(path)
    with os.fdopen(handle, "wb") as file:
        os.set_blocking(handle, True)
        file.write(data)


def _opened(path: Path) -> int:
    end = time.monotonic() + _READER_SECONDS
    while True:
        try:
            return os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            if error.errno != errno.ENXIO or time.monotonic() > end:
                raise
        time.sleep(0.01)


def _keep_owner(real: Path, name: str) -> None:
    """Give a new file the owner of the old one: who runs us as root would own it otherwise."""
    if hasattr(os, "chown"):
        status = real.stat()
        with contextlib.suppress(OSError):
            os.chown(name, status.st_uid, status.st_gid)


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current


@contextmanager
def _told(path: str | Path, done: str, remedy: str, kind: type[FedcheckError]) -> Generator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise kind(f"{printable(str(path))}: cannot be {done}: {why}; {remedy}") from None
