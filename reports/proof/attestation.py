"""What is signed: an in-toto statement that a kernel was tested, with which result.

Its subjects are the kernel, then the record, the reports and whatever else belongs to the
evidence, each by its SHA-256.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from ...invariants.vocabulary.codec import decode, to_json
from ...invariants.vocabulary.errors import DocumentError
from ...invariants.vocabulary.verdict import Verdict
from ..record.model import ClauseResult, RunRecord
from ..record.outcome import CONFORMANT
from ..wording.clause_text import short
from .dsse import IN_TOTO
from .file_names import collision, is_portable

PAYLOAD_TYPE = IN_TOTO
STATEMENT = "https://in-toto.io/Statement/v1"
TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"

KERNEL = "kernel:"
"""How the name of the subject begins that is the kernel; all others are files."""

DESCRIPTION_DIGEST = "fedcheck-kernel-description-sha256"
"""Digest of what the kernel said of itself; the kernel's own bytes are seldom at hand."""

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the statement is about: its name, and digests by algorithm."""

    name: str = ""
    digest: dict[str, str]


class Predicate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a test run (predicate type test-result v0.1)."""

    result: str
    configuration: tuple[dict[str, Any], ...]
    passedTests: tuple[str, ...] = ()  # noqa: N815  the names in the specification
    warnedTests: tuple[str, ...] = ()  # noqa: N815
    failedTests: tuple[str, ...] = ()  # noqa: N815
    url: str = ""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """An in-toto statement whose predicate is a test result."""

    type: str = msgspec.field(name="_type")
    subject: tuple[Subject, ...]
    predicateType: str  # noqa: N815
    predicate: Predicate


def statement_of(record: RunRecord, files: Mapping[str, str], kernel_sha256: str = "") -> bytes:
    """Return the statement of a run as canonical JSON.

    Args:
        record: the run.
        files: relative path, with ``/`` → SHA-256 of each file of the evidence.
        kernel_sha256: of the kernel's own artifact, if it is at hand; else what the kernel says.

    Raises:
        DocumentError: the kernel says that its artifact has another SHA-256.
    """
    subjects = [Subject(name=name, digest={"sha256": digest}) for name, digest in files.items()]
    statement = Statement(
        type=STATEMENT,
        subject=(_kernel(record, kernel_sha256), *subjects),
        predicateType=TEST_RESULT,
        predicate=predicate_of(record),
    )
    return to_json(statement).encode("ascii")


def read_statement(payload: bytes, where: str) -> Statement:
    """Read a statement from a payload whose signature was found good.

    Raises:
        DocumentError: it is no in-toto statement of a test result, or a subject has no SHA-256
            or a name that is no plain path, or two names mean the same file on some system.
    """
    statement = decode(payload, Statement, where)
    for name, found, wanted in (
        ("_type", statement.type, STATEMENT),
        ("predicateType", statement.predicateType, TEST_RESULT),
    ):
        if found != wanted:
            raise DocumentError(f"{where}: {name} is {short(found)!r}, not {wanted!r}")
    if statement.predicate.result not in {"PASSED", "WARNED", "FAILED"}:
        raise DocumentError(f"{where}: result is {short(statement.predicate.result)!r}")
    for subject in file_subjects(statement):
        if not _SHA256.fullmatch(subject.digest.get("sha256", "")):
            raise DocumentError(f"{where}: subject {short(subject.name)!r} has no SHA-256")
        if not is_portable(subject.name):
            raise DocumentError(
                f"{where}: subject {short(subject.name)!r} is no plain relative path"
            )
    if same := collision(subject.name for subject in file_subjects(statement)):
        told = " and ".join(repr(short(name)) for name in same)
        raise DocumentError(f"{where}: subjects {told} are one file on some systems")
    return statement


def file_subjects(statement: Statement) -> list[Subject]:
    """Return the subjects that are files."""
    return [x for x in statement.subject if not x.name.startswith(KERNEL)]


def _kernel(record: RunRecord, sha256: str) -> Subject:
    from hashlib import sha256 as hashed

    kernel = record.header.kernel
    digest = {DESCRIPTION_DIGEST: hashed(to_json(kernel).encode("ascii")).hexdigest()}
    if _COMMIT.fullmatch(kernel.commit):
        digest["gitCommit"] = kernel.commit
    claimed = kernel.digest.removeprefix("sha256:").lower()
    if sha256 and _SHA256.fullmatch(claimed) and sha256 != claimed:
        raise DocumentError(
            f"the kernel's file has the SHA-256 {sha256}, the kernel that was judged says "
            f"{claimed}; give the file that was judged"
        )
    if sha256 or _SHA256.fullmatch(claimed):
        digest["sha256"] = sha256 or claimed
    return Subject(name=f"{KERNEL}{short(kernel.kernel)}@{short(kernel.version)}", digest=digest)


def predicate_of(record: RunRecord) -> Predicate:
    """Return what a statement says of a run."""
    by_state: dict[str, list[str]] = {"passed": [], "warned": [], "failed": []}
    for result in record.clauses:
        if (state := _state(result)) is not None:
            by_state[state].append(short(result.clause))
    return Predicate(
        result=_result(record, by_state["warned"]),
        configuration=tuple(_configuration(record)),
        passedTests=tuple(by_state["passed"]),
        warnedTests=tuple(by_state["warned"]),
        failedTests=tuple(by_state["failed"]),
        url=short(record.header.origin.run_url),
    )


def _state(result: ClauseResult) -> str | None:
    if result.red:
        return "failed"
    if result.effective is Verdict.PASS:
        return "passed"
    return None if result.effective is Verdict.NOT_CLAIMED else "warned"


def _result(record: RunRecord, warned: list[str]) -> str:
    """Return the result; a run that could not be judged has failed: there is no fourth word."""
    if record.summary.exit_code != CONFORMANT:
        return "FAILED"
    return "WARNED" if warned else "PASSED"


def _configuration(record: RunRecord) -> list[dict[str, Any]]:
    header = record.header
    told = [
        (f"requirement-set/{header.requirement_set.name}", header.requirement_set.digest),
        (f"suite/{header.suite.name}-{header.suite.version}", header.suite.digest),
        ("catalog", header.catalog_digest),
    ]
    return [
        {"name": short(name), "digest": {"sha256": digest}}
        for name, digest in told
        if _SHA256.fullmatch(digest)
    ]
