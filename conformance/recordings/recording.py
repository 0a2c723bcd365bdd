"""From what an audit saw to the record of it."""

from __future__ import annotations

import dataclasses
import json
import re
import secrets
import shlex
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from ...invariants.catalog import catalog_digest
from ...invariants.plugins import invariant_plugins
from ...invariants.readings.recorded_values import values
from ...invariants.recorded import ISOLATION, every_clause, recorded_clauses, recorded_digest
from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.invariant import Clause, Invariant
from ...invariants.vocabulary.json_values import parse
from ...invariants.vocabulary.scenario import Environment, Scenario
from ...invariants.vocabulary.trace import KernelDescription, ToolResult, Trace
from ...invariants.vocabulary.verdict import Violation
from ...reports.console.files import writing
from ...reports.record.metadata import clause_metadata
from ...reports.record.model import (
    ClauseResult,
    Counterexample,
    Header,
    RunRecord,
    counterexample_id,
)
from ...reports.record.outcome import exit_code, summarise
from ...reports.record.record_parts import (
    Plugin,
    Recorded,
    RecordedBreach,
    RecordedFile,
    RecordedPlace,
    Recording,
    RecordingRemark,
    Seen,
)
from ...reports.record.recorded import (
    bound,
    recorded_reason,
    recorded_requirements,
    recorded_verdict,
)
from ...reports.record.suite import packaged_qualification, suite_identity
from ...reports.record.surroundings import current_surroundings, utc_now
from ..running.origin import current_origin
from .auditing import Audited
from .conversations import RECORDED, Conversation
from .evidence import Evidence, Mode
from .leaks import Leak
from .smallest import of_steps, smallest, stimulus_of, violations
from .spans import Place, ReadFile
from .tallies import Breach, Tally

_NAMED = 3
"""Systems whose names make that of the record; of more their number does."""

_WORDS = re.compile(r"[^\W\d_]+")


class Source(Protocol):
    """Gives the conversations of a partition once more, for what is kept of them."""

    def conversations_of(self, partition: int) -> Iterator[Conversation]:
        """Yield them."""
        ...


@dataclass(frozen=True)
class Told:
    """How an audit was asked for.

    Attributes:
        targets: the files as they were named.
        arguments: the command line.
        selected: ids of the clauses to judge.
        excluded: those left out, each with the reason.
        evidence: how values appear.
        min_judgeable: share of what a clause is about that has to be judgeable.
        system: name of what was recorded; empty for those that the recording tells.
        started: when it began.
        breaches: the file that gets all breaches, where they are wanted.
    """

    targets: tuple[str, ...]
    arguments: tuple[str, ...]
    selected: tuple[str, ...]
    excluded: dict[str, str]
    evidence: Mode
    min_judgeable: float
    system: str
    started: str
    breaches: Path | None = None


def record_of(audited: Audited, told: Told, source: Source) -> RunRecord:
    """Return the record of an audit."""
    shown = Evidence(told.evidence, secrets.token_bytes(32))
    kernel = _described(audited, told.system)
    told = _about(told, kernel)
    known = every_clause()
    recording = _recording(audited, told)
    results: list[ClauseResult] = []
    examples: list[Counterexample] = []
    for clause in told.selected:
        tally = audited.judged.tallies.get(clause, Tally())
        own = list(_examples(clause, tally, audited, told, source, shown, kernel))
        examples += own
        results.append(_result(clause, known[clause], tally, recording, shown, own))
    results = [_with_errors(result, audited) for result in results]
    if told.breaches is not None:
        _write_breaches(told.breaches, audited, shown)
    return RunRecord(
        header=_header(recording, told, kernel),
        clauses=tuple(results),
        counterexamples=tuple(examples),
        qualification=packaged_qualification(),
        summary=summarise(
            results, exit_code=exit_code(results), finished=utc_now(), protection="not-needed"
        ),
    )


def _about(told: Told, kernel: KernelDescription) -> Told:
    """Leave what cannot judge these recordings out of what was asked for."""
    known = recorded_clauses(frozenset(kernel.capabilities))
    return dataclasses.replace(
        told,
        selected=tuple(name for name in told.selected if name in known),
        excluded={name: why for name, why in told.excluded.items() if name in known},
    )


def _write_breaches(path: Path, audited: Audited, shown: Evidence) -> None:
    """Write all breaches, a line each, shown as the record shows them."""
    known = every_clause()
    harmless = {
        clause: _harmless(*known[clause], tally) for clause, tally in audited.judged.tallies.items()
    }
    part = path.with_name(f"{path.name}.part")
    with writing(path):
        with part.open("w", encoding="ascii") as file:
            for clause, each in audited.breaches():
                told = _breach(clause, each, shown, harmless[clause])
                file.write(f'{{"clause":{json.dumps(clause)},{to_json(told)[1:]}\n')
        part.replace(path)


