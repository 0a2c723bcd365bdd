"""Waivers: a breach that is accepted for now changes what counts, never what was seen.

Each waiver is judged by running its counterexample, so that its verdict is the same in every
run. It covers the one kind of difference that the counterexample shows; any other breach of
the clause stays red.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from msgspec import structs

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.trace import KernelDescription
from ...invariants.vocabulary.verdict import Violation
from ...reports.record.model import Counterexample, Incident, WaiverResult, counterexample_id
from ...reports.record.versions import within
from ..counterexamples.documents import CounterexampleFile, read_file
from ..counterexamples.replay import Outcome, Replayed, replay
from ..driving.judging import Clauses, unclaimed
from ..driving.session import Session
from ..settings.options import RunOptions
from ..settings.waiver_entries import Waiver, today

SOON = 14
"""Days before its end from which on a waiver's end is announced."""


@dataclass(frozen=True)
class JudgedWaiver:
    """A waiver, what the run says of it, and the failure that it covers.

    Attributes:
        result: the record's line.
        counterexample: what its counterexample showed, if that is still a breach.
        incident: how the kernel broke down in its counterexample, if it did.
    """

    result: WaiverResult
    counterexample: Counterexample | None = None
    incident: Incident | None = None

    @property
    def applies(self) -> bool:
        """Whether it changes what counts."""
        return self.result.state == "applied"

    @property
    def covers(self) -> tuple[str, str]:
        """The clause and the kind of difference that it is about."""
        return self.result.clause, self.result.fingerprint


def judge_waivers(
    options: RunOptions, session: Session, catalog: Clauses, selected: Clauses
) -> list[JudgedWaiver]:
    """Judge the waivers of the clauses that a run is about, in their order.

    Args:
        options: of the run; they hold the waivers of the configuration.
        session: the kernel.
        catalog: every clause that there is.
        selected: the clauses of the run; a waiver of another clause is left alone.

    Raises:
        UsageError: a counterexample cannot be read or is about something else, or two
            waivers cover the same kind of difference.
    """
    judged: dict[tuple[str, str], Waiver] = {}
    found: list[JudgedWaiver] = []
    for waiver in options.waivers:
        clause = waiver.entry.clause
        if clause in catalog and clause not in selected:
            continue
        example = _counterexample(waiver)
        covered = (clause, example.kind)
        if covered in judged and within_reach(judged[covered], session.description):
            raise UsageError(
                f"{waiver.place}: the waiver at {judged[covered].place} covers {clause} "
                f"({example.kind}) already; delete one of them"
            )
        if within_reach(waiver, session.description):
            judged[covered] = waiver
        judgement = _judged(waiver, example, session, catalog)
        found.append(_reproducible(judgement, waiver, options))
    return found


def _reproducible(judged: JudgedWaiver, waiver: Waiver, options: RunOptions) -> JudgedWaiver:
    if judged.counterexample is None:
        return judged
    words = ["fedcheck", "replay", str(waiver.counterexample), "--kernel", options.kernel]
    words += ["--in-process"] if options.in_process else []
    example = structs.replace(judged.counterexample, command=shlex.join(words))
    return replace(judged, counterexample=example)


def within_reach(waiver: Waiver, kernel: KernelDescription) -> bool:
    """Return whether a waiver is for this kernel and version."""
    entry = waiver.entry
    return entry.kernel == kernel.kernel and within(kernel.version, entry.versions)


def _counterexample(waiver: Waiver) -> CounterexampleFile:
    try:
        example = read_file(waiver.counterexample)
    except UsageError as error:
        raise UsageError(f"{waiver.place}: the counterexample of a waiver: {error}") from None
    entry = waiver.entry
    if example.clause != entry.clause or not example.kind:
        shown = f"is about {example.clause or 'no clause'} ({example.kind or 'no difference'})"
        raise UsageError(
            f"{waiver.place}: the counterexample {entry.counterexample} {shown}, the waiver is "
            f"about {entry.clause}; name a counterexample of that clause"
        )
    if entry.fingerprint not in {"", example.kind, f"{example.clause} {example.kind}"}:
        raise UsageError(
            f"{waiver.place}: the counterexample {entry.counterexample} shows "
            f"{example.kind!r}, the waiver covers {entry.fingerprint!r}; they must agree"
        )
    return example


