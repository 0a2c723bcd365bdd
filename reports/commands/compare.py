"""``fedcheck compare``: several kernels beside each other."""

from __future__ import annotations

from pathlib import Path

import click

from .shared import FILE, format_option


@click.command("compare")
@click.argument("records", nargs=-1, required=True, type=FILE, metavar="RECORD…")
@format_option("markdown", "json", "html", help_text="What to write.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it.  [default: stdout]",
)
def command(records: tuple[Path, ...], form: str, output: Path | None) -> None:
    """Compare the records of several kernels: clauses × kernels, each verdict with its evidence.

    The kernels stand in the order of their records. To tell what changed between two releases
    of one kernel, and whether that is a regression, use `fedcheck diff`.
    """
    from ..console.files import write_output
    from ..html.compare_page import compare_page
    from ..record.reader import read_record
    from ..record.side_by_side import side_by_side, side_by_side_json
    from ..wording.side_by_side_text import side_by_side_markdown

    told = side_by_side([read_record(path) for path in records], [path.name for path in records])
    writers = {
        "markdown": side_by_side_markdown,
        "json": side_by_side_json,
        "html": compare_page,
    }
    text = writers[form](told)
    if output is None:
        click.echo(text, nl=False)
        return
    write_output(output, text.encode("utf-8"), inputs=records)