def _described(audited: Audited, system: str) -> KernelDescription:
    """Stand for what was recorded: its name, and as its version the days of the recording."""
    names = sorted(filter(None, audited.judged.systems))
    several = f"{len(names)} systems" if len(names) > _NAMED else ", ".join(names)
    days = sorted(day for day in audited.judged.days if day != "unknown")
    version = "" if not days else days[0] if days[0] == days[-1] else f"{days[0]}..{days[-1]}"
    return KernelDescription(
        kernel=system or several or "recording",
        version=version,
        capabilities=tuple(sorted({*RECORDED.capabilities, *audited.judged.capabilities})),
    )


def _header(recording: Recording, told: Told, kernel: KernelDescription) -> Header:
    return Header(
        run_id=str(uuid.uuid4()),
        suite=suite_identity(),
        reference=" ".join(told.targets),
        kernel=kernel,
        requirement_set=recorded_requirements(kernel),
        selected=told.selected,
        excluded=told.excluded,
        seed=0,
        profile="recording",
        examples=0,
        timeout=0.0,
        arguments=told.arguments,
        surroundings=current_surroundings(),
        nonce="",
        started=told.started,
        transport="recording",
        catalog_digest=catalog_digest(),
        plugins=tuple(
            Plugin(
                group=each.group,
                name=each.name,
                distribution=each.distribution,
                version=each.version,
                digest=each.digest,
                problem=each.problem,
            )
            for each in invariant_plugins()
        ),
        origin=current_origin(),
        recording=recording,
    )


def _recording(audited: Audited, told: Told) -> Recording:
    judged = audited.judged
    return Recording(
        targets=told.targets,
        files=tuple(map(_file, audited.files)),
        systems=dict(sorted(judged.systems.items())),
        conversations=judged.conversations,
        turns=judged.turns,
        remarks=tuple(
            RecordingRemark(
                what=what,
                times=times,
                places=tuple(map(_place, judged.remarks.places.get(what, []))),
            )
            for what, times in sorted(judged.remarks.counts.items())
        ),
        left_out=audited.left_out,
        days=tuple((day, *counts) for day, counts in sorted(judged.days.items())),  # type: ignore[misc]
        evidence=told.evidence,
        min_judgeable=told.min_judgeable,
        clauses_digest=recorded_digest(),
    )


def _file(read: ReadFile) -> RecordedFile:
    return RecordedFile(
        file=read.name,
        bytes=read.size,
        sha256=read.sha256,
        spans=read.spans,
        lines=read.lines,
        unread=read.unread,
        is_cut=read.is_cut,
    )


def _place(place: Place) -> RecordedPlace:
    return RecordedPlace(file=place.file, line=place.line)


def seen_of(tally: Tally) -> tuple[Seen, Seen]:
    """Return what a tally says of conversations and of turns."""
    return (
        Seen(
            seen=tally.conversations,
            kept=tally.conversations_kept,
            broken=tally.conversations_broken,
            not_judgeable=tally.conversations_open,
        ),
        Seen(
            seen=tally.turns,
            kept=tally.turns_kept,
            broken=tally.turns_broken,
            not_judgeable=tally.turns_open,
        ),
    )


def _result(
    clause_id: str,
    pair: tuple[Invariant, Clause],
    tally: Tally,
    recording: Recording,
    shown: Evidence,
    examples: list[Counterexample],
) -> ClauseResult:
    invariant, clause = pair
    conversations, turns = seen_of(tally)
    kept = _harmless(invariant, clause, tally)
    found = Recorded(
        conversations=conversations,
        turns=turns,
        bound=bound(conversations),
        reasons=dict(sorted(tally.reasons.items())),
        kinds=dict(sorted(tally.kinds.items())),
        breaches=tuple(
            _breach(clause_id, each, shown, kept)
            for kind in sorted(tally.breaches)
            for each in sorted(tally.breaches[kind])
        ),
    )
    verdict = recorded_verdict(found, recording)
    metadata = clause_metadata(invariant, clause)
    return ClauseResult(
        clause=clause_id,
        invariant=invariant.id,
        required=clause.level == "MUST",
        verdict=verdict,
        effective=verdict,
        reason=recorded_reason(found, verdict, recording),
        scenarios=conversations.seen,
        comparisons=turns.judgeable,
        counterexamples=tuple(example.id for example in examples),
        **metadata,
        recorded=found,
    )


def _harmless(invariant: Invariant, clause: Clause, tally: Tally) -> frozenset[str]:
    """The words of the promise and of the kinds of difference, which give no value away."""
    texts = (invariant.statement, invariant.title, clause.sentence, *tally.kinds)
    return frozenset(word.casefold() for text in texts for word in _WORDS.findall(text))


def _split(clause: str, expected: str) -> tuple[str, str, str]:
    """Return the words of a clause, a colon, and the values behind it, as those of recordings say.

    Of the words of another clause nobody knows which are values: all of them may be.
    """
    own = clause.startswith("C-RECORDED-")
    return expected.partition(": ") if own else ("", "", expected)


