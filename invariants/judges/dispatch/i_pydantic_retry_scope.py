"""I-PYDANTIC-RETRY-SCOPE: only arguments that do not fit are asked for again."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.dispatch import ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import changelog
from ...vocabulary.text import counted
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

CAUSES = {
    "an invented id": "its shape is refused",
    "an unknown function": "the extension has none of this name",
    "a handler that raised": "it ran, and did not return",
    "a failed call": "its handler returned an error",
}


_TOLD = {"an unknown function": 1}
"""How often the planner may be told that it was wrong, where nothing runs."""


def _not_retried(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        cause = _cause(each)
        if cause is None or (each.first.misfits and not each.first.fabricated):
            continue
        yield Compared((cause,), each.step.index)
        if len(each.prompts) > _TOLD.get(cause, 0) or len(each.entered) > 1:
            asked = f"asked again {counted(len(each.prompts), 'time')}; " if each.prompts else ""
            yield Violation(
                kind=f"{cause} retried",
                step=each.step.index,
                expected=f"{each.name} is tried once: {cause}",
                got=asked + each.told,
            )


def _cause(each: ScriptedCall) -> str | None:
    if each.first.fabricated:
        return "an invented id"
    if each.function is None:
        return "an unknown function"
    if not each.is_ordinary:
        return None
    if each.planned.raises is not None:
        return "a handler that raised"
    return "a failed call" if each.call.status == "error" else None


def _unknown_not_run(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        if each.function is not None:
            continue
        yield Compared(step=each.step.index)
        if each.entered:
            yield Violation(
                kind="another function run",
                step=each.step.index,
                expected=f"{each.name} is no function: nothing runs",
                got=each.told,
            )


INVARIANT = Invariant(
    id="I-PYDANTIC-RETRY-SCOPE",
    title="Nothing else is tried again",
    statement="Only arguments that do not fit are asked for again: not an invented id, not an "
    "unknown function, not a handler that raised or failed.",
    sources=(changelog("6.3.7", "I-PYDANTIC-RETRY-SCOPE"),),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="high",
    reading="A client of a back end may repeat its own requests; how often the handler is entered "
    "is what counts.",
    clauses=(
        Clause(
            "only-validation-retries",
            "A call that fails for another reason is neither planned again nor run again.",
            _not_retried,
            tuple(Partition(name, why) for name, why in CAUSES.items()),
        ),
        Clause(
            "unknown-function-runs-nothing",
            "A call of a function that the extension does not have enters no handler.",
            _unknown_not_run,
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
