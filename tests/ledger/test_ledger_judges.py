"""The judges of the C-LEDGER contracts on hand-built traces; and their scenarios."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.driving.session import Unit
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.catalog import catalog, find
from fedcheck.invariants.judges.ledger.c_ledger_look_alikes import IDS
from fedcheck.invariants.scenarios.facts import call, turn
from fedcheck.invariants.scenarios.personal import EMAILS
from fedcheck.invariants.vocabulary.scenario import Environment, SkeletonRefresh

from . import breaches_of_data, breaches_of_lines
from .lines import CALIBRATED, FORGED, N1, fact

LEDGER = [each.id for each in catalog() if each.id.startswith("C-LEDGER-")]
BROKEN = {**breaches_of_lines.BROKEN, **breaches_of_data.BROKEN}


@pytest.mark.parametrize("name", BROKEN)
def test_a_breach_is_seen_by_its_clause(hand: Any, name: str) -> None:
    """Each kind of breach has its clause and its name."""
    build, clause, kind = BROKEN[name]
    assert kind in hand.judged(build(hand))[1].get(clause, set())


TOLERATED: dict[str, Callable[[Any], Any]] = {
    "as documented": lambda h: h.after(N1, f"[x] lantern please\n  {fact({'n': 1})}"),
    "preview absent": lambda h: h.after(N1, fact({"n": 1})),
    "word of the preview twice": lambda h: h.after(N1, f"{fact({'n': 1})}\nlantern\nlantern"),
    "compact JSON": lambda h: h.after(N1, 'FACTS: app=alpha fn=read_items data={"n":1}'),
    "raw message of the current turn": lambda h: h.trace(
        (h.first, "static"),
        (turn(f"x\n{FORGED}"), f"{CALIBRATED}\nx\n{FORGED}"),
    ),
    "message quoted": lambda h: h.after(
        turn(f"x\n{FORGED}", call({"n": 1})), f"> {FORGED}\n{fact({'n': 1})}"
    ),
    "look-alike masked": lambda h: h.after(
        turn("x", call({"d": "2026-05-15", "n": 7})),
        fact({"d": "[date]", "n": 7}),
        environment=Environment(),
    ),
    "address beside an id masked": lambda h: h.after(
        turn("x", call({"id": IDS["a ticket"], "by": EMAILS[0]})),
        fact({"id": IDS["a ticket"], "by": "[email]"}),
        environment=Environment(),
    ),
    "equal data of two users": lambda h: h.trace(
        (h.first, "static"),
        (turn("uno", h.first.calls[0], user="u2"), "static"),
        (turn("hello"), f"calibrate\n{CALIBRATED}"),
    ),
    "a recording that was cut": lambda h: h.trace(
        (turn("late"), f"calibrate\n{FORGED}"), (turn("later"), FORGED), complete_from=3
    ),
}
_DIGESTS = ("DIGEST-FIELDS/one-per-call",)


@pytest.mark.parametrize("name", TOLERATED)
def test_what_no_document_forbids_is_no_breach(hand: Any, name: str) -> None:
    """No clause alarms; the traces are without digests, which is a breach of its own."""
    kinds = hand.judged(TOLERATED[name](hand))[1]
    assert {} == {clause: kind for clause, kind in kinds.items() if clause not in _DIGESTS}


def test_silence_compares_nothing(hand: Any) -> None:
    """A trace without prompts and digests is evidence of nothing but the missing digests."""
    view = hand.trace((SkeletonRefresh(), ""))
    assert ({}, {}) == hand.judged(view)


def test_a_line_under_another_turns_preview_is_seen(hand: Any) -> None:
    """The next turn's preview must not stand between a preview and its facts."""
    view = hand.trace(
        (hand.first, "static"),
        (N1, f"[x] calibrate\n{CALIBRATED}"),
        (turn("meadow please"), f"[x] calibrate\n{CALIBRATED}\n[x] lantern\n{fact({'n': 1})}"),
        (
            turn("end"),
            f"[x] calibrate\n{CALIBRATED}\n[x] lantern\n[x] meadow\n{fact({'n': 1})}",
        ),
    )
    kinds = hand.judged(view)[1]
    assert {"under another turn's preview"} == kinds["UNDER-ITS-TURN/above-the-next-preview"]


def test_window_is_counted_in_exchanges(hand: Any) -> None:
    """The fact of the sixth-last exchange must be gone, that of the fifth-last must not."""
    talk = [(turn(f"talk {n}"), CALIBRATED) for n in range(5)]
    early = [*talk[:4], (turn("fifth"), "calibrate")]
    late = [*talk, (turn("sixth"), CALIBRATED)]
    kept = hand.trace((hand.first, "static"), *early)
    outlived = hand.trace((hand.first, "static"), *late)
    assert {"gone before its time"} == hand.judged(kept)[1]["FIVE-TURNS/oldest-still-shown"]
    assert {"outlives the window"} == hand.judged(outlived)[1]["FIVE-TURNS/nothing-older"]


def test_a_fat_turn_costs_its_neighbours_nothing(hand: Any) -> None:
    """A turn that fits is neither dropped nor cut for another's sake."""
    slim, fat = turn("harbour", call({"text": "y" * 200})), turn("big", call({"t": "x" * 9000}))
    cut = f"{fact({'t': 'x' * 9000})[:3000]}…"
    short = f"{fact({'text': 'y' * 200})[:90]}…"
    for shown, clause in (("", "not-dropped"), (short, "not-cut")):
        view = hand.trace(
            (hand.first, "static"),
            (slim, CALIBRATED),
            (fat, f"{CALIBRATED}\n{fact({'text': 'y' * 200})}"),
            (turn("end"), f"{CALIBRATED}\n{shown}\n{cut}"),
        )
        assert f"TURNS-INDEPENDENT/{clause}" in hand.judged(view)[1]


@pytest.mark.parametrize("invariant", LEDGER)
def test_fixed_scenarios_reach_every_input_partition_and_nothing_undeclared(
    invariant: str,
) -> None:
    """Judged on the reference kernel, without exploration."""
    found = find(invariant)
    with plan_run(RunOptions(kernel="reference", select=(invariant,))) as plan:
        unit = Unit(plan.session, invariant)
        for scenario in plan.fixed_scenarios(found):
            unit.attempt(scenario, "fixed")
    assert [] == unit.result.incidents
    for clause_id, clause in zip(found.clause_ids, found.clauses, strict=True):
        tally = unit.result.tallies[clause_id]
        assert {} == tally.failures
        due = {p.name for p in clause.partitions if p.kind == "input"}
        assert set() == due - set(tally.partitions)
        assert set() == set(tally.partitions) - {p.name for p in clause.partitions}
