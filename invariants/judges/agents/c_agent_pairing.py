"""C-AGENT-PAIRING: each request is a history that a provider takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...readings.agent_results import read_results
from ...readings.agents import THEIRS, AgentRequest, ShownResult, read_agent, told
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

SEVERAL = "several calls in one message"
LATER = "in a later turn"


def _requests(view: TraceView) -> Iterator[AgentRequest]:
    for turn in view.reading(read_agent):
        yield from turn.requests


def _classes(request: AgentRequest) -> Iterator[str]:
    if request.has_several:
        yield SEVERAL
    if any(call.given and call.given.turn is not request.turn for call in request.calls):
        yield LATER


def _one_each(view: TraceView) -> Iterator[Finding]:
    asked, results, odd = Counter[str](), Counter[str](), set[str]()
    for request in _requests(view):
        if request.after is None:
            asked, results, odd = Counter[str](), Counter[str](), set[str]()
        calls = [call.ask.id for call in request.new_calls]
        shown = [result.call_id for result in request.new_results]
        asked.update(calls)
        results.update(shown)
        for call_id in {*calls, *shown}:
            is_odd = asked[call_id] and (asked[call_id] > 1 or results[call_id] != 1)
            (odd.add if is_odd else odd.discard)(call_id)
        if not request.calls:
            continue
        yield Compared(tuple(_classes(request)), request.turn.step.index)
        if odd:
            call_id = next(each for each in asked if each in odd)
            times = asked[call_id]
            kind = "no result" if not results[call_id] else "several results"
            yield Violation(
                kind="a call twice" if times > 1 else kind,
                step=request.turn.step.index,
                expected=f"one call and one result with the id {shorten(call_id)}",
                got=f"calls: {times}, results: {results[call_id]}",
            )


def _no_orphan(view: TraceView) -> Iterator[Finding]:
    orphan: ShownResult | None = None
    for request in _requests(view):
        if request.after is None:
            orphan = None
        if orphan is None:
            orphan = next((result for result in request.new_results if result.of is None), None)
        if not request.results:
            continue
        yield Compared(tuple(_classes(request)), request.turn.step.index)
        if orphan is not None:
            after = any(call.ask.id == orphan.call_id for call in request.calls)
            yield Violation(
                kind="a result before its call" if after else "a result without a call",
                step=request.turn.step.index,
                expected=f"a call with the id {shorten(orphan.call_id)!r} before its result",
                got=told(orphan.message),
            )


def _own(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_results):
        if len(each.call.turn.calls) < 2:
            continue
        yield Compared((LATER,) if each.is_later else (), each.request.turn.step.index)
        if each.exchanged is not None:
            yield Violation(
                kind="another call's result",
                step=each.request.turn.step.index,
                expected=f"{each.call.name} returned {shorten(each.call.call.data_json)}",
                got=f"{told(each.result.message)}, which {each.exchanged.name} returned",
            )


_LATER = Partition(LATER, "a turn after its own shows it", capabilities=frozenset({"agent_recall"}))
_PARTITIONS = (Partition(SEVERAL, "the model asked for them together"), _LATER)

INVARIANT = Invariant(
    id="C-AGENT-PAIRING",
    title="Calls and results are paired",
    statement="In every request to the model each call has one result, which follows it and names "
    "it, and each result has its call.",
    sources=(
        published("OpenAI API reference", "Chat completions, tool message: tool_call_id"),
        published(
            "Anthropic API reference", "Handle tool calls: Important formatting requirements"
        ),
    ),
    capabilities=frozenset({"agent"}),
    severity="high",
    reading=(
        "Ids may be written anew. A history told in words has no calls to pair; only messages that "
        f"ask for calls, and results in messages of their own, are judged. {THEIRS}"
    ),
    clauses=(
        Clause(
            "one-result-each",
            "Each call that a request shows has exactly one result there, under an id of its own.",
            _one_each,
            _PARTITIONS,
        ),
        Clause(
            "no-orphan",
            "Each result that a request shows follows a call that it names.",
            _no_orphan,
            _PARTITIONS,
        ),
        Clause(
            "own-result",
            "The result of a call is what its own tool returned, not that of another call.",
            _own,
            (_LATER,),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
