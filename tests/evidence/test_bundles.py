"""Bundles: reproducible, and every change of a byte is found and placed."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.errors import DocumentError, UsageError
from fedcheck.reports.proof.attestation import PAYLOAD_TYPE, statement_of
from fedcheck.reports.proof.bundle import (
    ATTESTATION,
    MANIFEST,
    RECORD,
    bundle_files,
    digests,
    manifest_bytes,
    sealed_bundle,
    usual_reports,
)
from fedcheck.reports.proof.dsse import private_key, signed

from .bundles import bundled, checked, foreign_record, record_bytes, small_record, zipped


def test_the_same_inputs_make_the_same_bytes(tmp_path: Path, key: Any) -> None:
    """Also the signature: Ed25519 draws nothing."""
    assert bundled(tmp_path, key) == bundled(tmp_path, key)


def test_a_whole_bundle_holds(tmp_path: Path, key: Any) -> None:
    """Nothing is wrong, and what was checked is said."""
    found = checked(bundled(tmp_path, key), key.public_key())
    assert [] == found.problems
    assert found.record == small_record()
    assert 4 == len(found.holds)


def test_any_zip_program_reads_a_bundle(tmp_path: Path) -> None:
    """Names, sizes and checksums are those of an ordinary ZIP file."""
    with zipfile.ZipFile(io.BytesIO(bundled(tmp_path))) as archive:
        assert None is archive.testzip()
        names = archive.namelist()
        listed = json.loads(archive.read(MANIFEST))["files"]
    assert [MANIFEST, *(row["path"] for row in listed)] == names
    assert {RECORD, "reports/junit.xml", "configuration.json", "requirement-set.json"} <= set(names)


def changes(data: bytes, number: int) -> list[tuple[int, int]]:
    """Return places and bits: all of the first and last 300 bytes, and so many between."""
    draw = random.Random(7)  # noqa: S311  the same places in every run
    places = {*range(300), *range(len(data) - 300, len(data))}
    places |= {draw.randrange(len(data)) for _ in range(number)}
    return [(place, 1 << draw.randrange(8)) for place in sorted(places)]


def undetected(data: bytes, key: Any, places: list[tuple[int, int]]) -> list[int]:
    """Return the places at which a changed bit goes unnoticed."""
    silent: list[int] = []
    changed = bytearray(data)
    for place, bit in places:
        changed[place] ^= bit
        if not checked(bytes(changed), key).problems:
            silent.append(place)
        changed[place] ^= bit
    return silent


@pytest.mark.parametrize(("signed", "by_key"), [(True, True), (True, False), (False, False)])
def test_a_changed_byte_is_found(tmp_path: Path, key: Any, signed: bool, by_key: bool) -> None:
    """In the files, between them, and in the signature, also where nobody checks who signed."""
    data = bundled(tmp_path, key if signed else None, formats=())
    public = key.public_key() if by_key else None
    assert [] == undetected(data, public, changes(data, 400))


@pytest.mark.slow
def test_every_changed_byte_is_found(tmp_path: Path, key: Any) -> None:
    """Each byte of a small bundle in turn."""
    data = bundled(tmp_path, key, formats=("tap", "badge"))
    places = [(place, 1 << (place % 8)) for place in range(len(data))]
    assert [] == undetected(data, key.public_key(), places)


@pytest.mark.parametrize("cut", [1, 22, 500])
def test_a_cut_bundle_is_found(tmp_path: Path, cut: int) -> None:
    """Whatever is missing at its end."""
    assert checked(bundled(tmp_path)[:-cut]).problems


def test_what_is_added_is_found(tmp_path: Path) -> None:
    """Behind the end, and before the beginning."""
    data = bundled(tmp_path)
    assert checked(data + b"x").problems
    assert checked(b"x" + data).problems


def repacked(data: bytes, **changed: bytes | None) -> bytes:
    """Return a bundle with files replaced, added or (``None``) left out; the rest as it is."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    contents |= {name: value for name, value in changed.items() if value is not None}
    return zipped({x: y for x, y in contents.items() if changed.get(x, b"") is not None})


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"reports/junit.xml": b"<x/>"}, "reports/junit.xml .bytes .* was changed: SHA-256"),
        ({"reports/junit.xml": None}, "reports/junit.xml is named in manifest.json and is missing"),
        ({"reports/new.xml": b""}, "reports/new.xml is not named in manifest.json"),
        ({MANIFEST: None}, "has no manifest.json"),
        ({MANIFEST: b"{}"}, "manifest.json: .*missing required field"),
        ({RECORD: None}, "record.ndjson is named in manifest.json and is missing"),
    ],
    ids=["replaced", "missing", "added", "no manifest", "empty manifest", "no record"],
)
def test_the_message_names_the_file(
    tmp_path: Path, changed: dict[str, bytes | None], told: str
) -> None:
    """And, for a file that is there, the range of its bytes."""
    problems = checked(repacked(bundled(tmp_path), **changed)).problems
    assert re.search(told, "\n".join(problems)), problems


