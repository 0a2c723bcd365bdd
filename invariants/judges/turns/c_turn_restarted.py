"""C-TURN-RESTARTED: a turn that a new process takes up is one turn."""

from __future__ import annotations

from ...scenarios.turns import interruptions_of
from ...vocabulary.invariant import Invariant, only_rows
from ...vocabulary.sources import fact_ledger
from .befallen import clauses_of

INVARIANT = Invariant(
    id="C-TURN-RESTARTED",
    title="A turn taken up again",
    statement="A turn that a new process takes up from the storage of the one before stays one "
    "turn: nothing of it is lost, doubled or shown to another user.",
    sources=(fact_ledger("What it stores"),),
    capabilities=frozenset({"fact_ledger", "turn_restart"}),
    severity="high",
    reading="The process ends between two calls: whether a call that had begun runs again is "
    "open, and so is what a second prompt of the turn shows.",
    clauses=clauses_of(
        "restarted",
        kept="From a turn on that was taken up again, each prompt shows whole and in order "
        "what the calls of all turns returned, before and after the restart.",
        again="No call of it that had come back, and none of a later turn, is entered or recorded "
        "as done twice.",
        sort="a turn that was taken up again",
    ),
    scenarios=only_rows,
    strategy=interruptions_of("restarted"),
)
