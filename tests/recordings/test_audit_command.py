"""``fedcheck audit``, and every reader of a record, on the record of an audit."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import shlex
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from fedcheck.conformance.commands.group import cli
from fedcheck.conformance.recordings.conversations import conversations
from fedcheck.conformance.recordings.evidence import Evidence
from fedcheck.conformance.recordings.pieces import Piece
from fedcheck.conformance.recordings.spans import Remarks
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.trace import ModelRequest
from fedcheck.reports.formats.registry import FORMATS
from fedcheck.reports.record.reader import read_record

from .made import REAL, generator

AGNO = str(REAL / "agno-openinference-leak.otlp.json.gz")
SOUND = str(REAL / "pydantic-ai-native-v5.otlp.json.gz")
SECRETS = ("boss@corp", "boss", "Zoë", "zora.quill", "Q3 plan")


class Ran(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    said: str


def run(*words: str | Path) -> Ran:
    """Run a command in this process."""
    done = CliRunner().invoke(cli, [*map(str, words)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    code = done.exception.code if isinstance(done.exception, SystemExit) else done.exit_code
    return Ran(int(code or 0), done.output)


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "audit.ndjson"
    assert 1 == run("audit", AGNO, "--record", path).code
    return path


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("agno-openinference-leak", 1),
        ("pydantic-ai-native-v5", 0),
        ("pydantic-ai-native-v5-nocontent", 3),
        ("openai-v2-official", 3),
    ],
)
def test_the_exit_code_says_what_was_found(name: str, code: int) -> None:
    """Broken, kept, nothing to judge."""
    assert code == run("audit", REAL / f"{name}.otlp.json.gz").code


@pytest.mark.parametrize("option", ["-q", "--short"])
def test_an_audit_in_few_words(option: str) -> None:
    """A line for each failure and the end, as a run tells it."""
    lines = run("audit", AGNO, "-n", "1", option).said.splitlines()

    assert lines[0].startswith("FAIL C-RECORDED-ISOLATION/own-values-only: in a message")
    assert any(line.startswith("not conformant (exit code 1)") for line in lines)
    assert not any(line.startswith("    ") for line in lines)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_recording_claims_nothing(form: str, tmp_path: Path) -> None:
    """What it is not about is not in the recording, in the words of every report."""
    path = tmp_path / "report"
    run("audit", SOUND, "--report", f"{form}={path}")
    told = path.read_text(encoding="utf-8")

    assert ("not in the recording" in told, "not claimed" in told) == (True, False)


def test_too_little_that_is_judgeable_is_not_kept() -> None:
    """Two of three turns of the same session without content: half is demanded unless told."""
    both = (SOUND, REAL / "pydantic-ai-native-v5-nocontent.otlp.json.gz", "--select")
    clause = "C-RECORDED-ISOLATION/own-values-only"

    assert 3 == run("audit", *both, clause, "--min-judgeable", "0.9").code
    assert 0 == run("audit", *both, clause, "--min-judgeable", "0.3").code


def test_a_record_says_that_it_judges_a_recording(record: Path) -> None:
    """Where it was read, whose word the truth is, what was seen of each clause."""
    header, *lines = map(json.loads, record.read_text().splitlines())
    clause = next(x for x in lines if x.get("clause") == "C-RECORDED-ISOLATION/own-values-only")

    assert "the system's own word" == header["recording"]["truth"]
    assert {"seen": 3, "kept": 2, "broken": 1, "not_judgeable": 0} == clause["recorded"]["turns"]
    breach = clause["recorded"]["breaches"][0]
    assert ("session s1 of demo", 2) == (breach["conversation"], breach["turn"])
    assert "2026-11-26" == breach["time"][:10]
    assert breach["trace"]
    assert breach["span"]
    assert "agno-openinference-leak.otlp.json.gz" == Path(breach["place"]["file"]).name


def test_no_value_of_a_user_stands_in_a_record(record: Path) -> None:
    """Digests with a key that is not kept, unless more is asked for."""
    told = record.read_text()

    assert [] == [secret for secret in SECRETS if secret.casefold() in told.casefold()]


@pytest.mark.parametrize(("mode", "shown"), [("full", True), ("masked", False)])
def test_evidence_shows_what_was_asked_for(tmp_path: Path, mode: str, shown: bool) -> None:
    """With ``full`` the values themselves, with ``masked`` their shape."""
    path = tmp_path / "audit.ndjson"
    run("audit", AGNO, "--record", path, "--evidence", mode)

    assert shown == ("boss@corp.example" in path.read_text())
    assert (not shown) == ("aaaa@aaaa.aaaaaaa" in path.read_text())


def test_a_record_that_was_changed_is_refused(record: Path) -> None:
    """A breach that was taken out of the counts does not follow from the rest."""
    from msgspec.structs import replace

    from fedcheck.reports.record.derivation import underivable

    judged = read_record(record)
    clause = next(x for x in judged.clauses if x.recorded.kinds)
    turns = replace(clause.recorded.turns, broken=0)
    changed = replace(clause, recorded=replace(clause.recorded, turns=turns))
    others = [changed if x is clause else x for x in judged.clauses]

    assert [] == list(underivable(judged))
    assert [] != list(underivable(replace(judged, clauses=tuple(others))))


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"pdf"}))
def test_every_report_takes_it(record: Path, form: str, tmp_path: Path) -> None:
    """Whatever the format; of the breach at least the clause is named in most of them."""
    done = run("report", record, "--format", form, "-o", tmp_path / "report")

    assert 0 == done.code
    assert "" != (tmp_path / "report").read_text()


def test_a_bundle_of_it_is_packed_signed_and_checked(record: Path, tmp_path: Path) -> None:
    """From the record to a signed bundle that holds."""
    pytest.importorskip("cryptography")
    key, bundle = tmp_path / "fedcheck", tmp_path / "evidence.zip"

    assert 0 == run("keygen", key).code
    assert 0 == run("bundle", record, "-o", bundle, "--key", f"{key}.key").code
    assert "requirement-set.json" in zipfile.ZipFile(bundle).namelist()
    assert "everything holds" in run("verify", bundle, "--key", f"{key}.pub", "--rerender").said
    assert 0 == run("sign", record, "--key", f"{key}.key").code


def test_two_audits_are_compared(record: Path, tmp_path: Path) -> None:
    """What got worse is a regression; both stand in a history."""
    sound = tmp_path / "sound.ndjson"
    run("audit", SOUND, "--record", sound)

    assert 1 == run("diff", sound, record).code
    assert 0 == run("history", sound, record).code


def test_a_kept_breach_is_judged_again(record: Path, tmp_path: Path) -> None:
    """The smallest recording that shows it, out of the record or its own file; no kernel is run."""
    folder = tmp_path / "breaches"
    run("audit", AGNO, "--counterexamples", folder)
    of_record, of_folder = run("replay", record), run("replay", folder)

    assert (1, 1) == (of_record.code, of_folder.code)
    assert "a recording: 2 still fails" in of_record.said
    assert "a recording: 2 still fails" in of_folder.said


def test_a_kept_breach_says_what_was_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that lacks a result is not cut to one without any messages."""
    draw = generator()
    talk = draw.Conversation(1, random.Random(5))  # noqa: S311
    lines = [talk.take(draw.START)]
    monkeypatch.setattr(draw, "_shown", lambda *_: draw.part("user", "go on"))
    lines.append(talk.take(draw.START + 1))
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))
    path = tmp_path / "audit.ndjson"
    run("audit", tmp_path / "spans.jsonl", "--evidence", "full", "--record", path)
    read = read_record(path)
    clause = "C-AGENT-RECALL/in-this-turn"
    (kept,) = (x for x in read.counterexamples if x.clause == clause)
    found = next(x.recorded for x in read.clauses if x.clause == clause)

    assert found
    assert [kept.violation.got] == [each.got for each in found.breaches]
    assert "request 1 has 8 messages, 1 result among them" in kept.violation.got


