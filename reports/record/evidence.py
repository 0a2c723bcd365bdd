"""The index of the evidence: one row for each line of the record that holds some.

A row's digest is the one that the record's last line lists for the line, so that each row can
be found in the record and damage to it be seen; who edits a record can write the digests anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from ...invariants.vocabulary.text import counted
from .model import (
    BodyLine,
    ClauseResult,
    Counterexample,
    Distribution,
    Incident,
    RunRecord,
    Share,
    WaiverResult,
)
from .seal import encode_line
from .verdict_words import verdict_name


class Evidence(NamedTuple):
    """One piece of evidence: its name, what it is, the clause it speaks of, what it says."""

    name: str
    kind: str
    clause: str
    told: str
    digest: str


def evidence(record: RunRecord) -> Iterator[Evidence]:
    """Yield every piece of evidence of a record, in the record's order."""
    for number, line in enumerate(record.body(), 1):
        digest = hashlib.sha256(encode_line(line)).hexdigest()[:8]
        match line:
            case ClauseResult():
                yield Evidence(line.clause, "verdict", line.clause, _verdict(line), digest)
            case Counterexample():
                yield Evidence(line.id, "counterexample", line.clause, line.kind, digest)
            case Incident():
                name, judged = f"incident-{number}", line.clause or line.invariant
                yield Evidence(name, f"incident: {line.kind}", judged, line.message, digest)
            case _:
                name, kind, clause, told = _other(line)
                yield Evidence(name, kind, clause, told, digest)


def _verdict(line: ClauseResult) -> str:
    if line.recorded is not UNSET:
        told = (
            f"{counted(line.scenarios, 'conversation')}, {counted(line.comparisons, 'turn')} judged"
        )
    else:
        told = f"{counted(line.scenarios, 'scenario')}, {counted(line.comparisons, 'comparison')}"
    return f"{verdict_name(line.verdict, recorded=line.recorded is not UNSET)}: {told}"


def _other(line: BodyLine) -> tuple[str, str, str, str]:
    if isinstance(line, WaiverResult):
        return line.id, "waiver", line.clause, f"{line.state}, until {line.expires}"
    if isinstance(line, Share):
        return f"share of {line.invariant or 'the folder'}", "share", "", f"{line.ran:,} scenarios"
    if isinstance(line, Distribution):
        return line.measure, "distribution", "", f"{len(line.counts):,} values"
    return "qualification", "qualification", "", "how the suite was tested itself"
