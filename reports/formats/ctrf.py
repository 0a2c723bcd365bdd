"""The record in the Common Test Report Format (CTRF), as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from ...invariants.vocabulary.verdict import Verdict
from ..record.ids import machine_json_pieces, milliseconds, stable_uuid
from ..record.model import ClauseResult, RunRecord
from ..record.verdict_words import coverage
from ..wording.clause_text import details, headline, seconds_spent, short
from ..wording.concerns import RUN
from ..wording.narrative import run_notes, run_problems

_STATUSES = ("passed", "failed", "skipped", "pending", "other")


def ctrf(record: RunRecord) -> Iterator[str]:
    """Yield a record as a CTRF report; a test has failed exactly when its clause is red."""
    header = record.header
    report = {
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "reportId": stable_uuid("ctrf", header.run_id),
        "timestamp": record.summary.finished,
        "generatedBy": f"fedcheck {short(header.suite.version)}",
        "results": {
            "tool": {"name": "fedcheck", "version": short(header.suite.version)},
            "summary": _summary(record),
            "tests": chain(_tests(record), _run_tests(record)),
            "environment": _environment(record),
        },
    }
    return machine_json_pieces(report)


def _summary(record: RunRecord) -> dict[str, int]:
    whole = [test["status"] for test in _run_tests(record)]
    numbers = Counter([*map(_status, record.clauses), *whole])
    start, stop = milliseconds(record.header.started), milliseconds(record.summary.finished)
    return {
        "tests": numbers.total(),
        **{status: numbers[status] for status in _STATUSES},
        "flaky": sum(result.verdict is Verdict.FLAKY for result in record.clauses),
        "suites": len(record.by_invariant()),
        "start": start,
        "stop": stop,
        "duration": max(stop - start, 0),
    }


def _tests(record: RunRecord) -> Iterator[dict[str, Any]]:
    for results in record.by_invariant().values():
        share = seconds_spent(results) / len(results)
        for result in results:
            yield _test(record, result, share)


def _test(record: RunRecord, result: ClauseResult, share: float) -> dict[str, Any]:
    test: dict[str, Any] = {
        "id": stable_uuid("ctrf", record.header.run_id, result.clause),
        "name": short(result.clause),
        "status": _status(result),
        "rawStatus": result.effective.value,
        "duration": round(share * 1000),
        "suite": [short(result.invariant)],
        "tags": [result.level, "required" if result.required else "advisory"],
        "extra": {"verdict": result.verdict.value, "waiver": short(result.waiver)},
    }
    if result.verdict is Verdict.FLAKY:
        test["flaky"] = True
    if result.effective is not Verdict.PASS:
        test["message"] = headline(record, result)
        test["trace"] = details(result, record.counterexamples_of(result))
    return test


def _status(result: ClauseResult) -> str:
    if result.red:
        return "failed"
    return "passed" if result.effective is Verdict.PASS else "skipped"


def _run_tests(record: RunRecord) -> Iterator[dict[str, Any]]:
    if problems := run_problems(record):
        yield {"name": RUN, "status": "failed", "duration": 0, "message": "; ".join(problems)}


def _environment(record: RunRecord) -> dict[str, Any]:
    header = record.header
    told = {
        "appName": header.kernel.kernel,
        "appVersion": header.kernel.version,
        "commit": header.kernel.commit,
        "buildUrl": header.origin.run_url,
        "osPlatform": header.surroundings.platform,
    }
    environment: dict[str, Any] = {name: short(value) for name, value in told.items() if value}
    notes = [short(note) for note in run_notes(record)]
    return {**environment, "extra": {"coverage": coverage(record), "notes": notes}}
