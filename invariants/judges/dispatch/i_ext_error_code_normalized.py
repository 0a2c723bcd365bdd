"""I-EXT-ERROR-CODE-NORMALIZED: each failure has a code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import UNSET

from ...readings.dispatch import ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import sdk_code
from ...vocabulary.trace import ToolResult
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_CODE = re.compile(r"[A-Z][A-Z0-9_]{2,63}")


def _failed(view: TraceView) -> Iterator[tuple[ScriptedCall, str]]:
    """Yield the calls whose handler returned an error, with the code that the kernel tells."""
    for each in view.reading(read_dispatch):
        if each.call.status != "error" or not each.at_once or each.planned.raises is not None:
            continue
        for result in each.step.all(ToolResult):
            if result.call == each.index:
                code = result.error_code
                yield each, "" if code is UNSET else code


def _coded(view: TraceView) -> Iterator[Finding]:
    for each, code in _failed(view):
        given = each.planned.error_code
        if given and not _CODE.fullmatch(given):
            continue
        yield Compared(("without a code",) if not given else ("with a code",), each.step.index)
        if not _CODE.fullmatch(code):
            yield Violation(
                kind="failure without a code",
                step=each.step.index,
                expected=f"{each.name} failed: its result has a code",
                got=repr(code),
            )


def _kept(view: TraceView) -> Iterator[Finding]:
    for each, code in _failed(view):
        if not _CODE.fullmatch(each.planned.error_code):
            continue
        yield Compared(step=each.step.index)
        if code != each.planned.error_code:
            yield Violation(
                kind="code replaced",
                step=each.step.index,
                expected=f"{each.name} failed with {each.planned.error_code}",
                got=repr(code),
            )


INVARIANT = Invariant(
    id="I-EXT-ERROR-CODE-NORMALIZED",
    title="Each failure has a code",
    statement="A failed call without a code is given one where the kernel takes it over; a code of "
    "the right shape is kept.",
    sources=(sdk_code("imperal_sdk.chat.error_codes", "EXT_UNSTRUCTURED_ERROR"),),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="low",
    reading="What becomes of a code of another shape is not said, and free.",
    clauses=(
        Clause(
            "every-failure-has-a-code",
            "The result of a failed call has a code: capitals, digits and underscores.",
            _coded,
            (
                Partition("without a code", "the extension gave none"),
                Partition("with a code", "it gave one"),
            ),
            level="SHOULD",
        ),
        Clause(
            "own-code-kept",
            "A code that the extension gave is the code of the result.",
            _kept,
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
