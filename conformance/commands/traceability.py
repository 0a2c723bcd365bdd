"""``fedcheck traceability``: which clause judges which sentence of the documents."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...reports.commands.shared import format_option
from ...reports.console.escape import printable
from ...reports.console.terminal import say, terminal_width


@click.command("traceability")
@format_option("markdown", "json")
@click.option(
    "--write",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write traceability.md and traceability.json into DIR instead.",
)
def command(form: str, folder: Path | None) -> None:
    """Show every promise of the founding documents with the clauses that judge it.

    Each clause is shown with the broken kernels that it catches, and each promise that
    nobody judges with the reason.
    """
    from ..publishing.traceability import traceability
    from ..publishing.traceability_text import to_json, to_markdown, write

    table = traceability()
    if folder is not None:
        for path in write(table, folder):
            click.echo(f"Written: {printable(str(path))}")
        return
    if form == "json":
        click.echo(to_json(table), nl=False)
        return
    text = to_markdown(table)
    if terminal_width():  # nobody can follow the links there, and their targets are long words
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    for line in text.splitlines():
        say(line)
