"""Judges a counterexample of a recording again: nothing is run, the recording is read once more."""

from __future__ import annotations

from msgspec import UNSET

from ...invariants.recorded import every_clause
from ...invariants.vocabulary.errors import Unjudgeable
from ...invariants.vocabulary.verdict import Violation
from ..driving.judging import judge
from .documents import CounterexampleFile
from .replay import Outcome, Replayed

FOUND_IN_RECORDING = "recording"
"""What a counterexample of a recording says of where it was found."""


def judged_again(example: CounterexampleFile) -> Replayed:
    """Return what the judges of this version say of a recorded breach."""
    known = every_clause()
    if example.recording is UNSET:
        reason = "the recording is not in it: with --evidence full the audit keeps it"
        return Replayed(Outcome.CANNOT_JUDGE, reason)
    if example.clause not in known:
        reason = f"this suite has no clause {example.clause} that judges recordings"
        return Replayed(Outcome.CANNOT_JUDGE, reason)
    try:
        found = judge(example.recording, {example.clause: known[example.clause]})
    except Unjudgeable as error:
        return Replayed(Outcome.CANNOT_JUDGE, str(error))
    broken = [x for x in found.get(example.clause, []) if isinstance(x, Violation)]
    if not broken:
        reason = "the judges of this version find no breach in the recording"
        return Replayed(Outcome.FIXED, reason, attempts=1, trace=example.recording)
    same = next((each for each in broken if each.kind == example.kind), broken[0])
    return Replayed(
        Outcome.STILL_FAILS,
        "the recording shows it",
        shown=1,
        attempts=1,
        violation=same,
        trace=example.recording,
    )
