"""Makes the files of a bundle again from its record, and compares them byte by byte.

All that lies beside the record is made from it, from what the linter wrote and from an earlier
record, which lie in the bundle too. Where a file is another one than this fedcheck makes, it was
changed, unless another fedcheck, or another version of what renders a report, had made it: that
is known from the digest of the suite and from the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...invariants.vocabulary.codec import decode, to_json
from ...reports.console.escape import printable
from ...reports.formats.registry import FORMATS
from ...reports.lint.reader import parse_lint
from ...reports.proof.bundle import (
    ATTESTATION,
    EARLIER,
    EXTENDED,
    LINT,
    MANIFEST,
    RECORD,
    REQUIREMENTS,
    SHARDS,
    Manifest,
    bundle_files,
    report_path,
)
from ...reports.proof.renderers import not_comparable, other_versions
from ...reports.proof.stored_zip import read_zip
from ...reports.record.model import RunRecord
from ...reports.record.reader import parse_record
from ...reports.record.suite import suite_identity
from ..counterexamples.documents import file_name, of_record

_SOURCES = frozenset({RECORD, EARLIER, REQUIREMENTS, EXTENDED, MANIFEST, ATTESTATION})
"""Files that the others are made from, and those that list and sign them."""

_FONTS = ("pdf",)
"""Formats whose bytes depend on what else is installed."""


@dataclass(frozen=True)
class Rerendered:
    """What making the files again came to.

    Attributes:
        same: number of files that are byte for byte what the record makes.
        differences: files that are not, one line each.
        notes: files that could not be compared, and why.
    """

    same: int
    differences: list[str]
    notes: list[str]


def counterexample_files(record: RunRecord) -> dict[str, bytes]:
    """Return the counterexamples of a record as files of a bundle."""
    return {
        f"counterexamples/{file_name(x)}": f"{to_json(x, indent=2)}\n".encode("ascii")
        for x in of_record(record)
    }


def beside(lint: bytes, earlier: bytes) -> dict[str, bytes]:
    """Return what was given beside the record, if it was, as files of a bundle."""
    suffix = ".json" if lint.lstrip().startswith(b"[") else ".sarif"
    return {x: y for x, y in {f"{LINT}{suffix}": lint, EARLIER: earlier}.items() if y}


def rerender(data: memoryview, where: str) -> Rerendered:
    """Make the files of a bundle again that was found to be whole.

    Args:
        data: its bytes.
        where: names them in messages.

    Raises:
        DocumentError: the record, or what lies beside it, cannot be read.
    """
    there = {entry.path: bytes(entry.data) for entry in read_zip(data, where)}
    manifest = decode(there[MANIFEST], Manifest, f"{where}: {MANIFEST}")
    record = parse_record(there[RECORD], f"{where}: {RECORD}")
    made = _made(there, record, where)
    others = {path for path in there.keys() - _SOURCES if not path.startswith((LINT, SHARDS))}
    skipped = {report_path(name) for name in _FONTS}
    wrong = sorted(x for x in (others | made.keys()) - skipped if there.get(x) != made.get(x))
    notes = [f"{path} was not compared: fonts decide over its bytes" for path in others & skipped]
    same = len(others - skipped - set(wrong))
    if another := _another_suite(record):
        return Rerendered(same, [], [*notes, *([another + ", ".join(wrong)] if wrong else [])])
    told: list[str] = []
    for path in wrong:
        versions = other_versions(path, manifest) if path in there and path in made else {}
        if versions:
            notes.append(not_comparable(path, versions))
        else:
            told.append(f"{where}: {printable(path)} {_why(path, there, made)}")
    return Rerendered(same, told, notes)


def _another_suite(record: RunRecord) -> str:
    """Return that another suite made the record; nothing if it was this one."""
    now, then = suite_identity(), record.header.suite
    if now.digest == then.digest:
        return ""
    return (
        f"{printable(then.name)} {printable(then.version)} of digest {printable(then.digest)[:12]}"
        f" made the record, this is {now.version} of {now.digest[:12]}: not compared are "
    )


def _made(there: Mapping[str, bytes], record: RunRecord, where: str) -> dict[str, bytes]:
    lint = next(_files_of_lint(there), "")
    contents, _ = bundle_files(
        record,
        there[RECORD],
        formats=[name for name in FORMATS if name not in _FONTS and report_path(name) in there],
        more=counterexample_files(record),
        lint=parse_lint(there[lint], f"{where}: {lint}") if lint else None,
        since=parse_record(there[EARLIER], f"{where}: {EARLIER}") if EARLIER in there else None,
    )
    return {path: data for path, data in contents.items() if path not in _SOURCES}


def _files_of_lint(there: Mapping[str, bytes]) -> Iterator[str]:
    return (path for path in there if path.startswith(LINT))


def _why(path: str, there: Mapping[str, bytes], made: Mapping[str, bytes]) -> str:
    if path not in there:
        return f"is missing: {RECORD} makes it"
    if path not in made:
        return f"is nothing that {RECORD} makes"
    old, new = there[path], made[path]
    pairs = enumerate(zip(old, new, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(old), len(new)))
    line = old[:place].count(b"\n") + 1
    return f"is not what {RECORD} makes: line {line:,}, byte {place:,} is the first to differ"
