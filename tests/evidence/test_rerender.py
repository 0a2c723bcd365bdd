"""``verify --rerender``: a bundle that fits in itself, and does not fit its record."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fedcheck.__main__ import cli
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.reports.lint import sarif
from fedcheck.reports.proof.bundle import MANIFEST, digests, manifest_bytes
from fedcheck.reports.record.writer import write_record

from .bundles import foreign_record, small_record, zipped
from .test_lint_reader import REPORT

RUN = ("run", "--select", "I-CACHE-KEY-SAFETY", "--examples", "2", "--record")


def call(*arguments: object) -> Result:
    """Return what a command came to."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the unsigned bundle of a failed run, with an earlier record and a lint report."""
    folder = tmp_path_factory.mktemp("bundle")
    old, new, lint, target = (folder / x for x in ("old.ndjson", "new.ndjson", "l.sarif", "e.zip"))
    assert 0 == call(*RUN, old, "--counterexamples", folder).exit_code
    broken = ("--kernel", "mutant:key-end-unchecked", "--counterexamples", folder)
    assert 1 == call(*RUN, new, *broken).exit_code
    lint.write_text(sarif.render(REPORT, {}), encoding="utf-8")
    result = call("bundle", new, "-o", target, "--since", old, "--lint", lint)
    assert 0 == result.exit_code, result.output
    return target.read_bytes()


def files_of(path: Path) -> dict[str, bytes]:
    """Return the files of a bundle."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repacked(
    path: Path, changed: Mapping[str, bytes | None], renderers: Mapping[str, str] | None = None
) -> None:
    """Pack a bundle again, as a forger would: with right checksums and a right manifest."""
    contents = files_of(path) | changed
    rest = {x: y for x, y in contents.items() if x != MANIFEST and y is not None}
    run_id = json.loads(rest["record.ndjson"].split(b"\n")[0])["run_id"]
    told = renderers or json.loads(contents[MANIFEST] or b"{}").get("renderers", {})
    manifest = manifest_bytes(run_id, {x: len(y) for x, y in rest.items()}, digests(rest), told)
    path.write_bytes(zipped({**rest, MANIFEST: manifest}))


@pytest.fixture
def path(bundle: bytes, tmp_path: Path) -> Path:
    """Return where a copy of the bundle lies."""
    path = tmp_path / "evidence.zip"
    path.write_bytes(bundle)
    return path


def test_an_honest_bundle_is_the_same_again(path: Path) -> None:
    """Also the reports that compare and that show what the linter found."""
    result = call("verify", path, "--rerender")
    beside = files_of(path).keys() - {
        *("record.ndjson", "earlier-record.ndjson", "manifest.json", "requirement-set.json"),
        "lint/lint.sarif",
    }

    assert 0 == result.exit_code, result.output
    assert f"ok     {len(beside)} files beside the record: the same again\n" in result.output
    assert b"What changed" in files_of(path)["reports/html.html"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("reports/html.html", b"not conformant", b"conformant"),
        ("reports/junit.xml", b"<failure", b"<skipped"),
        ("reports/oscal.json", b"not-satisfied", b"satisfied"),
        ("configuration.json", b'"seed": 0', b'"seed": 1'),
        ("waivers.json", b"[]", b"[ ]"),
        ("README.txt", b"counterexamples/ ", b"counterexamples "),
    ],
)
def test_an_edited_file_is_found(path: Path, name: str, old: bytes, new: bytes) -> None:
    """It has right checksums, and nobody signed it: only the record contradicts it."""
    text = files_of(path)[name]
    place = re.search(re.escape(old), text, re.IGNORECASE)
    assert place
    repacked(path, {name: text[: place.start()] + new + text[place.end() :]})

    assert 0 == call("verify", path).exit_code
    result = call("verify", path, "--rerender")
    assert 1 == result.exit_code
    line = text[: place.start()].count(b"\n") + 1
    assert re.findall(rf"WRONG  \S+: {name} is not what .* makes: line {line:,}, ", result.output)


def test_a_file_too_many_or_too_few_is_found(path: Path) -> None:
    """A counterexample that was taken out, a report that nobody writes."""
    example = next(name for name in files_of(path) if name.startswith("counterexamples/"))
    repacked(path, {example: None, "reports/all-clear.html": b"<p>passed"})
    result = call("verify", path, "--rerender")

    assert 1 == result.exit_code
    assert f"{example} is missing: record.ndjson makes it" in result.output
    assert "reports/all-clear.html is nothing that record.ndjson makes" in result.output


def test_a_record_of_another_suite_is_no_accusation(tmp_path: Path) -> None:
    """What is the same is told; what is not could be the other version's."""
    record, target = tmp_path / "run.ndjson", tmp_path / "evidence.zip"
    write_record(record, foreign_record())
    assert 3 == call("bundle", record, "-o", target, "--format", "tap").exit_code
    repacked(target, {"reports/tap.tap": b"TAP version 14\n1..0\n"})
    result = call("verify", target, "--rerender")

    assert 3 == result.exit_code, result.output
    assert re.search("note   fedcheck .* not compared are reports/tap.tap", result.output)
    assert "4 files beside the record: the same again" in result.output


