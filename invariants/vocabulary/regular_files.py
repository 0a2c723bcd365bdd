"""Pipes and devices are no input: a reader of them may wait for ever, or read without end."""

from __future__ import annotations

import errno
from pathlib import Path


def refuse_irregular(path: Path) -> None:
    """Raise OSError if a path leads to a pipe, a device or a socket; a folder fails when read."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "it is no regular file")
