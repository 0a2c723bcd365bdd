"""I-PYDANTIC-FC-SINGLE-APPEND: a call that was tried several times leaves one entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...readings.dispatch import ScriptedCall, read_dispatch
from ...readings.shown import shown_facts
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.scenario import Confirm, Turn
from ...vocabulary.sources import changelog
from ...vocabulary.text import counted
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
        found = [digest for step in view.steps for digest in step.all(Digest)]
        mark = _mark(each)
        if mark is None:
            continue
        shown = sum(mark in digest.data_facts_json for digest in found)
        due = _due(view, mark)
        yield Compared(_classes(each), each.step.index)
        if shown != due:
            yield Violation(
                kind="too many digests" if shown > due else "digest lost",
                step=each.step.index,
                expected=f"{each.name}, tried {counted(1 + len(each.prompts), 'time')}: "
                f"{counted(due, 'digest')} with {mark}",
                got=counted(shown, "digest"),
            )


_MARK = re.compile(r'\{"mark": "(zq\w+)"\}')


def _mark(each: ScriptedCall) -> str | None:
    """What only the data of such calls hold, so that it is found whatever stands around it."""
    found = _MARK.fullmatch(each.call.data_json)
    return found[1] if found else None


def _due(view: TraceView, mark: str) -> int:
    """How many calls returned it."""
    returned = (each for each in view.reading(read_dispatch) if mark in each.call.data_json)
    return sum(bool(each.entered) and each.call.status == "success" for each in returned)


def _one_fact(view: TraceView) -> Iterator[Finding]:
    for each in _retried(view):
        mark = _mark(each)
        if mark is None:
            continue
        due = _due(view, mark)
        for step, prompt in _next_prompts(view, each.step):
            shown = _shown(view, prompt, mark)
            yield Compared(_classes(each), step.index)
            if shown != due:
                yield Violation(
                    kind="too many facts" if shown > due else "fact lost",
                    step=step.index,
                    expected=f"{each.name}, tried {counted(1 + len(each.prompts), 'time')}: "
                    f"{counted(due, 'fact')} with {mark}",
                    got=f"{counted(shown, 'fact')} in the prompt",
                )


def _next_prompts(view: TraceView, after: StepView) -> Iterator[tuple[StepView, ClassifierPrompt]]:
    """Yield the first prompt of each turn in whose window a turn is, were an answer a turn too."""
    later = [
        step
        for step in view.steps
        if step.index > after.index
        and (step.user, step.session) == (after.user, after.session)
        and isinstance(step.stimulus, (Turn, Confirm))
    ]
    for step in later[: view.parameters.window]:
        event = step.first(ClassifierPrompt)
        if event is not None:
            yield step, event


def _shown(view: TraceView, prompt: ClassifierPrompt, mark: str) -> int:
    """How many facts hold it; one for a line, and the message of a tool that says the same."""
    facts = [fact for fact in shown_facts(view, prompt, prompt_text(prompt)) if mark in fact.text]
    lines = sum(fact.written for fact in facts)
    return max(lines, len(facts) - lines)


_REJECTED = "validation_rejected"
"""The status of an attempt that was rejected, each of which may have a record of its own."""


def _one_record(view: TraceView) -> Iterator[Finding]:
    for each in _retried(view):
        steps = {id(step): step for step in (each.step, *(step for step, _ in each.entered))}
        found = (one for step in steps.values() for one in step.all(AuditRecord))
        records = [one for one in found if one.call == each.index]
        ends = [one.status for one in records if one.status != _REJECTED]
        yield Compared(_classes(each), each.step.index)
        if len(ends) > len(set(ends)):
            yield _record(each, records, "several records")
        elif not records or (each.entered and not ends):
            yield _record(each, records, "no record")


def _record(each: ScriptedCall, records: Sequence[AuditRecord], kind: str) -> Violation:
    told = ": " + ", ".join(one.status for one in records) if records else ""
    return Violation(
        kind=kind,
        step=each.step.index,
        expected=f"{each.name}: one audit record, besides those of rejected attempts",
        got=f"{counted(len(records), 'record')}{told}",
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
            "A call that was tried several times has one digest if it succeeded, and none if not, "
            "then and later.",
            _one_digest,
            PARTITIONS,
            capabilities=frozenset({"digest"}),
        ),
        Clause(
            "one-fact",
            "A call that was tried several times is shown once to the classifier, in each turn of "
            "the window.",
            _one_fact,
            PARTITIONS,
        ),
        Clause(
            "one-record",
            "A call that was tried several times has one audit record, besides those of the "
            "attempts that were rejected.",
            _one_record,
            PARTITIONS,
            level="SHOULD",
            capabilities=frozenset({"audit"}),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
