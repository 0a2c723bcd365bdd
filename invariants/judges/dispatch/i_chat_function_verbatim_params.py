"""I-CHAT-FUNCTION-VERBATIM-PARAMS: arguments reach the handler as the planner gave them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...readings.arguments import difference
from ...readings.dispatch import ScriptedCall, read_dispatch, texts
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import is_list, is_object
from ...vocabulary.sources import changelog, page
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _verbatim(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        if not each.is_ordinary or not each.first.fields:
            continue
        yield Compared(tuple(_classes(each)), each.step.index)
        if each.is_refused:
            yield Violation(
                kind="call not dispatched",
                step=each.step.index,
                expected=f"{each.name} runs with {each.first.args_json}",
                got=each.told,
            )
        for step, event in each.entered:
            told = difference(each.first.args_json, event.args_json)
            if told:
                yield Violation(
                    kind=told.kind,
                    step=step.index,
                    expected=f"{each.name} with {each.first.args_json}",
                    got=f"at {told.where}: {event.args_json}",
                )


def _classes(each: ScriptedCall) -> Iterator[str]:
    yield "a write" if each.writes else "a read"
    found = list(texts(each.first.args))
    if any(text != text.strip() for text in found):
        yield "blanks at an end"
    if any(not text.isascii() for text in found):
        yield "beyond ASCII"
    if any(_holds_number(value) for value in each.first.fields.values()):
        yield "a number"
    if any(is_object(value) or is_list(value) for value in each.first.fields.values()):
        yield "nested"


def _holds_number(value: Any) -> bool:
    if is_object(value):
        return any(map(_holds_number, value.values()))
    if is_list(value):
        return any(map(_holds_number, value))
    return not isinstance(value, bool) and not isinstance(value, str) and value is not None


INVARIANT = Invariant(
    id="I-CHAT-FUNCTION-VERBATIM-PARAMS",
    title="Arguments arrive as they were given",
    statement="What the planner passes reaches the handler unchanged: not paraphrased, translated, "
    "trimmed, titled or completed.",
    sources=(
        changelog("6.3.7", "I-CHAT-FUNCTION-VERBATIM-PARAMS"),
        page("chain-dispatch", "structured results"),
    ),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="critical",
    reading=(
        "Numbers may arrive in another form of the same value, fields in another order, and a "
        "declared field that was left out as null."
    ),
    clauses=(
        Clause(
            "arguments-verbatim",
            "A call against which no rule speaks runs with the arguments that the planner gave.",
            _verbatim,
            (
                Partition("a read", "the function is declared to read"),
                Partition("a write", "the function is declared to write"),
                Partition("blanks at an end", "a text begins or ends with white space"),
                Partition("beyond ASCII", "a text has other characters"),
                Partition("a number", "a number stands somewhere"),
                Partition("nested", "an object or a list"),
            ),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
