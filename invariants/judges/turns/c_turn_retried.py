"""C-TURN-RETRIED: a turn that is delivered twice is one turn."""

from __future__ import annotations

from collections.abc import Iterator

from ...scenarios.turns import interruptions_of
from ...vocabulary.invariant import Clause, Invariant, only_rows
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding
from .befallen import MOMENTS, NEIGHBOUR, done_again, doubled, lost, of_others


def _lost(view: TraceView) -> Iterator[Finding]:
    return lost(view, "retried")


def _doubled(view: TraceView) -> Iterator[Finding]:
    return doubled(view, "retried")


def _again(view: TraceView) -> Iterator[Finding]:
    return done_again(view, "retried")


def _of_others(view: TraceView) -> Iterator[Finding]:
    return of_others(view, "retried")


INVARIANT = Invariant(
    id="C-TURN-RETRIED",
    title="A turn delivered twice",
    statement="A turn that is delivered a second time, while it runs or when it has been "
    "answered, stays one turn: nothing of it is lost, doubled or shown to another "
    "user.",
    sources=(fact_ledger("What it stores"),),
    capabilities=frozenset({"fact_ledger", "turn_retry"}),
    severity="high",
    reading="How a kernel knows a turn again, and what it answers the second time, is open. How"
    " often facts are shown is compared with turns that nothing befell.",
    clauses=(
        Clause(
            "nothing-lost",
            "What the calls of a turn that was delivered twice returned is shown in the next "
            "prompt.",
            _lost,
            MOMENTS,
        ),
        Clause(
            "nothing-doubled",
            "It is shown there as often as that of any other turn.",
            _doubled,
            MOMENTS,
            sources=(fact_ledger("What the classifier sees"),),
        ),
        Clause(
            "done-once",
            "No call of a turn that was delivered twice is entered or recorded as done twice.",
            _again,
            MOMENTS,
            level="SHOULD",
            capabilities=frozenset({"audit"}),
            sources=(context_channels("(3) Post-turn — the narrator and the user see"),),
        ),
        Clause(
            "nothing-of-another-user",
            "From then on, too, nobody is shown what only another user's tools returned.",
            _of_others,
            (NEIGHBOUR,),
            sources=(
                fact_ledger("What it stores"),
                context_channels("(1) Pre-turn — the intent classifier sees"),
            ),
        ),
    ),
    scenarios=only_rows,
    strategy=interruptions_of("retried"),
)