def _judged(
    waiver: Waiver, example: CounterexampleFile, session: Session, catalog: Clauses
) -> JudgedWaiver:
    mismatch = _mismatch(waiver, session.description, catalog)
    if waiver.entry.self_approved:
        return JudgedWaiver(_result(waiver, example, "self-approved", _self_approved(waiver)))
    if mismatch:
        return JudgedWaiver(_result(waiver, example, "unmatched", mismatch))
    shown = replay(session, example, catalog)
    if shown.outcome is Outcome.CANNOT_JUDGE:
        message = f"its counterexample cannot be judged: {shown.reason}; {_replace(waiver, shown)}"
        result = _result(waiver, example, "unmatched", message)
        return JudgedWaiver(result, incident=shown.incident)
    if shown.violation is None or shown.violation.kind != example.kind:
        return JudgedWaiver(_result(waiver, example, "stale", _stale(waiver, shown)))
    return JudgedWaiver(
        _result(waiver, example, *_in_time(waiver)),
        _shown(waiver, example, shown, shown.violation),
    )


def _mismatch(waiver: Waiver, kernel: KernelDescription, catalog: Clauses) -> str:
    """Why the waiver is not about this run, and what to do; empty if it is."""
    entry = waiver.entry
    if entry.clause in catalog and entry.kernel != kernel.kernel:
        return _for_another_kernel(waiver, kernel)
    if entry.clause not in catalog:
        reason = f"there is no clause {entry.clause}"
    elif not within(kernel.version, entry.versions):
        reason = f"it is for the versions {entry.versions!r}, this one is {kernel.version!r}"
    elif lacking := unclaimed(*catalog[entry.clause], frozenset(kernel.capabilities)):
        reason = f"the kernel does not claim {', '.join(sorted(lacking))}"
    else:
        return ""
    return f"{reason}; {_delete(waiver)}, or correct it"


def _for_another_kernel(waiver: Waiver, kernel: KernelDescription) -> str:
    entry = waiver.entry
    return (
        f"it is for another kernel: it names {entry.kernel!r}, the one that is judged calls "
        f"itself {kernel.kernel!r}; give each kernel a configuration of its own (--config FILE), "
        "or, if it is the same kernel, correct the line `kernel` of this [[waivers]] entry, "
        f"whose clause is {entry.clause}"
    )


def _in_time(waiver: Waiver) -> tuple[str, str]:
    """State and message of a waiver whose counterexample still shows."""
    entry, left = waiver.entry, _days_left(waiver)
    if left < 0:
        return "expired", (
            f"it expired on {entry.expires} and the promise is still broken: mend the kernel "
            f"({entry.ticket}), or have it approved anew and change the line "
            f"`expires = {entry.expires}`"
        )
    return "applied", f"it ends in {left} days" if left <= SOON else ""


def _stale(waiver: Waiver, shown: Replayed) -> str:
    if shown.violation is None:
        seen = f"the kernel keeps the promise now: {shown.reason}"
    else:
        seen = f"it shows {shown.violation.kind!r} now, which the waiver does not cover"
    return f"{seen}; {_delete(waiver)}"


def _self_approved(waiver: Waiver) -> str:
    return (
        f"{waiver.entry.requested_by} asked for it and approved it; have somebody else approve "
        f"it and change the line `approved_by`, or {_delete(waiver)}"
    )


def _replace(waiver: Waiver, shown: Replayed) -> str:
    if shown.incident is not None:
        return "find out why the kernel breaks down first"
    return f"replace the file {waiver.entry.counterexample}, or {_delete(waiver)}"


def _delete(waiver: Waiver) -> str:
    return f"delete this [[waivers]] entry, whose clause is {waiver.entry.clause}"


def _days_left(waiver: Waiver) -> int:
    return (waiver.entry.expires - today()).days


def _result(waiver: Waiver, example: CounterexampleFile, state: str, message: str) -> WaiverResult:
    entry = waiver.entry
    return WaiverResult(
        id=waiver.id,
        clause=entry.clause,
        fingerprint=example.kind,
        kernel=entry.kernel,
        versions=entry.versions,
        reason=entry.reason,
        requested_by=entry.requested_by,
        approved_by=entry.approved_by,
        ticket=entry.ticket,
        expires=entry.expires.isoformat(),
        counterexample=entry.counterexample,
        state=state,  # pyright: ignore[reportArgumentType]  one of five literals
        days_left=_days_left(waiver),
        message=f"{waiver.place}: {message}" if message else "",
    )


def _shown(
    waiver: Waiver, example: CounterexampleFile, shown: Replayed, violation: Violation
) -> Counterexample:
    return Counterexample(
        id=counterexample_id(example.clause, example.kind, example.scenario),
        clause=example.clause,
        kind=example.kind,
        violation=violation,
        scenario=example.scenario,
        trace=shown.trace,
        other_trace=shown.other_trace,
        reproduced=shown.shown,
        attempts=shown.attempts,
        found_in=f"waiver:{waiver.id}",
        command="",
    )
