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
@click.option(
    "--in-tree",
    is_flag=True,
    help="Write an invariant of fedcheck's own into its checkout, and say what else to touch.",
)
@click.option("--room", metavar="ROOM", default="", help="With --in-tree: a folder of judges/.")
def new(invariant_id: str, folder: Path | None, in_tree: bool, room: str) -> None:
    """Write an invariant with its tests and its broken kernel, as an installable plug-in.

    It goes into FOLDER, by default one named after the ID, and runs at once: put your own
    promise in its place. With --in-tree, FOLDER is fedcheck's checkout, by default the current one.
    """
    from ...reports.console.escape import printable
    from ..scaffolding.invariant_template import write_in_tree, write_plugin

    if in_tree:
        written, told = write_in_tree(invariant_id, room, folder or Path())
        for path in written:
            click.echo(f"Written: {printable(str(path))}")
        click.echo(told)
        return
    target = folder or Path(invariant_id.lower())
    for path in write_plugin(invariant_id, target):
        click.echo(f"Written: {printable(str(path))}")
    click.echo(f"Next: pip install -e {printable(str(target))} && pytest {printable(str(target))}")
