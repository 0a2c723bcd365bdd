"""The run record: everything that a run learnt, from which every report is rendered.

On disk it is NDJSON, one line per struct below, each a canonical JSON object (ASCII,
sorted keys, no spaces) that names its struct under ``type``: a header, then clauses,
counterexamples and incidents as they come, then a summary and a footer. Within one major
version a field may be added, with a default; readers skip fields that they do not know.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import force_setattr

from ...invariants.vocabulary.codec import decode, to_json
from ...invariants.vocabulary.invariant import Provenance
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import KernelDescription, Trace
from ...invariants.vocabulary.verdict import Verdict, Violation
from .on_demand import OnDemand
from .protection import Protection
from .record_parts import (
    Count,
    Origin,
    Part,
    Plugin,
    Recorded,
    Recording,
    RequirementSet,
    Setting,
    Shard,
    Suite,
    Surroundings,
    UtcTime,
)
from .redact import redact, redact_arguments

RECORD_FORMAT = "fedcheck-record/1"

Severity = Literal["critical", "high", "medium", "low"]
"""How bad a breach of an invariant is, the worst first."""

Unreduced = Literal["", "off", "share", "time", "stopped", "earlier", "afresh"]
"""Why there may be a smaller scenario: reducing was not wanted, had its share, had no more time,
or the run was stopped; empty if it was reduced to the end."""


class Line(Part, frozen=True, kw_only=True, tag_field="type"):
    """Base of the lines of a record."""


class Header(Line, frozen=True, tag="header", kw_only=True):
    """The first line: who judged what, against which requirements, and how.

    Attributes:
        run_id: unique name of the run.
        suite: the suite that judged.
        reference: the kernel reference as it was given; secrets in it are masked.
        kernel: what the kernel said of itself.
        requirement_set: the requirements against which was judged.
        selected: ids of the clauses that were to be judged, in the order of the catalog.
        excluded: ids of the clauses that were left out, each with the reason.
        ignored: those of them that the requirement set demands and ``--ignore`` left out.
        must_claim: capabilities that the kernel has to claim, by the options or the requirement
            set.
        deviations: parameters in which the kernel differs from the documents, as name →
            (documented, declared).
        seed: from which the exploration was drawn.
        profile: ``gate`` or ``explore``.
        examples: scenarios to explore per invariant.
        timeout: deadline of one call to the kernel, in seconds.
        arguments: the command line; secrets in it are masked.
        surroundings: where the run took place.
        nonce: makes the user and session ids of this run fresh.
        started: when the run began.
        transport: how the kernel was reached: ``embedded``, ``in-process``, ``hosted``,
            ``exec`` or ``http``.
        evidence: ``none`` where the kernel ran in the suite's own process and could have replaced
            what judges it; such a run is for debugging.
        catalog_digest: SHA-256 of the whole catalog, plug-ins included.
        plugins: what third parties contributed.
        configuration: every resolved setting.
        origin: who ran it.
        recording: set where no kernel was run and a recording was judged: what was read of it.
        shard: which share of a run this is, such as ``2/5``; empty for a whole one.
        resumes: SHA-256 of the record of the run that this one goes on with; empty for none.
        shards: the records that this one was merged from; empty for a run of its own.
        format: names this format and its major version.
    """

    run_id: str
    suite: Suite
    reference: str
    kernel: KernelDescription
    requirement_set: RequirementSet
    selected: tuple[str, ...]
    excluded: dict[str, str] = {}
    ignored: tuple[str, ...] = ()
    must_claim: tuple[str, ...] = ()
    deviations: dict[str, tuple[Any, Any]] = {}
    seed: int
    profile: str
    examples: Count
    timeout: float
    arguments: tuple[str, ...]
    surroundings: Surroundings
    nonce: str
    started: UtcTime
    transport: str = ""
    evidence: Literal["seen", "none"] = "seen"
    catalog_digest: str = ""
    plugins: tuple[Plugin, ...] = ()
    configuration: dict[str, Setting] = {}
    origin: Origin = Origin()
    recording: Recording | UnsetType = UNSET
    shard: str = ""
    resumes: str = ""
    shards: tuple[Shard, ...] = ()
    format: Literal["fedcheck-record/1"] = RECORD_FORMAT

    def __post_init__(self) -> None:
        force_setattr(self, "reference", redact(self.reference))
        force_setattr(self, "arguments", redact_arguments(self.arguments))

    @property
    def is_part(self) -> bool:
        """Whether other records hold the rest of the run: it is a shard, or goes on with one."""
        return bool(self.shard or self.resumes)

    @property
    def is_audit(self) -> bool:
        """Whether a recording was judged, and no kernel was run."""
        return self.recording is not UNSET

    @property
    def unclaimed(self) -> tuple[str, ...]:
        """The capabilities that the kernel has to claim and does not."""
        return tuple(name for name in self.must_claim if name not in self.kernel.capabilities)


class ClauseResult(Line, frozen=True, tag="clause", kw_only=True):
    """What the run says of one clause.

    Attributes:
        clause: id of the clause, ``<invariant>/<name>``.
        invariant: id of its invariant.
        sentence: the promise.
        sources: where the documents state it.
        provenance: the strongest kind of document among these, from ``founding`` to ``code``.
        severity: how bad a breach is.
        sentences: sentences of the documents that it judges, in our words, by their ids.
        level: ``MUST``, or ``SHOULD``, which is never red.
        required: whether the requirement set names it.
        verdict: what was seen.
        effective: what counts: ``verdict``, unless a waiver covers it.
        reason: one line for people: why it is not a pass.
        scenarios: scenarios whose trace the clause's judge has read.
        comparisons: how often the judge has compared something.
        partitions: classes of input seen, each with the number of comparisons.
        missing_partitions: classes of input that a verdict needs and that were not seen.
        counterexamples: ids of the counterexamples, one for each kind of difference.
        capabilities: what a kernel must claim for the clause to be judged.
        classes: classes of input that a verdict needs, each with the capabilities without which
            it cannot occur.
        choices: classes that tell what the kernel does where the documents leave it open.
        contradictions: other published pages that say otherwise, and what is judged all the same.
        rests_on: ids of the clauses without which it has nothing to compare.
        seconds: time spent on the clause; where several share a run, their common time.
        waiver: id of the waiver that covers the verdict; empty if none does.
        recorded: what a recording showed of the clause, where one was judged.
    """

    clause: str
    invariant: str
    sentence: str
    sources: tuple[str, ...] = ()
    provenance: Provenance = "founding"
    severity: Severity = "high"
    sentences: dict[str, str] = {}
    level: Literal["MUST", "SHOULD"] = "MUST"
    required: bool = True
    verdict: Verdict
    effective: Verdict
    reason: str = ""
    scenarios: Count = 0
    comparisons: Count = 0
    partitions: dict[str, Count] = {}
    missing_partitions: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    classes: dict[str, tuple[str, ...]] = {}
    choices: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    seconds: float = 0.0
    waiver: str = ""
    recorded: Recorded | UnsetType = UNSET

    @property
    def name(self) -> str:
        """The clause's name inside its invariant."""
        return self.clause.removeprefix(f"{self.invariant}/")

    @property
    def chosen(self) -> dict[str, int]:
        """What the kernel was seen to do where the documents leave it open, and how often."""
        return {name: n for name, n in self.partitions.items() if name in self.choices}

    @property
    def gating(self) -> bool:
        """Whether the verdict decides over the run: a required MUST does."""
        return self.required and self.level == "MUST"

    @property
    def red(self) -> bool:
        """Whether the clause makes the run non-conformant or not judged."""
        return self.gating and self.effective.red


