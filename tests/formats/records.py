"""Records that every format is tried on."""

from __future__ import annotations

import msgspec

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import Origin, RunRecord, Surroundings, WaiverResult
from fedcheck.reports.record.sample import (
    failing_record,
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
)

HOSTILE = (
    "\n::error::x ##[error]y [a](javascript:alert(1)) %0A\n---\n# TODO x "
    "]]> <script>alert(1)</script> & \" ' \x00 \x08 \x1b[31m \x7f \x85 \u2028 \ufffe \uffff "
    "\ud800 \udfff \r\n\t &#0; <!-- --> <?x?>"
)
"""What must not get through XML as it is."""


def sample_waiver(**changes: object) -> WaiverResult:
    """Return a waiver of the clause ``waived``; ``changes`` are its fields."""
    fields: dict[str, object] = {
        "id": "W-7",
        "clause": "C-SAMPLE/waived",
        "reason": "the new parser comes with 1.3",
        "requested_by": "ann",
        "approved_by": "bob",
        "ticket": "KERN-12",
        "expires": "2030-01-01",
        "state": "applied",
        "days_left": 1325,
    }
    return WaiverResult(**{**fields, **changes})  # type: ignore[arg-type]


def waived_record() -> RunRecord:
    """Return a record with one clause of every verdict, and the waiver of the waived one."""
    example = sample_counterexample("C-SAMPLE/waived")
    clauses = [
        sample_clause(
            verdict,
            examples=[example] if verdict is Verdict.WAIVED else (),
            waiver="W-7" if verdict is Verdict.WAIVED else "",
        )
        for verdict in Verdict
    ]
    record = sample_record(clauses, examples=[example])
    return msgspec.structs.replace(record, waivers=(sample_waiver(),))


def hostile_record() -> RunRecord:
    """Return a record in which every text that may come from a kernel is hostile."""
    example = msgspec.structs.replace(
        sample_counterexample("C-SAMPLE/fail", expected=HOSTILE, got=HOSTILE),
        kind=HOSTILE,
        command=HOSTILE,
        found_in=HOSTILE,
    )
    clauses = [
        sample_clause(Verdict.FAIL, examples=[example], sentence=HOSTILE, sources=(HOSTILE,)),
        sample_clause(Verdict.ERROR, reason=HOSTILE, missing_partitions=(HOSTILE,)),
        sample_clause(Verdict.PASS, clause=HOSTILE, invariant=HOSTILE, seconds=123_456.789),
    ]
    incident = sample_incident(message=HOSTILE, stderr_tail=HOSTILE, command=HOSTILE)
    kernel = msgspec.structs.replace(sample_record().header.kernel, kernel=HOSTILE)
    waiver = sample_waiver(
        **dict.fromkeys(
            ("id", "clause", "reason", "requested_by", "approved_by", "ticket", "message"), HOSTILE
        )
    )
    record = sample_record(
        clauses,
        examples=[example],
        incidents=[incident, sample_incident(invariant=HOSTILE)],
        interrupted=True,
        kernel=kernel,
        reference=HOSTILE,
        deviations={HOSTILE: (HOSTILE, HOSTILE)},
        arguments=(HOSTILE,),
        surroundings=Surroundings(python=HOSTILE, platform=HOSTILE),
        origin=Origin(user=HOSTILE, run_url=HOSTILE, commit=HOSTILE, workflow=HOSTILE),
        excluded={HOSTILE: HOSTILE},
    )
    return msgspec.structs.replace(record, waivers=(waiver,))


RECORDS = {
    "all-verdicts": sample_record(),
    "waived": waived_record(),
    "failing": failing_record(),
    "deviations": sample_record(deviations={"window": (5, 20)}),
    "pass": sample_record([sample_clause(Verdict.PASS)]),
    "empty": sample_record([]),
    "nothing-claimed": sample_record([sample_clause(Verdict.NOT_CLAIMED)]),
    "hostile": hostile_record(),
}
"""Name → record: whatever a format says, it says it of each."""