def test_a_record_names_every_file_by_its_digest(record: Path) -> None:
    """Size, SHA-256 and what it held, of the bytes as they lie there."""
    [told] = read_record(record).header.recording.files
    data = Path(AGNO).read_bytes()

    assert (AGNO, len(data), hashlib.sha256(data).hexdigest()) == (
        told.file, told.bytes, told.sha256,
    )  # fmt: skip
    assert (10, 1, 0) == (told.spans, told.lines, told.unread)


def test_verify_says_whether_the_recordings_are_those_that_were_judged(
    record: Path, tmp_path: Path
) -> None:
    """The same bytes under another name hold; a changed, a missing, another file do not."""
    bundle, there = tmp_path / "evidence.zip", tmp_path / "there"
    assert 0 == run("bundle", record, "-o", bundle).code
    there.mkdir()
    moved = there / "moved.gz"
    moved.write_bytes(Path(AGNO).read_bytes())

    same = run("verify", bundle, "--recordings", there)
    assert (0, True) == (same.code, "1 recording: what was judged, byte for byte" in same.said)
    assert "the recordings were not compared" in run("verify", bundle).said
    (there / "other").write_text("{}")
    other = run("verify", bundle, "--recordings", there)
    assert (1, True) == (other.code, "other: was not judged" in other.said)
    (there / "other").unlink()
    moved.rename(there / Path(AGNO).name).write_bytes(b"{}")
    changed = run("verify", bundle, "--recordings", there)
    assert (1, True) == (changed.code, "is not the file that was judged" in changed.said)
    (there / Path(AGNO).name).rename(moved)
    missing = run("verify", bundle, "--recordings", there)
    assert (1, True) == (missing.code, "was judged, and is not among" in missing.said)


