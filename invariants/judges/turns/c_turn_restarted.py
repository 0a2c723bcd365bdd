"""C-TURN-RESTARTED: a turn that a new process takes up is one turn."""

from __future__ import annotations

from collections.abc import Iterator

from ...scenarios.turns import interruptions_of
from ...vocabulary.invariant import Clause, Invariant, only_rows
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding
from .befallen import MOMENTS, NEIGHBOUR, done_again, doubled, lost, of_others


def _lost(view: TraceView) -> Iterator[Finding]:
    return lost(view, "restarted")


def _doubled(view: TraceView) -> Iterator[Finding]:
    return doubled(view, "restarted")


def _again(view: TraceView) -> Iterator[Finding]:
    return done_again(view, "restarted")


def _of_others(view: TraceView) -> Iterator[Finding]:
    return of_others(view, "restarted")


INVARIANT = Invariant(
    id="C-TURN-RESTARTED",
    title="A turn taken up again",
    statement="A turn that a new process takes up from the storage of the one before stays one "
    "turn: nothing of it is lost, doubled or shown to another user.",
    sources=(fact_ledger("What it stores"),),
    capabilities=frozenset({"fact_ledger", "turn_restart"}),
    severity="high",
    reading="The process ends between two calls: whether a call that had begun runs again is "
    "open. How often facts are shown is compared with turns that nothing befell.",
    clauses=(
        Clause(
            "nothing-lost",
            "What the calls of a turn returned before and after a restart is shown in the next "
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
            "No call of a turn that was taken up again is entered or recorded as done twice.",
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
    strategy=interruptions_of("restarted"),
)
