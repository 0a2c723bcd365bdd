"""C-TURN-RETRIED: a turn that is delivered twice is one turn."""

from __future__ import annotations

from ...scenarios.turns import interruptions_of
from ...vocabulary.invariant import Invariant, only_rows
from ...vocabulary.sources import fact_ledger
from .befallen import clauses_of

INVARIANT = Invariant(
    id="C-TURN-RETRIED",
    title="A turn delivered twice",
    statement="A turn that is delivered a second time, while it runs or when it has been "
    "answered, stays one turn: nothing of it is lost, doubled or shown to another "
    "user.",
    sources=(fact_ledger("What it stores"),),
    capabilities=frozenset({"fact_ledger", "turn_retry"}),
    severity="high",
    reading="How a kernel knows a turn again, and what it answers the second time, is open.",
    clauses=clauses_of(
        "retried",
        kept="From a turn on that was delivered twice, each prompt shows whole and in order "
        "what the calls of all turns returned.",
        again="No call of it, and none of a later turn, is entered or recorded as done twice.",
        sort="a turn that was delivered twice",
    ),
    scenarios=only_rows,
    strategy=interruptions_of("retried"),
)
