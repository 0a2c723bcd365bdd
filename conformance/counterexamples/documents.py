"""Counterexamples as files: one JSON document for each failure, on any kernel, for ever.

A file holds the scenario, the clause that it breaks and how, and who found it with what. The
same format serves named flows (a scenario without a clause) and waivers. Readers skip fields
that they do not know, so that later versions may add some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import force_setattr

from ...invariants.vocabulary import codec
from ...invariants.vocabulary.errors import DocumentError, UsageError
from ...invariants.vocabulary.json_values import is_object
from ...invariants.vocabulary.scenario import SCENARIO_FORMAT, Scenario
from ...invariants.vocabulary.trace import TRACE_FORMAT, Given, Trace
from ...reports.console.escape import printable
from ...reports.console.files import reading, write_atomically
from ...reports.console.safely import safely
from ...reports.record.model import (
    ClauseResult,
    Counterexample,
    Incident,
    RunRecord,
    counterexample_id,
)
from ...reports.record.record_parts import Count, Part, RequirementSet, Suite
from ...reports.record.redact import redact

COUNTEREXAMPLE_FORMAT = "fedcheck-counterexample/1"
_WANTED = (
    "give a counterexample that `fedcheck run` wrote, a scenario "
    f"({SCENARIO_FORMAT}) or a trace ({TRACE_FORMAT})"
)

Breakdown = Literal["", "crash", "timeout", "error"]

_SAFE_NAME = re.compile(r"[^A-Za-z0-9-]+")
_NAME_LENGTH = 120


class JudgedKernel(Part, frozen=True, kw_only=True):
    """The kernel that showed the failure; a secret in its reference is masked."""

    reference: str = ""
    name: str = ""
    version: str = ""
    commit: str = ""
    digest: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "reference", redact(self.reference))


class CounterexampleFile(Part, frozen=True, kw_only=True):
    """A scenario, and what a kernel did wrong in it.

    Attributes:
        scenario: what to do.
        id: see ``counterexample_id``; of a breakdown likewise.
        clause: id of the broken clause; empty for a named flow and for a breakdown.
        kind: kind of difference; with the clause it is the fingerprint of the bug.
        breakdown: how the kernel failed, where nothing could be judged.
        invariant: that was being judged when the kernel failed.
        sentence: the promise.
        sources: where the documents state it.
        expected: what the promise demands; or what a breakdown kept from being judged.
        got: what the kernel did.
        step: index of the step at which it showed, if that is known.
        reproduced: how often it showed again …
        attempts: … in how many repetitions.
        kernel: which one it was.
        suite: the suite that judged.
        requirement_set: against which was judged.
        catalog_digest: SHA-256 of the catalog.
        run_id: of the run that found it.
        found: when that run began.
        found_in: the scenario's origin in that run.
        command: the command of that run that shows it; secrets in it are masked.
        after_others: whether it showed only after other scenarios of its run.
        recording: what was recorded, where no kernel was run; it is judged again as it is.
        format: names this format and its major version.
    """

    scenario: Scenario
    id: str = ""
    clause: str = ""
    kind: str = ""
    breakdown: Breakdown = ""
    invariant: str = ""
    sentence: str = ""
    sources: tuple[str, ...] = ()
    expected: str = ""
    got: str = ""
    step: int | None = None
    reproduced: Count = 0
    attempts: Count = 0
    kernel: JudgedKernel = JudgedKernel()
    suite: Suite | None = None
    requirement_set: RequirementSet | None = None
    catalog_digest: str = ""
    run_id: str = ""
    found: str = ""
    found_in: str = ""
    command: str = ""
    after_others: bool = False
    recording: Trace | UnsetType = UNSET
    format: Literal["fedcheck-counterexample/1"] = COUNTEREXAMPLE_FORMAT


def of_record(record: RunRecord) -> list[CounterexampleFile]:
    """Return every failure of a run: its counterexamples, and the scenarios that broke it."""
    results = {result.clause: result for result in record.clauses}
    return [
        *(
            _of_counterexample(record, example, results.get(example.clause))
            for example in record.counterexamples
        ),
        *(_of_incident(record, each) for each in record.incidents if each.scenario is not None),
    ]


def read_file(path: Path) -> CounterexampleFile:
    """Read a counterexample; a bare scenario, or a trace, is taken for a named flow.

    Raises:
        DocumentError: the file cannot be read, or is none of these.
    """
    where = printable(str(path))
    with reading(path, error=DocumentError):
        data = path.read_bytes()
    try:
        value = codec.parse_json(data, where)
    except DocumentError as error:
        raise DocumentError(f"{error}; {_WANTED}") from None
    return _of_json(value, where)


def files_in(folder: Path) -> list[Path]:
    """Return the ``.json`` files of a folder, by name.

    Raises:
        UsageError: there is no such folder, or none in it.
    """
    where = printable(str(folder))
    with reading(folder, "name a folder that can be read"):
        if not folder.is_dir():
            raise UsageError(f"{where}: there is no such folder; name one that holds scenarios")
        files = [path for path in folder.iterdir() if path.suffix == ".json"]
        found = sorted(path for path in files if path.is_file())
    if not found:
        raise UsageError(f"{where}: no .json file lies there; `fedcheck run` writes them")
    return found


def flows_in(folder: Path) -> list[Scenario]:
    """Return the named scenarios of a folder, each named as its file.

    Raises:
        UsageError: there is no such folder, or none in it.
        DocumentError: a file is no counterexample and no scenario.
    """
    return [
        msgspec.structs.replace(read_file(path).scenario, id=path.stem) for path in files_in(folder)
    ]


def write_file(example: CounterexampleFile, folder: Path) -> Path:
    """Write a counterexample into a folder, named after what it breaks; return its path.

    Raises:
        OSError: it cannot be written.
    """
    path = folder / file_name(example)
    write_atomically(path, f"{codec.to_json(example, indent=2)}\n".encode("ascii"), private=True)
    return path


def file_name(example: CounterexampleFile) -> str:
    """Return the name of a counterexample's file; nothing in it can leave the folder."""
    subject = example.clause or f"{example.breakdown or 'scenario'}-{example.invariant}"
    plain = _SAFE_NAME.sub("-", subject)[:_NAME_LENGTH].strip("-")
    return f"{plain}.{_SAFE_NAME.sub('-', example.id) or 'unnamed'}.json"


