"""The evidence of a run in one file: what goes in, and the manifest that lists it.

A bundle holds the record, its reports, the counterexamples, configuration, waivers and the
requirement set, a manifest with the SHA-256 of each, and, if a key was given, a signed
statement about all of them. The same inputs make the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files as resources
from typing import TYPE_CHECKING, Any

import msgspec

from ...invariants.requirements import RequirementList
from ...invariants.vocabulary.codec import decode, to_json
from ...invariants.vocabulary.errors import UsageError
from ..console.safely import safely
from ..formats.registry import FORMATS, render
from ..record.model import Header, RequirementSet, RunRecord
from ..record.shards import missing_shards
from ..record.surroundings import installed_version
from ..wording.clause_text import short
from .attestation import PAYLOAD_TYPE, statement_of
from .dsse import signed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from ..lint.findings import LintReport

BUNDLE_FORMAT = "fedcheck-bundle/1"
MANIFEST = "manifest.json"
ATTESTATION = "attestation.dsse.json"
RECORD = "record.ndjson"
REQUIREMENTS = "requirement-set.json"
EXTENDED = "requirement-set-extended.json"
"""The set that ``REQUIREMENTS`` extends, if it does."""
EARLIER = "earlier-record.ndjson"
"""The record that the reports compare with, if they do."""
SHARDS = "shards/"
"""The folder with the records that this one was merged from, if it was."""
LINT = "lint/lint"
"""What the linter found, if it was run; ``.sarif`` or ``.json`` follows."""

_USUAL_REPORTS = (
    "html",
    "markdown",
    "text",
    "json",
    "junit",
    "sarif",
    "oscal",
    "oscal-plan",
    "oscal-component",
    "oscal-catalog",
)

_README = """\
This is the evidence of one run of fedcheck, a conformance suite for AI kernels.

record.ndjson            everything that the run learnt; all else is made from it
reports/                 the record for people (html, markdown, text) and for programs
counterexamples/         the smallest scenario of each failure
configuration.json       how the run was asked for
waivers.json             failures that are accepted for now, with reason and last day
requirement-set.json     the clauses that decided; what it extends lies beside it
shards/                  the records of the shards, if the record was merged from them
lint/                    what the linter found, if it was run
earlier-record.ndjson    the record that the reports compare with, if they do
manifest.json            the SHA-256 of each file
attestation.dsse.json    a signed statement about each file, if a key was given

Check it:          fedcheck verify evidence.zip --key PUBLIC-KEY
Make it again:     fedcheck verify evidence.zip --key PUBLIC-KEY --rerender
Run it again:      fedcheck verify evidence.zip --key PUBLIC-KEY --reperform --kernel REF
"""


class ManifestFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a bundle."""

    path: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a bundle holds, apart from this manifest and the signature.

    Attributes:
        format: always ``BUNDLE_FORMAT``.
        run_id: of the record.
        files: all files, in their order.
        renderers: the versions of the packages that made the bytes of the reports.
    """

    format: str
    run_id: str
    files: tuple[ManifestFile, ...]
    renderers: dict[str, str] = {}


def report_path(name: str) -> str:
    """Return where the report of a format lies in a bundle."""
    return f"reports/{name}{FORMATS[name].suffix}"


def shard_files(header: Header, records: Iterable[bytes], where: str) -> dict[str, bytes]:
    """Return the records of the shards of a merged one as files of a bundle.

    Args:
        header: of the merged record.
        records: their bytes, in any order.
        where: names the merged record in messages.

    Raises:
        UsageError: one is missing, or is none of its shards.
    """
    given = {hashlib.sha256(data).hexdigest(): data for data in records}
    if missing := missing_shards(header, given):
        raise UsageError(
            f"{where}: was merged; its evidence is not whole without the records of its shards: "
            f"name them with --shard; not there: {', '.join(missing)}"
        )
    known = {
        shard.sha256: shard.shard.replace("/", "-of-").replace(" ", "-") for shard in header.shards
    }
    if stray := sorted(given.keys() - known.keys()):
        raise UsageError(
            f"{where}: --shard names a record of SHA-256 {stray[0]}, from which it was not merged"
        )
    return {f"{SHARDS}{known[digest]}.ndjson": data for digest, data in given.items()}


def usual_reports() -> tuple[str, ...]:
    """Return the formats that a bundle holds unless told otherwise."""
    return tuple(name for name in _USUAL_REPORTS if name in FORMATS)


def bundle_files(
    record: RunRecord,
    data: bytes,
    *,
    formats: Sequence[str],
    more: Mapping[str, bytes],
    requirements: bytes | None = None,
    lint: LintReport | None = None,
    since: RunRecord | None = None,
) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of a bundle without manifest, and one line for each that failed.

    Args:
        record: the run.
        data: the record's bytes.
        formats: reports to put in.
        more: further files by path: counterexamples, what the linter wrote, the earlier record.
        requirements: the requirement set's own file, if it is none of the package.
        lint: what the linter found, for the reports that show it.
        since: an earlier record, for the reports that show what changed.

    Raises:
        DocumentError: ``requirements`` is no requirement set.
        UsageError: it is another one than the record names.
    """
    contents: dict[str, bytes] = {
        **more,
        "README.txt": _README.encode(),
        RECORD: data,
        "configuration.json": _document(_configuration(record)),
        "waivers.json": _document(record.waivers),
    }
    problems: list[str] = []
    for name in formats:
        path = report_path(name)

        def add(name: str = name, path: str = path) -> None:
            contents[path] = render(name, record, since=since, lint=lint)

        problems += filter(None, [safely(path, add)])
    demanded = requirement_files(record.header.requirement_set.digest, requirements)
    demanded = demanded or _in_record(record.header.requirement_set)
    if requirements is not None:
        _check_own(requirements, demanded, record.header.requirement_set)
    if not demanded:
        problems.append(f"{REQUIREMENTS} is left out: this set is not at hand; name its file")
    return dict(sorted({**contents, **demanded}.items())), problems


