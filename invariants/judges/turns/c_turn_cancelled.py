"""C-TURN-CANCELLED: of a turn that is stopped, what was done stays and nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.interruptions import AFTER, BEFORE, read_interruptions, times_shown
from ...scenarios.turns import interruptions_of
from ...vocabulary.invariant import Clause, Invariant, only_rows
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation
from .befallen import MOMENTS, entered, lost, of_others_clause, recorded


def _lost(view: TraceView) -> Iterator[Finding]:
    return lost(view, "cancelled")


def _after(view: TraceView) -> Iterator[Finding]:
    for turned in view.reading(read_interruptions).of("cancelled"):
        for one in turned.undone if turned.later is not None else ():
            yield Compared((turned.moment,), turned.step.index)
            ran = entered(one) or recorded(one)
            if ran or times_shown(one, turned):
                yield Violation(
                    kind="a call runs after the stop" if ran else "a fact of a call that never ran",
                    step=turned.step.index,
                    expected=f"nothing of call {one.place}, which had not begun",
                    got="it was entered or recorded as done"
                    if ran
                    else "a fact in the next prompt",
                )


INVARIANT = Invariant(
    id="C-TURN-CANCELLED",
    title="A turn that is stopped",
    statement="Of a turn that its user stops, what its calls had returned is kept, no further "
    "call runs, and nothing is shown to another user.",
    sources=(fact_ledger("What it stores"),),
    capabilities=frozenset({"fact_ledger", "turn_cancel"}),
    severity="high",
    reading="Whether a stopped turn is answered, and what is recorded of calls that did not "
    "run, is open. What is shown is compared with turns that nothing befell.",
    clauses=(
        Clause(
            "nothing-lost",
            "What the calls of a turn returned before it was stopped is shown in the next prompt.",
            _lost,
            tuple(each for each in MOMENTS if each.name != BEFORE),
        ),
        Clause(
            "nothing-after",
            "A call that had not begun when its turn was stopped does not run and leaves no fact.",
            _after,
            tuple(each for each in MOMENTS if each.name != AFTER),
            level="SHOULD",
            sources=(context_channels("(3) Post-turn — the narrator and the user see"),),
        ),
        of_others_clause("cancelled"),
    ),
    scenarios=only_rows,
    strategy=interruptions_of("cancelled"),
)
