"""``fedcheck waive``: write a waiver into the configuration."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from .param_types import Day


@click.command("waive")
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.argument("clause")
@click.option("--reason", required=True, help="Why the breach is accepted for now.")
@click.option(
    "--requested-by",
    required=True,
    metavar="PERSON",
    help="Who asks for it, with an e-mail address.",
)
@click.option(
    "--approved-by",
    required=True,
    metavar="PERSON",
    help="Who allows it: somebody else, with an e-mail address.",
)
@click.option("--ticket", required=True, help="Where the repair is tracked.")
@click.option(
    "--expires",
    required=True,
    type=Day(),
    metavar="YYYY-MM-DD",
    help="Last day on which it holds (UTC), at most 366 days away.",
)
@click.option(
    "--fingerprint", default="", metavar="KIND", help="Only this kind of difference [all]."
)
@click.option(
    "--versions",
    metavar="RANGE",
    help='Versions of the kernel: "*", or constraints such as ">=1.2, <2" [from this one on].',
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write into this configuration [the one that holds here, or a new fedcheck.toml].",
)
def command(
    run: Path,
    clause: str,
    reason: str,
    requested_by: str,
    approved_by: str,
    ticket: str,
    expires: date,
    fingerprint: str,
    versions: str | None,
    config: Path | None,
) -> None:
    """Waive the failures of CLAUSE that the record RUN holds.

    Writes one entry for each kind of difference, and its counterexample into waivers/ beside
    the configuration. The rest of the file is kept as it is.
    """
    from ...reports.console.escape import printable
    from ...reports.record.reader import read_record
    from ...reports.record.versions import constraints, starting_from
    from ..settings.waiver_entries import WaiverEntry, today
    from ..waivers.writing import check, failures, target_file, write_waiver

    record = read_record(run)
    kernel = record.header.kernel
    held = starting_from(kernel.version) if versions is None else versions
    constraints(held)
    file = target_file(config)
    for example in failures(record, clause, fingerprint):
        entry = WaiverEntry(
            clause=clause,
            kernel=kernel.kernel,
            versions=held,
            reason=_said("--reason", reason),
            requested_by=_said("--requested-by", requested_by),
            approved_by=_said("--approved-by", approved_by),
            ticket=_said("--ticket", ticket),
            expires=expires,
            counterexample="",
            fingerprint=example.kind,
        )
        check(entry, today())
        written = write_waiver(file, entry, example)
        click.echo(
            f"{printable(str(file))}: {printable(clause)} ({printable(example.kind)}) is waived "
            f"until {entry.expires}; its counterexample is {printable(str(written))}"
        )


def _said(flag: str, text: str) -> str:
    from ...invariants.vocabulary.errors import UsageError

    if not text.strip():
        raise UsageError(f"{flag} says nothing; fill it in")
    return text.strip()
