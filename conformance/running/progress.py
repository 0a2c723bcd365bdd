"""Shows how a run goes on, and writes its record meanwhile.

A progress bar on a terminal, plain lines elsewhere; always on stderr, so that stdout holds
nothing but the result.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.verdict import Violation
from ...reports.console.escape import printable
from ...reports.record.model import BodyLine, Header, Summary
from ...reports.record.writer import RecordWriter

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


_EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""

_TOLD = 20
"""Clauses that are told as soon as they are seen to fail; of more, only the number."""


class Watcher:
    """An observer that shows progress and keeps the record.

    Args:
        record: where to write the record.
        bar: shows progress on a terminal.
        quiet: show nothing.
    """

    def __init__(self, record: Path | None, bar: Progress | None, *, quiet: bool = False) -> None:
        self._path = record
        self._writer: RecordWriter | None = None
        self._bar = bar
        self._task: TaskID | None = None
        self._quiet = quiet
        self._stage, self._done = "", 0
        self._total: int | None = 0
        self._failures = 0
        self._told = time.monotonic()

    def planned(self, header: Header, scenarios: int) -> None:
        """See ``Observer``."""
        if self._path is not None:
            self._writer = RecordWriter(self._path, header)
        if self._bar is None:
            self._say(f"about {scenarios:,} scenarios")

    def stage(self, name: str, total: int | None) -> None:
        """See ``Observer``."""
        self._stage, self._total, self._done = name, total, 0
        self._told = time.monotonic()
        if self._bar is not None:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(self._progress(), total=total)
        else:
            self._say(name if total is None else f"{name}: {total:,}")

    def advanced(self, invariant: str, scenarios: int) -> None:
        """See ``Observer``."""
        self._done += scenarios
        if self._bar is not None and self._task is not None:
            told = f"{self._progress()}  {invariant}"
            self._bar.update(self._task, advance=scenarios, description=told)
        elif time.monotonic() - self._told >= _EVERY:
            self._told = time.monotonic()
            self._say(f"{self._stage}: {self._so_far()}{self._seen()}")

    def reducing(self, clause: str, tried: int, most: int) -> None:
        """See ``Observer``."""
        told = f"{clause}: {tried:,} of at most {most:,} scenarios"
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=f"{self._progress()}  {told}")
        elif time.monotonic() - self._told >= _EVERY:
            self._told = time.monotonic()
            self._say(f"{self._stage}: {self._so_far()}; {told}")

    def failed(self, violation: Violation) -> None:
        """See ``Observer``."""
        self._failures += 1
        if self._failures <= _TOLD:
            self._say(printable(f"seen to fail: {violation.clause} ({violation.kind})"))
        elif self._failures == _TOLD + 1:
            self._say("more clauses are seen to fail; the report names them")

    def found(self, line: BodyLine) -> None:
        """See ``Observer``."""
        if self._writer is not None:
            self._writer.write(line)

    def finish(self, summary: Summary) -> None:
        """The run is over."""
        if self._writer is not None:
            digest = self._writer.finish(summary)
            self._say(f"record {printable(str(self._path))}: SHA-256 {digest}")

    def _so_far(self) -> str:
        return f"{self._done:,}" + ("" if self._total is None else f" of {self._total:,}")

    def _progress(self) -> str:
        return f"{self._stage}{self._seen()}"

    def _seen(self) -> str:
        return f", {counted(self._failures, 'clause')} seen to fail" if self._failures else ""

    def _say(self, line: str) -> None:
        if self._quiet:
            return
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            click.echo(line, err=True)


@contextmanager
def watching(record: Path | None, *, quiet: bool = False) -> Generator[Watcher]:
    """Watch a run: show a bar if stderr is a terminal; nothing if it is to be quiet.

    Raises:
        UsageError: the record's folder does not exist.
    """
    if record is not None and not record.absolute().parent.is_dir():
        raise UsageError(f"{record}: its folder does not exist; make it first")
    if quiet or not sys.stderr.isatty():
        yield Watcher(record, None, quiet=quiet)
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
