"""From what was seen of a clause to its verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_evidence

from msgspec.structs import replace

from ...invariants.vocabulary.invariant import Clause, Invariant
from ...invariants.vocabulary.verdict import Verdict
from ...reports.record.derivation import INCIDENTS, missing_classes, steady
from ...reports.record.metadata import clause_metadata
from ...reports.record.model import ClauseResult, Counterexample, Incident
from ...reports.record.verdict_words import ABOUT_AGENTS, ABOUT_KERNELS, NOT_SEEN
from ..driving.judging import Clauses, unclaimed
from ..driving.tally import ClauseTally
from ..waivers.applying import JudgedWaiver

_NOTHING_ELSE = frozenset({Verdict.PASS, Verdict.NOT_EXERCISED, Verdict.NOT_CLAIMED})
"""Verdicts, apart from the waived breach, that say of no second one."""


@dataclass(frozen=True)
class Evidence:
    """All that a run knows of one clause.

    Attributes:
        counterexamples: one for each kind of difference.
        incidents: those of the clause's invariant, and of the run as a whole.
        skipped: why the kernel does not claim some of the invariant's scenarios.
        other_flags: why some of them need flags that the kernel never has; empty if none do.
        own_flags: with which flags the kernel ran some instead of theirs; empty if with theirs.
        complete: whether the invariant's own scenarios all ran.
        waivers: those that apply to the clause.
        elsewhere: whether its scenarios are those of another part of the run.
    """

    tally: ClauseTally
    counterexamples: Sequence[Counterexample]
    incidents: Sequence[Incident]
    skipped: Sequence[str]
    complete: bool
    required: bool
    seconds: float
    waivers: Sequence[JudgedWaiver] = ()
    other_flags: str = ""
    own_flags: str = ""
    elsewhere: bool = False


def clause_result(
    invariant: Invariant, clause: Clause, evidence: Evidence, capabilities: frozenset[str]
) -> ClauseResult:
    """Return what the run says of one clause."""
    metadata = clause_metadata(invariant, clause)
    missing = missing_classes(metadata["classes"], evidence.tally.partitions, capabilities)
    verdict, reason = _verdict(invariant, clause, evidence, capabilities, missing)
    effective, waiver = verdict, ""
    if verdict.broken and evidence.waivers:
        rest = replace_evidence(evidence, counterexamples=_uncovered(evidence))
        effective, why = _verdict(invariant, clause, rest, capabilities, missing)
        if effective in _NOTHING_ELSE:
            effective, waiver = Verdict.WAIVED, evidence.waivers[0].result.id
            why = _waived(evidence.waivers)
        reason = f"{reason}; {why}"
    return ClauseResult(
        clause=f"{invariant.id}/{clause.name}",
        invariant=invariant.id,
        required=evidence.required,
        verdict=verdict,
        effective=effective,
        reason=reason,
        scenarios=evidence.tally.scenarios,
        comparisons=evidence.tally.comparisons,
        partitions=dict(sorted(evidence.tally.partitions.items())),
        missing_partitions=() if verdict is Verdict.NOT_CLAIMED else missing,
        counterexamples=tuple(example.id for example in evidence.counterexamples),
        **metadata,
        seconds=round(evidence.seconds, 3),
        waiver=waiver,
    )


def _uncovered(evidence: Evidence) -> list[Counterexample]:
    covered = {waiver.result.fingerprint for waiver in evidence.waivers}
    return [example for example in evidence.counterexamples if example.kind not in covered]


def _waived(waivers: Sequence[JudgedWaiver]) -> str:
    told = (f"{x.result.id} until {x.result.expires} ({x.result.ticket})" for x in waivers)
    return f"waived by {', '.join(told)}"


def folded(results: list[ClauseResult], clauses: Clauses) -> list[ClauseResult]:
    """Name the cause of clauses that had nothing to compare because another one fails."""
    failed = {x.clause: x for x in results if x.verdict.broken}
    return [_folded(result, clauses[result.clause][0], failed) for result in results]


def _folded(
    result: ClauseResult, invariant: Invariant, failed: Mapping[str, ClauseResult]
) -> ClauseResult:
    """A clause with nothing to compare counts as its cause does: what bears one bears both."""
    causes = [failed[x] for x in invariant.rests_on if x in failed]
    if result.verdict is not Verdict.NOT_EXERCISED or not causes:
        return result
    cause = next((x for x in causes if x.effective is not Verdict.WAIVED), causes[0])
    reason = f"it rests on {cause.clause}, which fails"
    if cause.effective is not Verdict.WAIVED:
        return replace(result, reason=f"{reason}: mend that first")
    reason = f"{reason} and is waived ({cause.waiver})"
    return replace(result, effective=Verdict.WAIVED, waiver=cause.waiver, reason=reason)


def _why_unclaimed(
    invariant: Invariant, capabilities: frozenset[str], lacking: frozenset[str]
) -> str:
    if ("agent" in capabilities) != ("agent" in invariant.capabilities):
        return ABOUT_KERNELS if "agent" in capabilities else ABOUT_AGENTS
    return f"the kernel does not claim: {', '.join(sorted(lacking))}"


def _verdict(
    invariant: Invariant,
    clause: Clause,
    evidence: Evidence,
    capabilities: frozenset[str],
    missing: tuple[str, ...],
) -> tuple[Verdict, str]:
    if lacking := unclaimed(invariant, clause, capabilities):
        return Verdict.NOT_CLAIMED, _why_unclaimed(invariant, capabilities, lacking)
    if broken := _broken(evidence.counterexamples):
        return broken
    if evidence.incidents:
        return INCIDENTS[evidence.incidents[0].kind], evidence.incidents[0].message
    if not evidence.complete:
        stopped = "the run was stopped before its scenarios were done"
        elsewhere = "its scenarios are those of another part of the run"
        return Verdict.NOT_EXERCISED, elsewhere if evidence.elsewhere else stopped
    why = evidence.other_flags or evidence.own_flags
    flags = f"; {why}" if why else ""
    anything = bool(evidence.tally.comparisons)
    unlike = bool(evidence.other_flags)
    if not anything and evidence.skipped and not missing and (clause.partitions or not unlike):
        return Verdict.NOT_CLAIMED, evidence.skipped[0]
    if not anything:
        return Verdict.NOT_EXERCISED, f"no scenario gave the judge anything to compare{flags}"
    if missing:
        return Verdict.NOT_EXERCISED, f"{NOT_SEEN}: {_described(clause, missing)}{flags}"
    return Verdict.PASS, ""


def _described(clause: Clause, missing: tuple[str, ...]) -> str:
    """Say what input is missing, by name and in words."""
    words = {each.name: each.description for each in clause.partitions}
    return ", ".join(f"{name} ({words[name]})" if words.get(name) else name for name in missing)


def _broken(examples: Sequence[Counterexample]) -> tuple[Verdict, str] | None:
    if shown := steady(examples):
        untried = "" if all(x.attempts for x in shown) else " (not repeated: the run was stopped)"
        return Verdict.FAIL, "; ".join(example.kind for example in shown) + untried
    if examples:
        first = next(example for example in examples if not example.steady)
        return (
            Verdict.FLAKY,
            f"{first.kind}: shown again in {first.reproduced} of {first.attempts} repetitions",
        )
    return None
