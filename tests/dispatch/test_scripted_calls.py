"""Calls whose arguments are scripted: who gets them, what they owe, who judges them."""

from __future__ import annotations

import json

import pytest

from fedcheck.conformance.driving.judging import judge
from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.readings.arguments import difference
from fedcheck.invariants.readings.dispatch import read_dispatch
from fedcheck.invariants.scenarios.dispatch import answer, asks, planned
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.protocol import needs, problems
from fedcheck.invariants.vocabulary.scenario import AnyStep, Call, Confirm, Scenario, Turn
from fedcheck.invariants.vocabulary.strict_function import misfits
from fedcheck.invariants.vocabulary.trace import (
    CAPABILITIES,
    AnyEvent,
    CallDispatched,
    Given,
    KernelDescription,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView

KNOWN = clauses(own_invariants())
PLAIN = Turn(message="hello", calls=(Call(data_json='{"n": 1}'),))
DROP = asks("drop it", planned({"n": 1}, function="drop_item"))


def _events(kernel: ReferenceKernel, step: AnyStep) -> list[AnyEvent]:
    took = kernel.confirm(step) if isinstance(step, Confirm) else kernel.turn(step)  # type: ignore[arg-type]
    return list(took)


def _trace(*steps: Turn | Confirm, without: type[AnyEvent] | None = None) -> Trace:
    """What the reference kernel does, less one kind of event."""
    kernel, events = ReferenceKernel(), list[AnyEvent]()
    for index, step in enumerate(steps):
        where = {"step": index, "user": step.user, "session": step.session}
        events.append(Given(stimulus=step, **where))
        for event in _events(kernel, step):
            if without is None or not isinstance(event, without):
                fields = {name: getattr(event, name) for name in event.__struct_fields__}
                events.append(type(event)(**{**fields, **where}))
    own = KernelDescription(kernel="k", version="1", capabilities=tuple(CAPABILITIES))
    return Trace(events=tuple(events), kernel=own)


def test_a_call_without_a_script_is_written_as_before() -> None:
    """A kernel that was written before calls had scripts meets no field that it does not know."""
    written = json.loads(to_json(Scenario(id="s", steps=(PLAIN,))))

    assert {
        "app",
        "data_json",
        "error",
        "function",
        "refresh_panels",
        "status",
        "summary",
    } == set(written["steps"][0]["calls"][0])


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (PLAIN, {"fact_ledger"}),
        (asks("note it", planned({"n": 1})), {"fact_ledger", "dispatch"}),
        (asks("run it", planned({}, function="no_such_item")), {"fact_ledger", "dispatch"}),
        (DROP, {"fact_ledger", "dispatch", "confirm"}),
        (answer("drop it"), {"dispatch", "confirm"}),
    ],
    ids=["plain", "scripted", "unknown", "destructive", "answer"],
)
def test_scripted_calls_need_their_capabilities(step: Turn | Confirm, expected: set[str]) -> None:
    """A kernel that does not claim them never gets one."""
    assert expected == needs(Scenario(id="s", steps=(step,)))


def test_a_scripted_call_of_which_nothing_is_told_is_an_error() -> None:
    """Silence is neither a refusal nor a pass; of a plain call nothing is owed."""
    silent = problems(_trace(asks("note it", planned({"n": 1})), without=CallDispatched))

    assert ["call 0 of the turn owes"] == [each.message[:23] for each in silent]
    assert [] == problems(_trace(PLAIN, without=CallDispatched))
    assert [] == problems(_trace(DROP, answer("drop it")))


def test_scripted_traces_are_judged_by_the_clauses_on_dispatch_alone() -> None:
    """And plain ones by the others: a call that was held is no fact that is missing."""
    on_dispatch = {
        name
        for name, (invariant, clause) in KNOWN.items()
        if "dispatch" in invariant.capabilities | clause.capabilities
    }
    scripted = judge(_trace(DROP, answer("drop it"), PLAIN), KNOWN)
    plain = judge(_trace(PLAIN), KNOWN)

    assert set(scripted) <= on_dispatch
    assert on_dispatch.isdisjoint(plain)
    assert "C-CONFIRM-BYTE-IDENTICAL/what-was-shown-runs" in scripted


def test_a_call_that_runs_after_a_yes_is_that_of_its_turn() -> None:
    """The reading joins the answer to the call that waited."""
    (call,) = read_dispatch(TraceView(_trace(DROP, answer("drop it"))))

    assert (0, [1]) == (len(call.at_once), [step.index for step, _ in call.entered])
    assert ("drop_item", '{"n": 1}') == (
        call.carded.function if call.carded else "",
        call.ran.args_json,
    )


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"title": "x", "tags": []}, {}),
        ({"title": "x", "tags": [], "due": "2026-05-15"}, {}),
        ({"tags": ["a"]}, {"title": "is missing"}),
        ({"title": 7, "tags": []}, {"title": "must be a text"}),
        ({"title": "x", "tags": [1]}, {"tags": "must be a list of texts"}),
        (
            {"title": "x", "tags": [], "due": "2026-02-30"},
            {"due": "must be a date such as 2026-05-15"},
        ),
        ({"title": "x", "tags": [], "Title": "y"}, {"Title": "is no argument"}),
        ([], {"title": "is missing", "tags": "is missing"}),
    ],
)
def test_the_strict_function_says_what_does_not_fit(args: object, expected: dict[str, str]) -> None:
    """Each field with its reason; the other functions take anything."""
    assert expected == misfits("save_item", args)
    assert {} == misfits("write_item", args)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        ('{"b":[1.0],"a":"x"}', None),
        ('{"a":"x","b":[1],"due":null}', None),
        ('{"a":"x","b":[true]}', "number as boolean"),
        ('{"a":"x ","b":[1]}', "string changed"),
        ('{"a":"x","b":[1],"c":2}', "key added"),
        ('{"a":"x"', "no JSON"),
    ],
)
def test_arguments_are_compared_as_values(got: str, expected: str | None) -> None:
    """Order and form are free, and so is a field that is null."""
    found = difference('{"a": "x", "b": [1]}', got)

    assert expected == (found.kind if found else None)
