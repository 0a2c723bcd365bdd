"""I-PYDANTIC-FEEDBACK-STRUCTURED: the planner is told in prose what does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ...readings.dispatch import ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import page
from ...vocabulary.text import shorten
from ...vocabulary.trace import prompt_text
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_OF_VALIDATORS = re.compile(r"""["'](type|loc|msg|input|ctx|url)["']\s*:""")
"""Fields of what a validator says; a schema, or an example, has one of them at most."""


def _prompts(view: TraceView) -> Iterator[tuple[ScriptedCall, str, tuple[str, ...]]]:
    """Yield what the planner was told after each attempt, with the fields that did not fit."""
    for each in view.reading(read_dispatch):
        for number, event in enumerate(each.prompts):
            offer = each.offers[min(number, len(each.offers) - 1)]
            if offer.misfits and not offer.guarded:
                yield each, prompt_text(event), offer.misfits


def _names_fields(view: TraceView) -> Iterator[Finding]:
    for each, text, misfits in _prompts(view):
        yield Compared(("several fields",) if len(misfits) > 1 else (), each.step.index)
        unnamed = [name for name in misfits if name not in text]
        if unnamed:
            yield Violation(
                kind="field not named",
                step=each.step.index,
                expected=f"{each.name}: the planner is told of {', '.join(misfits)}",
                got=f"{', '.join(unnamed)} not named: {shorten(text)}",
            )


def _is_prose(view: TraceView) -> Iterator[Finding]:
    for each, text, _ in _prompts(view):
        yield Compared(step=each.step.index)
        names = {found[1] for found in _OF_VALIDATORS.finditer(text)}
        if _is_json(text) or "errors.pydantic.dev" in text or len(names) > 1:
            yield Violation(
                kind="raw dump",
                step=each.step.index,
                expected=f"{each.name}: the planner is told in words",
                got=shorten(text),
            )


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


INVARIANT = Invariant(
    id="I-PYDANTIC-FEEDBACK-STRUCTURED",
    title="The planner is told what does not fit",
    statement="What the planner is told after its arguments did not fit names each wrong field and "
    "is no raw dump of the validator.",
    sources=(page("pydantic-feedback-loop", "what the model is told"),),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="low",
    clauses=(
        Clause(
            "names-each-field",
            "Each field that does not fit is named.",
            _names_fields,
            (Partition("several fields", "more than one does not fit"),),
            level="SHOULD",
        ),
        Clause(
            "is-prose",
            "What the planner is told holds neither what the validator says of each error, as it "
            "stands, nor a link to its pages.",
            _is_prose,
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
