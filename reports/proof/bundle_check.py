"""Checks a bundle: every byte of it, its manifest, its signature and its record.

Nothing is unpacked, and nothing that the bundle names is run or opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...invariants.vocabulary.codec import decode
from ...invariants.vocabulary.errors import DocumentError
from ..console.escape import printable
from ..record.model import Footer, RunRecord
from ..record.reader import parse_record
from ..record.shards import missing_shards
from .attestation import KERNEL, PAYLOAD_TYPE, file_subjects, read_statement, statement_of
from .bundle import (
    ATTESTATION,
    BUNDLE_FORMAT,
    EXTENDED,
    MANIFEST,
    RECORD,
    REQUIREMENTS,
    SHARDS,
    Manifest,
    digests,
    extended_digest,
    manifest_bytes,
    report_path,
    usual_reports,
)
from .dsse import envelope_bytes, key_id, read_envelope, verified_payload
from .stored_zip import Entry, read_zip

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


@dataclass
class Checked:
    """What a check came to.

    Attributes:
        problems: what is wrong, one line each; empty if everything holds.
        holds: what was checked and holds, one line each.
        notes: what nothing in the bundle can show, one line each.
        record: the record, if it could be read.
        signer: id of the key whose signature is good; empty if none was checked.
        shards: the records that it was merged from, if it was.
        bundled: whether it was a bundle, which holds all that a run can be made again from.
    """

    problems: list[str] = field(default_factory=list[str])
    holds: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    record: RunRecord | None = None
    signer: str = ""
    bundled: bool = False
    shards: list[bytes] = field(default_factory=list[bytes])


def check_bundle(
    data: memoryview, where: str, key: Ed25519PublicKey | None = None, kernel_sha256: str = ""
) -> Checked:
    """Check a bundle; never raises for what is in it.

    Args:
        data: its bytes.
        where: names them in messages.
        key: of whoever must have signed it; without one no signature is checked.
        kernel_sha256: of the kernel's own artifact, which the signed statement must name.
    """
    checked = Checked()
    try:
        bundle = _Bundle.read(data, where, key, kernel_sha256)
    except DocumentError as error:
        checked.problems.append(str(error))
        return checked
    for check in (_files, _record, _shards, _requirements, _signature):
        _try(check, bundle, checked)
    return checked


def _try(check: Callable[[_Bundle, Checked], None], bundle: _Bundle, checked: Checked) -> None:
    try:
        check(bundle, checked)
    except DocumentError as error:
        checked.problems.append(str(error))


@dataclass(frozen=True)
class _Bundle:
    """The files of a bundle, their digests, the manifest that tells them, the signer's key."""

    where: str
    entries: Mapping[str, Entry]
    digests: Mapping[str, str]
    manifest: Manifest
    key: Ed25519PublicKey | None
    kernel_sha256: str

    @classmethod
    def read(
        cls, data: memoryview, where: str, key: Ed25519PublicKey | None, kernel_sha256: str
    ) -> _Bundle:
        entries = {entry.path: entry for entry in read_zip(data, where)}
        if MANIFEST not in entries:
            raise DocumentError(f"{where}: has no {MANIFEST}; it is no bundle of `fedcheck bundle`")
        place = f"{where}: {MANIFEST}"
        manifest = decode(bytes(entries[MANIFEST].data), Manifest, place)
        if manifest.format != BUNDLE_FORMAT:
            told = printable(manifest.format, limit=80)
            raise DocumentError(f"{place}: format is {told!r}, not {BUNDLE_FORMAT!r}")
        found = digests({path: entry.data for path, entry in entries.items()})
        return cls(where, entries, found, manifest, key, kernel_sha256)


def _files(bundle: _Bundle, checked: Checked) -> None:
    entries = bundle.entries
    listed = {x.path: x.sha256 for x in bundle.manifest.files}
    found = {x: y for x, y in bundle.digests.items() if x not in {MANIFEST, ATTESTATION}}
    wrong = sorted(x for x in listed if x in found and listed[x] != found[x])
    problems = [
        *(f"{printable(x)} is named in {MANIFEST} and is missing" for x in listed.keys() - found),
        *(f"{printable(x)} is not named in {MANIFEST}" for x in found.keys() - listed),
        *(_damage(entries[x], listed[x], found[x]) for x in wrong),
        *(
            f"{_span(entry)} was changed: it has another CRC-32"
            for entry in entries.values()
            if entry.path not in wrong and not entry.intact
        ),
    ]
    sizes = {x: len(entries[x].data) for x in found}
    told = bundle.manifest
    expected = manifest_bytes(told.run_id, sizes, found, told.renderers)
    if not problems and bytes(entries[MANIFEST].data) != expected:
        problems.append(f"{_span(entries[MANIFEST])} was changed: it is not as it is written")
    checked.problems += [f"{bundle.where}: {problem}" for problem in problems]
    if not problems:
        size = sum(len(entry.data) for entry in entries.values())
        checked.holds.append(f"{len(entries)} files, {size:,} bytes: as {MANIFEST} lists them")


def _span(entry: Entry) -> str:
    return f"{printable(entry.path)} (bytes {entry.start:,} to {entry.end:,})"


def _damage(entry: Entry, told: str, found: str) -> str:
    text = f"{_span(entry)} was changed: SHA-256 is {found}, {MANIFEST} says {printable(told)}"
    if entry.path != RECORD:
        return text
    return f"{text}; {changed_line(bytes(entry.data), entry.start)}"


