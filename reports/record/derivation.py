"""What in a record follows from something else in it, and whether it says the same.

Nothing that follows is believed: a verdict from its evidence, what counts from verdict and
waiver, what decides from the requirement set, the exit code from all of that. A record can be
derived only by the suite that wrote it, with the same plug-ins: to others its clauses may mean
something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Literal, TypeAlias

from msgspec import UNSET

from ...invariants.catalog import catalog, catalog_digest, clauses
from ...invariants.plugins import kept_out
from ...invariants.requirements import (
    RequirementList,
    forbidden_deviations,
    ignored_clauses,
    requirement_set_of,
)
from ...invariants.vocabulary.errors import DocumentError, UsageError
from ...invariants.vocabulary.invariant import Clause, Invariant
from ...invariants.vocabulary.trace import PER_SCENARIO
from ...invariants.vocabulary.verdict import Verdict
from .approval import LONGEST_DAYS, addresses, same_person
from .asked import asked_differences, waivers_asked
from .metadata import clause_metadata
from .model import (
    ClauseResult,
    Counterexample,
    Header,
    RunRecord,
    WaiverResult,
    counterexample_id,
)
from .outcome import NOT_JUDGED, exit_code
from .protection import possible_protections
from .recorded import recorded_differences
from .redact import MASK
from .shards import merged_id
from .suite import packaged_qualification, suite_identity
from .versions import within

INCIDENTS = {"crash": Verdict.CRASH, "timeout": Verdict.TIMEOUT, "error": Verdict.ERROR}
_COMMANDS = ("fedcheck run ", "fedcheck replay ")
_QUOTED, _OF_SHELLS = re.compile(r"'[^']*'|\"'\""), re.compile(r"[;|&$`<>()\n]")
_NOT_BROKEN = frozenset({Verdict.PASS, Verdict.NOT_EXERCISED, Verdict.NOT_CLAIMED})
_Clauses: TypeAlias = "Mapping[str, tuple[Invariant, Clause]]"


def evidence_of(transport: str) -> Literal["seen", "none"]:
    """Return what a run is evidence of: a kernel in our own process can replace its judges."""
    return "none" if transport == "in-process" else "seen"


def not_derivable(record: RunRecord) -> str:
    """Return why this installation cannot derive a record; empty if it can."""
    then, now = record.header.suite, suite_identity()
    if then != now:
        return (
            f"{then.name} {then.version} ({then.digest[:12]}) wrote it, this is {now.name} "
            f"{now.version} ({now.digest[:12]}): what follows from its verdicts was not derived "
            "again; read it with the version that wrote it"
        )
    if _with_catalog_of(record) is None:
        named = ", ".join(sorted({plugin.distribution for plugin in record.header.plugins}))
        return (
            f"it was judged with other plug-ins ({named or 'none'}) than are installed here: what "
            "follows from its verdicts was not derived again; install them in the same versions"
        )
    return ""


def underivable(record: RunRecord) -> Iterator[str]:
    """Yield what in a record does not follow from the rest of it, one sentence each."""
    known = None if not_derivable(record) else _with_catalog_of(record)
    if known is None:
        return
    if record.header.recording is not UNSET:
        yield from recorded_differences(record, record.header.recording)
        return
    yield from _catalog_differences(record, known)
    try:
        requirements = requirement_set_of(record.header.requirement_set.files or ("",))
    except DocumentError as error:
        yield f"the requirement set in its header cannot be read: {error}"
        return
    if differences := list(_header_differences(record, requirements, known)):
        yield from differences
        return  # else what follows from the header would be blamed
    yield from _clause_differences(record, requirements)
    yield from _waiver_differences(record)
    yield from _qualification_differences(record)
    yield from _exit_code_differences(record)
    yield from _ending_differences(record)
    yield from _protection_differences(record)
    yield from _story_differences(record)


def missing_classes(
    classes: Mapping[str, Iterable[str]], seen: Mapping[str, int], capabilities: Collection[str]
) -> tuple[str, ...]:
    """Return the classes of input that a verdict needs and that were not seen.

    Args:
        classes: each with the capabilities without which it cannot occur.
        seen: class of input → comparisons.
        capabilities: what the kernel claims. Where only other flags would show a class, it is
            missing and not unclaimed.
    """
    able = {*capabilities, PER_SCENARIO}
    return tuple(
        name for name, needed in classes.items() if able.issuperset(needed) and not seen.get(name)
    )


def _with_catalog_of(record: RunRecord) -> _Clauses | None:
    """Return the clauses that the record was judged by, if they are those of here."""
    for without_plugins in (False, True):
        with kept_out(without_plugins):
            if catalog_digest() == record.header.catalog_digest:
                return clauses(catalog())
    return None


def _catalog_differences(record: RunRecord, known: _Clauses) -> Iterator[str]:
    chosen = [*record.header.selected, *record.header.excluded]
    if sorted(chosen) != sorted(known):
        differing = sorted({*chosen} ^ {*known}) or ["some are named twice"]
        yield f"selected and excluded clauses are not those of the catalog: {differing[0]}"
    for result in record.clauses:
        if result.clause not in known:
            continue
        invariant, clause = known[result.clause]
        told = {"invariant": invariant.id, **clause_metadata(invariant, clause)}
        for field, value in told.items():
            if getattr(result, field) != value:
                yield f"clause {result.clause}: {field} is not that of the catalog"


def _header_differences(
    record: RunRecord, requirements: RequirementList, known: _Clauses
) -> Iterator[str]:
    header, named = record.header, record.header.requirement_set
    for name, moment in (("started", header.started), ("finished", record.summary.finished)):
        if not _is_moment(moment):
            yield f"{name} is {moment}, which is no moment"
    if header.shards and (header.run_id != merged_id(header.shards) or record.shares):
        yield "it was merged, and is not the run that its shards make"
    if header.evidence != evidence_of(header.transport):
        yield f"evidence is {header.evidence}, a kernel reached by {header.transport} makes it not"
    if (named.name, named.digest) != (requirements.name, requirements.digest):
        yield "name or digest of the requirement set is not that of the set in the header"
    found = forbidden_deviations(requirements, header.kernel.parameters)
    if header.deviations != found:
        yield f"it tells the deviations {sorted(header.deviations)}, there are {sorted(found)}"
    yield from asked_differences(header, requirements, tuple(known))
    if header.ignored != ignored_clauses(requirements, header.excluded, known):
        yield "the ignored clauses that would decide are not those that the header tells"


def _clause_differences(record: RunRecord, requirements: RequirementList) -> Iterator[str]:
    required = frozenset(requirements.clauses)
    places: dict[str, list[int]] = {}
    for place, example in enumerate(record.counterexamples):
        places.setdefault(example.clause, []).append(place)
        identity = counterexample_id(example.clause, example.kind, example.scenario)
        shown = example.violation.clause, example.violation.kind
        if example.id != identity or shown != (example.clause, example.kind):
            yield f"counterexample {example.id} is not what its name says"
        if example.reproduced > example.attempts:
            yield f"counterexample {example.id} was shown again more often than it was tried"
    by_id = {result.clause: result for result in record.clauses}
    for result in record.clauses:
        own = [record.counterexamples[place] for place in places.get(result.clause, ())]
        for wrong in _result_differences(record, result, own, by_id):
            yield f"clause {result.clause}: {wrong}"
        if result.required != (result.clause in required):
            yield f"clause {result.clause}: required is not what the requirement set says"


def _result_differences(
    record: RunRecord,
    result: ClauseResult,
    examples: list[Counterexample],
    by_id: Mapping[str, ClauseResult],
) -> Iterator[str]:
    if sorted(result.counterexamples) != sorted(example.id for example in examples):
        yield "its counterexamples are not those that the record holds for it"
    if max(result.partitions.values(), default=0) > result.comparisons:
        yield "a class of input was compared more often than anything was"
    if result.comparisons and not result.scenarios:
        yield "something was compared, in no scenario"
    if result.comparisons and result.verdict is Verdict.NOT_CLAIMED:
        yield "it is not claimed, and something was compared"
    missing = missing_classes(result.classes, result.partitions, record.header.kernel.capabilities)
    told = () if result.verdict is Verdict.NOT_CLAIMED else missing
    if sorted(result.missing_partitions) != sorted(told):
        yield "the classes of input that are told as missing are not those that are"
    possible = _possible(record, result, examples, missing)
    if result.verdict not in possible:
        words = " or ".join(sorted(verdict.value for verdict in possible))
        yield f"the verdict is {result.verdict.value}, its evidence makes it {words}"
    effective = _effective(record, result, examples, missing, by_id)
    if (result.effective, result.waiver) not in effective:
        words = " or ".join(sorted(verdict.value for verdict, _ in effective))
        yield f"what counts is {result.effective.value}, verdict and waivers make it {words}"


def steady(examples: Collection[Counterexample]) -> list[Counterexample]:
    """Return those that make their clause fail: the ones that showed again each time.

    One that nobody could repeat is taken for steady, unless another one of the clause is not.
    """
    shown = [example for example in examples if example.steady]
    repeated = [example for example in shown if example.attempts]
    return repeated if len(shown) < len(examples) else shown


def _possible(
    record: RunRecord,
    result: ClauseResult,
    examples: Collection[Counterexample],
    missing: tuple[str, ...],
) -> frozenset[Verdict]:
    """Return the verdicts that the evidence of a clause allows; only silence allows two."""
    if not set(result.capabilities) <= set(record.header.kernel.capabilities):
        return frozenset({Verdict.NOT_CLAIMED})
    if examples:
        return frozenset({Verdict.FAIL if steady(examples) else Verdict.FLAKY})
    for incident in record.incidents:
        if incident.invariant in {"", result.invariant} and incident.clause in {"", result.clause}:
            return frozenset({INCIDENTS[incident.kind]})
    if missing:
        return frozenset({Verdict.NOT_EXERCISED})
    if not result.comparisons:
        # Whether its scenarios were not claimed, or said nothing, is not in the record.
        return frozenset({Verdict.NOT_EXERCISED, Verdict.NOT_CLAIMED})
    if record.summary.interrupted or record.summary.ended or record.header.is_part:
        return frozenset({Verdict.NOT_EXERCISED, Verdict.PASS})
    return frozenset({Verdict.PASS})


def _effective(
    record: RunRecord,
    result: ClauseResult,
    examples: list[Counterexample],
    missing: tuple[str, ...],
    by_id: Mapping[str, ClauseResult],
) -> set[tuple[Verdict, str]]:
    """Return what may count for a clause, each with the waiver that covers it."""
    waivers = [
        waiver
        for waiver in record.waivers
        if waiver.state == "applied" and waiver.clause == result.clause
    ]
    if result.verdict.broken and waivers:
        covered = {waiver.fingerprint for waiver in waivers}
        rest = [example for example in examples if example.kind not in covered]
        found = _possible(record, result, rest, missing)
        return {
            (Verdict.WAIVED, waivers[0].id) if verdict in _NOT_BROKEN else (verdict, "")
            for verdict in found
        }
    if result.verdict is Verdict.NOT_EXERCISED:
        causes = [by_id[name] for name in result.rests_on if name in by_id]
        broken = [cause for cause in causes if cause.verdict.broken]
        if broken and all(cause.effective is Verdict.WAIVED for cause in broken):
            return {(Verdict.WAIVED, broken[0].waiver)}
    return {(result.verdict, "")}


def _waiver_differences(record: RunRecord) -> Iterator[str]:
    examples = record.counterexamples if record.waivers else ()
    shown = {(x.found_in, x.clause, x.kind) for x in examples}
    for waiver in record.waivers:
        name = f"waiver {waiver.id}"
        left = _days_left(record, waiver)
        if waiver.days_left not in {left, left - 1}:  # the run may have begun before midnight
            yield f"{name}: days_left is {waiver.days_left}, its last day makes it {left}"
        if waiver.state != "applied":
            continue
        wrong = {
            "its last day is over": waiver.days_left < 0,
            "it ends later than any may": left > LONGEST_DAYS,
            "who asked for it or approved it has no address": not all(
                addresses(person) for person in (waiver.requested_by, waiver.approved_by)
            ),
            "it has no reason or no ticket": not (waiver.reason.strip() and waiver.ticket.strip()),
            "who asked for it approved it": same_person(waiver.requested_by, waiver.approved_by),
            "it is for another kernel": waiver.kernel != record.header.kernel.kernel,
            "it is for other versions": not _is_for(waiver, record.header.kernel.version),
            "its counterexample is not in the record": (
                (f"waiver:{waiver.id}", waiver.clause, waiver.fingerprint) not in shown
            ),
        }
        yield from (f"{name} applies, though {what}" for what, holds in wrong.items() if holds)
    asked, judged = waivers_asked(record.header), [waiver.id for waiver in record.waivers]
    if asked != judged and not record.summary.interrupted:
        yield f"it judged the waivers {judged}, its settings make them {asked}"


def _is_for(waiver: WaiverResult, version: str) -> bool:
    try:
        return within(version, waiver.versions)
    except UsageError:
        return False


def _qualification_differences(record: RunRecord) -> Iterator[str]:
    told, packaged = record.qualification, packaged_qualification()
    if told is None or told.suite_digest != packaged.suite_digest:
        return
    if (told.killed, told.tolerated) != (packaged.killed, packaged.tolerated):
        yield "how the suite was tested is not what this suite says of itself"


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


def _days_left(record: RunRecord, waiver: WaiverResult) -> int:
    """Return the days from the run to the last day of a waiver; -1 if that is no date."""
    try:
        last = date.fromisoformat(waiver.expires)
    except ValueError:
        return -1
    return (last - date.fromisoformat(record.header.started[:10])).days


def _exit_code_differences(record: RunRecord) -> Iterator[str]:
    header, summary = record.header, record.summary
    code = exit_code(record.clauses, header.deviations, record.waivers, header.unclaimed)
    code = NOT_JUDGED if summary.interrupted else code
    if summary.exit_code != code:
        yield f"the exit code is {summary.exit_code}, its verdicts make it {code}"


def _story_differences(record: RunRecord) -> Iterator[str]:
    """What is told of kernel, time and failures, where it contradicts the rest of the record."""
    header, summary = record.header, record.summary
    if summary.finished < header.started:
        yield "it was finished before it was started"
    if header.transport == "embedded" and header.kernel.kernel != header.reference:
        yield f"an embedded kernel is called {header.kernel.kernel}, not {header.reference}"
    own = {each.id for each in record.counterexamples if not each.cause}
    waivers = {each.id for each in record.waivers}
    for each in record.counterexamples:
        wrong = {
            "its cause is no other counterexample": bool(each.cause) and each.cause not in own,
            "its scenario has no such step": each.violation.step >= len(each.scenario.steps),
            "its trace is of another kernel": (
                each.trace is not None and each.trace.kernel != header.kernel
            ),
            "what reproduces it is no command of fedcheck": not _is_ours(each.command),
            "the waiver that it was found in is not in the record": (
                each.found_in.startswith("waiver:") and each.found_in[7:] not in waivers
            ),
            "nobody repeated it": not (each.attempts or summary.interrupted or _timed(header)),
        }
        yield from (f"counterexample {each.id}: {what}" for what, holds in wrong.items() if holds)


def _timed(header: Header) -> bool:
    """Whether the run had a time, which may have been up before all was repeated."""
    setting = header.configuration.get("time")
    return setting is not None and bool(setting.value)


def _is_ours(command: str) -> bool:
    """Whether it is one command of ours, and nothing in it means more to a shell.

    What was masked may have lost a quotation mark, so that nothing can be told of the rest.
    """
    bare = "" if MASK in command else _QUOTED.sub("", command)
    return command.startswith(_COMMANDS) and not _OF_SHELLS.search(bare)


def _ending_differences(record: RunRecord) -> Iterator[str]:
    """Whether the run was asked to end where it ended: what it left out must be its user's wish."""
    ended, settings = record.summary.ended, record.header.configuration
    named = {"failures": ("fail_fast", "max_failures"), "time": ("time",)}.get(ended, ())
    if ended and not any(settings[name].value for name in named if name in settings):
        yield f"it ended at a limit ({ended}) that its settings do not name"
    if ended == "failures" and not any(x.gating and x.verdict.broken for x in record.clauses):
        yield "it ended at its first failures, and holds none that decides"


def _protection_differences(record: RunRecord) -> Iterator[str]:
    told, transport = record.summary.protection, record.header.transport
    setting = record.header.configuration.get("sandbox")
    if told not in possible_protections(transport, setting.value if setting else "auto"):
        yield f"protection is {told or 'not told'}, which its transport and settings do not allow"
