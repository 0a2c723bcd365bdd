"""``keygen``, ``sign``, ``bundle``, ``verify`` and ``report`` as they are called."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from fedcheck import __version__
from fedcheck.__main__ import cli
from fedcheck.conformance.settings.options import DEFAULT_SET
from fedcheck.invariants.requirements import requirement_set
from fedcheck.invariants.vocabulary.errors import FedcheckError, KernelError
from fedcheck.reports.proof.attestation import PAYLOAD_TYPE, statement_of
from fedcheck.reports.proof.bundle import bundle_files, sealed_bundle
from fedcheck.reports.proof.dsse import private_key, signed
from fedcheck.reports.record.writer import write_record

from .bundles import small_record, zipped


def call(*arguments: object) -> Result:
    """Return what a command came to."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def refused(*arguments: object) -> str:
    """Return the message of a command that is refused."""
    result = call(*arguments)
    assert isinstance(result.exception, FedcheckError), (result.output, result.exception)
    return str(result.exception)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the file of a small record."""
    path = tmp_path / "run.ndjson"
    write_record(path, small_record())
    return path


def test_sign_and_verify(record: Path, key_files: tuple[Path, Path]) -> None:
    """Beside the record lies its envelope, and everything holds."""
    secret, public = key_files
    report = record.with_name("r.tap")
    assert 0 == call("report", record, "--format", "tap", "-o", report).exit_code
    assert 0 == call("sign", record, report, "--key", secret).exit_code
    result = call("verify", f"{record}.dsse.json", "--key", public)
    assert 0 == result.exit_code, result.output
    assert "ok     r.tap: as it was signed" in result.output
    assert result.output.endswith("everything holds\n")


@pytest.mark.parametrize(
    ("option", "text"),
    [
        *(("--require", text) for text in ("", "{", "[]", "{}")),
        *(("--lint", text) for text in ("", "{")),
        *(("--since", text) for text in ("", "{")),
    ],
)
def test_a_broken_file_beside_the_record_is_refused(record: Path, option: str, text: str) -> None:
    """Also an empty one, and a requirement set that the run did not need; nothing is written."""
    wrong, target = record.with_name("wrong.json"), record.with_name("e.zip")
    wrong.write_text(text, encoding="ascii")

    assert "" != refused("bundle", record, "-o", target, option, wrong)
    assert not target.exists()


def test_a_changed_file_is_named_with_its_line(record: Path, key_files: tuple[Path, Path]) -> None:
    """Exit code 1, and the line of the record."""
    secret, public = key_files
    call("sign", record, "--key", secret)
    record.write_bytes(record.read_bytes().replace(b"mutant:", b"Mutant:", 1))
    result = call("verify", f"{record}.dsse.json", "--key", public)
    assert 1 == result.exit_code
    assert "WRONG  run.ndjson: was changed: SHA-256 is" in result.output
    assert "line 1 (bytes 0 to" in result.output
    record.unlink()
    assert "run.ndjson: is no file" in call("verify", f"{record}.dsse.json", "--key", public).output


def test_an_envelope_is_compared_with_the_record(
    record: Path, key_files: tuple[Path, Path]
) -> None:
    """What is proven is told as for a bundle; a signer who says that it passed is found."""
    secret, public = key_files
    verify = ("verify", record.with_name("e.json"), "--key", public)
    digest = hashlib.sha256(record.read_bytes()).hexdigest()
    told = statement_of(small_record(), {"run.ndjson": digest})
    for payload, code, line in (
        (told, 0, "       Proven: in what was tried, 2 of 3 required clauses"),
        (told.replace(b"FAILED", b"PASSED"), 1, "says something else of the run than run.ndjson"),
    ):
        verify[1].write_bytes(signed(payload, PAYLOAD_TYPE, private_key(str(secret))))
        result = call(*verify)
        assert (code, True) == (result.exit_code, line in result.output), result.output


def test_an_envelope_of_a_record_that_contradicts_itself_does_not_hold(
    record: Path, key_files: tuple[Path, Path]
) -> None:
    """Whoever signs with another tool signs what `fedcheck sign` refuses."""
    secret, public = key_files
    judged = small_record()
    forged = replace(judged, summary=replace(judged.summary, exit_code=0))
    write_record(record, forged)
    digest = hashlib.sha256(record.read_bytes()).hexdigest()
    envelope = record.with_name("e.json")
    told = statement_of(forged, {"run.ndjson": digest})
    envelope.write_bytes(signed(told, PAYLOAD_TYPE, private_key(str(secret))))
    result = call("verify", envelope, "--key", public)
    assert (1, True) == (result.exit_code, "the exit code is 0, its verdicts" in result.output)


def test_a_statement_about_no_file_does_not_hold(
    record: Path, key_files: tuple[Path, Path]
) -> None:
    """A good signature, and nothing that it is about."""
    secret, public = key_files
    told = json.loads(statement_of(small_record(), {}))
    envelope = record.with_name("e.json")
    payload = json.dumps(told).encode()
    envelope.write_bytes(signed(payload, PAYLOAD_TYPE, private_key(str(secret))))
    result = call("verify", envelope, "--key", public)
    assert (1, True) == (result.exit_code, "e.json: names no file" in result.output)


def test_a_broken_report_of_the_linter_does_not_hold(record: Path) -> None:
    """Reports cannot be made again from it: exit code 1, as for any other difference."""
    data = record.read_bytes()
    contents, _ = bundle_files(small_record(), data, formats=(), more={"lint/lint.sarif": b"{}"})
    target = record.with_name("e.zip")
    target.write_bytes(zipped(sealed_bundle(small_record(), contents)))
    result = call("verify", target, "--rerender")
    assert (1, True) == (result.exit_code, "lint/lint.sarif: is no SARIF" in result.output)
    assert isinstance(result.exception, SystemExit)


def test_the_kernel_itself_can_be_signed(record: Path, key_files: tuple[Path, Path]) -> None:
    """Its SHA-256 is in the statement, and another file is not it."""
    secret, public = key_files
    kernel = record.with_name("kernel.whl")
    kernel.write_bytes(b"wheel")
    assert 0 == call("sign", record, "--key", secret, "--kernel-file", kernel).exit_code
    verify = ("verify", f"{record}.dsse.json", "--key", public, "--kernel-file", kernel)
    assert 0 == call(*verify).exit_code
    kernel.write_bytes(b"another")
    assert 1 == call(*verify).exit_code


def test_a_bundle_names_the_kernel_itself(record: Path, key_files: tuple[Path, Path]) -> None:
    """Only with the signer's key; another file, or none that was named, is not it."""
    secret, public = key_files
    kernel, target = record.with_name("kernel.whl"), record.with_name("evidence.zip")
    kernel.write_bytes(b"wheel")
    pack = ("bundle", record, "-o", target, "--format", "tap", "--key", secret)
    assert 0 == call(*pack, "--kernel-file", kernel).exit_code
    verify = ("verify", target, "--kernel-file", kernel)
    assert 0 == call(*verify, "--key", public).exit_code
    assert "give --key" in call(*verify).output
    other = call("verify", target, "--key", public, "--kernel-file", record)
    assert (1, True) == (other.exit_code, "about another kernel" in other.output)
    assert 0 == call(*pack).exit_code
    assert 1 == call(*verify, "--key", public).exit_code


