"""What a record proves, what it does not, and who says so, in three lines for every report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from ...invariants.recorded import unshown_clauses
from ...invariants.vocabulary.invariant import PROVENANCES, Provenance
from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.verdict import Verdict
from .meant import not_meant
from .model import Header, RunRecord
from .protection import is_protected, protection_words
from .record_parts import Recording
from .verdict_words import verdict_name

_KINDS: dict[Provenance, str] = {
    "founding": "the founding documents",
    "documented": "documented pages",
    "changelog": "a changelog",
    "operator": "an operator's form",
    "code": "published code alone",
}


class Claim(NamedTuple):
    """One line: what it is about, and what it says."""

    label: str
    text: str


def claims(record: RunRecord, signer: str = "") -> tuple[Claim, Claim, Claim]:
    """Return what is proven, what is not, and by whom.

    Args:
        record: the run.
        signer: id of the key whose signature of the record was checked and is good.
    """
    return (
        Claim("Proven", _proven(record)),
        Claim("Not proven", "; ".join(_not_proven(record, signer))),
        Claim("By", _by(record.header, signer)),
    )


def _proven(record: RunRecord) -> str:
    if record.header.evidence == "none":
        return "nothing: the kernel ran where it could replace what judges it"
    told = record.summary
    broken = sum(result.verdict.broken for result in record.clauses if result.required)
    held = told.protection if is_protected(told.protection) else "not-needed"
    protection = "" if held == "not-needed" else f"; protection: {protection_words(held)}"
    return (
        f"{_where(record.header)}, {told.passed:,} of {told.required:,} required clauses of "
        f"{record.header.requirement_set.name} were kept, {broken:,} broken"
        f"{_by_provenance(record)}{protection}"
    )


def _where(header: Header) -> str:
    return "in what was tried" if header.recording is UNSET else "in what was recorded"


def _by_provenance(record: RunRecord) -> str:
    """Tell what was kept of each kind of document, if more than the founding ones count."""
    told: list[str] = []
    for kind in PROVENANCES:
        own = [result for result in record.clauses if result.provenance == kind]
        counting = [result for result in own if result.gating] or own
        judged = [result for result in counting if result.verdict.seen]
        kept = sum(not result.verdict.broken for result in judged)
        if judged:
            advisory = "" if counting[0].gating else ", advisory"
            told.append(f"{kept:,} of {len(judged):,} rest on {_KINDS[kind]}{advisory}")
    others = any(x.gating and x.provenance != "founding" for x in record.clauses)
    return f" (kept: {'; '.join(told)})" if others and told else ""


def _not_proven(record: RunRecord, signer: str) -> Iterator[str]:
    header, told = record.header, record.summary
    others = not_meant(record)
    counts = {verdict: told.verdicts.get(verdict.value, 0) for verdict in Verdict}
    open_ones = [
        f"{number:,} {verdict_name(verdict, recorded=header.is_audit)}"
        for verdict, number in counts.items()
        if number and not verdict.seen
    ]
    if header.ignored:
        open_ones.append(f"{counted(len(header.ignored), 'required clause')} ignored")
    if excluded := header.excluded.keys() - others:
        open_ones.append(f"{counted(len(excluded), 'clause')} left out")
    if open_ones:
        yield ", ".join(open_ones)
    if told.interrupted:
        yield "what was to come when the run was interrupted"
    if header.deviations:
        yield f"deviations from the documents: {', '.join(header.deviations)}"
    yield from _unjudged(record)
    yield from _without_protection(record)
    recorded = header.recording is not UNSET
    if header.recording is not UNSET:
        yield from _unread(header.recording)
        yield from _unshown(record)
        yield "that what was recorded happened so: the truth is the system's own word"
    yield "other conversations than those recorded" if recorded else "other inputs than those tried"
    if not signer:
        yield "that nobody edited the record, which only a signature proves"


def _unread(recording: Recording) -> Iterator[str]:
    """Tell what of a recording could not be read or used, and where first."""
    for remark in recording.remarks:
        first = remark.places[0] if remark.places else None
        where = "" if first is None else f", first at {first.file}"
        line = f":{first.line}" if first is not None and first.line else ""
        yield f"what was not read or used: {remark.what} {remark.times:,} times{where}{line}"


def _unjudged(record: RunRecord) -> Iterator[str]:
    """Tell of which turns a promise is not known to be kept, although it counts as kept."""
    for result in record.clauses:
        found = result.recorded
        if (
            found
            and not result.verdict.broken
            and result.verdict.seen
            and found.turns.not_judgeable
        ):
            open_, seen = found.turns.not_judgeable, found.turns.seen
            why = ", ".join(sorted(found.reasons))
            yield f"{result.clause} in {open_:,} of {counted(seen, 'turn')}: {why}"


def _unshown(record: RunRecord) -> Iterator[str]:
    """Tell which promises of agents the spans do not show, whatever was selected."""
    judged = {result.clause for result in record.clauses}
    for reason, clauses in unshown_clauses().items():
        if not judged.intersection(clauses):
            yield f"{', '.join(clauses)}: {reason}"


def _without_protection(record: RunRecord) -> Iterator[str]:
    if record.header.transport == "http":
        yield "protection: the kernel ran behind a server, of which nothing is known"
    elif not is_protected(record.summary.protection):
        yield f"protection: {protection_words(record.summary.protection)}"


def _by(header: Header, signer: str) -> str:
    origin = header.origin
    who = ", ".join(filter(None, [origin.organisation, origin.person])).replace(";", ",")
    if not who and origin.user:
        who = f"the user {origin.user}"
    job = " ".join(filter(None, [origin.ci, origin.run_url]))
    told = ", ".join(filter(None, [who, job])) or "nobody who is named"
    return f"{told}; signed by the key {signer}" if signer else f"{told}, as the record says"
