"""C-AGENT-INVENTION: the model is shown no result that no tool returned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from ...readings.agent_results import contents, says_error
from ...readings.agents import (
    THEIRS,
    AgentCall,
    AgentRequest,
    AgentStep,
    ShownCall,
    ShownResult,
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


def _requests(turns: list[AgentStep]) -> Iterator[AgentRequest]:
    for turn in turns:
        yield from turn.requests


def _results(view: TraceView) -> Iterator[Finding]:
    turns = view.reading(read_agent)
    known = {canonical(call.data) for turn in turns for call in turn.calls}
    known = {text for text in known if len(text) >= _LEAST}
    is_compared = False
    made_up: list[tuple[AgentCall, ShownResult]] = []
    for request in _requests(turns):
        step = request.turn.step.index
        if request.after is None:
            is_compared, made_up = False, []
        if is_compared:
            yield Compared(step=step)  # what it shows as the request before it did
        new = [(result.given, result) for result in request.new_results if result.given]
        yield from (Compared((UNRUN,) if not call.ran else (), step) for call, _ in new)
        is_compared = is_compared or bool(new)
        made_up += [each for each in new if _is_made_up(*each, known)]
        yield from (_of_no_run(call, result, step) for call, result in made_up)


def _is_made_up(call: AgentCall, result: ShownResult, known: set[str]) -> bool:
    """Whether a message shows, for a call that did not run, what any call returns."""
    if call.ran or says_error(result.message):
        return False
    return any(values_in(text) & known for text in contents(result.message))


def _of_no_run(call: AgentCall, result: ShownResult, step: int) -> Violation:
    return Violation(
        kind="result of a call that did not run",
        step=step,
        expected=f"{call.name} did not run, so that it has no result",
        got=told(result.message),
    )


def _calls(view: TraceView) -> Iterator[Finding]:
    turns = view.reading(read_agent)
    ours = {(call.call.app, call.call.function) for turn in turns for call in turn.calls}
    ours |= set(product(APPS, FUNCTIONS))

    @cache
    def is_ours(name: str) -> bool:
        return any(may_mean(name, *one) for one in ours)

    is_compared = False
    unasked: list[ShownCall] = []
    for request in _requests(turns):
        step = request.turn.step.index
        if request.after is None:
            is_compared, unasked = False, []
        if is_compared:
            yield Compared(step=step)  # what it shows as the request before it did
        new = [shown for shown in request.new_calls if is_ours(shown.ask.name)]
        yield from (Compared(step=step) for _ in new)
        is_compared = is_compared or bool(new)
        unasked += [shown for shown in new if _is_unasked(shown)]
        yield from (_not_asked(x, step) for x in unasked if not _refused(x, request))


def _is_unasked(shown: ShownCall) -> bool:
    return shown.given is None or _is_shown_otherwise(shown.ask, shown.given)


def _not_asked(shown: ShownCall, step: int) -> Violation:
    return Violation(
        kind="a call that the model did not ask for",
        step=step,
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
