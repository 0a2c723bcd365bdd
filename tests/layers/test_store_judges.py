"""The judges of what handlers store and read back, on hand-built traces."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fedcheck.invariants.scenarios.store import keep, read
from fedcheck.invariants.vocabulary.scenario import Advance
from fedcheck.invariants.vocabulary.trace import Advanced, ProbeOutcome, RaisedError, StoreOutcome

from .stage import Step, judged, turn

USER, EXTENSION = "C-STORE-ISOLATION/per-user", "C-STORE-ISOLATION/per-extension"
NEWEST, ACROSS = "C-STORE-LASTING/newest-read", "C-STORE-LASTING/across-sessions"
OUTLIVES = "C-STORE-LASTING/outlives-the-channels"
LOST, OLD = "another document or none", "an older document"
LATER: Step = (Advance(seconds=3601, session="s-u1"), [Advanced()])


def kept(number: int = 1, **who: Any) -> Step:
    """A document that was accepted."""
    return keep("settings", number, **who), [StoreOutcome(outcome="accepted")]


def gave(number: int | None = 1, *, more: str = "", **who: Any) -> Step:
    """A read that gave the document of that number, or nothing."""
    outcome = ProbeOutcome(outcome="absent")
    if number is not None:
        value = {**json.loads(keep("settings", number).value_json), **({more: 1} if more else {})}
        outcome = ProbeOutcome(outcome="value", value_json=json.dumps(value))
    return read("settings", **who), [outcome]


def raised(**who: Any) -> Step:
    """A read that raised."""
    error = RaisedError(name="KeyError")
    return read("settings", **who), [ProbeOutcome(outcome="raised", error=error)]


CONTROL = [kept(), gave()]


@pytest.mark.parametrize(
    ("clause", "kind", "steps"),
    [
        (USER, "document of another user read", [*CONTROL, gave(user="u2")]),
        (USER, "document of another user read", [*CONTROL, kept(2, user="u2"), gave(user="u2")]),
        (EXTENSION, "document of another extension read", [*CONTROL, gave(app="beta")]),
        (NEWEST, LOST, [*CONTROL, raised()]),
        (NEWEST, LOST, [*CONTROL, gave(more="stale")]),
        (NEWEST, OLD, [*CONTROL, kept(2), gave()]),
        (ACROSS, LOST, [*CONTROL, gave(None, session="s-other")]),
        (OUTLIVES, LOST, [*CONTROL, LATER, gave(None)]),
        (OUTLIVES, LOST, [*CONTROL, *[turn(session="s-u1")] * 6, gave(None)]),
    ],
)
def test_store_breach_is_found_and_named(clause: str, kind: str, steps: list[Step]) -> None:
    """Each kind of violation shows in a trace made for it."""
    assert {kind} == judged(clause, *steps)[1]


@pytest.mark.parametrize(
    ("clause", "steps"),
    [
        (USER, [*CONTROL, gave(None, user="u2")]),
        (USER, [*CONTROL, raised(user="u2")]),
        (EXTENSION, [*CONTROL, kept(2, app="beta"), gave(2, app="beta")]),
        (NEWEST, [*CONTROL, kept(2), gave(2)]),
        (NEWEST, [kept(), gave(more="_updated_at")]),
        (ACROSS, [*CONTROL, gave(session="s-other")]),
        (OUTLIVES, [*CONTROL, LATER, gave()]),
    ],
)
def test_conforming_store_is_compared_and_left_alone(clause: str, steps: list[Step]) -> None:
    """The clause looked, and found nothing."""
    compared, kinds = judged(clause, *steps)
    assert (True, set()) == (compared > 0, kinds)


@pytest.mark.parametrize(
    ("why", "clause", "steps"),
    [
        ("no way to read back", NEWEST, [kept(), raised(), gave(None)]),
        ("no way to read back there", NEWEST, [*CONTROL, raised(handler="panel")]),
        ("the owner cannot read it", USER, [kept(), gave(user="u2")]),
        ("equal documents", USER, [*CONTROL, kept(user="u2"), gave(user="u2")]),
        ("both differ", USER, [*CONTROL, gave(user="u2", app="beta")]),
        ("a leak is no loss", NEWEST, [*CONTROL, kept(2, user="u2"), gave(2)]),
    ],
)
def test_what_cannot_be_told_of_a_store_is_not_judged(
    why: str, clause: str, steps: list[Step]
) -> None:
    """Without a control, or where another clause speaks, silence."""
    assert set() == judged(clause, *steps)[1], why