def test_bundle_and_verify(record: Path, key_files: tuple[Path, Path]) -> None:
    """An auditor needs the bundle and the public key, nothing else."""
    secret, public = key_files
    target = record.with_name("evidence.zip")
    packed = call("bundle", record, "-o", target, "--key", secret, "--format", "tap")
    assert 0 == packed.exit_code, packed.output
    record.unlink()
    result = call("verify", target, "--key", public)
    assert 0 == result.exit_code, result.output
    assert "1.0: 3 of 3 required clauses judged; 2 passed (exit code 1)" in result.output
    demanded = requirement_set(DEFAULT_SET)
    assert f"requirement set {DEFAULT_SET}, SHA-256 {demanded.digest}\n" in result.output
    data = target.read_bytes()
    target.write_bytes(data.replace(b"TAP version 14", b"TAP version 15"))
    broken = call("verify", target, "--key", public)
    assert 1 == broken.exit_code
    assert "reports/tap.tap (bytes " in broken.output


def test_a_bundle_takes_the_record_that_the_run_told(record: Path) -> None:
    """Another digest than the one that the run printed is refused, and nothing is written."""
    target = record.with_name("evidence.zip")
    digest = hashlib.sha256(record.read_bytes()).hexdigest()
    words = ("bundle", record, "-o", target, "--format", "tap", "--record-sha256")
    assert "is not the record that was told" in refused(*words, "0" * 64)
    assert not target.exists()
    assert 0 == call(*words, digest).exit_code


def test_reperform_compares_every_verdict(tmp_path: Path) -> None:
    """The same kernel gives the same verdicts, a broken one does not; both are really run."""
    record, target = tmp_path / "run.ndjson", tmp_path / "evidence.zip"
    clause = "I-CACHE-KEY-SAFETY"
    run = ("run", "--select", clause, "--examples", 2, "--record", record)
    assert 0 == call(*run, "--counterexamples", tmp_path / "c").exit_code
    assert 0 == call("bundle", record, "-o", target, "--format", "tap").exit_code
    again = call("verify", target, "--reperform", "--kernel", "reference")
    assert 0 == again.exit_code, again.output
    assert "verdicts: the same again" in again.output
    other = call("verify", target, "--reperform", "--kernel", "mutant:key-end-unchecked")
    assert 1 == other.exit_code, other.output
    assert "recorded pass, now fail" in other.output


