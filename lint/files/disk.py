"""Reads and writes files: what might never end is not read, and nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PART = 1 << 20
_LARGEST = 1 << 28
"""Bytes of the largest file that is read: a link may lead to one that is larger than memory."""


def read_regular(path: str | Path) -> bytes:
    """Return what a file holds.

    A stranger's tree may hold a pipe, on which a reader waits for ever, or a link to a device
    that never ends.

    Raises:
        OSError: it cannot be read, is no regular file, or is too large.
    """
    handle = os.open(path, _FLAGS)  # measured: two thirds of the time of open
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        size = status.st_size
        data = os.read(handle, size + 1) if size <= _LARGEST else b""
        if len(data) == size:
            return data
        parts = [data]  # it grows, or is too large for one look
        while size <= _LARGEST and (part := os.read(handle, _PART)):
            parts.append(part)
            size = sum(map(len, parts))
        if size > _LARGEST:
            raise OSError(errno.EFBIG, f"it is larger than {_LARGEST >> 20} MB", str(path))
        return b"".join(parts)
    finally:
        os.close(handle)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's content at once; its mode and owner stay, and a link stays a link.

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
        path.write_bytes(data)
        return
    real = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(dir=real.parent, prefix=".fedcheck-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if real.exists():
            _keep_owner(real, name)
            shutil.copymode(real, name)
        else:
            Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(real)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


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
