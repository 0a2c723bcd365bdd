"""Traces with sections, and prompts for them written by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fedcheck.invariants.catalog import clauses, find
from fedcheck.invariants.scenarios.skeleton import environment, refresh, say, word
from fedcheck.invariants.vocabulary.scenario import AnyStep, Environment, SkeletonRefresh, Turn
from fedcheck.invariants.vocabulary.trace import (
    AlertRaised,
    AnyEvent,
    ClassifierPrompt,
    Given,
    KernelDescription,
    SkeletonStored,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Violation

NOTE = "[SKELETON]\nNOTE: every section below is a cached snapshot."


def line(app: str, count: int = 0, age: str = " (cached ~0s ago)", more: str = "") -> str:
    """A section as the documents' page writes it."""
    return f"- {app}.overview{age}: mark={word(app, count)}, total={count + 3}{more}"


def played(
    *steps: AnyStep | tuple[Turn, str],
    where: Environment | None = None,
    alerts: Iterable[tuple[int, str] | tuple[int, str, str]] = (),
) -> TraceView:
    """A trace of steps; a turn comes with the prompt that the classifier received.

    An alert is the index of a step, the extension, and perhaps what it says.
    """
    events: list[AnyEvent] = []
    for index, entry in enumerate(steps):
        step, prompt = entry if isinstance(entry, tuple) else (entry, None)
        whose = {"step": index, "user": step.user, "session": step.session}
        events.append(Given(**whose, stimulus=step))
        if prompt is not None:
            events.append(ClassifierPrompt(**whose, prompt=prompt))
        if isinstance(step, SkeletonRefresh):
            events.append(SkeletonStored(**whose, app=step.app, section="overview", value_json=""))
        events += [
            AlertRaised(**whose, app=app, section="overview", text="".join(text))
            for n, app, *text in alerts
            if n == index
        ]
    kernel = KernelDescription(kernel="hand", version="1")
    return TraceView(Trace(events=tuple(events), kernel=kernel, environment=where or environment()))


def kinds(view: TraceView, clause_id: str) -> set[str]:
    """Kinds of the violations that a clause finds."""
    _, clause = clauses((find(clause_id.partition("/")[0]),))[clause_id]
    return {each.kind for each in clause.judge(view) if isinstance(each, Violation)}


def compared(view: TraceView, clause_id: str) -> bool:
    """Whether a clause compared anything."""
    _, clause = clauses((find(clause_id.partition("/")[0]),))[clause_id]
    return any(not isinstance(each, Violation) for each in clause.judge(view))


def one(text: str, **more: Any) -> TraceView:
    """A trace of one refresh and one turn with this prompt."""
    return played(refresh(), (say(), text), **more)
