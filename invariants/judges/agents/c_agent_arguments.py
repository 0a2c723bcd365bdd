"""C-AGENT-ARGUMENTS: tools get the arguments that the model gave, or are not called."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agents import THEIRS, AgentCall, read_agent
from ...readings.arguments import difference
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import parse
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

SEVERAL = "beside other calls"
STREAMED, PLAIN = "in a stream", "in one piece"


def _calls(view: TraceView) -> Iterator[AgentCall]:
    for turn in view.reading(read_agent):
        yield from turn.calls


def _unchanged(view: TraceView) -> Iterator[Finding]:
    for call in _calls(view):
        for event in call.ran if call.is_whole else ():
            yield Compared(tuple(_classes(call)), call.turn.step.index)
            found = difference(call.arguments, event.args_json)
            if found is not None:
                yield Violation(
                    kind=f"argument changed: {found.kind}",
                    step=call.turn.step.index,
                    expected=f"{call.name} with {shorten(call.arguments)}",
                    got=shorten(event.args_json),
                )


def _classes(call: AgentCall) -> Iterator[str]:
    if len(call.turn.calls) > 1:
        yield SEVERAL
    yield STREAMED if call.turn.streams else PLAIN


def _asked(call: AgentCall) -> bool:
    """Whether the model was seen to ask for it, and the runtime to have had the answer."""
    return any(each.event.answered in ("calls", "cut_stream") for each in call.turn.requests)


def _no_json(view: TraceView) -> Iterator[Finding]:
    for call in _calls(view):
        if not call.is_cut and not _is_json(call.arguments) and _asked(call):
            yield from _ran_nothing(call, "no JSON")


def _cut(view: TraceView) -> Iterator[Finding]:
    for call in _calls(view):
        if call.is_cut and _asked(call):
            yield from _ran_nothing(call, "cut off")


def _ran_nothing(call: AgentCall, what: str) -> Iterator[Finding]:
    yield Compared(tuple(_classes(call)), call.turn.step.index)
    if call.ran:
        yield Violation(
            kind=f"ran with arguments that are {what}",
            step=call.turn.step.index,
            expected=f"{call.name} is not called: its arguments are {what}, of "
            f"{shorten(call.arguments)}",
            got=f"the tool was called with {shorten(call.ran[0].args_json)}",
        )


def _is_json(text: str) -> bool:
    try:
        parse(text)
    except (ValueError, RecursionError):
        return False
    return True


_PARTITIONS = (
    Partition(SEVERAL, "the turn has more calls"),
    Partition(STREAMED, "the runtime asked for a stream", kind="choice"),
    Partition(PLAIN, "it did not", kind="choice"),
)

INVARIANT = Invariant(
    id="C-AGENT-ARGUMENTS",
    title="Arguments are the model's",
    statement="A tool is called with the arguments that the model gave, whole and unchanged; where "
    "they are cut off or no JSON, it is not called.",
    sources=(
        published("OpenAI API reference", "Chat completions, function of a tool call: arguments"),
        published("OpenAI API reference", "Chat completions, finish_reason"),
        published("Anthropic API reference", "Stop reasons: Incomplete tool use blocks"),
        published("MCP specification", "Tools, Calling Tools"),
    ),
    capabilities=frozenset({"agent"}),
    severity="critical",
    reading=(
        "Arguments are compared once parsed. What the runtime does with a call that it does not "
        f"run is free: it may tell the model, ask again, or end the turn. {THEIRS}"
    ),
    clauses=(
        Clause(
            "arguments-unchanged",
            "The arguments that reach a tool are those that the model gave.",
            _unchanged,
            _PARTITIONS,
        ),
        Clause(
            "no-json-runs-nothing",
            "A call whose arguments are no JSON does not reach its tool.",
            _no_json,
            _PARTITIONS,
        ),
        Clause(
            "cut-runs-nothing",
            "A call whose arguments end in the middle, in an answer that is marked as cut off, "
            "does not reach its tool.",
            _cut,
            _PARTITIONS,
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