def test_a_changed_line_of_the_record_is_placed(tmp_path: Path) -> None:
    """By its number and the bytes of the bundle that it takes."""
    data = bundled(tmp_path)
    start = data.index(b'"sentence"')
    changed = data[:start] + b'"sentencf"' + data[start + 10 :]
    problem = checked(changed).problems[0]
    found = re.search(r"line 2 \(bytes ([\d,]+) to ([\d,]+)\)", problem)
    assert found is not None, problem
    first, last = (int(number.replace(",", "")) for number in found.groups())
    assert first <= start < last
    assert data[first - 1 : first] == b"\n" == data[last : last + 1]


def rewritten(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """Return a bundle, packed again, in which a file says something else."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = archive.read(name)
    assert old in content
    return repacked(data, **{name: content.replace(old, new, 1)})


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (MANIFEST, b'{"files"', b'{ "files"', "was changed: it is not as it is written"),
        (MANIFEST, b'"run_id":"', b'"run_id":"1', "is of another run than record.ndjson"),
        (MANIFEST, b"bundle/1", b"bundle/2", "format is 'fedcheck-bundle/2'"),
        (ATTESTATION, b'{"payload"', b'{ "payload"', "was changed: it is not as it is written"),
        (ATTESTATION, b'"keyid":"', b'"keyid":"0', "names another key than the one that signed"),
        (ATTESTATION, b'"sig":"', b'"sig":"AAAA', "none of 1 signatures"),
    ],
)
def test_what_fits_its_checksum_is_still_found(
    tmp_path: Path, key: Any, name: str, old: bytes, new: bytes, told: str
) -> None:
    """Whoever packs again has right checksums: every file is checked for itself."""
    data = rewritten(bundled(tmp_path, key), name, old, new)
    assert told in "\n".join(checked(data, key.public_key()).problems)


def test_a_signer_who_says_something_else_than_the_record_is_found(
    tmp_path: Path, key: Any
) -> None:
    """A good signature under a statement that the run passed."""
    with zipfile.ZipFile(io.BytesIO(bundled(tmp_path, key))) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    del contents[ATTESTATION]
    told = statement_of(small_record(), digests(contents)).replace(b"FAILED", b"PASSED")
    lie = zipped({**contents, ATTESTATION: signed(told, PAYLOAD_TYPE, key)})
    problem = f"evidence.zip: {ATTESTATION}: says something else of the run than {RECORD}"
    assert [problem] == checked(lie, key.public_key()).problems


def resigned(tmp_path: Path, key: Any, **changed: bytes) -> bytes:
    """Return a bundle whose changed files are in its manifest, but not in its signature."""
    with zipfile.ZipFile(io.BytesIO(bundled(tmp_path, key))) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()} | changed
    rest = {x: y for x, y in contents.items() if x not in {MANIFEST, ATTESTATION}}
    sizes = {name: len(value) for name, value in rest.items()}
    manifest = manifest_bytes(small_record().header.run_id, sizes, digests(rest), {})
    return zipped({**contents, MANIFEST: manifest})


def test_a_forged_manifest_is_found_by_the_signature(tmp_path: Path, key: Any) -> None:
    """Who has no key can make a bundle that fits in itself, and no more."""
    forged = resigned(tmp_path, key, **{"reports/junit.xml": b"<all-passed/>"})
    assert [] == checked(forged).problems
    problems = checked(forged, key.public_key()).problems
    assert ["is about other files: manifest.json, reports/junit.xml"] == [
        problem.rpartition(": ")[0].rpartition(": ")[2] + ": " + problem.rpartition(": ")[2]
        for problem in problems
    ]


def test_an_unsigned_bundle_does_not_pass_for_a_signed_one(tmp_path: Path, key: Any) -> None:
    """With a key to check, there must be a signature."""
    problems = checked(bundled(tmp_path), key.public_key()).problems
    assert ["evidence.zip: is not signed; it has no attestation.dsse.json"] == problems


def test_the_signature_of_somebody_else_is_refused(
    tmp_path: Path, key: Any, other_key: Any
) -> None:
    """The message says whose signature was looked for."""
    problems = checked(bundled(tmp_path, other_key), key.public_key()).problems
    assert 1 == len(problems)
    assert "none of 1 signatures is by the key" in problems[0]


def test_a_signature_that_was_not_checked_is_not_praised(tmp_path: Path, key: Any) -> None:
    """Without a key nobody knows who signed."""
    assert "NOT CHECKED" in checked(bundled(tmp_path, key)).holds[-1]


def test_another_encoding_is_found_without_a_key(tmp_path: Path, key: Any) -> None:
    """Two bundles that hold differ in more than what nobody reads."""
    data = rewritten(bundled(tmp_path, key), ATTESTATION, b'"payload":"', b'"payload":"\\n')
    assert ["is not base64"] == [x.rpartition(": ")[2] for x in checked(data).problems]


def test_a_requirement_set_of_another_name_is_found(tmp_path: Path) -> None:
    """The set in the bundle must be the one that decided."""
    record = small_record()
    data = record_bytes(record, tmp_path)
    contents, _ = bundle_files(record, data, formats=(), more={})
    wrong = {**contents, "requirement-set.json": b"{}"}
    problems = checked(zipped(sealed_bundle(record, wrong))).problems
    assert [
        "evidence.zip: requirement-set.json is not the one that record.ndjson names"
    ] == problems


def test_a_requirement_set_of_ones_own_is_packed_with_what_it_extends(tmp_path: Path) -> None:
    """Its digest is that of both files."""
    own = tmp_path / "own.json"
    own.write_text('{"name":"own","title":"t","clauses":[],"extends":"seeds-2026-05"}')
    record = small_record(str(own))
    data = record_bytes(record, tmp_path)
    contents, problems = bundle_files(
        record, data, formats=(), more={}, requirements=own.read_bytes()
    )
    assert [] == problems
    assert "requirement-set-extended.json" in contents
    assert [] == checked(zipped(sealed_bundle(record, contents))).problems


def test_a_broken_requirement_set_is_refused(tmp_path: Path) -> None:
    """Also where it is not needed: the run took a set of the package."""
    record = small_record()
    data = record_bytes(record, tmp_path)
    with pytest.raises(DocumentError, match=r"the file of --require: line 1, .*not JSON"):
        bundle_files(record, data, formats=(), more={}, requirements=b"not a set")


def test_a_requirement_set_that_did_not_decide_is_refused(tmp_path: Path) -> None:
    """The message says what to do; the set that did decide is taken, named or not."""
    record = small_record()
    data = record_bytes(record, tmp_path)
    other = b'{"name":"own","title":"t","clauses":[]}'
    with pytest.raises(UsageError, match=r"names kernel-2026-11 .*; leave --require out"):
        bundle_files(record, data, formats=(), more={}, requirements=other)
    packed, _ = bundle_files(record, data, formats=(), more={})
    named = packed["requirement-set.json"]
    assert packed == bundle_files(record, data, formats=(), more={}, requirements=named)[0]

    unknown = replace(record.header.requirement_set, name="mine", digest="0" * 64)
    record = replace(record, header=replace(record.header, requirement_set=unknown))
    with pytest.raises(UsageError, match=r"names mine .*; name the file that the run was given"):
        bundle_files(record, data, formats=(), more={}, requirements=other)


def test_what_the_usual_bundle_holds_is_missed_in_one_that_nobody_signed(
    tmp_path: Path, key: Any
) -> None:
    """A forger writes the manifest anew; the signer of another one chose what goes in."""
    whole = bundled(tmp_path, formats=usual_reports())
    assert [] == checked(whole).notes
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        contents = {x: archive.read(x) for x in archive.namelist() if x != MANIFEST}
    taken = {x: y for x, y in contents.items() if x != "reports/html.html"}
    found = checked(zipped(sealed_bundle(small_record(), taken)))

    assert [] == found.problems
    assert ["reports/html.html"] == re.findall(r"[\w-]+/[\w.-]+", " ".join(found.notes))
    assert [] == checked(bundled(tmp_path, key), key.public_key()).notes


def test_the_manifest_names_what_rendered_the_reports(tmp_path: Path) -> None:
    """Only for the reports that are there, and not where nothing of others takes part."""

    def told(*formats: str) -> list[str]:
        with zipfile.ZipFile(io.BytesIO(bundled(tmp_path, formats=formats))) as archive:
            return [*json.loads(archive.read(MANIFEST)).get("renderers", {})]

    assert ["jinja2", "markupsafe", "rich"] == told("html", "text", "junit")
    assert ["rich"] == told("text")
    assert [] == told("junit")


def test_a_report_that_fails_is_told_and_costs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record and the other reports are in the bundle."""
    from fedcheck.reports.formats import junit

    def broken(_: object) -> str:
        raise ValueError("no \x1b[31m")

    monkeypatch.setattr(junit, "junit_xml", broken)
    record = small_record()
    data = record_bytes(record, tmp_path)
    contents, problems = bundle_files(record, data, formats=("junit", "tap"), more={})
    assert "reports/junit.xml could not be written (ValueError: no \\x1b[31m)" in problems[0]
    assert "reports/tap.tap" in contents
    assert [] == checked(zipped(sealed_bundle(record, contents))).problems


def test_ids_of_a_hostile_record_name_no_file_elsewhere(tmp_path: Path) -> None:
    """Counterexamples are files inside the bundle, whatever they are called."""
    from click.testing import CliRunner

    from fedcheck.__main__ import cli
    from fedcheck.reports.record.writer import write_record

    record = foreign_record()
    hostile = "../../etc/passwd\x1b\n"
    example = replace(record.counterexamples[0], id=hostile)
    first = replace(record.clauses[0], counterexamples=(hostile,))
    record = replace(record, clauses=(first, *record.clauses[1:]), counterexamples=(example,))
    write_record(tmp_path / "r", record)
    target = tmp_path / "e.zip"
    arguments = ["bundle", str(tmp_path / "r"), "-o", str(target), "--format", "tap"]
    result = CliRunner().invoke(cli, arguments)
    assert 3 == result.exit_code, result.output
    assert [] == checked(target.read_bytes()).problems
    names = zipfile.ZipFile(target).namelist()
    assert 1 == sum(name.startswith("counterexamples/") for name in names)
    assert not any(".." in Path(name).parts or "\x1b" in name for name in names)


def test_a_key_from_a_file_is_the_same_key(tmp_path: Path, key_files: tuple[Path, Path]) -> None:
    """What ``keygen`` wrote signs, and its public half verifies."""
    secret, public = key_files
    from fedcheck.reports.proof.dsse import public_key

    data = bundled(tmp_path, private_key(str(secret)))
    assert [] == checked(data, public_key(str(public))).problems
