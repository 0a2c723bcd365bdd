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
from ...vocabulary.trace import AgentFailed, CallDispatched, ModelRequest, Reply
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
    destructive = view.reading(read_destructive)
    for each in destructive:
        if each.decision is None or not each.approved or each.carded is None:
            continue
        if not each.after and not _is_owed(each, each.decision, destructive):
            continue
        yield Compared(tuple(_classes(each)), each.decision.index)
        shown = each.carded
        if len(each.after) != 1:
            yield Violation(
                kind="ran twice" if each.after else "approved and not run",
                step=each.after[1][0].index if each.after else each.decision.index,
                expected=f"{each.call.name} runs once: its user said yes",
                got=f"the tool was called {len(each.after)} times",
            )
        elif _is_late(each.decision, *each.after[0]):
            yield Violation(
                kind="ran after the reply",
                step=each.after[0][0].index,
                expected=f"{each.call.name} has run when the reply to its user's yes is there",
                got="the tool was called after the reply",
            )
        for step, event in each.after:
            if difference(shown.args_json, event.args_json) is not None:
                yield Violation(
                    kind="something else ran",
                    step=step.index,
                    expected=f"{each.call.name} with {shorten(shown.args_json)}, as was shown",
                    got=shorten(event.args_json),
                )


def _is_owed(each: DestructiveCall, yes: StepView, destructive: list[DestructiveCall]) -> bool:
    """Whether an approved call had to run before its answer ended.

    An error is left alone before anything has run, and where the model or a tool failed first.
    """
    beside = [x for x in destructive if x is not each and any(step is yes for step, _ in x.runs)]
    if any(x.call.call.status == "error" for x in beside):
        return False  # some do not go on where one has failed
    if yes.first(Reply):
        return True
    failed = yes.first(AgentFailed) is not None
    return failed and bool(beside) and all(_is_answer(x) for x in yes.all(ModelRequest))


def _is_answer(request: ModelRequest) -> bool:
    return request.answered in ("calls", "text")


def _is_late(yes: StepView, step: StepView, run: CallDispatched) -> bool:
    before = yes.events if step is not yes else yes.events[: yes.events.index(run)]
    return any(isinstance(event, Reply) for event in before)


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
        "what the model is told of a no is free. An approved call runs before the reply to the "
        "yes. An answer may end with an error in which nothing runs, or the model or a tool fails; "
        "and what is left may rest once one has failed. Arguments are compared once parsed. "
        f"{WHOSE}"
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
            "A call that its user approved reaches its tool once, before the reply to the yes, "
            "with the arguments that were shown.",
            _yes,
            (_SEVERAL, _AGAIN),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
