"""C-AGENT-INVENTION: the model is shown no result that no tool returned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...readings.agent_results import contents, says_error
from ...readings.agents import (
    THEIRS,
    AgentCall,
    AgentRequest,
    ShownCall,
    may_mean,
    read_agent,
    told,
)
from ...readings.arguments import difference
from ...readings.embedded_values import canonical, values_in
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.messages import ToolCall
from ...vocabulary.scenario import APPS, FUNCTIONS
from ...vocabulary.sources import published
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

UNRUN = "a call that did not run"
_LEAST = 8


def _results(view: TraceView) -> Iterator[Finding]:
    turns = view.reading(read_agent)
    known = {canonical(call.data) for turn in turns for call in turn.calls}
    known = {text for text in known if len(text) >= _LEAST}
    for turn in turns:
        for request in turn.requests:
            for result in request.results:
                call = result.given
                if call is None:
                    continue
                yield Compared((UNRUN,) if not call.ran else (), turn.step.index)
                if call.ran or says_error(result.message):
                    continue
                shown = frozenset[str]().union(*map(values_in, contents(result.message)))
                if shown & known:
                    yield Violation(
                        kind="result of a call that did not run",
                        step=turn.step.index,
                        expected=f"{call.name} did not run, so that it has no result",
                        got=told(result.message),
                    )


def _calls(view: TraceView) -> Iterator[Finding]:
    turns = view.reading(read_agent)
    ours = {(call.call.app, call.call.function) for turn in turns for call in turn.calls}
    ours |= set(product(APPS, FUNCTIONS))
    is_ours: dict[str, bool] = {}
    for turn in turns:
        for request in turn.requests:
            for shown in request.calls:
                name = shown.ask.name
                if name not in is_ours:
                    is_ours[name] = any(may_mean(name, *one) for one in ours)
                if not is_ours[name]:
                    continue
                yield Compared(step=turn.step.index)
                made_up = shown.given is None or _is_shown_otherwise(shown.ask, shown.given)
                if made_up and not _refused(shown, request):
                    yield Violation(
                        kind="a call that the model did not ask for",
                        step=turn.step.index,
                        expected="calls that the model asked for, with its arguments",
                        got=f"{shown.ask.name} with {shown.ask.arguments}",
                    )


def _is_shown_otherwise(ask: ToolCall, given: AgentCall) -> bool:
    """Whether a call that is known by its id is shown with other arguments than it had."""
    if not given.recorded_id or not given.is_whole:
        return False
    return difference(given.arguments, ask.arguments) is not None


def _refused(shown: ShownCall, request: AgentRequest) -> bool:
    """Whether a call is shown without arguments, and the model is told that it failed."""
    return shown.ask.arguments == "{}" and any(
        result.of is shown and says_error(result.message) for result in request.results
    )


INVARIANT = Invariant(
    id="C-AGENT-INVENTION",
    title="Nothing is made up",
    statement="The requests to the model show no call that it did not ask for, and no result that "
    "no tool returned.",
    sources=(published("OpenAI API reference", "Responses, function_call_output: output"),),
    capabilities=frozenset({"agent"}),
    severity="critical",
    reading=(
        "A call that did not run may have a message that says why, and be shown without its "
        "arguments. Calls of functions that are not the suite's are the runtime's own. "
        f"{THEIRS}"
    ),
    clauses=(
        Clause(
            "no-result-without-a-run",
            "A call that did not run has no result of a tool.",
            _results,
            (Partition(UNRUN, "its arguments were cut off or no JSON", kind="observed"),),
        ),
        Clause(
            "no-call-unasked",
            "Each call of our functions that a request shows is one that the model asked for, with "
            "the arguments that it gave.",
            _calls,
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
