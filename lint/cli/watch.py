"""``--watch``: lint again whenever a file changes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.escape import printable
from ..engine.cache.dependencies import Dependencies
from ..engine.cache.kept_runs import stamp_of

PAUSE = 0.5
"""Seconds between two looks."""

Snapshot = dict[str, str]


def snapshot(paths: Iterable[Path], others: Iterable[Path] = ()) -> Snapshot:
    """Return file → stamp, of all files on which a run over some paths depends.

    Args:
        paths: files and folders.
        others: further files that count.
    """
    found: Snapshot = {}
    for path in Dependencies(paths, others).stamped:
        stamp = stamp_of(path)
        if not stamp.startswith("-") and not os.path.isdir(path):  # noqa: PTH112 - may be many
            found[path] = stamp
    return found


def watch(
    paths: Sequence[Path],
    lint: Callable[[], int],
    *,
    others: Sequence[Path] = (),
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Lint now and after each change, until the user stops it.

    Args:
        paths: files and folders.
        lint: shows the findings and returns the exit code.
        others: further files that count.
        sleep: waits between two looks.

    Returns:
        The exit code of the last run.

    Raises:
        UsageError: options or settings are wrong at the start; later on it is shown.
    """
    code = 0
    seen: Snapshot | None = None
    try:
        while True:
            now = snapshot(paths, others)
            if now != seen:
                code = _shown(lint, first=seen is None)
                seen = now
                click.echo("Waiting for changes; Ctrl-C stops.", err=True)
            sleep(PAUSE)
    except KeyboardInterrupt:
        return code


def _shown(lint: Callable[[], int], *, first: bool) -> int:
    click.clear()
    try:
        return lint()
    except UsageError as error:
        if first:
            raise
        for line in f"Error: {error}".split("\n"):
            click.echo(printable(line, limit=None), err=True)
        return 2
