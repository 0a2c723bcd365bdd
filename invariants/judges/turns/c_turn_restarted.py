"""C-TURN-RESTARTED: a turn that a new process takes up is one turn."""

from __future__ import annotations

from ...scenarios.turns import interruptions_of
from ...vocabulary.invariant import Invariant, only_rows
from ...vocabulary.sources import fact_ledger
from .befallen import goes_on_clauses

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
    clauses=goes_on_clauses(
        "restarted",
        kept="What the calls of a turn returned before and after a restart is shown in the "
        "next prompt.",
        again="No call of a turn that was taken up again is entered or recorded as done twice.",
    ),
    scenarios=only_rows,
    strategy=interruptions_of("restarted"),
)
