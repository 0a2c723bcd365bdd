"""C-AGENT-FIDELITY: what a tool returned reaches the model as it was."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_results import ResultRead, read_results
from ...readings.agents import WHOSE
from ...scenarios.agents import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import kind_of
from ...vocabulary.sources import published
from ...vocabulary.text import told_apart
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

LATER = "in a later turn"
_KINDS = ("object", "list", "number", "boolean", "null")


def _classes(each: ResultRead) -> Iterator[str]:
    yield kind_of(each.call.data)
    if each.is_later:
        yield LATER


def _results(view: TraceView) -> Iterator[ResultRead]:
    """Yield the results that are to be those of their own call."""
    return (each for each in view.reading(read_results) if each.exchanged is None)


def _json(view: TraceView) -> Iterator[Finding]:
    for each in _results(view):
        if isinstance(each.call.data, str) or (each.shown.is_cut and not each.shown.is_json):
            continue
        yield Compared(tuple(_classes(each)), each.request.turn.step.index)
        if not each.shown.is_json:
            yield _violation(each, "not JSON")


def _values(view: TraceView) -> Iterator[Finding]:
    for each in _results(view):
        shown = each.shown
        if isinstance(each.call.data, str) or not (shown.is_json or shown.is_cut):
            continue
        yield Compared(tuple(_classes(each)), each.request.turn.step.index)
        if shown.difference is not None:
            yield _violation(each, shown.difference.kind, f" at {shown.difference.where}")
        elif not shown.is_kept:
            yield _violation(each, "cut")


def _texts(view: TraceView) -> Iterator[Finding]:
    for each in _results(view):
        if not isinstance(each.call.data, str):
            continue
        classes = (LATER,) if each.is_later else ()
        yield Compared(classes, each.request.turn.step.index)
        if not each.shown.is_kept:
            yield _violation(each, "text changed")


def _violation(each: ResultRead, kind: str, where: str = "") -> Violation:
    message = each.result.message
    data, shown = told_apart(each.call.call.data_json, message.content_text)
    turn = f" of step {each.call.turn.step.index}" if each.is_later else ""
    return Violation(
        kind=kind,
        step=each.request.turn.step.index,
        expected=f"{each.call.name}{turn} returned {data}",
        got=f"a message of {message.role}: {shown or 'nothing'}{where}",
    )


_LATER = Partition(LATER, "a turn after its own shows it", capabilities=frozenset({"agent_recall"}))
_PARTITIONS = (*(Partition(kind, f"the tool returned such a value: {kind}") for kind in _KINDS),)

INVARIANT = Invariant(
    id="C-AGENT-FIDELITY",
    title="A result reaches the model as it was",
    statement="What a tool returned stands in the runtime's requests to the model with every "
    "value, type and key, in its turn and in later ones.",
    sources=(
        published("MCP specification", "Tools, Tool Result"),
        published("OpenAI API reference", "Chat completions, tool message"),
        published("OpenAI API reference", "Responses, function_call_output: output"),
    ),
    capabilities=frozenset({"agent"}),
    severity="critical",
    reading=(
        "Values are compared once parsed. A text may be shown bare; lists of parts, envelopes and "
        "structured content are opened first, and words around a value are free. What is no JSON "
        f"is told once, and its values are not compared. {WHOSE}"
    ),
    clauses=(
        Clause(
            "json-kept",
            "A result that is a JSON value is shown as JSON, not as a programming language prints "
            "it.",
            _json,
            (*_PARTITIONS, _LATER),
        ),
        Clause(
            "values-kept",
            "What is shown as JSON has every value, type and key of the result.",
            _values,
            (*_PARTITIONS, _LATER),
        ),
        Clause(
            "text-kept",
            "A result that is a text is shown character by character.",
            _texts,
            (_LATER,),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
