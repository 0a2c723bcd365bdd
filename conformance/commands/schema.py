"""``fedcheck schema``: the JSON Schema of a document."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.escape import printable


@click.command("schema")
@click.argument("name", required=False)
@click.option(
    "--write",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write every schema into a folder instead.",
)
def command(name: str | None, folder: Path | None) -> None:
    """Print the JSON Schema of a document; without NAME, the names."""
    from ..publishing.schemas import schema, schema_names, write_schemas

    if folder is not None:
        if name is not None:
            raise UsageError(f"--write writes every schema; leave out {name!r}")
        for path in write_schemas(folder):
            click.echo(f"Written: {printable(str(path))}")
    elif name is None:
        click.echo("\n".join(schema_names()))
    else:
        click.echo(json.dumps(schema(name), indent=2))
