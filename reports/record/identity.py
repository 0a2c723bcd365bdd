"""What a record says of the run itself: who judged what, how, where and when, in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Literal, NamedTuple

from msgspec import UNSET

from ...invariants.vocabulary.parameters import DOCUMENTED
from ...invariants.vocabulary.text import counted
from .model import Header, RunRecord
from .protection import protection_words
from .shards import name_of

_WRITES = frozenset(
    [
        "--record",
        "--record-traces",
        "--breaches",
        "--junit",
        "--report",
        "--events",
        "-o",
        "--output",
    ]
)
"""Options that name a file: to judge again must not overwrite the evidence."""


class Fact(NamedTuple):
    """One line of a table: a name, a value, and how the value is set."""

    name: str
    value: str
    kind: Literal["text", "code", "link"] = "text"


class Facts(NamedTuple):
    """A titled group of facts; those without a value are left out."""

    title: str
    rows: tuple[Fact, ...]


def identity(record: RunRecord) -> tuple[Facts, ...]:
    """Return everything that identifies a run, in groups."""
    header = record.header
    groups = (
        *(_of_recording(header) if header.is_audit else [_of_kernel(record)]),
        Facts("Suite and requirements", _filled(_suite(record))),
        Facts("Run", _filled(_run(record))),
        Facts("Who ran it, and where", _filled(_origin(header))),
    )
    return tuple(group for group in groups if group.rows)


def seconds_between(started: str, finished: str) -> float:
    """Return the seconds between two moments of a record; 0 if one cannot be read."""
    try:
        first, last = (
            datetime.fromisoformat(x.replace("Z", "+00:00")) for x in (started, finished)
        )
    except ValueError:
        return 0.0
    return (last - first).total_seconds()


def exact_command(header: Header) -> str:
    """Return the command line of the run, to be copied into a shell; none if it was merged."""
    if header.shards:
        return ""
    return f"fedcheck {shlex.join(header.arguments)}" if header.arguments else ""


def reproducing_command(header: Header) -> str:
    """Return the command that judges again with the same seed, budget and requirements."""
    if header.recording is not UNSET:
        given = list(_without_files(header.arguments[1:])) or list(header.recording.targets)
        return f"fedcheck audit {shlex.join(given)}"
    given = list(_without_files(header.arguments[1:])) if header.arguments[:1] == ("run",) else []
    wanted = {
        "--kernel": header.reference,
        "--require": header.requirement_set.name,
        "--profile": header.profile,
        "--examples": str(header.examples),
        "--seed": str(header.seed),
    }
    for option, value in wanted.items():
        if not any(x == option or x.startswith(f"{option}=") for x in given):
            given += [option, value]
    return f"fedcheck run {shlex.join(given)}"


def _without_files(arguments: Iterable[str]) -> Iterator[str]:
    file_follows = False
    for argument in arguments:
        writes = argument.partition("=")[0] in _WRITES
        if not (file_follows or writes):
            yield argument
        file_follows = argument in _WRITES


def _filled(rows: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(row for row in rows if row.value)


def _of_kernel(record: RunRecord) -> Facts:
    return Facts("Kernel under test", _filled(_kernel(record)))


def _kernel(record: RunRecord) -> Iterator[Fact]:
    header, kernel = record.header, record.header.kernel
    yield Fact("Name", kernel.kernel)
    yield Fact("Version", kernel.version)
    yield Fact("Commit", kernel.commit, "code")
    yield Fact("Reached as", header.reference, "code")
    yield Fact("Reached by", header.transport)
    yield Fact("Evidence", "none: it ran in the suite's process" * (header.evidence == "none"))
    yield Fact("Protection of the run", protection_words(record.summary.protection))
    yield Fact("Protocol", kernel.protocol, "code")
    yield Fact("Capabilities claimed", ", ".join(kernel.capabilities) or "none")
    yield Fact("Capabilities demanded", ", ".join(header.must_claim))
    declared = {
        name: getattr(kernel.parameters, name)
        for name in kernel.parameters.__struct_fields__
        if getattr(kernel.parameters, name) != getattr(DOCUMENTED, name)
    }
    yield Fact("Own parameters", ", ".join(f"{name} = {value}" for name, value in declared.items()))
    flags = ", ".join(f"{name}={value}" for name, value in sorted(kernel.env_fixed.items()))
    yield Fact("Fixed flags", flags)


def _suite(record: RunRecord) -> Iterator[Fact]:
    header = record.header
    yield Fact("Suite", f"{header.suite.name} {header.suite.version}")
    yield Fact("Digest of the suite", header.suite.digest, "code")
    yield Fact("Requirement set", header.requirement_set.name)
    yield Fact("Digest of the requirement set", header.requirement_set.digest, "code")
    yield Fact("Digest of the catalog", header.catalog_digest, "code")
    for plugin in header.plugins:
        told = f"{plugin.distribution} {plugin.version} ({plugin.group})"
        yield Fact(f"Plug-in {plugin.name}", f"{told}: {plugin.problem or 'loaded'}")
        yield Fact(f"Digest of plug-in {plugin.name}", plugin.digest, "code")


def _run(record: RunRecord) -> Iterator[Fact]:
    header, summary = record.header, record.summary
    yield Fact("Run", header.run_id, "code")
    yield Fact("Record format", header.format, "code")
    yield Fact("Started", header.started)
    yield Fact("Finished", summary.finished)
    yield Fact("Duration", f"{seconds_between(header.started, summary.finished):,.1f} s")
    yield Fact("Exact command", exact_command(header), "code")
    yield Fact("Shard of a run", header.shard)
    yield Fact("Goes on with the run of the record", header.resumes, "code")
    for shard in header.shards:
        around = shard.surroundings
        told = f"run {shard.run_id}, {shard.started}, Python {around.python}, {around.platform}"
        yield Fact(f"Merged from {name_of(shard)}", told)
        yield Fact(f"SHA-256 of {name_of(shard)}", shard.sha256, "code")
    if header.is_audit:
        yield Fact("Exit code", str(summary.exit_code), "code")
        return
    yield Fact("Profile", header.profile)
    yield Fact("Seed", str(header.seed), "code")
    yield Fact("Budget", f"{header.examples:,} explored scenarios per invariant")
    yield Fact("Deadline of one call", f"{header.timeout:g} s")
    yield Fact("Exit code", str(summary.exit_code), "code")


def _of_recording(header: Header) -> Iterator[Facts]:
    if header.recording is not UNSET:
        yield Facts("What was judged", _filled(_recording(header)))


def _recording(header: Header) -> Iterator[Fact]:
    told = header.recording
    if told is UNSET:
        return
    yield Fact("System", header.kernel.kernel)
    yield Fact("Days", header.kernel.version)
    yield Fact("Read from", header.reference, "code")
    size, spans = sum(x.bytes for x in told.files), sum(x.spans for x in told.files)
    read = f"{counted(len(told.files), 'file')}, {size:,} bytes, {spans:,} spans and log records"
    yield Fact("Recording", read)
    yield Fact("Digest of its files", told.files_digest, "code")
    yield Fact("Recorded", f"{told.conversations:,} conversations, {told.turns:,} turns")
    yield Fact("Truth", told.truth)
    yield Fact("How values appear", told.evidence)
    yield Fact("Least share judgeable", f"{told.min_judgeable:g}")
    for remark in told.remarks:
        places = ", ".join(f"{x.file}:{x.line}" if x.line else x.file for x in remark.places[:5])
        yield Fact(f"Remark: {remark.what}", f"{remark.times:,} times, first at {places}")
    if told.left_out:
        yield Fact("Values of a common shape", f"{told.left_out:,} of others, which blame nobody")


def _origin(header: Header) -> Iterator[Fact]:
    origin, around = header.origin, header.surroundings
    yield Fact("Organisation", origin.organisation)
    yield Fact("Person", origin.person)
    yield Fact("User", origin.user)
    yield Fact("CI system", origin.ci)
    yield Fact("CI run", origin.run_url, "link")
    yield Fact("Workflow", origin.workflow)
    yield Fact("Commit checked out", origin.commit, "code")
    yield Fact("Python", around.python)
    yield Fact("Platform", around.platform)
    yield Fact("Packages", ", ".join(f"{name} {v}" for name, v in around.packages.items()))