def _breach(clause: str, each: Breach, shown: Evidence, kept: frozenset[str]) -> RecordedBreach:
    promised, sign, value = _split(clause, each.expected)
    return RecordedBreach(
        kind=each.kind,
        conversation=each.conversation,
        turn=each.step,
        trace=each.trace,
        span=each.span,
        place=_place(each.place),
        time=_moment(each.start),
        expected=f"{promised}{sign}{shown.text(value, frozenset() if sign else kept)}",
        got=shown.text(each.got, frozenset() if clause == ISOLATION else kept),
    )


def _moment(start: int) -> str:
    if not start:
        return ""
    try:
        seconds, rest = divmod(start, 10**9)
        return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 10**6:03d}Z"
    except (OverflowError, OSError, ValueError):
        return ""


def _with_errors(result: ClauseResult, audited: Audited) -> ClauseResult:
    errors = audited.judged.errors.get(result.clause)
    if not errors:
        return result
    return replace(result, reason=f"{result.reason}; {min(errors)}")


def _examples(
    clause: str,
    tally: Tally,
    audited: Audited,
    told: Told,
    source: Source,
    shown: Evidence,
    kernel: KernelDescription,
) -> Iterator[Counterexample]:
    """Yield the smallest recording for each kind of difference."""
    for kind in sorted(tally.breaches):
        first = min(tally.breaches[kind])
        trace = (
            _of_leak(first, audited.leaks, source, kernel)
            if clause == ISOLATION and any(_is_of(leak, first) for leak in audited.leaks)
            else _of_breach(clause, first, source, kernel)
        )
        if trace is None:
            continue
        if trace.origin == "recording":
            trace = smallest(trace, clause, kind)
        yield _example(clause, kind, first, trace, told, shown)


def _example(
    clause: str, kind: str, first: Breach, trace: Trace, told: Told, shown: Evidence
) -> Counterexample:
    covered = shown.covers(trace)
    trace = replace(shown.trace(trace), scenario="recording")
    found = violations(trace, clause) if covered else []
    again = next((x for x in found if x.kind == kind), None)
    last = max((event.step for event in trace.events), default=0)
    scenario = Scenario(
        id="recording", steps=stimulus_of(trace), environment=Environment(extensions=())
    )
    promised, sign, value = _split(clause, first.expected)
    promised = promised if sign else shown.text(value)
    violation = again or Violation(
        clause=clause, kind=kind, step=last, expected=promised, got=shown.text(first.got)
    )
    return Counterexample(
        id=counterexample_id(clause, kind, scenario),
        clause=clause,
        kind=kind,
        violation=violation,
        scenario=scenario,
        trace=trace if again else None,
        reproduced=int(again is not None),
        attempts=int(again is not None),
        found_in="recording",
        command=shlex.join(["fedcheck", "audit", *told.targets, "--select", clause]),
    )


def _is_of(leak: Leak, found: Breach) -> bool:
    hit = leak.hit
    return (hit.conversation, hit.turn.step, hit.value) == (
        found.conversation, found.step, found.got,
    )  # fmt: skip


def _of_breach(
    clause: str, found: Breach, source: Source, kernel: KernelDescription
) -> Trace | None:
    conversation = _named(source, found.partition, found.conversation)
    if conversation is None:
        return None
    whole = conversation.trace
    if not conversation.is_described:
        whole = replace(whole, kernel=kernel)
    alone = of_steps(whole, [found.step])
    enough = any(each.kind == found.kind for each in violations(alone, clause))
    return alone if enough else whole


def _of_leak(
    found: Breach, leaks: Iterable[Leak], source: Source, kernel: KernelDescription
) -> Trace | None:
    """Put the turn whose prompt holds the value behind a turn whose call gave it."""
    leak = next(each for each in leaks if _is_of(each, found))
    shown = _named(source, found.partition, found.conversation)
    if shown is None:
        return None
    there = of_steps(shown.trace, [found.step])
    for other in source.conversations_of(leak.partition):
        step = _giving(other.trace, leak) if other.service == leak.hit.service else None
        if step is None:
            continue
        given = of_steps(other.trace, [step])
        later = tuple(replace(event, step=event.step + 1) for event in there.events)
        return replace(there, events=(*given.events, *later), kernel=kernel)
    return None


def _giving(trace: Trace, leak: Leak) -> int | None:
    for event in trace.events:
        if not isinstance(event, ToolResult) or event.user in ("", leak.hit.turn.user):
            continue
        try:
            if leak.hit.value in values(parse(event.data_json)):
                return event.step
        except (ValueError, RecursionError):
            continue
    return None


def _named(source: Source, partition: int, name: str) -> Conversation | None:
    return next((x for x in source.conversations_of(partition) if x.name == name), None)
