"""Traces of the fact ledger built by hand, and what the C-LEDGER judges say of them."""

from __future__ import annotations

from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.catalog import catalog
from fedcheck.invariants.scenarios.facts import EXPOSED, call, turn
from fedcheck.invariants.vocabulary.scenario import AnyStep, Environment, Turn
from fedcheck.invariants.vocabulary.trace import (
    CAPABILITIES,
    AnyEvent,
    ClassifierPrompt,
    Digest,
    Given,
    KernelDescription,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared, Violation

from .lines import CALIBRATED

LEDGER = tuple(each for each in catalog() if each.id.startswith("C-LEDGER-"))
CALIBRATE = turn("calibrate", call({"a": "я", "b": 1}))


def trace(
    *steps: tuple[AnyStep, str] | tuple[AnyStep, str, tuple[Digest, ...]],
    environment: Environment = EXPOSED,
    complete_from: int = 0,
) -> TraceView:
    """A trace of steps, each with its prompt and perhaps its digests."""
    events: list[AnyEvent] = []
    for index, (step, prompt, *digests) in enumerate(steps):
        events.append(Given(step=index, user=step.user, session=step.session, stimulus=step))
        common = {"step": index, "user": step.user, "session": step.session}
        if isinstance(step, Turn):
            events.append(ClassifierPrompt(prompt=prompt, **common))
        written = digests[0] if digests else ()
        events.extend(replace(digest, **common) for digest in written)
    kernel = KernelDescription(kernel="hand", version="1", capabilities=tuple(CAPABILITIES))
    return TraceView(
        Trace(
            events=tuple(events),
            kernel=kernel,
            environment=environment,
            complete_from=complete_from,
        )
    )


def judged(view: TraceView) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Partitions and kinds of violation of every C-LEDGER clause that had something to say."""
    seen: dict[str, set[str]] = defaultdict(set)
    kinds: dict[str, set[str]] = defaultdict(set)
    for invariant in LEDGER:
        for clause_id, clause in zip(invariant.clause_ids, invariant.clauses, strict=True):
            for finding in clause.judge(view):
                if isinstance(finding, Compared):
                    seen[clause_id.removeprefix("C-LEDGER-")].update(finding.partitions)
                elif isinstance(finding, Violation):
                    kinds[clause_id.removeprefix("C-LEDGER-")].add(finding.kind)
    return seen, dict(kinds)


def after(step: Turn, shown: str, **more: Any) -> TraceView:
    """The calibration turn, the step, and a closing turn whose prompt ends like this."""
    return trace(
        (CALIBRATE, "static"),
        (step, f"calibrate\n{CALIBRATED}"),
        (turn("and then?"), f"calibrate\n{CALIBRATED}\n{shown}"),
        **more,
    )


@pytest.fixture
def hand() -> SimpleNamespace:
    """The builders ``trace`` and ``after``, the first turn, and ``judged``."""
    return SimpleNamespace(trace=trace, after=after, judged=judged, first=CALIBRATE)
