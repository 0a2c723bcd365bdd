"""I-WRITE-ARG-NO-BLEED: the code of an error is not written as if it were content."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.dispatch import CODES, ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import changelog, sdk_code
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _refused(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        offer = each.first
        if not offer.bleeds or each.waits:
            continue
        yield Compared(tuple(_classes(each)), each.step.index)
        if each.entered:
            yield Violation(
                kind="code written",
                step=each.step.index,
                expected=f"{each.name} refused: {', '.join(_codes(each))} stands in its arguments, "
                "and an earlier call of the turn failed",
                got=each.told,
            )


def _codes(each: ScriptedCall) -> list[str]:
    return [code for code in CODES if code in each.first.args_json.upper()]


def _classes(each: ScriptedCall) -> Iterator[str]:
    codes = _codes(each)
    if not any(code in each.first.args_json for code in codes):
        yield "in lower case"
    failed = {one.planned.error_code for one in each.before if one.call.status == "error"}
    yield "the code of this turn" if failed.intersection(codes) else "another code"


def _others_pass(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        if not each.is_ordinary or not _codes(each):
            continue
        failed = any(one.call.status == "error" for one in each.before)
        if each.writes and failed:
            continue
        yield Compared(("a read",) if failed else ("nothing failed",), each.step.index)
        if each.is_refused:
            yield Violation(
                kind="call refused without a failure",
                step=each.step.index,
                expected=f"{each.name} runs with {each.first.args_json}",
                got=each.told,
            )


INVARIANT = Invariant(
    id="I-WRITE-ARG-NO-BLEED",
    title="Codes of errors are not written",
    statement="After a call of a turn failed with a code, a later write of the same turn whose "
    "arguments hold a code of the taxonomy is refused.",
    sources=(
        changelog("6.3.7", "I-WRITE-ARG-NO-BLEED"),
        sdk_code("imperal_sdk.chat.guards", "check_write_arg_bleed"),
    ),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="high",
    reading=(
        "Case does not matter, and the code may stand anywhere in the arguments. INTERNAL is an "
        "everyday word and is left out. What is destructive waits for a yes anyway."
    ),
    clauses=(
        Clause(
            "no-code-in-writes",
            "After a failure with a code, a write that holds a code does not reach its handler.",
            _refused,
            (
                Partition("the code of this turn", "the code with which the earlier call failed"),
                Partition("another code", "some other code of the taxonomy"),
                Partition("in lower case", "the code is written in small letters"),
            ),
        ),
        Clause(
            "other-calls-pass",
            "A read, and a write before which no call of its turn failed, runs whatever it holds.",
            _others_pass,
            (
                Partition("a read", "something failed, and the call reads"),
                Partition("nothing failed", "no call of the turn failed before"),
            ),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
