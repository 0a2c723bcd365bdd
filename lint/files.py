"""Writes files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's content at once; its mode stays, and a symbolic link stays a link.

    A pipe or a device is written to: replacing ``/dev/null`` would break the machine.

    Raises:
        OSError: it cannot be written; the file is then as it was.
    """
    import shutil
    import tempfile

    real = Path(os.path.realpath(path))
    if real.exists() and not os.access(real, os.W_OK):
        raise PermissionError(13, "the file is read-only", str(path))
    if real.exists() and not real.is_file():
        real.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(dir=real.parent, prefix=".fedcheck-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if real.exists():
            shutil.copymode(real, name)
        else:
            Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(real)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
