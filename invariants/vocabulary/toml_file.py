"""TOML files, read with errors that name the file and the line."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from .errors import UsageError
from .regular_files import refuse_irregular

OWN_FILE, SHARED_FILE = "fedcheck.toml", "pyproject.toml"
"""Where settings are looked for: whole in the first, in a table ``tool.fedcheck`` in the other."""
_LARGEST = 1 << 24
"""Bytes of the largest file that is read: a link may lead to one that is larger than memory."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises:
        UsageError: it cannot be read or is no TOML; the message names file and line.
    """
    try:
        refuse_irregular(path)
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise UsageError(f"{path} is larger than {_LARGEST >> 20} MB, which no settings are")
        text = data.decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from error
    return parse_toml(text, str(path))


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Return what a TOML text holds; ``name`` is what errors call it.

    Raises:
        UsageError: it is no TOML; the message names the line.
    """
    parser = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return parser.loads(text)
    except ValueError as error:
        raise UsageError(f"{name} is no valid TOML: {error}") from error
    except RecursionError as error:
        raise UsageError(f"{name} is nested too deeply to be read") from error