def test_a_second_run_is_hosted_as_its_command_says(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter, the variables and the memory of whoever checks, as with ``run``."""
    target = tmp_path / "evidence.zip"
    assert 0 == call("bundle", record, "-o", target, "--format", "tap").exit_code
    again = ("verify", target, "--reperform", "--kernel")
    told = refused(*again, "agent:nowhere:chat", "--python", "/no/python")
    assert "'/no/python': command not found" in told
    assert "--memory-limit: ref" in refused(*again, "reference", "--memory-limit", "1G")
    (tmp_path / "seen.py").write_text("import os, sys\nsys.exit('W' + os.environ['WANTED'])\n")
    monkeypatch.setenv("WANTED", "anted")
    command = shlex.join([sys.executable, str(tmp_path / "seen.py")])
    reached = call(*again, f"exec:{command}", "--pass-env", "WANTED").exception
    assert isinstance(reached, KernelError)
    assert "Wanted" in reached.stderr_tail


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--reperform",), "belong together"),
        (("--kernel", "reference"), "belong together"),
        ((), "neither a bundle nor an envelope"),
    ],
)
def test_wrong_usage_of_verify_is_told(tmp_path: Path, arguments: object, told: str) -> None:
    """What is missing, or what the file is not."""
    path = tmp_path / "x"
    path.write_bytes(b"no evidence")
    assert told in refused("verify", path, *arguments)  # type: ignore[misc]
    assert "cannot be read" in refused("verify", tmp_path / "nowhere")


def test_keygen_replaces_nothing(tmp_path: Path) -> None:
    """A key that exists stays; neither half is printed."""
    first = call("keygen", tmp_path / "k")
    assert 0 == first.exit_code
    secret = (tmp_path / "k.key").read_text()
    assert not any(line in first.output for line in secret.splitlines())
    assert "exists already" in refused("keygen", tmp_path / "k")
    (tmp_path / "k.pub").unlink()
    assert "exists already" in refused("keygen", tmp_path / "k")
    assert secret == (tmp_path / "k.key").read_text()


def test_an_envelope_stays_beside_its_files(record: Path, key_files: tuple[Path, Path]) -> None:
    """It names them from its own folder, and is none of them."""
    secret, _ = key_files
    elsewhere = record.parent / "deep"
    elsewhere.mkdir()
    assert "beside" in refused("sign", record, "--key", secret, "-o", elsewhere / "e.json")
    assert "beside" in refused("sign", record, "--key", secret, "-o", record)


def test_several_reports_at_once(record: Path) -> None:
    """Into files one by one, into a folder, and by FORMAT=FILE."""
    folder = record.parent
    one, two, three = folder / "a.tap", folder / "b.svg", folder / "c.json"
    result = call(
        "report", record, "--format", "tap", "-o", one, "--format", "badge", "-o", two,
        "--report", f"ctrf={three}",
    )  # fmt: skip
    assert 0 == result.exit_code, result.output
    assert one.read_text().startswith("TAP version 14")
    assert two.read_text().startswith("<svg")
    assert "CTRF" == json.loads(three.read_text())["reportFormat"]
    call("report", record, "--format", "tap", "--format", "junit-rich", "-o", folder)
    assert one.read_bytes() == (folder / "tap.tap").read_bytes()
    assert (folder / "junit-rich.xml").exists()


def test_one_report_goes_to_stdout(record: Path) -> None:
    """Text unless told otherwise."""
    assert call("report", record).output.startswith(f"fedcheck {__version__} judges mutant:key")
    assert call("report", record, "--format", "tap").output.startswith("TAP version 14")


def test_a_report_never_overwrites_the_record(record: Path) -> None:
    """Nor another report."""
    before = record.read_bytes()
    assert "the file of the record" in refused("report", record, "--report", f"tap={record}")
    twice = ("--report", f"tap={record.parent / 'x'}", "--report", f"badge={record.parent / 'x'}")
    assert "the file of the report tap" in refused("report", record, *twice)
    assert before == record.read_bytes()
    assert "give each format its file" in refused(
        "report", record, "--format", "tap", "--format", "badge", "-o", record.parent / "x"
    )


def test_a_writer_that_fails_costs_no_other_report(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, the exit code is 2, and the others are written."""
    from fedcheck.reports.formats import tap

    def broken(_: object) -> str:
        raise RuntimeError("no\n::error::x")

    monkeypatch.setattr(tap, "tap", broken)
    folder = record.parent
    result = call("report", record, "--format", "tap", "--format", "badge", "-o", folder)
    assert 2 == result.exit_code
    assert "(RuntimeError: no\\n::error::x)" in result.output
    assert not (folder / "tap.tap").exists()
    assert (folder / "badge.svg").exists()


def test_an_unknown_format_is_told(record: Path) -> None:
    """With the formats that there are."""
    assert "There is no format 'doc'; there are: " in refused("report", record, "--report", "doc=x")
    assert "Invalid value for '--format'" in call("report", record, "--format", "doc").output
