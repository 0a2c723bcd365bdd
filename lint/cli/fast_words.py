"""The options and the words of ordinary runs, without click: such a run starts in half the time."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...reports.lint.formats import FORMATS
from ...reports.lint.silence import FAIL_ON
from .options import Options

PlainWords = tuple[list[str], list[str], dict[str, str]]
"""The paths, the options without a value, and the others with theirs; the last one counts."""


def plain_words(
    words: Sequence[str],
    switches: Collection[str],
    choices: Mapping[str, Collection[str]],
    is_path: Callable[[str], bool],
) -> PlainWords | None:
    """Read a command line; None if it is not an ordinary one.

    Args:
        words: what stands behind ``fedcheck lint``.
        switches: the options without a value that it may have.
        choices: the same of those with a value, and the values that may be given.
        is_path: tells whether a word names what can be linted.
    """
    paths: list[str] = []
    given: list[str] = []
    values: dict[str, str] = {}
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if name in choices:
            values[name] = value if equals else next(left, "")
            if values[name] not in choices[name]:
                return None
        elif word in switches:
            given.append(word)
        elif not word.startswith("-") and is_path(word):
            paths.append(word)
        else:
            return None
    return paths, given, values


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
