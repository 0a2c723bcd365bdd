"""The judges of who sees, shares and leaves what, on hand-built traces."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.readings.marks import mark, marks_in
from fedcheck.invariants.scenarios.facts import call
from fedcheck.invariants.vocabulary.scenario import CacheGet, Call, Probe, Turn
from fedcheck.invariants.vocabulary.trace import (
    AuditRecord,
    CacheOutcome,
    ClassifierPrompt,
    PanelRefreshed,
    ProbeOutcome,
    RaisedError,
)

from . import narrator_cases as narrator
from .stage import (
    EARLIER,
    HI,
    KEPT,
    LEAK,
    NOW,
    OTHER,
    QUIET,
    RENDERED,
    RESULT,
    SECRET,
    Step,
    cached,
    judged,
    turn,
)


def got(value: str | None, handler: Any = "panel", key: str = "k", **who: str) -> Step:
    """A get that hits with a value, or misses."""
    text = None if value is None else f'{{"x":"{value}"}}'
    outcome = CacheOutcome(outcome="miss" if text is None else "hit", value_json=text)
    return CacheGet(key=key, handler=handler, **who), [outcome]


def probe(path: str, outcome: str, value: str | None = None, **how: Any) -> Step:
    """A probe in a chat function, and its outcome."""
    step = Probe(**{"handler": "chat_function", "op": "get", "path": path, **how})
    error = RaisedError(name="AttributeError") if outcome == "raised" else None
    return step, [ProbeOutcome(outcome=outcome, value_json=value, error=error)]  # type: ignore[arg-type]


def runs(user: str = "u1", identity: str | None = None, **how: Any) -> Step:
    """The probe that shows that a handler runs."""
    return probe("user.imperal_id", "value", f'"{identity or user}"', user=user, **how)


def record(app: str = "alpha", function: str = "read_items", status: str = "ok") -> AuditRecord:
    """An audit record."""
    return AuditRecord(app=app, function=function, status=status)


ASKS = Call(refresh_panels=("board",))
BOARD = PanelRefreshed(app="alpha", panel="board")

BROKEN = [
    *narrator.BROKEN,
    (
        "C-CACHE-ISOLATION/per-key",
        "value of another key served",
        [*cached("a"), *cached("b", key="K"), got("b")],
    ),
    (
        "C-CACHE-ISOLATION/per-user",
        "value of another user served",
        [*cached("a"), got("a", user="u2")],
    ),
    (
        "C-CACHE-ISOLATION/per-extension",
        "value of another extension served",
        [*cached("a"), *cached("b", app="beta"), got("b")],
    ),
    (
        "C-CACHE-SHARED/across-handlers",
        "set in a panel, got in a chat function: miss",
        [*cached("a"), got(None, "chat_function")],
    ),
    (
        "C-CACHE-SHARED/across-all-handlers",
        "set in a tool, got in a panel: hit",
        [*cached("a", "tool"), got("b", "panel")],
    ),
    (
        "C-CACHE-INVISIBLE/unseen-by-classifier",
        "a cached value in the classifier's prompt",
        [*cached(SECRET), LEAK],
    ),
    (
        "C-CACHE-INVISIBLE/unseen-by-narrator",
        "a cached value in the narrator's prompt",
        [*cached(SECRET), LEAK],
    ),
    (
        "C-STORE-INVISIBLE/unseen-by-classifier",
        "a stored document in the classifier's prompt",
        [KEPT, LEAK],
    ),
    (
        "C-STORE-INVISIBLE/unseen-by-narrator",
        "a stored document in the narrator's prompt",
        [KEPT, LEAK],
    ),
    (
        "C-CLASSIFIER-VIEW/current-message-shown",
        "current message missing",
        [(Turn(message=HI), [ClassifierPrompt(prompt="hello")])],
    ),
    (
        "C-CLASSIFIER-VIEW/no-earlier-summary",
        "an earlier turn's summary in the classifier's prompt",
        [EARLIER, turn(NOW, classifier=OTHER)],
    ),
    ("C-CLASSIFIER-VIEW/no-panel-content", "a panel in the classifier's prompt", [RENDERED, LEAK]),
    (
        "C-CLASSIFIER-VIEW/tool-catalog-shown",
        "tools missing",
        [turn(classifier="alpha: read_items")],
    ),
    ("C-HANDLER-VIEW/services-given", "ctx.ai missing", [runs(), probe("ai", "absent")]),
    (
        "C-HANDLER-VIEW/role-given",
        "the user's role missing",
        [runs(), probe("user.role", "raised")],
    ),
    (
        "C-HANDLER-VIEW/language-given",
        "the user's language missing",
        [runs(), probe("user.language", "absent")],
    ),
    (
        "C-HANDLER-VIEW/conversation-hidden",
        "an earlier message in a handler",
        [EARLIER, runs(), probe("history", "value", f'["{HI}"]')],
    ),
    (
        "C-HANDLER-VIEW/conversation-hidden",
        "a result of a call in a handler",
        [EARLIER, runs(), probe("get_history", "value", f'["{SECRET}"]', op="call")],
    ),
    (
        "C-NO-EXTENSION-API/no-ledger-accessor",
        "fact ledger readable in a chat function",
        [runs(), probe("fact_ledger", "value")],
    ),
    (
        "C-NO-EXTENSION-API/no-ledger-decorator",
        "fact ledger importable in a chat function",
        [probe("Extension", "value", op="import"), probe("fact_ledger", "value", op="import")],
    ),
    (
        "C-NO-EXTENSION-API/no-skeleton-writer",
        "skeleton writable in a chat function",
        [runs(), probe("skeleton.set", "value", "null", op="call")],
    ),
    (
        "C-NO-EXTENSION-API/nothing-written",
        "what an extension tried to write in the classifier's prompt",
        [probe("skeleton.set", "raised", op="call", args_json=f'["{SECRET}"]'), LEAK],
    ),
    ("C-AUDIT-RECORD/every-action-recorded", "action not recorded", [turn(HI, RESULT)]),
    (
        "C-AUDIT-RECORD/every-action-recorded",
        "failed action not recorded",
        [turn(HI, RESULT, call({}, app="beta", status="error"), events=[record()])],
    ),
    (
        "C-AUDIT-RECORD/no-record-without-action",
        "record of no action",
        [turn(HI, RESULT, events=[record(), record("beta")])],
    ),
    (
        "C-AUDIT-RECORD/one-record-per-action",
        "action recorded twice",
        [turn(HI, RESULT, events=[record()] * 2)],
    ),
    (
        "C-AUDIT-RECORD/failure-told-apart",
        "failure recorded as success",
        [turn(HI, RESULT, call({}, app="beta", status="error"), events=[record(), record("beta")])],
    ),
    ("C-PANEL-REFRESH/requested-refreshed", "requested panel not refreshed", [turn(HI, ASKS)]),
    (
        "C-PANEL-REFRESH/nothing-else-refreshed",
        "panel refreshed that nobody asked for",
        [turn(HI, RESULT, events=[BOARD])],
    ),
    ("C-USER-AUTHORITATIVE/right-user", "another user's id", [runs(), runs("u2", "u1")]),
    ("C-USER-AUTHORITATIVE/right-user", "another user's id", [runs(identity="x"), runs("u2", "x")]),
    (
        "C-USER-AUTHORITATIVE/right-user",
        "another id than before",
        [runs(), runs("u2"), runs(identity="x")],
    ),
]

CONFORMING = [
    *narrator.CONFORMING,
    ("C-CACHE-ISOLATION/per-key", [*cached("a"), *cached("b", key="K"), got("a")]),
    ("C-CACHE-ISOLATION/per-user", [*cached("a"), got(None, user="u2")]),
    ("C-CACHE-ISOLATION/per-extension", [*cached("a"), *cached("b", app="beta"), got("a")]),
    ("C-CACHE-SHARED/across-handlers", [*cached("a"), got("a", "chat_function")]),
    ("C-CACHE-INVISIBLE/unseen-by-classifier", [*cached(SECRET), QUIET]),
    ("C-STORE-INVISIBLE/unseen-by-classifier", [KEPT, QUIET]),
    ("C-CLASSIFIER-VIEW/no-earlier-summary", [EARLIER, QUIET]),
    ("C-CLASSIFIER-VIEW/no-panel-content", [RENDERED, QUIET]),
    ("C-HANDLER-VIEW/services-given", [runs(), probe("ai", "value")]),
    ("C-HANDLER-VIEW/conversation-hidden", [EARLIER, runs(), probe("history", "value", "[]")]),
    ("C-NO-EXTENSION-API/no-ledger-accessor", [runs(), probe("fact_ledger", "raised")]),
    ("C-NO-EXTENSION-API/no-skeleton-writer", [runs(), probe("skeleton.set", "raised", op="call")]),
    ("C-AUDIT-RECORD/every-action-recorded", [turn(HI, RESULT, events=[record(status="x")])]),
    ("C-AUDIT-RECORD/no-record-without-action", [turn(HI, RESULT, events=[record("kernel")])]),
    ("C-PANEL-REFRESH/requested-refreshed", [turn(HI, ASKS, ASKS, events=[BOARD])]),
    ("C-USER-AUTHORITATIVE/right-user", [runs(identity="p-1"), runs("u2", "p-2")]),
]

UNJUDGED = [
    *narrator.UNJUDGED,
    ("evicted", "C-CACHE-ISOLATION/per-key", [*cached("a"), *cached("b", key="K"), got(None)]),
    ("equal", "C-CACHE-ISOLATION/per-key", [*cached("a"), *cached("a", key="K"), got("a")]),
    (
        "the owner cannot read it",
        "C-CACHE-ISOLATION/per-user",
        [cached("a")[0], got("a", user="u2")],
    ),
    ("equal values", "C-CACHE-ISOLATION/per-user", [*cached("a"), *cached("a", user="u2")]),
    ("both differ", "C-CACHE-ISOLATION/per-user", [*cached("a"), got("a", user="u2", app="beta")]),
    ("no control", "C-CACHE-SHARED/across-handlers", [cached("a")[0], got(None, "chat_function")]),
    ("returned too", "C-CACHE-INVISIBLE/unseen-by-classifier", [*cached(SECRET), EARLIER, LEAK]),
    ("no handler runs", "C-NO-EXTENSION-API/no-ledger-accessor", [probe("fact_ledger", "value")]),
    (
        "nothing imports",
        "C-NO-EXTENSION-API/no-ledger-decorator",
        [probe("fact_ledger", "value", op="import")],
    ),
    (
        "a failed call asks",
        "C-PANEL-REFRESH/requested-refreshed",
        [turn(HI, replace(ASKS, status="error"))],
    ),
    ("one user", "C-USER-AUTHORITATIVE/right-user", [runs(identity="x")]),
]


@pytest.mark.parametrize(("clause", "kind", "steps"), BROKEN)
def test_layer_breach_is_found_and_named(clause: str, kind: str, steps: list[Step]) -> None:
    """Each kind of violation shows in a trace made for it."""
    assert {kind} == judged(clause, *steps)[1]


@pytest.mark.parametrize(("clause", "steps"), CONFORMING)
def test_conforming_layers_are_compared_and_left_alone(clause: str, steps: list[Step]) -> None:
    """The clause looked, and found nothing."""
    compared, kinds = judged(clause, *steps)
    assert (True, set()) == (compared > 0, kinds)


@pytest.mark.parametrize(("why", "clause", "steps"), UNJUDGED, ids=[each[0] for each in UNJUDGED])
def test_what_cannot_be_told_is_not_judged(why: str, clause: str, steps: list[Step]) -> None:
    """Without a control, or where two readings are left, silence."""
    assert set() == judged(clause, *steps)[1], why


def test_marks_survive_escapes_and_capitals_and_are_distinct() -> None:
    """Ten thousand numbers have ten thousand marks."""
    assert 10_000 == len({mark(number) for number in range(10_000)})
    assert {SECRET} == marks_in(f'"\\u044f{SECRET.upper()}x')