def test_a_bundle_of_a_run_has_no_recordings_to_compare(tmp_path: Path) -> None:
    """Asking for them is a wrong use, and so is running an audit again as a kernel."""
    record, bundle = tmp_path / "run.ndjson", tmp_path / "run.zip"
    run("run", "--kernel", "reference", "--select", "C-REPLY-PLAIN", "--record", record)
    run("bundle", record, "-o", bundle)

    with pytest.raises(UsageError, match="no recording was judged"):
        run("verify", bundle, "--recordings", AGNO)


def test_an_audit_is_not_performed_again_on_a_kernel(record: Path, tmp_path: Path) -> None:
    """No kernel was run: the message says what to do instead."""
    bundle = tmp_path / "evidence.zip"
    run("bundle", record, "-o", bundle)

    with pytest.raises(UsageError, match="--recordings"):
        run("verify", bundle, "--reperform", "--kernel", "reference")


def test_what_could_not_be_read_is_not_judgeable(tmp_path: Path) -> None:
    """A damaged line counts among the turns; of a file that breaks off nobody knows how many."""
    data = gzip.decompress(Path(SOUND).read_bytes())
    one = json.dumps(json.loads(data)).encode()
    damaged, cut = tmp_path / "damaged.jsonl", tmp_path / "cut.gz"
    damaged.write_bytes(b"\n".join([one, *[b'{"resourceSpans":oops}'] * 2, b""]))
    cut.write_bytes(gzip.compress(one + b"\n" + b" " * 1000)[:-12])

    assert 3 == run("audit", damaged, "--min-judgeable", "0.8").code
    assert 0 == run("audit", damaged, "--min-judgeable", "0.3").code
    assert 3 == run("audit", cut).code
    assert 0 == run("audit", cut, "--min-judgeable", "0").code


