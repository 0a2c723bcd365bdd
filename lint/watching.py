"""``--watch``: lint again whenever a file changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click

from .discovery import MANIFEST, python_files

PAUSE = 0.5
"""Seconds between two looks."""

Snapshot = dict[Path, tuple[int, int]]


def snapshot(paths: Iterable[Path]) -> Snapshot:
    """Return file → time of change and size, of what is linted below some paths."""
    found: Snapshot = {}
    for path in paths:
        for file in _files(path):
            try:
                status = file.stat()
            except OSError:
                continue  # it went away while we looked
            found[file] = (status.st_mtime_ns, status.st_size)
    return found


def watch(
    paths: Sequence[Path],
    lint: Callable[[], int],
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Lint now and after each change, until the user stops it.

    Args:
        paths: files and folders.
        lint: shows the findings and returns the exit code.
        sleep: waits between two looks.

    Returns:
        The exit code of the last run.
    """
    code = 0
    seen: Snapshot | None = None
    try:
        while True:
            now = snapshot(paths)
            if now != seen:
                seen = now
                click.clear()
                code = lint()
                click.echo("Waiting for changes; Ctrl-C stops.", err=True)
            sleep(PAUSE)
    except KeyboardInterrupt:
        return code


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    yield from python_files(path)
    yield from path.glob(f"*/{MANIFEST}")
    yield path / MANIFEST