def changed_line(record: bytes, start: int = 0) -> str:
    """Return the first line of a changed record that is not as its footer says, and its bytes.

    Args:
        record: its bytes.
        start: place of the first one.
    """
    *lines, last = record.removesuffix(b"\n").split(b"\n")
    try:
        footer = decode(last, Footer, "the footer")
    except DocumentError:
        return "its last line is no footer"
    for number, line in enumerate(lines):
        told = footer.digests[number] if number < len(footer.digests) else ""
        if hashlib.sha256(line + b"\n").hexdigest()[:8] != told:
            return f"line {number + 1} (bytes {start:,} to {start + len(line):,})"
        start += len(line) + 1
    return "its footer, or lines that are missing"


def _record(bundle: _Bundle, checked: Checked) -> None:
    entry = bundle.entries.get(RECORD)
    if entry is None:
        raise DocumentError(f"{bundle.where}: has no {RECORD}")
    record = parse_record(bytes(entry.data), f"{bundle.where}: {RECORD}")
    if bundle.manifest.run_id != record.header.run_id:
        raise DocumentError(f"{bundle.where}: {MANIFEST} is of another run than {RECORD}")
    checked.record, checked.bundled = record, True
    checked.holds.append(f"{RECORD} is whole and does not contradict itself")


def _shards(bundle: _Bundle, checked: Checked) -> None:
    if checked.record is None:
        return
    there = [path for path in bundle.entries if path.startswith(SHARDS)]
    digests_there = {bundle.digests[path] for path in there}
    if missing := missing_shards(checked.record.header, digests_there):
        raise DocumentError(f"{bundle.where}: {told_missing(RECORD, missing)}")
    checked.shards += [bytes(bundle.entries[path].data) for path in there]


def told_missing(record: str, missing: list[str]) -> str:
    """Say that a merged record lacks records that it was made from."""
    return f"{record} was merged, and not there is the record of {', '.join(missing)}"


def _requirements(bundle: _Bundle, checked: Checked) -> None:
    if REQUIREMENTS not in bundle.entries or checked.record is None:
        checked.holds.append(f"{REQUIREMENTS} was not checked: it or {RECORD} is not there")
        return
    digest = bundle.digests[REQUIREMENTS]
    if EXTENDED in bundle.entries:
        own = bytes(bundle.entries[REQUIREMENTS].data)
        digest = extended_digest(bundle.digests[EXTENDED], own)
    if digest != checked.record.header.requirement_set.digest:
        raise DocumentError(f"{bundle.where}: {REQUIREMENTS} is not the one that {RECORD} names")
    checked.holds.append(f"{REQUIREMENTS} is the one that {RECORD} names")


def _signature(bundle: _Bundle, checked: Checked) -> None:
    key = bundle.key
    if bundle.kernel_sha256 and key is None:
        raise DocumentError(f"{bundle.where}: only a signed statement names a kernel: give --key")
    where = f"{bundle.where}: {ATTESTATION}"
    if ATTESTATION not in bundle.entries:
        if key is not None:
            raise DocumentError(f"{bundle.where}: is not signed; it has no {ATTESTATION}")
        checked.holds.append("not signed: it shows that nothing was damaged, not who made it")
        checked.notes += _left_out(bundle)
        return
    data = bytes(bundle.entries[ATTESTATION].data)
    envelope = read_envelope(data, where)
    if data != envelope_bytes(envelope):
        raise DocumentError(f"{where}: was changed: it is not as it is written")
    if key is None:
        checked.holds.append("signed, but NOT CHECKED by whom: give the public key with --key")
        return
    payload = verified_payload(envelope, PAYLOAD_TYPE, key, where)
    if [key_id(key)] != [signature.keyid for signature in envelope.signatures]:
        raise DocumentError(f"{where}: names another key than the one that signed it")
    _statement(bundle, payload, where, checked.record)
    checked.signer = key_id(key)
    checked.holds.append(f"signed by the key {checked.signer}")


def _left_out(bundle: _Bundle) -> Iterator[str]:
    """Yield what a bundle lacks of the usual; whoever takes a file out can write its manifest."""
    usual = [*map(report_path, usual_reports()), REQUIREMENTS]
    if missing := [path for path in usual if path not in bundle.entries]:
        yield (
            f"not in it, though `fedcheck bundle` packs it unless told otherwise: "
            f"{', '.join(missing)}; without a signature nobody can tell whether it was taken out"
        )


def _statement(bundle: _Bundle, payload: bytes, where: str, record: RunRecord | None) -> None:
    statement = read_statement(payload, where)
    there = {path: digest for path, digest in bundle.digests.items() if path != ATTESTATION}
    named = {x.name: x.digest.get("sha256") for x in file_subjects(statement)}
    if differing := sorted(x for x in there.keys() | named if there.get(x) != named.get(x)):
        raise DocumentError(f"{where}: is about other files: {printable(', '.join(differing))}")
    if record is None:
        return
    kernels = [x for x in statement.subject if x.name.startswith(KERNEL)]
    artifact = kernels[0].digest.get("sha256", "") if kernels else ""
    if bundle.kernel_sha256 and artifact != bundle.kernel_sha256:
        raise DocumentError(f"{where}: is about another kernel than --kernel-file")
    told = statement_of(record, there, artifact)
    expected = statement if told == payload else read_statement(told, where)
    if (expected.predicate, list(expected.subject[:1])) != (statement.predicate, kernels):
        raise DocumentError(f"{where}: says something else of the run than {RECORD}")
