"""``fedcheck sign``: sign a record, and reports made from it."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import click

from ...invariants.vocabulary.errors import UsageError
from ..console.escape import printable
from ..console.files import reading, write_output
from .shared import (
    FILE,
    kernel_file_option,
    key_file,
    key_option,
    refuse_without_evidence,
    told_underivable,
    warn_unprotected,
)


@click.command("sign")
@click.argument("record", type=FILE)
@click.argument("reports", type=FILE, nargs=-1)
@key_option(
    "The secret key: a PEM file, or a variable of the environment that holds the text.",
    required=True,
)
@kernel_file_option(
    "What was judged, such as a wheel or an image; its SHA-256 becomes the kernel's."
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="The envelope [default: RECORD.dsse.json].",
)
def command(
    record: Path,
    reports: tuple[Path, ...],
    key: str,
    kernel_file: Path | None,
    output: Path | None,
) -> None:
    """Sign a record and, if given, further files that belong to it.

    The envelope names each file by its path from the envelope's folder, so it stays beside them.
    """
    from ..proof.attestation import PAYLOAD_TYPE, statement_of
    from ..proof.dsse import key_id, private_key, signed
    from ..proof.file_names import collision
    from ..record.reader import read_record
    from ..record.shards import missing_shards

    judged = read_record(record)
    refuse_without_evidence(judged, printable(str(record)))
    if code := told_underivable(judged):
        sys.exit(code)
    warn_unprotected(judged, printable(str(record)))
    target = output or record.with_name(record.name + ".dsse.json")
    secret = private_key(key)
    files = {_name(path, target): _sha256(path) for path in (record, *reports)}
    if missing := missing_shards(judged.header, set(files.values())):
        raise UsageError(
            f"{printable(str(record))}: was merged; sign the records of its shards with it: "
            f"name them behind it; not there: {', '.join(missing)}"
        )
    if same := collision(files):
        told = " and ".join(map(printable, same))
        raise UsageError(f"{told} are one file on some systems; rename one of them")
    statement = statement_of(judged, files, _sha256(kernel_file) if kernel_file else "")
    envelope = signed(statement, PAYLOAD_TYPE, secret)
    write_output(target, envelope, inputs=[record, *reports, kernel_file, key_file(key)])
    click.echo(f"{printable(str(target))}: signed by the key {key_id(secret.public_key())}")


def _name(path: Path, target: Path) -> str:
    from ..proof.file_names import is_portable

    try:
        name = path.resolve().relative_to(target.resolve().parent).as_posix()
    except ValueError:
        name = ""
    if not is_portable(name) or path.resolve() == target.resolve():
        raise UsageError(
            f"{printable(str(path))}: cannot be named from the folder of {printable(str(target))}; "
            "put the envelope beside the files, or above them, and give each a name that every "
            "system takes"
        )
    return name


def _sha256(path: Path) -> str:
    with reading(path):
        return hashlib.sha256(path.read_bytes()).hexdigest()
