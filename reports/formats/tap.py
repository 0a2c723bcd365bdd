"""The record as TAP 14: one test point per clause, with its conversation as diagnostics."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain

from ...invariants.vocabulary.verdict import Verdict
from ..record.model import ClauseResult, RunRecord
from ..record.verdict_words import coverage
from ..wording.clause_text import details, headline, short
from ..wording.concerns import RUN
from ..wording.narrative import run_notes, run_problems


def tap(record: RunRecord) -> Iterator[str]:
    """Yield a record as TAP, line by line; a point ``not ok`` without ``TODO`` is red."""
    results = list(record.in_order())
    problems = run_problems(record)
    number = len(results) + bool(problems)
    plan = ("TAP version 14", f"1..{number}")
    notes = (f"# {_escaped(short(note))}" for note in (coverage(record), *run_notes(record)))
    for line in chain(plan, _points(record, results), _run_point(problems, number), notes):
        yield f"{line}\n"


def _points(record: RunRecord, results: Sequence[ClauseResult]) -> Iterator[str]:
    for number, result in enumerate(results, start=1):
        ok = "ok" if _ok(result) else "not ok"
        yield f"{ok} {number} - {_escaped(short(result.clause))}{_directive(record, result)}"
        if result.effective is not Verdict.PASS:
            yield from _diagnostics(record, result)


def _ok(result: ClauseResult) -> bool:
    if result.red:
        return False
    return not result.verdict.broken


def _directive(record: RunRecord, result: ClauseResult) -> str:
    if result.red or result.effective is Verdict.PASS:
        return ""
    kind = "SKIP" if _ok(result) else "TODO"
    return f" # {kind} {_escaped(headline(record, result))}"


def _diagnostics(record: RunRecord, result: ClauseResult) -> Iterator[str]:
    told = {
        "message": headline(record, result),
        "verdict": result.verdict.value,
        "effective": result.effective.value,
        "details": details(result, record.counterexamples_of(result)),
    }
    yield from _yaml(told)


def _run_point(problems: Sequence[str], number: int) -> Iterator[str]:
    if problems:
        yield f"not ok {number} - {RUN}"
        yield from _yaml({"message": "; ".join(problems)})


def _yaml(told: dict[str, str]) -> Iterator[str]:
    """Yield a YAML block; a JSON string is a YAML string, whatever it holds."""
    yield "  ---"
    yield from (f"  {name}: {json.dumps(value)}" for name, value in told.items())
    yield "  ..."


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("#", "\\#")
