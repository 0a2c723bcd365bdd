"""``fedcheck catalog``: export the catalog of invariants."""

from __future__ import annotations

from pathlib import Path

import click

from ...reports.console.click_names import NamingChoice


@click.command("catalog")
@click.option(
    "--format",
    "name",
    type=NamingChoice(["oscal", "json"]),
    default="oscal",
    show_default=True,
    help="oscal: an OSCAL catalog. json: the invariants as they are.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to write it [default: stdout].",
)
def command(name: str, output: Path | None) -> None:
    """Export the invariants that this installation knows, plug-ins included.

    The moment of last change is that of the newest file of the catalog, or SOURCE_DATE_EPOCH.
    """
    from ...reports.console.files import write_output
    from ..publishing.catalog_export import EXPORTS

    text = EXPORTS[name]()
    if output is None:
        click.echo(text, nl=False)
        return
    write_output(output, text.encode("ascii"))
