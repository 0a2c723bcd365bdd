"""Signed statements: what they say, and that other tools agree about the signature."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import stat
import string
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.errors import DocumentError, UsageError
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.proof.attestation import PAYLOAD_TYPE, read_statement, statement_of
from fedcheck.reports.proof.dsse import (
    PASSWORD_VARIABLE,
    envelope_bytes,
    key_id,
    new_key,
    private_key,
    public_key,
    read_envelope,
    signed,
    verified_payload,
)
from fedcheck.reports.proof.file_names import collision, is_portable
from fedcheck.reports.record.model import Origin, RunRecord
from fedcheck.reports.record.sample import sample_clause, sample_record

PAYLOAD = b'{"_type":"x"}'


def statement(record: RunRecord, kernel: str = "") -> dict[str, Any]:
    """Return the statement of a record as JSON."""
    return json.loads(statement_of(record, {"record.ndjson": "ab" * 32}, kernel))


def opened(data: bytes, key: Any) -> bytes:
    """Return the payload of an envelope of ours."""
    return verified_payload(read_envelope(data, "e"), PAYLOAD_TYPE, key, "e")


def other_reader(key: Any) -> Any:
    """Return our public key as securesystemslib knows keys."""
    signer = pytest.importorskip("securesystemslib.signer")
    raw = key.public_key().public_bytes_raw().hex()
    return signer.SSlibKey(key_id(key.public_key()), "ed25519", "ed25519", {"public": raw})


def test_securesystemslib_verifies_what_we_sign(key: Any) -> None:
    """And refuses it once it is changed."""
    dsse = pytest.importorskip("securesystemslib.dsse")
    errors = pytest.importorskip("securesystemslib.exceptions")
    told = json.loads(signed(PAYLOAD, PAYLOAD_TYPE, key))
    envelope = dsse.Envelope.from_dict(copy.deepcopy(told))
    reader = other_reader(key)
    assert {reader.keyid: reader} == envelope.verify([reader], 1)
    told["payload"] = base64.b64encode(PAYLOAD + b" ").decode()
    with pytest.raises(errors.VerificationError):
        dsse.Envelope.from_dict(told).verify([reader], 1)


def test_we_verify_what_securesystemslib_signs(key: Any) -> None:
    """Also where it names the key in its own way."""
    dsse = pytest.importorskip("securesystemslib.dsse")
    signer = pytest.importorskip("securesystemslib.signer")
    envelope = dsse.Envelope(PAYLOAD, PAYLOAD_TYPE, {})
    envelope.sign(signer.CryptoSigner(key))
    data = json.dumps(envelope.to_dict()).encode()
    assert PAYLOAD == opened(data, key.public_key())
    ours = read_envelope(signed(PAYLOAD, PAYLOAD_TYPE, key), "e")
    assert ours.signatures[0].sig == read_envelope(data, "e").signatures[0].sig


def test_the_signature_covers_type_and_payload(key: Any, other_key: Any) -> None:
    """Another payload, type or key: each is refused, and the message says which."""
    envelope = read_envelope(signed(PAYLOAD, PAYLOAD_TYPE, key), "e")
    changed = replace(envelope, payload=base64.b64encode(b"{}").decode())
    typed = replace(envelope, payloadType="text/plain")
    cases = [
        (changed, key, "none of 1 signatures"),
        (typed, key, "payloadType is 'text/plain'"),
        (envelope, other_key, "none of 1 signatures"),
        (replace(envelope, signatures=()), key, "none of 0 signatures"),
        (replace(envelope, payload="%"), key, "is not base64"),
    ]
    for wrong, signer, told in cases:
        with pytest.raises(DocumentError, match=told):
            opened(envelope_bytes(wrong), signer.public_key())


@pytest.mark.parametrize("field", ["payload", "sig"])
@pytest.mark.parametrize(
    "varied",
    [
        lambda text: text + "\n",
        lambda text: f" {text}",
        lambda text: text.rstrip("="),
        lambda text: f"{text}====",
        lambda text: f"{text.rstrip('=')[:-1]}{_next(text.rstrip('=')[-1])}{'=' * text.count('=')}",
        lambda text: text.translate(str.maketrans("+/", "-_")),
    ],
    ids=["line feed", "blank", "no padding", "more padding", "padding bits", "other alphabet"],
)
def test_a_signature_has_one_encoding(key: Any, field: str, varied: Any) -> None:
    """Else somebody without the key makes other bytes of it that hold as well."""
    payload = bytes(range(256))
    told = json.loads(signed(payload, PAYLOAD_TYPE, key))
    place = told if field == "payload" else told["signatures"][0]
    place[field] = varied(place[field])
    with pytest.raises(DocumentError, match=f"{field}: is not base64"):
        opened(json.dumps(told).encode(), key.public_key())


def _next(letter: str) -> str:
    """Return the letter of base64 that differs in the last bit, which only pads."""
    letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    return letters[letters.index(letter) ^ 1]


@pytest.mark.parametrize("place", ["envelope", "signature"])
def test_an_envelope_with_more_fields_is_refused(key: Any, place: str) -> None:
    """Nothing of them is signed."""
    told = json.loads(signed(PAYLOAD, PAYLOAD_TYPE, key))
    (told if place == "envelope" else told["signatures"][0])["approved"] = "yes"
    with pytest.raises(DocumentError, match="unknown field `approved`"):
        opened(json.dumps(told).encode(), key.public_key())


def test_a_signature_under_another_type_does_not_count(key: Any) -> None:
    """The type is signed too: a text signed as something else is no statement."""
    envelope = read_envelope(signed(PAYLOAD, "text/plain", key), "e")
    with pytest.raises(DocumentError, match="none of 1 signatures"):
        opened(envelope_bytes(replace(envelope, payloadType=PAYLOAD_TYPE)), key.public_key())


@pytest.mark.parametrize(
    ("verdict", "result"),
    [
        (Verdict.PASS, "PASSED"),
        (Verdict.WAIVED, "WARNED"),
        (Verdict.FAIL, "FAILED"),
        (Verdict.CRASH, "FAILED"),
    ],
)
def test_the_result_is_that_of_the_run(verdict: Verdict, result: str) -> None:
    """A waiver warns; what could not be judged has failed."""
    record = sample_record([sample_clause(Verdict.PASS), sample_clause(verdict, clause="C-X/y")])
    assert result == statement(record)["predicate"]["result"]


def test_the_statement_lists_the_clauses_and_what_they_were_judged_by() -> None:
    """Not claimed is neither passed nor failed."""
    predicate = statement(sample_record())["predicate"]
    assert ["C-SAMPLE/pass"] == predicate["passedTests"]
    assert ["C-SAMPLE/waived"] == predicate["warnedTests"]
    red = ("fail", "flaky", "timeout", "crash", "error", "not-exercised")
    assert [f"C-SAMPLE/{name}" for name in red] == predicate["failedTests"]
    names = [row["name"] for row in predicate["configuration"]]
    assert ["requirement-set/founding-documents-1", "suite/fedcheck-0.1.0"] == names


def test_the_kernel_is_the_first_subject() -> None:
    """By its commit and its artifact where they are known, and always by its description."""
    commit = "0123456789" * 4
    kernel = replace(sample_record().header.kernel, commit=commit)
    record = sample_record(kernel=kernel, origin=Origin(run_url="https://ci.example/1"))
    told = statement(record, "cd" * 32)
    first, second = told["subject"]
    assert "kernel:sample-kernel@1.2.3" == first["name"]
    assert (commit, "cd" * 32) == (first["digest"]["gitCommit"], first["digest"]["sha256"])
    assert {"name": "record.ndjson", "digest": {"sha256": "ab" * 32}} == second
    assert "https://ci.example/1" == told["predicate"]["url"]
    plain = statement(sample_record(kernel=replace(kernel, commit="HEAD")))["subject"][0]
    assert ["fedcheck-kernel-description-sha256"] == list(plain["digest"])


def test_what_the_kernel_says_of_its_artifact_is_taken_and_compared() -> None:
    """Another file than the one that was judged is not signed for it."""
    kernel = replace(sample_record().header.kernel, digest="sha256:" + "EF" * 32)
    record = sample_record(kernel=kernel)
    assert "ef" * 32 == statement(record)["subject"][0]["digest"]["sha256"]
    assert statement(record) == statement(record, "ef" * 32)
    with pytest.raises(DocumentError, match="give the file that was judged"):
        statement(record, "cd" * 32)
    unusable = sample_record(kernel=replace(kernel, digest="v1"))
    assert "sha256" not in statement(unusable)["subject"][0]["digest"]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("_type", "x", "_type is 'x'"),
        ("predicateType", "x", "predicateType is 'x'"),
        ("subject", [{"name": "a", "digest": {}}], "'a' has no SHA-256"),
        (
            "subject",
            [{"name": "../a", "digest": {"sha256": "ab" * 32}}],
            "is no plain relative path",
        ),
        ("predicate", {"result": "MAYBE", "configuration": []}, "result is 'MAYBE'"),
    ],
)
def test_a_statement_of_another_kind_is_refused(field: str, value: object, told: str) -> None:
    """A good signature under something else proves nothing."""
    wrong = {**statement(sample_record()), field: value}
    with pytest.raises(DocumentError, match=told):
        read_statement(json.dumps(wrong).encode(), "e")


@pytest.mark.parametrize(
    "name",
    ["a", "a/b.json", "\u00e4.txt", "a b", ".a", "con-1", "a/console.txt", "com", "com10", "a~1"],
)
def test_plain_paths_are_portable(name: str) -> None:
    """Letters of all scripts and spaces may stand in a name."""
    assert is_portable(name)


@pytest.mark.parametrize("name", ["", ".", "..", "../a", "/a", "a/../b", "a\\b", "C:a", "a\x1b"])
def test_paths_that_lead_elsewhere_are_not(name: str) -> None:
    """On no system."""
    assert not is_portable(name)


@pytest.mark.parametrize(
    "name",
    [
        "a.",
        "a ",
        "a./b",
        "a /b",
        "a\u0308",
        "NUL",
        "con",
        "a/Aux.txt",
        "com1.tar.gz",
        "lpt9 .x",
        "COM\u00b9",
        "conin$",
        "...",
    ],
)
def test_names_that_some_system_changes_are_not_portable(name: str) -> None:
    """Windows drops the end or opens a device, others compose the letters."""
    assert not is_portable(name)


@pytest.mark.parametrize(
    ("names", "collides"),
    [
        (["a", "b/a", "b/c"], None),
        (["r/A.json", "r/a.json"], ("r/A.json", "r/a.json")),
        (["stra\u00dfe", "STRASSE"], ("stra\u00dfe", "STRASSE")),
        (["\u00c4", "\u00e4"], ("\u00c4", "\u00e4")),
        (["R/a", "r/b"], None),
        (["a", "A/b"], ("a", "A/b")),
        (["A/b", "a"], ("A/b", "a")),
        (["a", "a"], ("a", "a")),
    ],
)
def test_names_of_one_file_collide(names: list[str], collides: tuple[str, str] | None) -> None:
    """Whatever system the files are unpacked on."""
    assert collides == collision(names)


def test_a_statement_about_one_file_twice_is_refused() -> None:
    """By two names, of which a reader would see one."""
    told = statement(sample_record())
    told["subject"].append({**told["subject"][1], "name": "RECORD.ndjson"})
    with pytest.raises(DocumentError, match="are one file on some systems"):
        read_statement(json.dumps(told).encode(), "e")


def test_the_key_id_is_the_digest_of_the_public_key(key: Any) -> None:
    """Of its SubjectPublicKeyInfo, as other tools compute it."""
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    der = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    assert hashlib.sha256(der).hexdigest() == key_id(key.public_key())


def test_keys_come_from_files_and_from_the_environment(
    key_files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are the same key; the file of the secret one is for its owner alone."""
    secret, public = key_files
    monkeypatch.setenv("SECRET_KEY", secret.read_text())
    monkeypatch.setenv("PUBLIC_KEY", public.read_text())
    ids = {
        key_id(private_key(str(secret)).public_key()),
        key_id(private_key("env:SECRET_KEY").public_key()),
        key_id(public_key(str(public))),
        key_id(public_key("env:PUBLIC_KEY")),
    }
    assert 1 == len(ids)
    assert 0o600 == stat.S_IMODE(secret.stat().st_mode)


