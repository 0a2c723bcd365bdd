"""``fedcheck invariant new``: start a new invariant."""

from __future__ import annotations

from pathlib import Path

import click

from ...reports.console.click_names import NamingGroup


@click.group("invariant", cls=NamingGroup)
def command() -> None:
    """Write invariants of your own."""


@command.command("new")
@click.argument("invariant_id", metavar="ID")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
def new(invariant_id: str, folder: Path | None) -> None:
    """Write an invariant with its tests and its broken kernel, as an installable plug-in.

    It goes into FOLDER, by default one named after the ID, and runs at once: put your own
    promise in its place.
    """
    from ...reports.console.escape import printable
    from ..scaffolding.invariant_template import write_plugin

    target = folder or Path(invariant_id.lower())
    for path in write_plugin(invariant_id, target):
        click.echo(f"Written: {printable(str(path))}")
    click.echo(f"Next: pip install -e {printable(str(target))} && pytest {printable(str(target))}")
