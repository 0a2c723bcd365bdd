"""C-AGENT-ERRORS: a tool's failure is told to the model as a failure."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_results import contents, says_error, words_of
from ...readings.agents import WHOSE, AgentCall, AgentRequest, ShownResult, read_agent, told
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import equal, parse
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

BESIDE, LATER = "beside a success", "in a later turn"


def _failures(view: TraceView) -> Iterator[tuple[AgentRequest, ShownResult, AgentCall]]:
    """Yield the results of calls whose tool failed, once for each content."""
    met: set[tuple[int, bool, tuple[str, ...]]] = set()
    for turn in view.reading(read_agent):
        for request in turn.requests:
            for result in request.results_anew:
                call = result.given
                if call is None or not call.ran or call.call.status != "error":
                    continue
                key = (id(call), call.turn is turn, contents(result.message))
                if key not in met:
                    met.add(key)
                    yield request, result, call


def _classes(request: AgentRequest, call: AgentCall) -> Iterator[str]:
    if any(other.succeeded for other in call.turn.calls):
        yield BESIDE
    if call.turn is not request.turn:
        yield LATER


def _as_error(view: TraceView) -> Iterator[Finding]:
    for request, result, call in _failures(view):
        yield Compared(tuple(_classes(request, call)), request.turn.step.index)
        if not says_error(result.message, call.call.error):
            yield _violation("not told as an error", request, result, call)


def _text(view: TraceView) -> Iterator[Finding]:
    for request, result, call in _failures(view):
        if not call.call.error:
            continue
        yield Compared(tuple(_classes(request, call)), request.turn.step.index)
        if not any(_holds(text, call.call.error) for text in words_of(result.message)):
            yield _violation("error text lost", request, result, call)


def _holds(text: str, error: str) -> bool:
    """Whether a text has a failure's text in it, or is that as JSON that was written anew."""
    if " ".join(error.split()) in " ".join(text.split()):
        return True
    try:
        return equal(parse(error), parse(text))
    except (ValueError, RecursionError):
        return False


def _violation(kind: str, request: AgentRequest, result: ShownResult, call: AgentCall) -> Violation:
    return Violation(
        kind=kind,
        step=request.turn.step.index,
        expected=f"{call.name} failed: {shorten(call.call.error)}",
        got=told(result.message),
    )


_PARTITIONS = (
    Partition(BESIDE, "another call of the turn succeeds"),
    Partition(LATER, "a turn after its own shows it", kind="observed"),
)

INVARIANT = Invariant(
    id="C-AGENT-ERRORS",
    title="Failures are told as failures",
    statement="Where a tool fails, the model reads that it failed, and why.",
    sources=(
        published("MCP specification", "Tools, Error Handling"),
        published("OpenAI Agents SDK documentation", "Tools: Handling errors in function tools"),
        published("Anthropic API reference", "Handle tool calls: tool_result, is_error"),
    ),
    capabilities=frozenset({"agent"}),
    severity="high",
    reading=(
        "A failure may be marked, or told in words: those of the tool, or others that say error or "
        "failure. Runtimes that put words of their own in place of the tool's say so; that is "
        f"advisory. {WHOSE}"
    ),
    clauses=(
        Clause(
            "told-as-error",
            "The result of a call that failed says that it failed, by a mark or in words.",
            _as_error,
            _PARTITIONS,
        ),
        Clause(
            "error-text-kept",
            "It holds the text with which the tool failed.",
            _text,
            _PARTITIONS,
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
