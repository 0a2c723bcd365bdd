"""Waivers for the small kernels of these tests."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from fedcheck.conformance.counterexamples.documents import CounterexampleFile, of_record, write_file
from fedcheck.conformance.settings.waiver_entries import Waiver, WaiverEntry, today
from fedcheck.reports.record.model import RunRecord, WaiverResult

FAR = today() + timedelta(days=300)


def failure(record: RunRecord, clause: str, kind: str = "") -> CounterexampleFile:
    """Return the counterexample of a clause, as a file holds it."""
    return next(x for x in of_record(record) if x.clause == clause and kind in {"", x.kind})


def waiver(folder: Path, example: CounterexampleFile, **changes: Any) -> Waiver:
    """Return a waiver of a failure, whose counterexample is written into the folder."""
    entry = {
        "clause": example.clause,
        "kernel": example.kernel.name,
        "versions": "*",
        "reason": "the store is being replaced",
        "requested_by": "Ann <ann@example.com>",
        "approved_by": "Bob <bob@example.com>",
        "ticket": "KRN-1",
        "expires": FAR,
        "counterexample": write_file(example, folder).name,
    }
    return Waiver(entry=WaiverEntry(**{**entry, **changes}), file=folder / "fedcheck.toml", line=7)


def told(record: RunRecord) -> WaiverResult:
    """Return what a run says of its one waiver."""
    (result,) = record.waivers
    return result
