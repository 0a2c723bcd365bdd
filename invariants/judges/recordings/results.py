"""C-RECORDED-RESULTS: what a call gave is what the model is shown of it, whole and typed.

The profile of agents brings clauses of its own on this; where it judges a recording, this one
can go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ...readings.recorded_results import (
    ShownResult,
    is_python_literal,
    python_value,
    recorded_results,
)
from ...vocabulary.invariant import Clause, Invariant, Source, no_strategy, only_rows
from ...vocabulary.json_values import equal, is_list, is_object, parse
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_DEEPEST = 3
_WHOLE = "the value that the call gave, whole, and of the same type"


def _shown_whole(view: TraceView) -> Iterator[Finding]:
    for shown in view.reading(recorded_results):
        result = shown.result
        if result is None or result.status != "success" or shown.step != shown.of_step:
            continue
        try:
            given = parse(result.data_json)
        except (ValueError, RecursionError):
            continue
        if isinstance(given, str) and is_python_literal(given):
            continue  # what the tool itself gave is lost
        yield Compared((), shown.step)
        kind = _difference(given, shown.text)
        if kind:
            yield Violation(
                kind=kind,
                step=shown.step,
                expected=f"{_WHOLE}: {shorten(result.data_json, 400)}",
                got=shorten(shown.text, 400),
            )


def _difference(given: Any, text: str) -> str:
    """How a message differs from what its call gave; empty if it does not."""
    if given is None and not text.strip():
        return ""
    if isinstance(given, str):
        return _of_text(given, text)
    try:
        got = parse(text)
    except (ValueError, RecursionError):
        return _of_other(given, text)
    if _holds(got, given, _DEEPEST):
        return ""
    return "another type" if str(given) == got else "another value"


def _of_text(given: str, text: str) -> str:
    if given.strip() in text:
        return ""
    try:
        return "" if _holds(parse(text), given, _DEEPEST) else "another text"
    except (ValueError, RecursionError):
        written = json.dumps(given, ensure_ascii=False)[1:-1]
        if written in text or json.dumps(given)[1:-1] in text:
            return ""
        return "a text that is cut" if _is_cut(given, text) else "another text"


def _of_other(given: Any, text: str) -> str:
    """What a text is that is no JSON and should show a value which is no text."""
    value = python_value(text)
    if value is not None or text.strip() in ("True", "False", "None"):
        return "a Python repr"
    if _inside(given, text):
        return ""
    compact = json.dumps(given, ensure_ascii=False, separators=(",", ":"))
    if _is_cut(compact, "".join(text.split())) or _is_cut(json.dumps(given), text):
        return "a value that is cut"
    return "no JSON"


def _inside(given: Any, text: str) -> bool:
    """Whether the value stands as JSON among other words."""
    decoder = json.JSONDecoder()
    opening = "{" if is_object(given) else "[" if is_list(given) else ""
    at = text.find(opening) if opening else -1
    tries = 0
    while at >= 0 and tries < 8:
        try:
            value, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if value is not None and _holds(value, given, _DEEPEST):
            return True
        at, tries = text.find(opening, at + 1), tries + 1
    return not opening and json.dumps(given) in text


def _is_cut(whole: str, text: str) -> bool:
    kept = "".join(text.split())[:-4]
    return len(kept) > 4 and "".join(whole.split()).startswith(kept[: max(4, len(kept) // 2)])


def _holds(got: Any, given: Any, depth: int) -> bool:
    """Whether a value is the given one, or holds it: what a result is wrapped in says nothing."""
    if equal(given, got):
        return True
    if isinstance(got, str) and not isinstance(given, str) and depth:
        try:
            return _holds(parse(got), given, 0)
        except (ValueError, RecursionError):
            return False
    if not depth:
        return False
    inner: Iterable[Any] = got.values() if is_object(got) else got if is_list(got) else ()
    return any(_holds(each, given, depth - 1) for each in inner)


def _no_repr(view: TraceView) -> Iterator[Finding]:
    for shown in view.reading(recorded_results):
        if shown.text.lstrip()[:1] not in ("{", "[", "("):
            continue
        yield Compared((), shown.step)
        if _is_only_python(shown):
            yield Violation(
                kind="a Python repr",
                step=shown.step,
                expected="JSON, which every model and every other language reads",
                got=shorten(shown.text, 400),
            )


def _is_only_python(shown: ShownResult) -> bool:
    try:
        parse(shown.text)
    except (ValueError, RecursionError):
        return is_python_literal(shown.text)
    return False


INVARIANT = Invariant(
    id="C-RECORDED-RESULTS",
    title="Results reach the model as they were given",
    statement="What a call gave is what the model is shown of it, whole and typed.",
    sources=(Source("docs/audit.md", "What is judged", "documented"),),
    clauses=(
        Clause(
            name="shown-whole",
            sentence="A result is shown to the model whole and typed in the turn of its call.",
            judge=_shown_whole,
        ),
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