class Counterexample(Line, frozen=True, tag="counterexample", kw_only=True, weakref=True):
    """The smallest scenario found for one kind of difference.

    Attributes:
        id: see ``counterexample_id``.
        clause: id of the broken clause.
        kind: kind of difference; one clause may be broken in several ways.
        violation: what was expected, what was got, at which step.
        scenario: the smallest scenario, with logical user and session ids.
        trace: what the kernel did.
        other_trace: a run of the same scenario that kept the promise, when it is flaky.
        reproduced: how often the violation showed again …
        attempts: … in how many repetitions.
        found_in: ``fixed:<scenario id>``, ``explore``, or ``waiver:<id>`` if it was replayed.
        command: the command that reproduces it; secrets in it are masked.
        cause: id of an earlier counterexample that has the same cause; empty if none has.
        unreduced: why there may be a smaller scenario; empty if it was reduced to the end.
    """

    id: str
    clause: str
    kind: str
    violation: Violation
    scenario: Scenario
    trace: Trace | None = None
    other_trace: Trace | None = None
    reproduced: Count = 0
    attempts: Count = 0
    found_in: str
    command: str
    cause: str = ""
    unreduced: Unreduced = ""

    def __post_init__(self) -> None:
        force_setattr(self, "command", redact(self.command))

    @property
    def steady(self) -> bool:
        """Whether the violation showed again each time."""
        return self.reproduced == self.attempts


