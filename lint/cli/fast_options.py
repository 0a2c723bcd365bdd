"""The options of an ordinary command line of ``fedcheck lint``.

The command line's library takes longer to load than a small extension to be linted. Whatever is
out of the ordinary is left to it: ``None`` says so.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...reports.lint.formats import FORMATS
from ...reports.lint.silence import FAIL_ON
from .fast_words import plain_words
from .options import Options

_SWITCHES = {
    "--all-files": ("all_files", True),
    "--exhaustive": ("exhaustive", True),
    "--group": ("group", True),
    "--isolated": ("isolated", True),
    "--no-cache": ("no_cache", True),
    "--no-group": ("group", False),
    "--no-ignores": ("no_ignores", True),
    "--show-suppressed": ("show_suppressed", True),
}
"""Option without a value → field of ``Options`` and what it becomes."""
_CHOICES = {"--fail-on": FAIL_ON, "--format": FORMATS}
_FIELDS = {"--fail-on": "fail_on", "--format": "format_name"}


def plain_options(words: Sequence[str]) -> Options | None:
    """Return what an ordinary command line asks for; None if it is not one.

    Args:
        words: what stands behind ``fedcheck lint``.
    """
    asked = plain_words(words, _SWITCHES, _CHOICES, _can_be_read)
    if asked is None:
        return None
    paths, switches, values = asked
    fields: dict[str, Any] = dict(_SWITCHES[name] for name in switches)
    fields |= {_FIELDS[name]: value for name, value in values.items()}
    return Options(paths=tuple(map(Path, paths)) or (Path(),), **fields)


def _can_be_read(word: str) -> bool:
    return os.access(word, os.R_OK)
