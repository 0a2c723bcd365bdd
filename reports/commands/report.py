"""``fedcheck report``: render a record."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from ...invariants.vocabulary.errors import UsageError
from ..console.click_names import NamingChoice
from ..formats.registry import FORMATS
from ..formats.writing import ReportRequest, report_option
from .shared import FILE, lint_option, since_option, told_underivable

WRITER_FAILED = 2


@click.command("report")
@click.argument("record", type=FILE)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=NamingChoice(list(FORMATS)),
    help="A format; may be given several times. [default: text]",
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="The file of each --format, in the same order; or one folder for all. Without it, "
    "one report goes to stdout.",
)
@report_option
@since_option("An earlier record, for the formats that show what changed.")
@lint_option("What `fedcheck lint --format sarif` wrote, for the formats that show it.")
def command(
    record: Path,
    formats: tuple[str, ...],
    outputs: tuple[Path, ...],
    reports: tuple[ReportRequest, ...],
    since: Path | None,
    lint: Path | None,
) -> None:
    """Render a record in one or several formats.

    Exit codes: 0 rendered, 2 wrong usage or a record that contradicts itself, 3 rendered, though
    nobody here can tell whether its verdicts follow from its evidence (another version wrote it).
    """
    from ..formats.registry import pieces
    from ..formats.writing import check_requests, write_reports
    from ..lint.reader import read_lint
    from ..record.reader import read_record

    requests = [*_paired(formats, outputs, alone=not reports), *reports]
    check_requests(requests, record, since=since, lint=lint)
    read = read_record(record)
    earlier = None if since is None else read_record(since)
    found = None if lint is None else read_lint(lint)
    if not requests:
        _show(pieces((*formats, "text")[0], read, since=earlier, lint=found))
        sys.exit(told_underivable(read))
    problems = write_reports(read, requests, since=earlier, lint=found)
    for problem in problems:
        click.echo(problem, err=True)
    code = told_underivable(read)
    sys.exit(WRITER_FAILED if problems else code)


def _show(report: Iterable[bytes]) -> None:
    """Write a report to stdout once it is whole."""
    with tempfile.TemporaryFile() as whole:
        whole.writelines(report)
        whole.seek(0)
        shutil.copyfileobj(whole, sys.stdout.buffer)


def _paired(formats: Sequence[str], outputs: Sequence[Path], *, alone: bool) -> list[ReportRequest]:
    """Return each format with its file; nothing where one format is for stdout."""
    if not outputs and alone and len(formats) <= 1:
        return []
    if len(outputs) == 1 and outputs[0].is_dir():
        folder = outputs[0]
        return [ReportRequest(x, folder / f"{x}{FORMATS[x].suffix}") for x in formats]
    if len(formats) != len(outputs):
        raise UsageError(
            f"--format was given {len(formats)} times and -o {len(outputs)} times; "
            "give each format its file, or one existing folder for all"
        )
    return [ReportRequest(*pair) for pair in zip(formats, outputs, strict=True)]