def keep(record: RunRecord, folder: Path, again: str) -> list[str]:
    """Write every failure of a run; return what to tell the user. A clean run writes nothing.

    Args:
        record: of the run.
        folder: where the files shall lie.
        again: the command that runs all that lies there again.
    """
    failures = of_record(record)
    if not failures:
        return []
    written: list[Path] = []

    def write() -> None:
        _make(folder)
        written.extend(write_file(failure, folder) for failure in failures)

    problem = safely(f"{printable(str(folder))} (counterexamples)", write)
    if problem is not None:
        return [problem]
    many = "1 counterexample is" if len(written) == 1 else f"{len(written)} counterexamples are"
    again = redact(again)
    return [f"{many} in {printable(str(folder))}; to run again: {printable(again, limit=None)}"]


def _make(folder: Path) -> None:
    """Make the folder; one of our own says to Git that it need not be kept."""
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if new and folder.parent.name == ".fedcheck":
        (folder.parent / ".gitignore").write_text("*\n", encoding="ascii")


def _of_counterexample(
    record: RunRecord, example: Counterexample, result: ClauseResult | None
) -> CounterexampleFile:
    return CounterexampleFile(
        **_found_by(record),
        id=example.id,
        scenario=example.scenario,
        clause=example.clause,
        kind=example.kind,
        invariant=example.clause.partition("/")[0],
        sentence=result.sentence if result else "",
        sources=result.sources if result else (),
        expected=example.violation.expected,
        got=example.violation.got,
        step=example.violation.step,
        reproduced=example.reproduced,
        attempts=example.attempts,
        found_in=example.found_in,
        command=example.command,
        after_others=example.unreduced == "earlier",
        recording=UNSET
        if record.header.recording is UNSET or example.trace is None
        else example.trace,
    )


def _of_incident(record: RunRecord, incident: Incident) -> CounterexampleFile:
    assert incident.scenario is not None  # noqa: S101  the caller leaves the others out
    return CounterexampleFile(
        **_found_by(record),
        id=counterexample_id(incident.invariant, incident.kind, incident.scenario),
        scenario=incident.scenario,
        breakdown=incident.kind,
        invariant=incident.invariant,
        expected="an answer that can be judged",
        got=incident.message,
        step=incident.step,
        command=incident.command,
    )


def _found_by(record: RunRecord) -> dict[str, Any]:
    header, kernel = record.header, record.header.kernel
    return {
        "kernel": JudgedKernel(
            reference=header.reference,
            name=kernel.kernel,
            version=kernel.version,
            commit=kernel.commit,
            digest=kernel.digest,
        ),
        "suite": header.suite,
        "requirement_set": header.requirement_set,
        "catalog_digest": header.catalog_digest,
        "run_id": header.run_id,
        "found": header.started,
    }


def _of_json(value: Any, where: str) -> CounterexampleFile:
    named = value.get("format") if is_object(value) else None
    if named == COUNTEREXAMPLE_FORMAT:
        return codec.convert(value, CounterexampleFile, where)
    if named == SCENARIO_FORMAT or (named is None and is_object(value) and "steps" in value):
        return CounterexampleFile(scenario=codec.convert(value, Scenario, where))
    if named == TRACE_FORMAT:
        return CounterexampleFile(scenario=scenario_of(codec.convert(value, Trace, where)))
    told = f"has the format {printable(str(named), limit=80)!r}" if named else "names no format"
    raise DocumentError(f"{where}: {told}; {_WANTED}")


def scenario_of(trace: Trace) -> Scenario:
    """Return the scenario whose stimulus a trace tells; a recording's as far as it goes."""
    return Scenario(
        id=trace.scenario or "trace",
        steps=tuple(_stimuli(trace)),
        environment=trace.environment,
    )


def _stimuli(trace: Trace) -> Iterator[Any]:
    for event in trace.events:
        if isinstance(event, Given):
            yield event.stimulus
