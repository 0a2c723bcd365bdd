"""The words that reports use for verdicts and outcomes, and what each of them means."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.verdict import Verdict
from .model import ClauseResult, RunRecord
from .outcome import CONFORMANT, NOT_JUDGED, VIOLATIONS

MEANINGS = {
    Verdict.PASS: "The judge compared every class of input that it needs and found no breach.",
    Verdict.FAIL: "A breach was seen and showed again each time that it was repeated.",
    Verdict.FLAKY: "A breach was seen, and did not show again each time that it was repeated.",
    Verdict.TIMEOUT: "The kernel gave no answer in time.",
    Verdict.CRASH: "The kernel's process ended.",
    Verdict.ERROR: "The suite could not judge what it got. This says nothing of the promise.",
    Verdict.NOT_EXERCISED: "A class of input that the verdict needs was not seen. Not a pass.",
    Verdict.NOT_CLAIMED: "The kernel does not claim what the clause is about. Never a pass.",
    Verdict.WAIVED: "Broken, and accepted until a date. The raw verdict stands beside it.",
}
"""Verdict → what it says."""

_OF_AUDITS = {
    Verdict.PASS: "Enough of what the clause is about could be judged, and nothing broke it.",
    Verdict.FAIL: "A breach was recorded.",
    Verdict.ERROR: MEANINGS[Verdict.ERROR],
    Verdict.NOT_EXERCISED: "Too little of what the clause is about could be judged. Not a pass.",
    Verdict.NOT_CLAIMED: "Nothing in the recording is about it. Never a pass.",
}

NOT_SEEN = "input classes not seen"
"""Begins the reason of a verdict for which input was missing; its names follow."""

ABOUT_KERNELS = "it is about kernels, and this is an agent runtime"
ABOUT_AGENTS = "it is about agent runtimes, and this is a kernel"
"""The reasons of clauses that are not meant for what was judged."""


class Outcome(NamedTuple):
    """What a run came to: a word, a sentence, the class of its colour."""

    word: str
    sentence: str
    colour: str


def verdict_name(verdict: Verdict, *, recorded: bool = False) -> str:
    """Return a verdict in words; of a recording, which claims nothing, in its own."""
    if recorded and verdict is Verdict.NOT_CLAIMED:
        return "not in the recording"
    return verdict.value.replace("_", " ")


def result_name(result: ClauseResult) -> str:
    """Return in words what counts of a clause's verdict."""
    return verdict_name(result.effective, recorded=result.recorded is not UNSET)


def meanings(record: RunRecord) -> dict[Verdict, str]:
    """Return what each verdict says that the record may hold."""
    return _OF_AUDITS if record.header.is_audit else MEANINGS


def extent(record: RunRecord, result: ClauseResult) -> str:
    """Return how much a result rests on."""
    if record.header.is_audit:
        talks, turns = (
            counted(result.scenarios, "conversation"),
            counted(result.comparisons, "turn"),
        )
        return f"{turns} judged in {talks}"
    told = counted(result.comparisons, "comparison")
    return f"{counted(result.scenarios, 'scenario')}, {told}"


def colour(result: ClauseResult) -> str:
    """Return the class of a result's colour: ``good``, ``bad`` or ``open``."""
    if result.red:
        return "bad"
    return "good" if result.effective is Verdict.PASS else "open"


def hue(verdict: Verdict) -> str:
    """Return the class of a word's colour; what makes a run red is red wherever it stands."""
    return "good" if verdict is Verdict.PASS else "bad" if verdict.red else "open"


def coverage(record: RunRecord) -> str:
    """Return how much of what is demanded was judged, and what became of the rest."""
    told = record.summary
    parts = [f"{told.exercised:,} of {told.required:,} required clauses judged"]
    parts += [
        f"{number:,} {verdict_name(verdict, recorded=record.header.is_audit)}"
        for verdict in Verdict
        if not (verdict.seen or verdict is Verdict.WAIVED)
        and (number := told.verdicts.get(verdict.value, 0))
    ]
    if record.header.ignored:
        parts.append(f"{len(record.header.ignored):,} more ignored")
    return ", ".join(parts)


def outcome(record: RunRecord) -> Outcome:
    """Return what a run came to."""
    summary = record.summary
    kernel = f"{record.header.kernel.kernel} {record.header.kernel.version}"
    part = "the selected part of " if record.header.excluded else ""
    against = f"{part}the requirement set {record.header.requirement_set.name}"
    waived = summary.verdicts.get(Verdict.WAIVED.value, 0)
    passed = f"{summary.passed:,} passed" + (f", {waived:,} waived" if waived else "")
    numbers = f"{coverage(record)}; {passed}"
    if summary.interrupted:
        return Outcome("Interrupted", f"The run was stopped before its end; {numbers}.", "open")
    if record.header.is_part and summary.exit_code == NOT_JUDGED:
        what = f"Shard {record.header.shard}" if record.header.shard else "The rest"
        sentence = f"{what} of a run, which `fedcheck merge` judges: {numbers}."
        return Outcome("Not judged", sentence, "open")
    if summary.exit_code == CONFORMANT:
        lacking = Verdict.NOT_CLAIMED.value in summary.verdicts
        seen = "was recorded" if record.header.is_audit else "it claims"
        what = f"what {seen} of {against}" if lacking else against
        but = ", but for what is waived" if waived else ""
        return Outcome("Conformant", f"{kernel} keeps {what}{but}: {numbers}.", "good")
    if summary.exit_code == VIOLATIONS:
        return Outcome("Not conformant", f"{kernel} does not keep {against}: {numbers}.", "bad")
    if summary.exit_code == NOT_JUDGED:
        sentence = f"{kernel} could not be judged whole against {against}: {numbers}."
        return Outcome("Not judged", sentence, "open")
    return Outcome("Stopped", f"The run ended with exit code {summary.exit_code}.", "open")
