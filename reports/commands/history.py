"""``fedcheck history``: how the verdicts went across releases."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared import format_option

if TYPE_CHECKING:
    from ..record.history import History, Release

_WIDTH = 100


@click.command("history")
@click.argument(
    "records",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="DIR|RECORD…",
)
@format_option("table", "json", "html", help_text="What to write.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it.  [default: stdout]",
)
def command(records: tuple[Path, ...], form: str, output: Path | None) -> None:
    """Show verdicts, coverage and time across releases, and which release broke what.

    A folder stands for all its *.ndjson files. Each kernel has a history of its own, by its name;
    the order is that in which the runs began.
    """
    from ..console.files import write_output
    from ..console.terminal import say, terminal_width
    from ..html.history_page import history_page
    from ..record.history import history, history_json, read_records

    told = history(read_records(records))
    if output is None and form == "table":
        for line in _table(told, terminal_width() or _WIDTH).splitlines():
            say(line)
        return
    writers = {"table": partial(_table, width=_WIDTH), "json": history_json, "html": history_page}
    text = writers[form](told)
    if output is None:
        click.echo(text, nl=False)
        return
    write_output(output, text.encode("utf-8"), inputs=records)


def _table(told: History, width: int) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.table import Table

    from ..console.escape import printable

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("Release", overflow="fold")
    for name in ("Passed", "Required", "Broken", "Exercised", "Kill rate", "Seconds"):
        table.add_column(name, justify="right", no_wrap=True)
    for kernel in told.kernels:
        if table.row_count:
            table.add_section()
        for release in told.releases_of(kernel):
            table.add_row(*map(printable, _cells(release)))
    output = StringIO()
    console = Console(file=output, width=width, color_system=None, markup=False, highlight=False)
    console.width = max(width, console.measure(table).minimum)  # no label is broken
    console.print(table)
    for failure in told.failures:
        console.print()
        console.print(
            f"{printable(failure.clause)}: broken in {failure.introduced}", soft_wrap=True
        )
        console.print(f"  {printable(failure.sentence)}", soft_wrap=True)
        before = f"last good in {failure.last_good}" if failure.last_good else "never seen good"
        after = f"mended in {failure.mended}" if failure.mended else "not mended"
        suite = "; the suite changed as well" if failure.suite_changed else ""
        console.print(f"  {before}; {after}{suite}", soft_wrap=True)
    return output.getvalue()


def _cells(release: Release) -> tuple[str, ...]:
    kill_rate = "" if release.kill_rate is None else f"{release.kill_rate:g} %"
    return (
        release.label,
        f"{release.passed:,}",
        f"{release.required:,}",
        f"{release.broken:,}",
        f"{release.coverage:g} %",
        kill_rate,
        f"{release.seconds:,.1f}",
    )
