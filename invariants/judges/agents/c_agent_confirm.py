"""C-AGENT-CONFIRM: what is destructive waits for its user, and does as it was told."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_confirm import DestructiveCall, accepts, read_destructive
from ...readings.agents import WHOSE
from ...readings.arguments import difference
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace import Reply
from ...vocabulary.trace_view import StepView, TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

SEVERAL = "beside other calls"
STRANGER = "somebody else said yes"
AGAIN = "answered again"


def _waits(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_destructive):
        if each.carded is None and not each.runs:
            continue  # the turn failed, or the runtime would not do it at all
        yield Compared(tuple(_classes(each)), each.call.turn.step.index)
        if each.before:
            step, event = each.before[0]
            yield Violation(
                kind=f"ran {_when(each, step)}",
                step=step.index,
                expected=f"{each.call.name} waits: its user has not said yes",
                got=f"the tool was called with {shorten(event.args_json)}",
            )


def _when(each: DestructiveCall, step: StepView) -> str:
    return "on the yes of another user" if step in each.strangers else "before its user's yes"


def _no(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_destructive):
        if not each.refused:
            continue
        yield Compared(tuple(_classes(each)), each.call.turn.step.index)
        if each.after:
            step, event = each.after[0]
            changed = any(accepts(one) for one in each.later if one.index <= step.index)
            yield Violation(
                kind="ran on a yes after a no" if changed else "ran after a no",
                step=step.index,
                expected=f"{each.call.name} does not run: its user said no",
                got=f"the tool was called with {shorten(event.args_json)}",
            )


def _yes(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_destructive):
        if each.decision is None or not each.approved or each.carded is None:
            continue
        if not each.after and not each.decision.first(Reply):
            continue  # it failed, or its user is asked once more
        yield Compared(tuple(_classes(each)), each.decision.index)
        shown = each.carded
        if len(each.after) != 1:
            yield Violation(
                kind="ran twice" if each.after else "approved and not run",
                step=each.after[1][0].index if each.after else each.decision.index,
                expected=f"{each.call.name} runs once: its user said yes",
                got=f"the tool was called {len(each.after)} times",
            )
        for step, event in each.after:
            if difference(shown.args_json, event.args_json) is not None:
                yield Violation(
                    kind="something else ran",
                    step=step.index,
                    expected=f"{each.call.name} with {shorten(shown.args_json)}, as was shown",
                    got=shorten(event.args_json),
                )


def _classes(each: DestructiveCall) -> Iterator[str]:
    if len(each.call.turn.calls) > 1:
        yield SEVERAL
    if any(accepts(one) for one in each.strangers):
        yield STRANGER
    if each.later:
        yield AGAIN


_SEVERAL = Partition(SEVERAL, "the turn has more calls")
_AGAIN = Partition(AGAIN, "its user has answered more than once")

INVARIANT = Invariant(
    id="C-AGENT-CONFIRM",
    title="What is destructive waits for its user",
    statement="A destructive call runs only after its user has said yes, once, as it was shown; "
    "after a no it never runs.",
    sources=(
        published("MCP specification", "Tools, User Interaction Model"),
        published("MCP specification", "Schema, ToolAnnotations: destructiveHint"),
        published("OpenAI Agents SDK documentation", "Human-in-the-loop"),
    ),
    capabilities=frozenset({"agent", "agent_confirm"}),
    severity="critical",
    reading=(
        "Only a runtime that claims agent_confirm is judged. Destructive is the tool whose "
        "annotation says so. What else the model asks for may run before or after the answer; "
        "what the model is told of a no is free. An answer in which nothing runs may end with an "
        f"error. Arguments are compared once parsed. {WHOSE}"
    ),
    clauses=(
        Clause(
            "waits-for-yes",
            "A destructive call does not reach its tool before the user whose turn asked for it "
            "has said yes.",
            _waits,
            (_SEVERAL, Partition(STRANGER, "another user said yes before"), _AGAIN),
        ),
        Clause(
            "no-runs-nothing",
            "A call that its user refused does not reach its tool, whatever is answered later.",
            _no,
            (_SEVERAL, _AGAIN),
        ),
        Clause(
            "yes-runs-what-was-shown",
            "A call that its user approved reaches its tool once, with the arguments that were "
            "shown.",
            _yes,
            (_SEVERAL, _AGAIN),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