def test_an_encrypted_key_needs_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it the message names the variable."""
    path = tmp_path / "k"
    monkeypatch.setenv(PASSWORD_VARIABLE, "open sesame")
    path.write_bytes(new_key()[0])
    assert b"ENCRYPTED" in path.read_bytes()
    private_key(str(path))
    monkeypatch.setenv(PASSWORD_VARIABLE, "wrong")
    with pytest.raises(UsageError, match="is no private Ed25519 key"):
        private_key(str(path))
    monkeypatch.delenv(PASSWORD_VARIABLE)
    with pytest.raises(
        UsageError, match=f"is encrypted; put its password into {PASSWORD_VARIABLE}"
    ):
        private_key(str(path))


@pytest.mark.parametrize("text", ["", "hunter2", "-----BEGIN PRIVATE KEY-----\nhunter2\n"])
def test_what_is_no_key_is_never_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A message about a key holds nothing of it."""
    path = tmp_path / "k"
    path.write_text(text)
    monkeypatch.setenv("K", text or "x")
    for load in (private_key, public_key):
        for source in (str(path), "env:K"):
            with pytest.raises(UsageError) as caught:
                load(source)
            assert "hunter2" not in str(caught.value)
            assert caught.value.__cause__ is None


@pytest.mark.parametrize("source", ["nowhere.key", "env:NO_SUCH_VARIABLE"])
def test_a_missing_key_is_told(source: str) -> None:
    """With what to do."""
    with pytest.raises(UsageError, match=r"keygen|put the PEM text there"):
        private_key(source)


@pytest.mark.parametrize("load", [private_key, public_key])
def test_without_cryptography_the_message_says_what_to_install(
    load: Any, key_files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra: whoever only judges does not need it."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    with pytest.raises(UsageError, match=r"pip install 'fedcheck\[sign\]'"):
        load(str(key_files[0]))


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    """Only Ed25519 is taken."""
    ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    path = tmp_path / "k"
    path.write_bytes(
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    with pytest.raises(UsageError, match="is no private Ed25519 key"):
        private_key(str(path))
