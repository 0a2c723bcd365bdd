"""From what a recording showed of a clause to its verdict, and what in a record follows from it."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Collection, Iterator

from msgspec import UNSET

from ...invariants.recorded import every_clause, recorded_clauses, recorded_digest
from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.trace import KernelDescription
from ...invariants.vocabulary.verdict import Verdict
from .metadata import clause_metadata
from .model import ClauseResult, RunRecord, counterexample_id
from .outcome import NOT_JUDGED, exit_code
from .record_parts import Recorded, Recording, RequirementSet, Seen

REQUIREMENTS = "recordings"
"""The name of the list of clauses against which recordings are judged."""


def recorded_requirements(kernel: KernelDescription) -> RequirementSet:
    """Return the list of clauses against which recordings are judged: every MUST."""
    known = recorded_clauses(frozenset(kernel.capabilities))
    clauses = [name for name, (_, clause) in known.items() if clause.level == "MUST"]
    title = "What recordings can show of agents"
    text = json.dumps({"name": REQUIREMENTS, "title": title, "clauses": clauses}, indent=2) + "\n"
    digest = hashlib.sha256(text.encode("ascii")).hexdigest()
    return RequirementSet(name=REQUIREMENTS, digest=digest, files=(text,))


_Z = 1.96


def bound(seen: Seen) -> float:
    """Return the share of conversations that may be broken, with 95 % confidence.

    Where nothing broke it is three by the number of those judged, else the upper end of Wilson's
    interval. It speaks of conversations that were recorded as these were.
    """
    number, broken = seen.judgeable, seen.broken
    if not number:
        return 1.0
    if not broken:
        return round(min(1.0, 3 / number), 6)
    share = broken / number
    centre = share + _Z**2 / (2 * number)
    margin = _Z * math.sqrt(share * (1 - share) / number + _Z**2 / (4 * number**2))
    return round(min(1.0, (centre + margin) / (1 + _Z**2 / number)), 6)


def recorded_verdict(found: Recorded, recording: Recording) -> Verdict:
    """Return the verdict of a clause.

    What could not be read may hold as much of what the clause is about as what was read, and is
    not judgeable. Where nothing that was judged is about the clause, what was not judged counts
    among all turns: a gap in a few of them does not make it one that too little is known of.

    Args:
        found: what was seen of it.
        recording: what was read, and which share had to be judgeable.
    """
    if found.turns.broken or found.conversations.broken:
        return Verdict.FAIL
    turns, judgeable = found.turns, found.turns.judgeable
    if not turns.not_judgeable and not judgeable:
        return Verdict.NOT_CLAIMED
    if not judgeable:
        known = recording.share_read * (turns.seen - turns.not_judgeable) / max(turns.seen, 1)
        enough = turns.seen > turns.not_judgeable and known >= recording.min_judgeable
        return Verdict.NOT_CLAIMED if enough else Verdict.NOT_EXERCISED
    share = recording.share_read * judgeable / (judgeable + found.turns.not_judgeable)
    return Verdict.PASS if share >= recording.min_judgeable else Verdict.NOT_EXERCISED


def recorded_reason(found: Recorded, verdict: Verdict, recording: Recording) -> str:
    """Return one line for people: what was seen, what not, and why."""
    if verdict is Verdict.NOT_CLAIMED:
        told = "nothing in the recording is about it"
        if not found.turns.not_judgeable:
            return told
        open_ = counted(found.turns.not_judgeable, "turn")
        return f"{told}, as far as it could be judged; not judgeable: {open_}{_why(found)}"
    talks, turns = found.conversations, found.turns
    told = f"{turns.judgeable:,} of {counted(turns.seen, 'turn')} judged"
    told += f" in {talks.judgeable:,} of {counted(talks.seen, 'conversation')}"
    if turns.broken:
        kinds = ", ".join(f"{kind} ({n:,})" for kind, n in found.kinds.items())
        breaches = f"{found.breached:,} {'breach' if found.breached == 1 else 'breaches'}"
        told += f"; {counted(turns.broken, 'turn')} broken by {breaches}: {kinds}"
    elif talks.judgeable:
        told += f"; none broken: at most {found.bound:.2%} are, with 95 % confidence"
    if turns.not_judgeable:
        told += f"; not judgeable: {turns.not_judgeable:,}{_why(found)}"
    if recording.unread_turns:
        told += f"; not read: about {counted(recording.unread_turns, 'turn')}"
    if recording.is_cut:
        told += "; a file could not be read to its end: nobody knows how much is missing"
    return told


def _why(found: Recorded) -> str:
    told = ", ".join(f"{reason} ({n:,})" for reason, n in found.reasons.items())
    several = sum(found.reasons.values()) > found.turns.not_judgeable
    return f" ({told}{'; some for several reasons' if several else ''})"


def recorded_exit_code(record: RunRecord) -> int:
    """Return the exit code of an audit; see ``exit_code``."""
    return NOT_JUDGED if record.summary.interrupted else exit_code(record.clauses)


def recorded_differences(record: RunRecord, recording: Recording) -> Iterator[str]:
    """Yield what in the record of an audit does not follow from the rest of it."""
    header = record.header
    known = recorded_clauses(frozenset(header.kernel.capabilities))
    if recording.clauses_digest != recorded_digest():
        yield "the clauses that judge recordings are not those of this version"
        return
    if sorted([*header.selected, *header.excluded]) != sorted(known):
        yield "selected and excluded clauses are not those that judge recordings"
    if (header.transport, header.evidence) != ("recording", "seen"):
        yield "it judges a recording, and says that a kernel was reached"
    if header.requirement_set != recorded_requirements(header.kernel):
        yield "name or digest of the requirement set is not that of the clauses on recordings"
    shown: dict[str, set[str]] = {}
    for example in record.counterexamples:
        shown.setdefault(example.clause, set()).add(example.id)
    for result in record.clauses:
        for wrong in _wrong(result, recording, shown.get(result.clause, set())):
            yield f"clause {result.clause}: {wrong}"
    yield from _other_files(recording)
    yield from _story(record)


def _story(record: RunRecord) -> Iterator[str]:
    for example in record.counterexamples:
        if example.id != counterexample_id(example.clause, example.kind, example.scenario):
            yield f"counterexample {example.id} is not what its name says"
    if record.summary.exit_code != recorded_exit_code(record):
        yield "the exit code is not what its verdicts make it"
    if record.summary.finished < record.header.started:
        yield "it was finished before it was started"


def _wrong(result: ClauseResult, recording: Recording, shown: Collection[str]) -> Iterator[str]:
    yield from _other_words(result)
    found = result.recorded
    if found is UNSET:
        yield "it does not say what the recording showed"
        return
    yield from _other_numbers(found)
    verdict = recorded_verdict(found, recording)
    if (result.verdict, result.effective) != (verdict, verdict):
        yield f"the verdict is {result.verdict.value}, its numbers make it {verdict.value}"
    if set(shown) != {*result.counterexamples}:
        yield "its counterexamples are not those that the record holds for it"


def _other_files(recording: Recording) -> Iterator[str]:
    if sum(recording.systems.values()) != recording.conversations:
        yield "the conversations of its systems are not as many as there are conversations"
    for each in recording.files:
        if not each.sha256 and not each.is_cut:
            yield f"file {each.file}: has no SHA-256, and is said to be read to its end"
        if each.spans < each.lines:
            yield f"file {each.file}: more lines hold spans than there are spans"


def _other_words(result: ClauseResult) -> Iterator[str]:
    known = every_clause()
    if result.clause in known:
        invariant, clause = known[result.clause]
        told = {"invariant": invariant.id, **clause_metadata(invariant, clause)}
        for field, value in told.items():
            if getattr(result, field) != value:
                yield f"{field} is not that of the clause"
    if result.required != (result.level == "MUST"):
        yield "a MUST is required, a SHOULD is not"


def _other_numbers(found: Recorded) -> Iterator[str]:
    for seen in (found.conversations, found.turns):
        if seen.judgeable + seen.not_judgeable > seen.seen:
            yield "more was judged than was seen"
    if bool(found.kinds) != bool(found.turns.broken) or found.bound != bound(found.conversations):
        yield "its breaches or its bound are not those that its numbers make"
    if found.turns.broken > found.breached or found.conversations.broken > found.turns.broken:
        yield "fewer breaches than broken turns, or fewer of these than broken conversations"
    kept = Counter(each.kind for each in found.breaches)
    if any(number > found.kinds.get(kind, 0) for kind, number in kept.items()):
        yield "it holds more breaches of a kind than it counts"