@pytest.mark.parametrize(("package", "told"), [("rich", "12.0.1"), ("jinja2", "not installed")])
def test_a_report_of_another_renderer_could_not_be_compared(
    path: Path, package: str, told: str
) -> None:
    """It is no accusation, and the message says what to install; any other file is compared."""
    contents = files_of(path)
    renderers = json.loads(contents[MANIFEST])["renderers"] | {package: told}
    name = {"rich": "reports/text.txt", "jinja2": "reports/html.html"}[package]
    repacked(path, {name: contents[name] + b"\n", "waivers.json": b"[ ]"}, renderers)
    result = call("verify", path, "--rerender")
    excused = package == "rich"

    assert 1 == result.exit_code
    assert ("WRONG" in line_about(result, name)) != excused
    assert ("could not be compared: other versions made it" in result.output) == excused
    assert ("pip install rich==12.0.1" in result.output) == excused
    assert "WRONG" in line_about(result, "waivers.json")


def test_what_could_not_be_compared_does_not_hold(path: Path) -> None:
    """The last line says that not everything was compared."""
    contents = files_of(path)
    renderers = json.loads(contents[MANIFEST])["renderers"] | {"rich": "12.0.1"}
    repacked(path, {"reports/text.txt": b"all clear"}, renderers)
    result = call("verify", path, "--rerender")

    assert (3, "everything that could be compared holds") == (
        result.exit_code,
        result.output.splitlines()[-1],
    )


def test_the_same_report_of_another_renderer_is_the_same(path: Path) -> None:
    """Only what differs needs an excuse."""
    renderers = json.loads(files_of(path)[MANIFEST])["renderers"] | {"rich": "12.0.1"}
    repacked(path, {}, renderers)
    result = call("verify", path, "--rerender")

    assert 0 == result.exit_code
    assert "could not be compared" not in result.output


def line_about(result: Result, name: str) -> str:
    """Return the line of the output that is about a file."""
    return next(line for line in result.output.splitlines() if f" {name} " in line)


def test_a_report_that_was_taken_out_is_missed(path: Path) -> None:
    """The manifest was written anew; a signature would show it, a note must do without."""
    repacked(path, {"reports/html.html": None})
    result = call("verify", path)

    assert 0 == result.exit_code, result.output
    assert re.search("note   not in it, .*: reports/html.html; without a signature", result.output)


def test_a_pdf_is_not_compared(path: Path) -> None:
    """Other fonts make other bytes, and that is said."""
    repacked(path, {"reports/pdf.pdf": b"%PDF-"})
    result = call("verify", path, "--rerender")

    assert 3 == result.exit_code, result.output
    assert "note   reports/pdf.pdf was not compared: fonts decide over its bytes" in result.output


def test_an_envelope_has_nothing_to_make_again(
    tmp_path: Path, key_files: tuple[Path, Path]
) -> None:
    """The message says what does."""
    secret, public = key_files
    record = tmp_path / "run.ndjson"
    write_record(record, small_record())
    call("sign", record, "--key", secret)
    result = call("verify", f"{record}.dsse.json", "--key", public, "--rerender")

    assert isinstance(result.exception, UsageError)
    assert "only a bundle holds reports to make again" in str(result.exception)
