"""A small record, its bundle, and how a bundle is checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from fedcheck.conformance.running.progress import watching
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import DEFAULT_SET, RunOptions
from fedcheck.invariants.requirements import requirement_set
from fedcheck.reports.proof.bundle import bundle_files, sealed_bundle
from fedcheck.reports.proof.bundle_check import Checked, check_bundle
from fedcheck.reports.proof.stored_zip import write_zip
from fedcheck.reports.record.model import RequirementSet, RunRecord
from fedcheck.reports.record.sample import failing_record
from fedcheck.reports.record.writer import write_record


@cache
def small_record(require: str = DEFAULT_SET) -> RunRecord:
    """Return the record of a small run with a failure; this suite can derive it."""
    asked = RunOptions(
        kernel="mutant:key-end-unchecked",
        select=("I-CACHE-KEY-SAFETY",),
        examples=0,
        requirement_set=require,
    )
    with watching(None) as observer:
        return run_suite(asked, observer)


def foreign_record() -> RunRecord:
    """Return a record that another suite wrote, whose requirement set is one of the package."""
    found = requirement_set("seeds-2026-05")
    record = failing_record()
    named = RequirementSet(name=found.name, digest=found.digest)
    return replace(record, header=replace(record.header, requirement_set=named))


def record_bytes(record: RunRecord, folder: Path) -> bytes:
    """Return a record as it stands in its file."""
    path = folder / "record.ndjson"
    write_record(path, record)
    return path.read_bytes()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as the bytes of a bundle."""
    target = BytesIO()
    write_zip(target, files)
    return target.getvalue()


def bundled(folder: Path, key: Any = None, formats: tuple[str, ...] = ("junit",)) -> bytes:
    """Return the bundle of the small record."""
    record = small_record()
    data = record_bytes(record, folder)
    more = {"counterexamples/one.json": b"{}\n"}
    contents, problems = bundle_files(record, data, formats=formats, more=more)
    assert [] == problems
    return zipped(sealed_bundle(record, contents, key))


def checked(data: bytes, key: Any = None) -> Checked:
    """Return what the check of a bundle comes to."""
    return check_bundle(memoryview(data), "evidence.zip", key)
