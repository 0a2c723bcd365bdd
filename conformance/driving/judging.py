"""Lets every judge read a trace."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...invariants.vocabulary.errors import Unjudgeable
from ...invariants.vocabulary.invariant import Clause, Invariant
from ...invariants.vocabulary.text import shorten
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.trace_view import TraceView
from ...invariants.vocabulary.verdict import Finding, Violation

Clauses = Mapping[str, tuple[Invariant, Clause]]
"""Clauses to judge, by id, each with its invariant."""


def unclaimed(invariant: Invariant, clause: Clause, capabilities: frozenset[str]) -> frozenset[str]:
    """Return the capabilities that the clause needs and the kernel does not claim."""
    return (invariant.capabilities | clause.capabilities) - capabilities


def judge(trace: Trace, clauses: Clauses) -> dict[str, list[Finding]]:
    """Return the findings of every clause that had something to say of the trace.

    Raises:
        Unjudgeable: a judge cannot read the trace.
    """
    view = TraceView(trace)
    found: dict[str, list[Finding]] = {}
    for clause_id, (_, clause) in clauses.items():
        try:
            findings = list(clause.judge(view))
        except Exception as error:
            raise Unjudgeable(
                f"the suite cannot read the values of this scenario: the judge of {clause_id} "
                f"raised {type(error).__name__}: {shorten(str(error))}"
            ) from error
        if findings:
            found[clause_id] = [_named(finding, clause_id) for finding in findings]
    return found


def _named(finding: Finding, clause_id: str) -> Finding:
    return replace(finding, clause=clause_id) if isinstance(finding, Violation) else finding
