"""Shows how a run goes on, and writes its record meanwhile.

A progress bar on a terminal, plain lines elsewhere; always on stderr, so that stdout holds
nothing but the result.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.escape import printable
from ...reports.record.model import BodyLine, Header, Summary
from ...reports.record.writer import RecordWriter

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Watcher:
    """An observer that shows progress and keeps the record."""

    def __init__(self, record: Path | None, bar: Progress | None) -> None:
        self._path = record
        self._writer: RecordWriter | None = None
        self._bar = bar
        self._task: TaskID | None = None
        self._invariant = ""

    def planned(self, header: Header, scenarios: int) -> None:
        """See ``Observer``."""
        if self._path is not None:
            self._writer = RecordWriter(self._path, header)
        if self._bar is not None:
            self._task = self._bar.add_task("", total=scenarios)

    def advanced(self, invariant: str, scenarios: int) -> None:
        """See ``Observer``."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, advance=scenarios, description=invariant)
        elif invariant != self._invariant:
            click.echo(f"judging {invariant}", err=True)
        self._invariant = invariant

    def found(self, line: BodyLine) -> None:
        """See ``Observer``."""
        if self._writer is not None:
            self._writer.write(line)

    def finish(self, summary: Summary) -> None:
        """The run is over."""
        if self._writer is not None:
            digest = self._writer.finish(summary)
            click.echo(f"record {printable(str(self._path))}: SHA-256 {digest}", err=True)


@contextmanager
def watching(record: Path | None) -> Generator[Watcher]:
    """Watch a run: show a bar if stderr is a terminal.

    Raises:
        UsageError: the record's folder does not exist.
    """
    if record is not None and not record.absolute().parent.is_dir():
        raise UsageError(f"{record}: its folder does not exist; make it first")
    if not sys.stderr.isatty():
        yield Watcher(record, None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Watcher(record, bar)
