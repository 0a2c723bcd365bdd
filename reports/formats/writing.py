"""Writes reports into files, several at once; one that fails costs neither record nor others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ...invariants.vocabulary.errors import UsageError
from ..console.escape import printable
from ..console.files import refuse_to_write_over, write_atomically
from ..console.safely import safely

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..lint.findings import LintReport
    from ..record.model import RunRecord

    _RequestType = click.ParamType["ReportRequest"]
else:  # generic only from click 8.2 on
    _RequestType = click.ParamType

F = TypeVar("F", bound="Callable[..., Any]")


class ReportRequest(NamedTuple):
    """A report that was asked for: its format and its file."""

    format: str
    path: Path


class ReportParam(_RequestType):
    """``FORMAT=FILE`` on the command line."""

    name = "FORMAT=FILE"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> ReportRequest:
        """Return the request; an unknown format is a usage error."""
        if isinstance(value, ReportRequest):
            return value
        name, _, path = str(value).partition("=")
        if not path:
            self.fail(f"{value!r} is no FORMAT=FILE, such as html=report.html", param, ctx)
        from .registry import format_named

        format_named(name)
        return ReportRequest(name, Path(path))


def report_option(command: F) -> F:
    """Give a command the option ``--report FORMAT=FILE``; its parameter is ``reports``."""
    return click.option(
        "--report",
        "reports",
        multiple=True,
        type=ReportParam(),
        metavar="FORMAT=FILE",
        help="Write a report; may be given several times.",
    )(command)


def check_requests(
    requests: Sequence[ReportRequest], record: Path | None, **inputs: Path | None
) -> None:
    """Refuse requests that would overwrite each other, the record, or what is read.

    Args:
        requests: the reports.
        record: its file.
        inputs: other files that the command reads, by their option.

    Raises:
        UsageError: two of them have the same file.
    """
    taken = {} if record is None else {record.resolve(): "the record"}
    taken |= {path.resolve(): f"--{name}" for name, path in inputs.items() if path is not None}
    for request in requests:
        place = request.path.resolve()
        if place in taken and place.exists() and not place.is_file():
            continue  # a terminal or a pipe takes any number
        if place in taken:
            raise UsageError(
                f"{printable(str(request.path))}: is the file of {taken[place]} and of the report "
                f"{request.format}; give each a file of its own"
            )
        taken[place] = f"the report {request.format}"


def write_reports(
    record: RunRecord,
    requests: Iterable[ReportRequest],
    *,
    since: RunRecord | None = None,
    lint: LintReport | None = None,
    kept: Iterable[Path | None] = (),
) -> list[str]:
    """Write every report; return one line for each that could not be written.

    Never raises for what a writer does wrong. What is half rendered is not written.

    Args:
        record: what to render.
        requests: which reports, and where.
        since: an earlier record, for the formats that show what changed.
        lint: what the linter found, for the formats that show it.
        kept: files that no report is written over, whatever link leads to them.
    """
    from .registry import pieces

    untouched = list(kept)

    def write(request: ReportRequest) -> None:
        refuse_to_write_over(request.path, untouched, "is the record")
        write_atomically(request.path, pieces(request.format, record, since=since, lint=lint))

    problems = [
        safely(f"{printable(str(request.path))} ({request.format})", lambda r=request: write(r))
        for request in requests
    ]
    return [problem for problem in problems if problem is not None]