def test_all_breaches_are_written_on_request(tmp_path: Path) -> None:
    """More than the twenty of a kind that the record keeps; the same ones, shown the same way."""
    made = generator().made(40, plant_every=3)
    (tmp_path / "spans.jsonl").write_text("\n".join(made.lines))
    path, record = tmp_path / "breaches.ndjson", tmp_path / "audit.ndjson"
    run("audit", tmp_path / "spans.jsonl", "--record", record, "--breaches", path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    written = Counter((each["clause"], each["kind"]) for each in lines)
    judged = read_record(record).clauses
    counted = {(x.clause, kind): n for x in judged for kind, n in x.recorded.kinds.items()}
    kept = [
        {"clause": x.clause, **json.loads(to_json(y))} for x in judged for y in x.recorded.breaches
    ]

    assert counted == written
    assert 20 < max(written.values())
    assert [] == [each for each in kept if each not in lines]


def test_masked_keys_stay_apart() -> None:
    """Two keys of the same shape are two keys."""
    shown = Evidence("masked", b"key").json('{"mail": "anna@x.example", "name": "Jane"}')

    assert ["aaaa@a.aaaaaaa", "aaaa"] == list(json.loads(shown).values())


def test_short_words_and_numbers_are_not_shown_as_they_are() -> None:
    """A name of two letters is a name; no number is left because its digest begins with 0."""
    numbers = [*range(10, 400), 12.25]
    for key in (b"key", b"another", b"third"):
        name, *shown = json.loads(Evidence("digest", key).json(json.dumps(["Li", *numbers])))

        assert "li" not in name.casefold()
        assert 15 > sum(a == b for a, b in zip(shown, numbers, strict=True))


def test_a_bundle_replaces_a_bundle_and_nothing_else(record: Path, tmp_path: Path) -> None:
    """A recording that was named by mistake stays what it is."""
    bundle, other = tmp_path / "evidence.zip", tmp_path / "spans.json"
    other.write_text("{}")

    assert [0, 0] == [run("bundle", record, "-o", bundle).code for _ in range(2)]
    with pytest.raises(UsageError, match="exists and is no bundle"):
        run("bundle", record, "-o", other)
    assert "{}" == other.read_text()


def test_an_audit_writes_over_nothing_that_it_reads_or_that_is_no_record(tmp_path: Path) -> None:
    """A recording, or a key that was named by mistake, stays what it is."""
    recording, key = tmp_path / "spans.json", tmp_path / "key.pub"
    recording.write_bytes(gzip.decompress(Path(SOUND).read_bytes()))
    key.write_text("a key")
    before = recording.read_bytes()

    for words in (
        ("--record", recording),
        ("--report", f"html={recording}"),
        ("--breaches", recording),
        ("--record", key),
    ):
        with pytest.raises(UsageError, match="name another"):
            run("audit", recording, *words)
    assert (before, "a key") == (recording.read_bytes(), key.read_text())


def test_instructions_of_a_later_turn_belong_to_its_prompt() -> None:
    """What is told apart from the messages may change within a conversation."""
    form: dict[str, Any] = {"kind": "request", "session": "s", "form": "chat"}
    first = Piece(key="0#0", trace="a", span="1", start=1, prompt=_said("one"), **form)
    later = {"trace": "b", "span": "2", "start": 2, "base": "0#0", "system": "Zora lives there"}
    second = Piece(key="0#1", prompt=_said("two"), **later, **form)
    [made] = conversations([first, second], Remarks())
    prompts = [event.prompt for event in made.trace.events if isinstance(event, ModelRequest)]

    assert [
        [("user", "one")],
        [("system", "Zora lives there"), ("user", "one"), ("user", "two")],
    ] == [[(x.role, x.content_text) for x in prompt] for prompt in prompts]


def _said(text: str) -> str:
    return json.dumps([{"role": "user", "content": text}])


def test_a_report_of_an_audit_tells_of_recordings_alone(record: Path, tmp_path: Path) -> None:
    """Nothing of kernels that the suite catches, of scenarios, or of what protects a run."""
    for form, name in (("html", "page.html"), ("markdown", "page.md")):
        assert 0 == run("report", record, "--report", f"{form}={tmp_path / name}").code
        page = (tmp_path / name).read_text()
        for word in ("Kill table", "conforming styles", "scenarios,", "comparisons", "protection"):
            assert word not in page, f"{form}: {word}"
    assert "plant breaches in made recordings" in (tmp_path / "page.html").read_text()
    assert b'"type":"qualification"' not in record.read_bytes()


def test_breaches_and_the_turns_that_they_break_are_both_told(tmp_path: Path) -> None:
    """Three breaches in two turns; a turn that breaks two promises is one of its day's."""
    draw = random.Random(5)  # noqa: S311
    one, two = generator().Conversation(1, draw), generator().Conversation(2, draw)
    lines = [one.take(generator().START), one.take(generator().START + 1)]
    first, second = (given["items"][0]["owner"] for given in one.given)
    both = f"{first} and {second}"
    lines.append(two.take(generator().START + 10**9, "leak in an answer", both))
    other = two.take(generator().START + 2 * 10**9, "another value")
    before, _, answer = other.rpartition("Done with")
    lines.append(f"{before}As {first} knows: done with{answer}")
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))
    path = tmp_path / "audit.ndjson"
    assert 1 == run("audit", tmp_path / "spans.jsonl", "--record", path).code
    read = read_record(path)
    result = next(x for x in read.clauses if x.clause == "C-RECORDED-ISOLATION/own-values-only")
    found = result.recorded

    assert found
    assert (2, 3) == (found.turns.broken, found.breached)
    assert "2 turns broken by 3 breaches: in a message of the assistant (3)" in result.reason
    assert read.header.recording
    assert [(4, 2)] == [(turns, broken) for _, turns, broken in read.header.recording.days]


def test_what_reproduces_a_breach_repeats_the_mapping(tmp_path: Path) -> None:
    """Only with it the breach is one."""
    mapping, record = tmp_path / "map ping.toml", tmp_path / "audit.ndjson"
    mapping.write_text('window = "all"\n')
    assert 1 == run("audit", AGNO, "--mapping", mapping, "--record", record).code
    commands = {
        shlex.split(x.command)[:5] == ["fedcheck", "audit", AGNO, "--mapping", str(mapping)]
        for x in read_record(record).counterexamples
    }

    assert {True} == commands
