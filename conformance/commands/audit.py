"""``fedcheck audit``: judge recorded conversations."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.click_names import NamingChoice
from ...reports.console.files import refuse_to_write_over
from ...reports.formats.writing import ReportRequest, report_option
from .group import ARGUMENTS
from .param_types import FileName

if TYPE_CHECKING:
    from ...reports.record.model import RunRecord
    from ..recordings.auditing import Asked
    from ..recordings.recording import Told

_FILE = FileName(path_type=Path)


@click.command("audit")
@click.argument("targets", nargs=-1, required=True, metavar="FILE|DIR|GLOB|-...")
@click.option(
    "--mapping",
    type=_FILE,
    metavar="FILE",
    help="A TOML file that says where user, session, extension, function and status stand.",
)
@click.option("--select", multiple=True, metavar="ID", help="Judge only these ids or globs.")
@click.option("--ignore", multiple=True, metavar="ID", help="Leave these ids or globs out.")
@click.option("--record", type=_FILE, metavar="FILE", help="Write the record of the audit.")
@report_option
@click.option(
    "--counterexamples",
    type=_FILE,
    metavar="DIR",
    help="Write the smallest recording of each kind of breach, for `fedcheck replay`.",
)
@click.option(
    "--breaches",
    type=_FILE,
    metavar="FILE",
    help="Write all breaches, a line of JSON each; the record keeps twenty of a clause and kind.",
)
@click.option(
    "--min-judgeable",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    metavar="SHARE",
    help="Share of the turns that a clause is about which must be judgeable.",
)
@click.option(
    "--evidence",
    type=NamingChoice(("digest", "masked", "full")),
    default="digest",
    show_default=True,
    help="How values of users appear: as digests with a key, as their shape, as they are.",
)
@click.option(
    "--system",
    default="",
    metavar="NAME",
    help="What was recorded, by the name that `diff` and `history` know [what the spans name].",
)
@click.option(
    "-n",
    "--workers",
    type=click.IntRange(min=0),
    default=None,
    metavar="N",
    help="Processes that work at the same time, a cluster of Dask where it is installed "
    "[all cores; one where there is little to read].",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Join the Dask cluster of this scheduler, such as tcp://scheduler:8786.",
)
@click.pass_context
def command(ctx: click.Context, targets: tuple[str, ...], **chosen: Any) -> None:
    """Judge recorded conversations of agents, offline, and say what they prove.

    Reads OTLP (JSON, protobuf) with the GenAI conventions, OpenInference or OpenLLMetry, and
    traces of fedcheck itself; plain, gzip or zstd.

    Exit codes: 0 nothing broken and enough judged, 1 a promise is broken, 2 wrong usage,
    3 too little could be judged.
    """
    from ...reports.formats.writing import check_requests

    reports: list[ReportRequest] = list(chosen["reports"])
    check_requests(reports, chosen["record"], breaches=chosen["breaches"])
    if chosen["breaches"] and chosen["breaches"] == chosen["record"]:
        raise UsageError("--breaches and --record name the same file; name two")
    _spare_what_is_read(targets, chosen, reports)
    asked, told = _asked(ctx, targets, chosen)
    judged = _judge(asked, told, chosen)
    _report(judged, chosen, reports)
    sys.exit(judged.summary.exit_code)


def _spare_what_is_read(
    targets: tuple[str, ...], chosen: dict[str, Any], reports: list[ReportRequest]
) -> None:
    """Refuse to write over a recording or a mapping."""
    from ..recordings.files import expand

    named = [chosen["record"], chosen["breaches"], *(request.path for request in reports)]
    there = [path for path in named if path is not None and path.exists()]
    if not there:
        return  # folders and addresses are looked through once, by the audit itself
    read = [*map(Path, expand(targets)), chosen["mapping"]]
    for path in there:
        refuse_to_write_over(path, read, "is what the audit reads")


def _asked(
    ctx: click.Context, targets: tuple[str, ...], chosen: dict[str, Any]
) -> tuple[Asked, Told]:
    from ...invariants.recorded import every_clause
    from ...reports.record.asked import left_out
    from ...reports.record.surroundings import utc_now
    from ..recordings.auditing import Asked
    from ..recordings.mapping import Mapping, read_mapping
    from ..recordings.recording import Told

    every = tuple(every_clause())
    excluded = left_out(every, chosen["select"], chosen["ignore"])
    selected = tuple(name for name in every if name not in excluded)
    mapping = read_mapping(chosen["mapping"]) if chosen["mapping"] else Mapping()
    told = Told(
        targets=targets,
        arguments=ctx.meta.get(ARGUMENTS, ()),
        selected=selected,
        excluded=excluded,
        evidence=chosen["evidence"],
        min_judgeable=chosen["min_judgeable"],
        system=chosen["system"],
        started=utc_now(),
        breaches=chosen["breaches"],
    )
    return Asked(targets, mapping, selected, keep_all=told.breaches is not None), told


def _judge(asked: Asked, told: Told, chosen: dict[str, Any]) -> RunRecord:
    from ..driving.interrupts import remembered
    from ..recordings.progress import watching
    from ..recordings.recording import record_of
    from ..recordings.starting import started

    with (
        remembered(),
        watching() as progress,
        started(asked, progress, workers=chosen["workers"], dask=chosen["dask"]) as audit,
    ):
        return record_of(audit.run(), told, audit)


def _report(judged: RunRecord, chosen: dict[str, Any], reports: list[ReportRequest]) -> None:
    from rich.console import Console

    from ...reports.formats.text import render_summary
    from ...reports.formats.writing import write_reports
    from ...reports.record.writer import write_record
    from ..counterexamples.documents import keep

    record: Path | None = chosen["record"]
    if record is not None:
        write_record(record, judged)
    render_summary(judged, Console(soft_wrap=False))
    folder: Path | None = chosen["counterexamples"]
    notes = keep(judged, folder) if folder is not None else []
    for line in (*write_reports(judged, reports, kept=[record]), *notes):
        click.echo(line, err=True)
