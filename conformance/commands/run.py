"""``fedcheck run``: judge a kernel."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ...reports.formats.writing import ReportRequest
from .param_types import FileName
from .run_options import RUN_OPTIONS, Choice, chosen, options, run_options

if TYPE_CHECKING:
    from ...reports.record.model import RunRecord
    from ..settings.options import RunOptions


@click.command("run")
@options(*RUN_OPTIONS)
@click.option("--short", is_flag=True, help="Tell each failure in one line.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress, and only what it comes to.")
@click.option(
    "--record-traces",
    type=FileName(path_type=Path),
    metavar="DIR",
    help="Write what the run saw as recordings, which `fedcheck audit` reads.",
)
@click.pass_context
def command(
    ctx: click.Context, *, short: bool, quiet: bool, record_traces: Path | None, **_: object
) -> None:
    """Judge a kernel and say, clause by clause, whether it keeps its promises.

    Options that are not given are taken from fedcheck.toml or [tool.fedcheck] in
    pyproject.toml; `fedcheck config` shows them.
    """
    from ...reports.formats.writing import check_requests, write_reports
    from ..counterexamples.documents import keep

    choice = chosen(ctx)
    requests = _requests(choice)
    check_requests(requests, choice["record"])
    asked = replace(run_options(ctx, choice), record_traces=str(record_traces or ""))
    judged = _judge(asked, choice["record"], quiet=quiet)
    folder: str = choice["counterexamples"]
    kept = keep(judged, Path(folder)) if folder else []
    show(_replayable(judged, Path(folder), asked) if kept else judged, short=short, quiet=quiet)
    for line in (*write_reports(judged, requests, kept=[choice["record"]]), *kept):
        if not quiet:
            click.echo(line, err=True)
    for line in _notes(judged, asked):
        click.echo(line, err=True)
    sys.exit(judged.summary.exit_code)


def _notes(judged: RunRecord, asked: RunOptions) -> Iterator[str]:
    """What took no part although it was asked to."""
    from ...reports.console.escape import printable
    from ..driving.drive import runnable
    from ..running.units import flows

    for plugin in judged.header.plugins:
        if plugin.problem:
            told = f"plug-in {plugin.name} of {plugin.distribution} took no part: {plugin.problem}"
            yield printable(told)
    for scenario in flows(asked):
        if reason := runnable(judged.header.kernel, scenario):
            yield printable(f"scenario {scenario.id} was not run: {reason}")


def _requests(choice: Choice) -> list[ReportRequest]:
    junit: Path | None = choice["junit"]
    return [*choice["report"], *([ReportRequest("junit", junit)] if junit else [])]


def _judge(asked: RunOptions, record: Path | None, *, quiet: bool) -> RunRecord:
    from ..running.progress import watching
    from ..running.suite import run_suite

    with watching(record, quiet=quiet) as observer:
        judged = run_suite(asked, observer)
        observer.finish(judged.summary)
    return judged


def show(judged: RunRecord, *, short: bool, quiet: bool) -> None:
    """Print what a record says, as far as it is asked for."""
    from rich.console import Console

    from ...reports.formats.text import render_conclusion, render_short, render_summary

    console = Console(soft_wrap=False)
    if short:
        render_short(judged, console)
    elif quiet:
        render_conclusion(judged, console)
    else:
        render_summary(judged, console)


def _replayable(judged: RunRecord, folder: Path, asked: RunOptions) -> RunRecord:
    """Return the record with commands that replay the files of its failures, to be shown here.

    The record itself is read where these files are not, so its commands search anew.
    """
    from ..counterexamples.confirm import replay_command
    from ..counterexamples.documents import file_name, of_record

    files = {each.id: folder / file_name(each) for each in of_record(judged) if each.clause}
    examples = (
        replace(each, command=replay_command(asked, files[each.id]))
        if files[each.id].is_file()
        else each
        for each in judged.counterexamples
    )
    return replace(judged, counterexamples=tuple(examples))