def sealed_bundle(
    record: RunRecord,
    contents: Mapping[str, bytes],
    key: Ed25519PrivateKey | None = None,
    kernel_sha256: str = "",
) -> dict[str, bytes]:
    """Return the files of a bundle with its manifest and, given a key, its signature."""
    sizes = {path: len(data) for path, data in contents.items()}
    renderers = renderer_versions(contents)
    manifest = manifest_bytes(record.header.run_id, sizes, digests(contents), renderers)
    whole = {MANIFEST: manifest, **contents}
    if key is None:
        return whole
    statement = statement_of(record, digests(whole), kernel_sha256)
    return {**whole, ATTESTATION: signed(statement, PAYLOAD_TYPE, key)}


def renderer_versions(paths: Iterable[str]) -> dict[str, str]:
    """Return the versions that are installed here of the packages that make these reports."""
    there = set(paths)
    needed = {x for n, row in FORMATS.items() if report_path(n) in there for x in row.renderers}
    return {name: installed_version(name) for name in sorted(needed)}


def manifest_bytes(
    run_id: str,
    sizes: Mapping[str, int],
    found: Mapping[str, str],
    renderers: Mapping[str, str],
) -> bytes:
    """Return the manifest of files, with their sizes and digests, as the bytes of its file."""
    listed = [ManifestFile(path=x, bytes=sizes[x], sha256=found[x]) for x in sizes]
    told = dict(renderers)
    manifest = Manifest(format=BUNDLE_FORMAT, run_id=run_id, files=tuple(listed), renderers=told)
    return to_json(manifest).encode("ascii") + b"\n"


def digests(contents: Mapping[str, bytes | memoryview]) -> dict[str, str]:
    """Return the SHA-256 of each file by path."""
    return {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}


def _document(document: Any) -> bytes:
    return to_json(document, indent=2).encode("ascii") + b"\n"


def _configuration(record: RunRecord) -> dict[str, Any]:
    header = record.header
    names = (
        "reference",
        "transport",
        "arguments",
        "configuration",
        "profile",
        "seed",
        "examples",
        "timeout",
        "requirement_set",
        "selected",
        "excluded",
        "deviations",
        "plugins",
    )
    return {name: getattr(header, name) for name in names}


def requirement_files(digest: str, own: bytes | None = None) -> dict[str, bytes]:
    """Return the files of the requirement set with this digest; nothing if it is not at hand.

    A name out of a record opens no file.

    Args:
        digest: see ``RequirementList``.
        own: the set's own file, if it is none of the package.
    """
    known = {hashlib.sha256(data).hexdigest(): data for data in _known_sets()}
    for data in (*known.values(), *([own] if own else ())):
        if hashlib.sha256(data).hexdigest() == digest:
            return {REQUIREMENTS: data}
    for base, data in known.items():
        if own and extended_digest(base, own) == digest:
            return {REQUIREMENTS: own, EXTENDED: data}
    return {}


def _in_record(named: RequirementSet) -> dict[str, bytes]:
    """Return the file of a set that lies in the record alone, as that of recordings does."""
    own = named.files[0].encode("utf-8") if len(named.files) == 1 else b""
    return {REQUIREMENTS: own} if hashlib.sha256(own).hexdigest() == named.digest else {}


def _check_own(own: bytes, demanded: Mapping[str, bytes], named: RequirementSet) -> None:
    decode(own, RequirementList, "the file of --require")
    if own in demanded.values():
        return
    told = f"the record names {short(named.name)} of SHA-256 {short(named.digest)[:12]}"
    next_step = "leave --require out: that set comes with fedcheck"
    if not demanded:
        next_step = "name the file that the run was given"
    raise UsageError(f"the file of --require is another set: {told}; {next_step}")


def extended_digest(base: str, own: bytes) -> str:
    """Return the digest of a requirement set that extends the one with the digest ``base``."""
    return hashlib.sha256((base + hashlib.sha256(own).hexdigest()).encode("ascii")).hexdigest()


def _known_sets() -> Iterator[bytes]:
    package = __name__.partition(".reports.")[0]
    folder = resources(f"{package}.invariants").joinpath("requirement_sets")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            yield file.read_bytes()
