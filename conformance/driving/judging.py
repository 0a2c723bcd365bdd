"""Lets every judge read a trace."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec.structs import replace

from ...invariants.vocabulary.errors import Unjudgeable
from ...invariants.vocabulary.invariant import Clause, Invariant
from ...invariants.vocabulary.protocol import INTERRUPTING
from ...invariants.vocabulary.text import shorten
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.trace_view import TraceView
from ...invariants.vocabulary.verdict import Finding, Violation

Clauses = Mapping[str, tuple[Invariant, Clause]]
"""Clauses to judge, by id, each with its invariant."""


def unclaimed(invariant: Invariant, clause: Clause, capabilities: frozenset[str]) -> frozenset[str]:
    """Return the capabilities that the clause needs and the kernel does not claim."""
    return (invariant.capabilities | clause.capabilities) - capabilities


def _raise(_: str, error: Unjudgeable) -> None:
    raise error


def judge(
    trace: Trace, clauses: Clauses, failed: Callable[[str, Unjudgeable], None] = _raise
) -> dict[str, list[Finding]]:
    """Return the findings of every clause that had something to say of the trace.

    Args:
        trace: what the kernel did.
        clauses: whose judges read it.
        failed: is told the id of each clause whose judge raised an error, and what to say of it;
            the other clauses are judged all the same.

    Raises:
        Unjudgeable: a judge raised an error, and nobody is to be told.
    """
    return judge_view(TraceView(trace), clauses, failed)


def judge_view(
    view: TraceView, clauses: Clauses, failed: Callable[[str, Unjudgeable], None] = _raise
) -> dict[str, list[Finding]]:
    """Return the findings of every clause on a trace that is grouped already; see ``judge``."""
    found: dict[str, list[Finding]] = {}
    for clause_id, (invariant, clause) in clauses.items():
        if not _is_about(view, invariant.capabilities | clause.capabilities):
            continue
        try:
            findings = list(clause.judge(view))
        except Exception as error:  # noqa: BLE001  a judge may be anybody's
            failed(clause_id, _unjudgeable(clause_id, clause, error))
            continue
        if findings:
            found[clause_id] = [_named(finding, clause_id) for finding in findings]
    return found


def _is_about(view: TraceView, capabilities: frozenset[str]) -> bool:
    """Whether clauses that need these capabilities judge traces of this kind."""
    kinds = (view.scripts_dispatch, view.of_agent, view.is_interrupted)
    asked = ("dispatch" in capabilities, "agent" in capabilities, bool(capabilities & INTERRUPTING))
    return kinds == asked


def _unjudgeable(clause_id: str, clause: Clause, error: Exception) -> Unjudgeable:
    """Name the judge, its module, and the place that raised the error."""
    module, place = clause.judge.__module__, traceback.extract_tb(error.__traceback__)[-1]
    made = Unjudgeable(
        f"the judge of {clause_id}, in the module {module}, raised {type(error).__name__}: "
        f"{shorten(str(error))} ({Path(place.filename).name}, line {place.lineno}); the kernel is "
        "not to blame: mend the judge, or leave the clause out with --ignore"
    )
    made.__cause__ = error
    return made


def _named(finding: Finding, clause_id: str) -> Finding:
    return replace(finding, clause=clause_id) if isinstance(finding, Violation) else finding