class Incident(Line, frozen=True, tag="incident", kw_only=True):
    """Something that kept the suite from judging.

    Attributes:
        kind: ``crash`` (the kernel's process ended), ``timeout`` (no answer in time), or
            ``error`` (neither, but nothing that could be judged).
        invariant: id of the invariant that was being judged; empty for the run as a whole.
        clause: id of the clause whose judge raised an error; empty if the invariant's clauses
            were all kept from being judged.
        scenario: what the kernel was doing.
        message: what happened and what to do next; secrets in it are masked.
        stderr_tail: the last text that the kernel wrote to stderr; secrets in it are masked.
        exit_status: exit status of the kernel's process, negative for a signal.
        step: index of the step at which it happened, if that is known.
        command: the command that reproduces it, if there is one; secrets in it are masked.
    """

    kind: Literal["crash", "timeout", "error"]
    invariant: str = ""
    clause: str = ""
    scenario: Scenario | None = None
    message: str
    stderr_tail: str = ""
    exit_status: int | None = None
    step: int | None = None
    command: str = ""

    def __post_init__(self) -> None:
        for field in ("message", "stderr_tail", "command"):
            force_setattr(self, field, redact(getattr(self, field)))


class WaiverResult(Line, frozen=True, tag="waiver", kw_only=True):
    """A waiver of the configuration, and what the run says of it.

    Attributes:
        id: name of the waiver in its file.
        clause: id of the clause that it covers.
        fingerprint: kind of difference that it covers; empty covers the clause.
        kernel: name of the kernel that it is for.
        versions: range of the kernel's versions that it is for.
        reason: why the breach is accepted for now.
        requested_by: who asked for it.
        approved_by: who allowed it; somebody else.
        ticket: where the mending is followed.
        expires: last day on which it holds, ``YYYY-MM-DD``.
        counterexample: path of the counterexample file.
        state: ``applied``, or why it cannot be: ``expired``, ``stale`` (the clause passes now),
            ``unmatched`` (no such clause, kernel or fingerprint), ``self-approved``.
        days_left: days from the run to ``expires``.
        message: what to do, with the exact edit; secrets in it are masked.
    """

    id: str
    clause: str
    fingerprint: str = ""
    kernel: str = ""
    versions: str = ""
    reason: str
    requested_by: str
    approved_by: str
    ticket: str
    expires: str
    counterexample: str = ""
    state: Literal["applied", "expired", "stale", "unmatched", "self-approved"]
    days_left: int = 0
    message: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "message", redact(self.message))


class Share(Line, frozen=True, tag="share", kw_only=True):
    """What a shard, or a run that did not do all, did of the scenarios of one invariant.

    Without it shards cannot be merged, nor can a run be resumed.

    Attributes:
        invariant: its id; empty for the named scenarios of a folder.
        ran: scenarios that were run.
        done: scenarios that need not be tried again: those of earlier parts of the run, those that
            were run, those that were skipped.
        complete: whether all of them were.
        skipped: why the kernel does not claim one of them; empty if it claims all.
        other_flags: why some need flags that the kernel never has; empty if none do.
        own_flags: with which flags the kernel ran some instead of theirs; empty if with theirs.
        seconds: wall-clock time.
    """

    invariant: str
    ran: Count = 0
    done: Count = 0
    complete: bool = False
    skipped: str = ""
    other_flags: str = ""
    own_flags: str = ""
    seconds: float = 0.0


class Distribution(Line, frozen=True, tag="distribution", kw_only=True):
    """How one measure of what was tried is spread over the scenarios of the run.

    Attributes:
        measure: ``payload of a turn``, ``depth of data``, ``turns``, …
        marks: values of the documents that matter on this axis, by name (``cap`` → 3000).
        counts: (value, scenarios) pairs, ascending by value.
    """

    measure: str
    unit: str = ""
    marks: dict[str, float] = {}
    counts: tuple[tuple[float, int], ...]


class Qualification(Line, frozen=True, tag="qualification", kw_only=True):
    """How this version of the suite was itself tested: its kill table and tolerance table.

    Attributes:
        suite_digest: SHA-256 of the suite that was measured.
        killed: clause id → broken kernels of that clause, all of which the suite finds.
        tolerated: names of the conforming kernels that stay green.
        measured: when.
    """

    suite_digest: str
    killed: dict[str, tuple[str, ...]]
    tolerated: tuple[str, ...]
    measured: str = ""


