"""``fedcheck lint`` on a tree without extensions: nothing of the linter is needed to say so.

The command line's library alone takes longer than such a run. Whatever is out of the ordinary in
the words, the settings or the tree is left to the linter: ``None`` says so.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...reports.lint.silence import EMPTY, FAIL_ON, linted, nothing_found
from .fast_words import plain_words

_SWITCHES = frozenset({"--all-files", "--exhaustive", "--isolated", "--no-cache"})
"""Options without a value that change nothing where nothing can be found."""
_CHOICES = {"--fail-on": FAIL_ON, "--format": ("text", *EMPTY)}
"""The same of those with a value, and the values that may be given."""


class _Asked(NamedTuple):
    """What the words of a command line ask for."""

    folders: tuple[Path, ...]
    format_name: str
    isolated: bool


def quiet_run(words: Sequence[str]) -> int | None:
    """Say that nothing was found, if nothing can be.

    Args:
        words: the command line behind ``fedcheck lint``.

    Returns:
        The exit code; None if the linter has to look.
    """
    from ..rule_plugins import has_foreign_rules

    try:
        asked = _asked(words)
        text = None if asked is None else _text(asked)
        if asked is None or text is None or has_foreign_rules():  # a broken one has to be told
            return None
        recording = None
        if "--no-cache" not in words:
            from ..engine.cache.recording import Recording

            recording = Recording(words, asked.folders)
            text = _text(asked)  # what is kept is what was seen after its stamps were taken
    except Exception:  # noqa: BLE001 - whatever is wrong, the linter says it
        return None
    if text is None:
        return None
    sys.stdout.write(text)
    sys.stdout.flush()
    if recording is not None:
        recording.finish(0, (), [(1, text)])
    return 0


def _asked(words: Sequence[str]) -> _Asked | None:
    """Read a command line; None if it asks for anything else than a look at folders."""
    asked = plain_words(words, _SWITCHES, _CHOICES, os.path.isdir)
    if asked is None:
        return None
    folders, switches, values = asked
    return _Asked(
        folders=tuple(map(Path, folders)) or (Path(),),
        format_name=values.get("--format", "text"),
        isolated="--isolated" in switches,
    )


def _text(asked: _Asked) -> str | None:
    """Return what there is to say if nothing can be found; else None.

    Raises:
        UsageError: a file of settings cannot be read.
    """
    from ..files.quiet import quiet_files
    from ..settings.files import nearest_section

    if not asked.isolated and nearest_section(Path(os.path.realpath(asked.folders[0]))) is not None:
        return None
    found = quiet_files(asked.folders)
    if found is None:
        return None
    from ..sdk.releases import version_key, versions
    from ..sdk.targets import target_of

    targets = set(map(target_of(""), found.roots))
    if not targets <= set(versions()):
        return None  # it has to be told which release stands for it
    if asked.format_name in EMPTY:
        return EMPTY[asked.format_name]
    return nothing_found(linted(found.files, ", ".join(sorted(targets, key=version_key)))) + "\n"
