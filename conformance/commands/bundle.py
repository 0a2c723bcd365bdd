"""``fedcheck bundle``: pack the evidence of a run into one file."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from ...invariants.vocabulary.errors import DocumentError
from ...reports.commands.shared import (
    FILE,
    kernel_file_option,
    key_file,
    key_option,
    lint_option,
    refuse_without_evidence,
    require_option,
    since_option,
    told_underivable,
    warn_unprotected,
)
from ...reports.console.click_names import NamingChoice
from ...reports.console.escape import printable
from ...reports.console.files import reading, refuse_to_replace, write_output, writing
from ...reports.formats.registry import FORMATS

INCOMPLETE = 2


@click.command("bundle")
@click.argument("record", type=FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    type=FILE,
    metavar="FILE",
    help="The bundle, such as evidence.zip.",
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=NamingChoice(list(FORMATS)),
    help="A report to put in; may be given several times. [default: those that auditors read]",
)
@lint_option("What `fedcheck lint --format sarif` wrote; it also appears in the HTML report.")
@since_option("An earlier record, for the reports that show what changed.")
@click.option(
    "--shard",
    "shards",
    multiple=True,
    type=FILE,
    metavar="RECORD",
    help="The record of a shard, of a record that was merged; each must be given.",
)
@require_option("The requirement set's file, if the run took one of your own.")
@key_option("Sign it with this secret key: a PEM file, or a variable that holds the text.")
@click.option(
    "--record-sha256",
    metavar="HEX",
    help="What `fedcheck run` said of the record; refuse another one.",
)
@kernel_file_option("What was judged, such as a wheel or an image; its SHA-256 is signed too.")
def command(
    record: Path,
    output: Path,
    formats: tuple[str, ...],
    lint: Path | None,
    since: Path | None,
    shards: tuple[Path, ...],
    require: Path | None,
    key: str | None,
    record_sha256: str | None,
    kernel_file: Path | None,
) -> None:
    """Pack a record, its reports and all that belongs to it into one file.

    The same inputs make the same bytes. `fedcheck verify` checks the file.
    """
    from ...reports.lint.reader import parse_lint
    from ...reports.proof.bundle import bundle_files, sealed_bundle, shard_files, usual_reports
    from ...reports.proof.dsse import private_key
    from ...reports.record.reader import parse_record
    from ..audit.rerender import beside, counterexample_files

    data = _bytes(record)
    if record_sha256 is not None:
        _check_digest(record, data, record_sha256)
    judged = parse_record(data, printable(str(record)))
    refuse_without_evidence(judged, printable(str(record)))
    underivable = told_underivable(judged)
    if underivable and key:
        sys.exit(underivable)
    if key:
        warn_unprotected(judged, printable(str(record)))
    merged = shard_files(judged.header, map(_bytes, shards), printable(str(record)))
    linted, earlier = _bytes(lint) if lint else None, _bytes(since) if since else None
    contents, problems = bundle_files(
        judged,
        data,
        formats=formats or usual_reports(),
        more={**counterexample_files(judged), **beside(linted or b"", earlier or b""), **merged},
        requirements=_bytes(require) if require else None,
        lint=parse_lint(linted, printable(str(lint))) if linted is not None else None,
        since=parse_record(earlier, printable(str(since))) if earlier is not None else None,
    )
    secret = private_key(key) if key else None
    digest = hashlib.sha256(_bytes(kernel_file)).hexdigest() if kernel_file else ""
    inputs = (record, *shards, lint, since, require, kernel_file, key_file(key))
    _write(output, sealed_bundle(judged, contents, secret, digest), inputs)
    for problem in problems:
        click.echo(problem, err=True)
    click.echo(f"{printable(str(output))}: {len(contents) + 1 + bool(secret)} files")
    sys.exit(INCOMPLETE if problems else underivable)


def _check_digest(record: Path, data: bytes, told: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found != told.strip().lower():
        raise DocumentError(
            f"{printable(str(record))}: is not the record that was told: its SHA-256 is {found}, "
            f"--record-sha256 says {printable(told, limit=80)}; something changed it after the "
            "run, or the digest is another run's"
        )


def _bytes(path: Path) -> bytes:
    with reading(path):
        return path.read_bytes()


def _write(output: Path, contents: dict[str, bytes], inputs: Iterable[Path | None]) -> None:
    from io import BytesIO

    from ...reports.proof.stored_zip import MAGIC, write_zip

    data = BytesIO()
    write_zip(data, contents)
    with writing(output):
        refuse_to_replace(output, lambda line: line.startswith(MAGIC), "bundle")
    write_output(output, data.getvalue(), inputs=inputs)
