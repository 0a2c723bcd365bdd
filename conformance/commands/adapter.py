"""``fedcheck adapter new``: start a new adapter."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ...reports.console.click_names import NamingChoice, NamingGroup


@click.group("adapter", cls=NamingGroup)
def command() -> None:
    """Connect a kernel of your own."""


@command.command("new")
@click.option(
    "--language",
    type=NamingChoice(["python", "javascript"]),
    default="python",
    show_default=True,
    help="The language to begin in.",
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def new(language: str, folder: Path) -> None:
    """Write a small adapter into DIR.

    It runs at once and claims little: put your own kernel where it says so.
    """
    from ...reports.console.escape import printable
    from ..scaffolding.adapter_template import LANGUAGES, write_adapter

    path = write_adapter(language, folder)
    reference = shlex.quote(LANGUAGES[language].reference)
    where = "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    click.echo(f"Written: {printable(str(path))}")
    click.echo(f"Next:    {printable(where)}fedcheck smoke --kernel {reference}")
    click.echo(f"Then:    fedcheck run --kernel {reference}")
