"""C-AGENT-ONCE: each call that the model asks for runs once."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_results import says_error
from ...readings.agents import THEIRS, AgentCall, read_agent
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_FAULTS = {
    "rate_limit": "after an answer with status 429",
    "server_error": "after an answer with status 500",
    "cut_stream": "after a stream that broke off",
}
SEVERAL = "several at once"
_PROTOTYPE = '"__proto__"'


def _classes(call: AgentCall) -> Iterator[str]:
    yield from (words for fault, words in _FAULTS.items() if call.turn.met(fault))
    if len(call.turn.calls) > 1 and not call.turn.agent.one_by_one:
        yield SEVERAL


def _at_most_once(view: TraceView) -> Iterator[Finding]:
    for turn in view.reading(read_agent):
        for call in turn.calls if turn.requests else ():
            if not call.is_whole:
                continue
            yield Compared(tuple(_classes(call)), turn.step.index)
            if len(call.ran) > 1:
                yield Violation(
                    kind="ran twice",
                    step=turn.step.index,
                    expected=f"{call.name} runs once",
                    got=f"it ran {len(call.ran)} times, with {shorten(call.ran[0].args_json)}",
                )


def _refused_as_attack(call: AgentCall) -> bool:
    """Whether the model is told that a call failed which would change an object's prototype.

    A request may show such a call without its arguments, so that nobody knows which one it was.
    """
    return _PROTOTYPE in call.arguments and any(
        result.given in (call, None) and says_error(result.message)
        for request in call.turn.requests
        for result in request.results
    )


def _every_call(view: TraceView) -> Iterator[Finding]:
    for turn in view.reading(read_agent):
        for call in turn.calls if turn.ended else ():
            if not call.is_whole or _refused_as_attack(call):
                continue
            yield Compared(tuple(_classes(call)), turn.step.index)
            if not call.ran:
                yield Violation(
                    kind="did not run",
                    step=turn.step.index,
                    expected=f"{call.name} runs: the model asked for it",
                    got="the tool was not called",
                )


def _partitions(*, broken: bool) -> tuple[Partition, ...]:
    """Whether a runtime recovers from an error is its choice; where it does, it is judged."""
    kinds = ("rate_limit", "server_error", "cut_stream") if broken else ()
    return (
        *(Partition(_FAULTS[kind], "the model answered so first") for kind in kinds),
        Partition(SEVERAL, "the model asked for more than one"),
    )


INVARIANT = Invariant(
    id="C-AGENT-ONCE",
    title="Each call runs once",
    statement="A call that the model asks for reaches its tool once, however often its answer had "
    "to be asked for.",
    sources=(
        published("OpenAI function calling guide", "The tool calling flow"),
        published("MCP specification", "Schema, ToolAnnotations: idempotentHint"),
    ),
    capabilities=frozenset({"agent"}),
    severity="critical",
    reading=(
        "A turn may end with an error after any fault; then a call need not run. Equal calls are "
        "told apart by an argument that the suite adds. A call whose arguments name "
        f"__proto__ may be refused as an attack, if the model is told. {THEIRS}"
    ),
    clauses=(
        Clause(
            "at-most-once",
            "No call reaches its tool twice, whatever errors and broken streams came between.",
            _at_most_once,
            _partitions(broken=True),
        ),
        Clause(
            "every-call-runs",
            "In a turn that comes to its end each call with whole arguments reaches its tool.",
            _every_call,
            _partitions(broken=False),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
