"""C-RECORDED-RESULTS: a result is shown as JSON, whatever the recording says that its call gave."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.recorded_results import is_python_literal, new_messages
from ...vocabulary.invariant import Clause, Invariant, Source, no_strategy, only_rows
from ...vocabulary.json_values import parse
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _no_repr(view: TraceView) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for step in view.steps:
        for message in new_messages(view, step.index):
            text = message.content_text
            key = (str(message.tool_call_id or ""), text)
            opens = text.lstrip()[:1] in ("{", "[", "(")
            if message.role != "tool" or not opens or key in seen:
                continue
            seen.add(key)
            yield Compared((), step.index)
            if _is_only_python(text):
                yield Violation(
                    kind="a Python repr",
                    step=step.index,
                    expected="JSON, which every model and every other language reads",
                    got=shorten(text, 400),
                )


def _is_only_python(text: str) -> bool:
    try:
        parse(text)
    except (ValueError, RecursionError):
        return is_python_literal(text)
    return False


INVARIANT = Invariant(
    id="C-RECORDED-RESULTS",
    title="Results reach the model as JSON",
    statement="A structured result is shown to the model as JSON, not as Python writes it.",
    sources=(Source("docs/audit.md", "What is judged", "documented"),),
    clauses=(
        Clause(
            name="no-python-repr",
            sentence="A structured result is shown as JSON, not as Python writes it.",
            judge=_no_repr,
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=no_strategy,
    capabilities=frozenset({"agent"}),
)
