"""``fedcheck diff``: compare the records of two releases."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...reports.commands.shared import format_option

if TYPE_CHECKING:
    from ...reports.record.comparison import Comparison


@click.command("diff")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@format_option("text", "json", "markdown")
def command(old: Path, new: Path, form: str) -> None:
    """Compare two run records: what broke, what was fixed, what is no longer judged.

    Exit codes: 0 no regression, 1 a regression. A clause that decides over a run and newly
    fails, or is judged no longer or by fewer classes of input, is one.
    """
    from ...reports.record.comparison import compare
    from ...reports.record.reader import read_record

    comparison = compare(read_record(old), read_record(new))
    click.echo(_rendered(comparison, form))
    sys.exit(comparison.exit_code)


def _rendered(comparison: Comparison, form: str) -> str:
    from ...invariants.vocabulary.codec import to_json
    from ...reports.wording.comparison_text import to_markdown, to_text

    if form == "json":
        document = json.loads(to_json(comparison))
        return json.dumps({**document, "exit_code": comparison.exit_code}, indent=2)
    return to_markdown(comparison) if form == "markdown" else to_text(comparison)
