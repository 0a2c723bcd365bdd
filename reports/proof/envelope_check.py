"""Checks a signed statement and the files that it is about, offline."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from ...invariants.vocabulary.errors import DocumentError
from ..record.reader import read_record
from ..record.shards import missing_shards
from ..wording.clause_text import short
from .attestation import (
    KERNEL,
    PAYLOAD_TYPE,
    Statement,
    file_subjects,
    predicate_of,
    read_statement,
)
from .bundle_check import Checked, changed_line, told_missing
from .dsse import key_id, read_envelope, verified_payload

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def check_envelope(
    path: Path, where: str, key: Ed25519PublicKey, kernel_sha256: str = ""
) -> Checked:
    """Check signature, types and subjects of an envelope; never raises for what is in it.

    Args:
        path: of the envelope; the files that it names lie beside or below it.
        where: names it in messages.
        key: of whoever must have signed it.
        kernel_sha256: of the kernel's own artifact, if that is to be checked too.
    """
    checked = Checked()
    try:
        envelope = read_envelope(path.read_bytes(), where)
        statement = read_statement(verified_payload(envelope, PAYLOAD_TYPE, key, where), where)
    except DocumentError as error:
        checked.problems.append(str(error))
        return checked
    checked.signer = key_id(key)
    checked.holds.append(f"signed by the key {checked.signer}")
    checked.holds.append(f"result {statement.predicate.result}")
    _check_kernel(statement, where, kernel_sha256, checked)
    if not file_subjects(statement):
        checked.problems.append(f"{where}: names no file")
    for subject in file_subjects(statement):
        _check_file(path.parent, subject.name, subject.digest["sha256"], checked)
    if not checked.problems:
        _check_record(statement, where, path.parent, checked)
    return checked


def _check_kernel(statement: Statement, where: str, sha256: str, checked: Checked) -> None:
    kernels = [x for x in statement.subject if x.name.startswith(KERNEL)]
    for kernel in kernels:
        told = kernel.digest.get("sha256", "")
        if sha256 and told != sha256:
            said = f"the statement says {short(told) or 'nothing'}"
            checked.problems.append(f"{where}: the kernel's SHA-256 is {sha256}, {said}")
        else:
            checked.holds.append(f"about {short(kernel.name)}{'' if sha256 else _unchecked(told)}")
    if not kernels:
        checked.problems.append(f"{where}: names no kernel")


def _unchecked(told: str) -> str:
    return "" if not told else f", SHA-256 {short(told)} (not checked: give --kernel-file)"


def _check_record(statement: Statement, where: str, folder: Path, checked: Checked) -> None:
    """Read the record, which `fedcheck sign` names first, and compare what was signed of it."""
    name = file_subjects(statement)[0].name
    try:
        record = read_record(folder / name)
    except DocumentError as error:
        checked.problems.append(str(error))
        return
    if predicate_of(record) != statement.predicate:
        checked.problems.append(f"{where}: says something else of the run than {short(name)}")
        return
    if missing := missing_shards(record.header, _digests(statement)):
        checked.problems.append(f"{where}: {told_missing(short(name), missing)}")
        return
    wanted = {shard.sha256 for shard in record.header.shards}
    for subject in file_subjects(statement):
        if subject.digest["sha256"] in wanted:
            checked.shards.append((folder / subject.name).read_bytes())
    checked.record = record
    checked.holds.append(f"{short(name)} is whole and does not contradict itself")


def _digests(statement: Statement) -> set[str]:
    return {subject.digest["sha256"] for subject in file_subjects(statement)}


def _check_file(folder: Path, name: str, told: str, checked: Checked) -> None:
    path = folder / name
    try:
        data = path.read_bytes() if path.is_file() else None
    except OSError:
        data = None
    if data is None:
        checked.problems.append(f"{short(name)}: is no file that can be read beside the envelope")
        return
    found = hashlib.sha256(data).hexdigest()
    if found != told:
        why = f"was changed: SHA-256 is {found}, the statement says {told}"
        line = f"; {changed_line(data)}" if name.endswith(".ndjson") else ""
        checked.problems.append(f"{short(name)}: {why}{line}")
    else:
        checked.holds.append(f"{short(name)}: as it was signed")
