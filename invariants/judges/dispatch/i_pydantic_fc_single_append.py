"""I-PYDANTIC-FC-SINGLE-APPEND: a call that was tried several times leaves one entry."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.dispatch import ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.scenario import Turn
from ...vocabulary.sources import changelog
from ...vocabulary.trace import AuditRecord, ClassifierPrompt, Digest, prompt_text
from ...vocabulary.trace_view import StepView, TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _retried(view: TraceView) -> Iterator[ScriptedCall]:
    for each in view.reading(read_dispatch):
        if each.prompts:
            yield each


def _classes(each: ScriptedCall) -> tuple[str, ...]:
    return ("it ran",) if each.entered else ("it never ran",)


PARTITIONS = (
    Partition("it ran", "the last attempt was carried out"),
    Partition("it never ran", "no attempt was"),
)


def _one_digest(view: TraceView) -> Iterator[Finding]:
    for each in _retried(view):
        yield Compared(_classes(each), each.step.index)
        steps = {id(step): step for step in (each.step, *(step for step, _ in each.entered))}
        written = (digest for step in steps.values() for digest in step.all(Digest))
        found = [digest for digest in written if digest.call == each.index]
        due = 1 if each.entered and each.call.status == "success" else 0
        if len(found) != due:
            yield Violation(
                kind="too many digests" if len(found) > due else "digest lost",
                step=each.step.index,
                expected=f"{each.name}, tried {1 + len(each.prompts)} times: {due} digests",
                got=f"{len(found)} digests",
            )


def _one_fact(view: TraceView) -> Iterator[Finding]:
    """The data of each call are its own, so that they are found whatever stands around them."""
    for each in _retried(view):
        prompt = _next_prompt(view, each.step)
        if prompt is None or not each.call.data_json.startswith('{"mark":'):
            continue
        mark = each.call.data_json.split('"')[3]
        shown = prompt.count(mark)
        due = 1 if each.entered and each.call.status == "success" else 0
        yield Compared(_classes(each), each.step.index)
        if shown != due:
            yield Violation(
                kind="too many facts" if shown > due else "fact lost",
                step=each.step.index,
                expected=f"{each.name}, tried {1 + len(each.prompts)} times: {due} facts of it",
                got=f"{shown} in the next prompt",
            )


def _next_prompt(view: TraceView, after: StepView) -> str | None:
    for step in view.steps:
        same = (step.user, step.session) == (after.user, after.session)
        if step.index > after.index and same and isinstance(step.stimulus, Turn):
            event = step.first(ClassifierPrompt)
            return prompt_text(event.prompt) if event else None
    return None


def _one_record(view: TraceView) -> Iterator[Finding]:
    for each in _retried(view):
        records = [one for one in each.step.all(AuditRecord) if one.call == each.index]
        by_status = [one.status for one in records]
        yield Compared(_classes(each), each.step.index)
        if len(by_status) > len(set(by_status)):
            yield Violation(
                kind="attempts audited",
                step=each.step.index,
                expected=f"{each.name}: one audit record",
                got=f"{len(records)}: {', '.join(by_status)}",
            )


INVARIANT = Invariant(
    id="I-PYDANTIC-FC-SINGLE-APPEND",
    title="One entry for each call",
    statement="However often a call was tried, it leaves one FACTS line, one digest and one audit "
    "record.",
    sources=(changelog("6.3.7", "I-PYDANTIC-FC-SINGLE-APPEND"),),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="high",
    reading="Attempts that were rejected may be audited under a status of their own.",
    clauses=(
        Clause(
            "one-digest",
            "A call that was tried several times has one digest if it succeeded, and none if not.",
            _one_digest,
            PARTITIONS,
            capabilities=frozenset({"digest"}),
        ),
        Clause(
            "one-fact",
            "A call that was tried several times is shown once to the classifier of the next turn.",
            _one_fact,
            PARTITIONS,
        ),
        Clause(
            "one-record",
            "A call that was tried several times has no two audit records of the same status.",
            _one_record,
            PARTITIONS,
            level="SHOULD",
            capabilities=frozenset({"audit"}),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
