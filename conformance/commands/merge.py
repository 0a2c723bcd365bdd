"""``fedcheck merge``: judge the shards or parts of one run together."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ...reports.commands.shared import FILE


@click.command("merge")
@click.argument("records", nargs=-1, required=True, type=FILE, metavar="RECORD…")
@click.option(
    "-o",
    "--output",
    required=True,
    type=FILE,
    metavar="FILE",
    help="The record of the whole run, such as run.ndjson.",
)
@click.option("--short", is_flag=True, help="Tell each failure in one line.")
@click.option("-q", "--quiet", is_flag=True, help="Show only what it comes to.")
def command(records: tuple[Path, ...], output: Path, *, short: bool, quiet: bool) -> None:
    """Judge the records of `fedcheck run --shard`, or of a run and `--resume`, as one run.

    Each must be whole, of one kernel, suite and seed, and there once. Keep them: the SHA-256 of
    each stands in the result, and `fedcheck bundle` packs them with it (--shard).
    """
    from ...reports.console.escape import printable
    from ...reports.console.files import reading, refuse_to_write_over
    from ...reports.record.writer import RecordWriter
    from ..running.merging import Sealed, merge, sealed
    from .run import show

    def read(path: Path) -> Sealed:
        with reading(path):
            return sealed(path.read_bytes(), printable(str(path)))

    merged = merge(map(read, records))
    refuse_to_write_over(output, records, "is what the command reads")
    with RecordWriter(output, merged.header) as writer:
        for line in merged.body():
            writer.write(line)
        digest = writer.finish(merged.summary)
    show(merged, short=short, quiet=quiet)
    if not quiet:
        click.echo(f"record {printable(str(output))}: SHA-256 {digest}", err=True)
    sys.exit(merged.summary.exit_code)