class Summary(Line, frozen=True, tag="summary", kw_only=True):
    """What it came to.

    Attributes:
        required: clauses that the requirement set names.
        exercised: of these, clauses of which a verdict was seen: pass, fail or flaky.
        passed: of these, clauses that passed.
        verdicts: effective verdicts of the required clauses; they add up to ``required``.
        advisory: effective verdicts of all other clauses.
        exit_code: with which the command ended.
        interrupted: whether the run was stopped before its end.
        ended: the limit at which the run ended before all scenarios were done: ``failures``
            (``--fail-fast``, ``--max-failures``) or ``time``; empty if there was none.
        protection: what kept the kernel from leaving something behind that outlives the run, at
            its weakest; empty where that is not told.
        finished: when the run ended.
    """

    required: Count
    exercised: Count
    passed: Count
    verdicts: dict[str, Count]
    advisory: dict[str, Count] = {}
    exit_code: int
    interrupted: bool = False
    ended: Literal["", "failures", "time"] = ""
    protection: Protection = ""
    finished: UtcTime


class Footer(Line, frozen=True, tag="footer", kw_only=True, forbid_unknown_fields=True):
    """The last line: shows a cut or an accident; whoever edits a record can write it anew.

    Attributes:
        lines: number of lines above.
        sha256: SHA-256 of all bytes above, line feeds included.
        digests: first eight digits of the SHA-256 of each line above; they tell what changed.
    """

    lines: int
    sha256: str
    digests: tuple[str, ...]


RecordLine = (
    Header
    | ClauseResult
    | Counterexample
    | Incident
    | WaiverResult
    | Share
    | Distribution
    | Qualification
    | Summary
    | Footer
)

BodyLine = (
    ClauseResult | Counterexample | Incident | WaiverResult | Share | Distribution | Qualification
)
"""Any line between the header and the summary."""


class RunRecord(Part, frozen=True, kw_only=True, dict=True):
    """A whole record in memory; what every report is rendered from.

    The counterexamples of one that was read are decoded whenever they are asked for: go over them
    once, and keep none.
    """

    header: Header
    clauses: tuple[ClauseResult, ...]
    counterexamples: Sequence[Counterexample] = ()
    incidents: tuple[Incident, ...] = ()
    waivers: tuple[WaiverResult, ...] = ()
    shares: tuple[Share, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    qualification: Qualification | None = None
    summary: Summary

    def body(self) -> Iterator[BodyLine]:
        """Yield the lines between header and summary, in the order in which they are written."""
        yield from self.clauses
        yield from self.counterexamples
        yield from self.incidents
        yield from self.waivers
        yield from self.shares
        yield from self.distributions
        if self.qualification is not None:
            yield self.qualification

    def by_invariant(self) -> dict[str, list[ClauseResult]]:
        """Return the clauses by invariant, in the order in which they were selected."""
        place = {clause: index for index, clause in enumerate(self.header.selected)}
        groups: dict[str, list[ClauseResult]] = {}
        for result in sorted(self.clauses, key=lambda r: place.get(r.clause, len(place))):
            groups.setdefault(result.invariant, []).append(result)
        return groups

    def in_order(self) -> Iterator[ClauseResult]:
        """Yield the results, those of an invariant together."""
        return (result for results in self.by_invariant().values() for result in results)

    def incidents_by_invariant(self) -> dict[str, list[Incident]]:
        """Return the incidents by the invariant that was being judged, in their own order."""
        groups: dict[str, list[Incident]] = {}
        for incident in self.incidents:
            groups.setdefault(incident.invariant, []).append(incident)
        return groups

    def counterexamples_of(self, result: ClauseResult) -> Sequence[Counterexample]:
        """Return the counterexamples of a clause, in the order in which it names them."""
        known = self.counterexample_places
        places = [known[name] for name in result.counterexamples if name in known]
        return OnDemand(self.counterexamples.__getitem__, places)

    @cached_property
    def counterexample_places(self) -> dict[str, int]:
        """The place of each counterexample, by its id."""
        return {line.id: place for place, line in enumerate(self.counterexamples)}


def counterexample_id(clause: str, kind: str, scenario: Scenario) -> str:
    """Return a stable id: the same bug shown by the same stimulus has the same id in any run.

    The scenario's own id and title are names, not stimulus, and do not count. Nor does how a
    number was made: 60 seconds and 60.0 are one time, and a record that is read has the latter.
    """
    stimulus = msgspec.structs.replace(scenario, id="", title="")
    as_read = decode(to_json(stimulus), Scenario, "scenario")
    text = to_json([clause, kind, as_read])
    return "ce-" + hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of a record."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fedcheck record line",
        **msgspec.json.schema(RecordLine),
    }
