"""The run record: written while a run goes on, read only when it is whole and unchanged."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from fedcheck.invariants.vocabulary.codec import decode, to_json
from fedcheck.invariants.vocabulary.errors import DocumentError, RecordChanged, UsageError
from fedcheck.invariants.vocabulary.scenario import Advance, Scenario
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import RunRecord, counterexample_id, record_schema
from fedcheck.reports.record.reader import parse_record, read_record
from fedcheck.reports.record.sample import (
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
    sample_scenario,
)
from fedcheck.reports.record.seal import Seal, encode_line
from fedcheck.reports.record.writer import RecordWriter, write_record


def written(record: RunRecord, folder: Path) -> bytes:
    """Return the bytes of a record on disk."""
    path = folder / "record.ndjson"
    write_record(path, record)
    return path.read_bytes()


def sealed(lines: list[bytes]) -> bytes:
    """Return lines with a footer that fits them: a forgery that only its content betrays."""
    seal = Seal()
    for line in lines:
        seal.add(line)
    return b"".join(lines) + encode_line(seal.footer())


def edited(line: bytes, **changes: object) -> bytes:
    """Return a line with other values of some fields."""
    text = json.dumps({**json.loads(line), **changes}, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of a record with one clause and no more."""
    return written(sample_record([sample_clause(Verdict.PASS)]), tmp_path_factory.mktemp("small"))


def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Writing and reading loses nothing, whatever the verdicts."""
    record = sample_record(deviations={"window": (5, 20), "call_cap": (None, 1500)})
    write_record(tmp_path / "r.ndjson", record)
    assert record == read_record(tmp_path / "r.ndjson")


def test_the_bytes_are_canonical_and_the_same_each_time(tmp_path: Path) -> None:
    """Each line is ASCII JSON with sorted keys and no spaces; writing twice gives equal bytes."""
    record = sample_record(reference="ядро")
    data = written(record, tmp_path)
    canonical = b"".join(edited(line) for line in data.splitlines())
    assert canonical == data
    assert data.isascii()
    assert written(record, tmp_path) == data


def test_half_a_character_and_hostile_text_survive(tmp_path: Path) -> None:
    """Lone surrogates, control characters and terminal escapes come back unchanged."""
    hostile = "\ud800 \x00 \x1b[31m \u202e \u2028 ]]> </script>"
    example = sample_counterexample("C-SAMPLE/fail", got=hostile)
    clause = sample_clause(Verdict.FAIL, examples=[example])
    data = written(sample_record([clause], examples=[example]), tmp_path)
    assert hostile == parse_record(data, "r").counterexamples[0].violation.got


def test_lines_are_on_the_disk_at_once_and_unfinished_records_are_refused(tmp_path: Path) -> None:
    """A run that dies leaves the lines it wrote, without footer, and no reader accepts them."""
    path = tmp_path / "r.ndjson"
    record = sample_record()
    part = tmp_path / "r.ndjson.part"
    writer = RecordWriter(path, record.header)
    assert 1 == len(part.read_bytes().splitlines())
    writer.write(record.clauses[0])
    assert encode_line(record.clauses[0]) == part.read_bytes().splitlines(keepends=True)[1]
    writer.close()
    assert not path.exists()
    with pytest.raises(DocumentError, match=r"part: line 2: .*no footer.*did not finish"):
        read_record(part)


def test_a_record_is_replaced_only_by_a_sealed_one(tmp_path: Path) -> None:
    """An earlier record stays until the new one is whole, and its digest is told."""
    path = tmp_path / "r.ndjson"
    record = sample_record()
    write_record(path, record)
    earlier = path.read_bytes()
    writer = RecordWriter(path, record.header)
    assert earlier == path.read_bytes()
    digest = writer.finish(record.summary)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    assert [path] == list(tmp_path.iterdir())


def test_what_is_no_record_is_not_written_over(tmp_path: Path) -> None:
    """A key or a recording that was named by mistake stays what it is."""
    path = tmp_path / "key.pub"
    path.write_text("a key")
    with pytest.raises(UsageError, match="is no record of a run"):
        write_record(path, sample_record())
    assert "a key" == path.read_text()


@pytest.mark.parametrize("mode", ["r+b", "ab"])
def test_what_something_else_wrote_is_found(tmp_path: Path, mode: str) -> None:
    """A kernel of the same user may reach the file; the footer does not seal what it wrote."""
    path = tmp_path / "r.ndjson"
    record = sample_record()
    writer = RecordWriter(path, record.header)
    with (tmp_path / "r.ndjson.part").open(mode) as other:
        other.write(b'{"type":"hea')
    with pytest.raises(RecordChanged, match="does not hold what the run wrote"):
        writer.finish(record.summary)
    writer.close()
    assert not path.exists()


def test_two_runs_do_not_share_a_record(tmp_path: Path) -> None:
    """The second is told, and the first goes on."""
    path = tmp_path / "r.ndjson"
    record = sample_record()
    writer = RecordWriter(path, record.header)
    with pytest.raises(UsageError, match="another run writes it"):
        RecordWriter(path, record.header)
    writer.finish(record.summary)


def test_a_record_is_a_regular_file() -> None:
    """A pipe or a device holds no evidence."""
    with pytest.raises(UsageError, match="is no regular file"):
        RecordWriter("/dev/null", sample_record().header)


def test_leaving_the_writer_by_an_error_writes_no_footer(tmp_path: Path) -> None:
    """An exception inside ``with RecordWriter(...)`` leaves an unfinished record."""
    path = tmp_path / "r.ndjson"
    record = sample_record()
    with pytest.raises(ZeroDivisionError), RecordWriter(path, record.header):
        raise ZeroDivisionError
    with pytest.raises(DocumentError, match="no footer"):
        read_record(tmp_path / "r.ndjson.part")


def test_ctrl_c_inside_a_line_leaves_a_record_that_can_be_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The torn line goes, the lines before it stay, and the footer fits what is on the disk."""
    path = tmp_path / "r.ndjson"
    record = sample_record([sample_clause(Verdict.PASS)])
    with RecordWriter(path, record.header) as writer:
        writer.write(record.clauses[0])
        file = writer._file

        class Interrupted:
            def __getattr__(self, name: str) -> object:
                return getattr(file, name)

            def flush(self) -> None:
                raise KeyboardInterrupt

        monkeypatch.setattr(writer, "_file", Interrupted())
        with pytest.raises(KeyboardInterrupt):
            writer.write(sample_incident())
        monkeypatch.undo()
        writer.finish(record.summary)
    assert record == read_record(path)


def test_a_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    """The message names the file and says what to do."""
    path = tmp_path / "missing" / "r.ndjson"
    with pytest.raises(UsageError, match=r"missing/r\.ndjson.*No such file.*name a file"):
        RecordWriter(path, sample_record().header)


def test_a_number_that_json_does_not_have_is_refused_when_written(tmp_path: Path) -> None:
    """NaN would make the record unreadable, so the writer says so at once."""
    with RecordWriter(tmp_path / "r.ndjson", sample_record().header) as writer:
        with pytest.raises(DocumentError, match="nan"):
            writer.write(sample_clause(Verdict.PASS, seconds=float("nan")))
        writer.write(sample_clause(Verdict.PASS, reason="NaN and Infinity as text are fine"))


@pytest.mark.parametrize("change", ["replace", "remove", "insert"])
def test_every_single_byte_change_is_refused(small: bytes, change: str) -> None:
    """No byte of a record, footer included, can be changed, removed or inserted."""
    accepted: list[int] = []
    for at in range(len(small)):
        middle = {
            "replace": bytes([small[at] ^ 1]),
            "remove": b"",
            "insert": small[at : at + 1] * 2,
        }
        try:
            parse_record(small[:at] + middle[change] + small[at + 1 :], "r")
        except DocumentError:
            continue
        accepted.append(at)
    assert [] == accepted


def test_every_cut_is_refused(small: bytes) -> None:
    """A record cut after any byte is refused."""
    accepted: list[int] = []
    for length in range(len(small)):
        try:
            parse_record(small[:length], "r")
        except DocumentError:
            continue
        accepted.append(length)
    assert [] == accepted


def test_the_message_names_the_line_that_was_edited(tmp_path: Path) -> None:
    """An edited verdict is found, and its place told."""
    lines = written(sample_record(), tmp_path).splitlines(keepends=True)
    changed = lines[3].replace(b'"verdict":"flaky"', b'"verdict":"pass"')
    assert changed != lines[3]
    with pytest.raises(DocumentError, match="r: line 4: was changed"):
        parse_record(b"".join([*lines[:3], changed, *lines[4:]]), "r")


def test_removed_added_and_swapped_lines_are_told(tmp_path: Path) -> None:
    """Whole lines cannot be removed, repeated or put in another order."""
    lines = written(sample_record(), tmp_path).splitlines(keepends=True)
    removed = [*lines[:2], *lines[3:]]
    repeated = [*lines[:-1], lines[-2], lines[-1]]
    swapped = [lines[0], lines[2], lines[1], *lines[3:]]
    for forged, message in (
        (removed, "line 3: was changed, inserted or removed"),
        (repeated, f"speaks of {len(lines) - 1} lines above it, {len(lines)} are there"),
        (swapped, "line 2: was changed"),
    ):
        with pytest.raises(DocumentError, match=message):
            parse_record(b"".join(forged), "r")


def test_a_changed_footer_is_told(small: bytes) -> None:
    """When the lines fit their digest, it is the footer that was changed."""
    *lines, footer = small.splitlines(keepends=True)
    with pytest.raises(DocumentError, match="line 4: the footer was changed"):
        parse_record(b"".join(lines) + edited(footer, lines=4), "r")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "r: is empty; give a file"),
        (b"\n", "line 1: is not a JSON object"),
        (b"<xml/>\n", "line 1: is not a JSON object"),
        (b"\xff\xfe\n", "line 1: is not a JSON object"),
        (b"[1]\n", "line 1: is not a JSON object"),
        (b'{"type":"clause"}\n', "line 1: is not the header"),
        (b'{"format":7,"type":"header"}\n', "line 1: is not the header"),
        (b"[" * 200_000 + b"\n", "line 1: is not a JSON object"),
    ],
)
def test_garbage_is_refused(data: bytes, message: str) -> None:
    """What is no record is refused with the line and what to give instead."""
    with pytest.raises(DocumentError, match=message):
        parse_record(data, "r")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A path that leads nowhere is a usage error that names the path."""
    with pytest.raises(DocumentError, match=r"nowhere.*cannot be read: No such file"):
        read_record(tmp_path / "nowhere")


def test_another_major_version_is_refused_before_anything_else(small: bytes) -> None:
    """The message names both versions, also when the rest would not be understood."""
    first, *rest = small.splitlines(keepends=True)
    newer = edited(first, format="fedcheck-record/2")
    with pytest.raises(DocumentError, match="'fedcheck-record/2', not 'fedcheck-record/1'; read"):
        parse_record(sealed([newer, *rest[:-1]]), "r")


def test_fields_of_a_later_minor_version_are_skipped(small: bytes) -> None:
    """A field that this reader does not know does not keep it from reading the rest."""
    first, clause, summary, _ = small.splitlines(keepends=True)
    data = sealed([edited(first, later={"a": 1}), edited(clause, later=True), summary])
    assert parse_record(small, "r") == parse_record(data, "r")


def test_an_unknown_line_and_a_wrong_type_name_their_place(small: bytes) -> None:
    """Even a record with a fitting footer is refused when a line does not fit the schema."""
    first, clause, summary, _ = small.splitlines(keepends=True)
    for lines, message in (
        ([first, edited(clause, type="poem"), summary], r"line 2: a line of type 'poem'"),
        ([first, edited(clause, scenarios="many"), summary], r"line 2: .*\$\.scenarios"),
        ([first, clause], r"line 2: a line of type 'clause' does not belong here"),
        ([first], r"line 1: a line of type 'header'"),
        ([first, clause, first, summary], r"line 3: a line of type 'header'"),
        ([edited(first, started="yesterday"), clause, summary], r"line 1: .*\$\.started"),
    ):
        with pytest.raises(DocumentError, match=message):
            parse_record(sealed(lines), "r")


def test_a_record_that_contradicts_itself_is_refused(small: bytes) -> None:
    """Numbers and names must add up, even where the footer fits."""
    first, clause, summary, _ = small.splitlines(keepends=True)
    for lines, message in (
        ([first, clause, edited(summary, passed=0)], "summary says passed 0, the clauses say 1"),
        ([first, clause, clause, summary], "clause C-SAMPLE/pass has 2 results"),
        ([first, summary], "no result for selected clauses: C-SAMPLE/pass"),
        ([edited(first, selected=[]), clause, summary], "were not selected: C-SAMPLE/pass"),
        ([first, edited(clause, counterexamples=["ce-1"]), summary], "ce-1, which is not there"),
    ):
        with pytest.raises(DocumentError, match=f"contradicts itself: .*{message}"):
            parse_record(sealed(lines), "r")


def test_an_interrupted_run_may_lack_results(tmp_path: Path) -> None:
    """What was not reached is no contradiction when the summary says so."""
    record = sample_record(
        [sample_clause(Verdict.PASS)],
        interrupted=True,
        selected=("C-SAMPLE/pass", "C-SAMPLE/not-reached"),
    )
    assert record == parse_record(written(record, tmp_path), "r")


def test_every_line_fits_the_published_schema(tmp_path: Path) -> None:
    """The JSON Schema accepts what the writer writes and refuses what is wrong."""
    validator = jsonschema.Draft202012Validator(record_schema())
    lines = written(sample_record(), tmp_path).splitlines()
    assert {"header", "clause", "counterexample", "incident", "summary", "footer"} == {
        json.loads(line)["type"] for line in lines
    }
    assert [] == [
        error.message for line in lines for error in validator.iter_errors(json.loads(line))
    ]
    assert not validator.is_valid({**json.loads(lines[1]), "verdict": "splendid"})
    assert not validator.is_valid({**json.loads(lines[0]), "started": "yesterday"})


def test_the_footer_can_be_checked_with_other_tools(small: bytes) -> None:
    """The digest is the plain SHA-256 of all lines above the footer."""
    *lines, footer = small.splitlines(keepends=True)
    expected = hashlib.sha256(b"".join(lines)).hexdigest()
    assert expected == json.loads(footer)["sha256"]


def test_a_counterexample_keeps_its_id_when_it_is_read_again() -> None:
    """Whole seconds are read back as 60.0: whoever derives the id anew must get the same one."""
    scenario = Scenario(id="wait", steps=(Advance(seconds=60),))
    as_read = decode(to_json(scenario), Scenario, "scenario")

    assert counterexample_id("C-SAMPLE/fail", "lost", scenario) == counterexample_id(
        "C-SAMPLE/fail", "lost", as_read
    )


def test_a_counterexample_id_depends_on_clause_kind_and_stimulus_alone() -> None:
    """The scenario's number and title do not change the id; its steps do."""
    scenario = sample_scenario()
    renamed = msgspec.structs.replace(scenario, id="explored-17", title="another")
    shorter = msgspec.structs.replace(scenario, steps=scenario.steps[:1])
    known = counterexample_id("C-SAMPLE/fail", "lost", scenario)
    assert known == counterexample_id("C-SAMPLE/fail", "lost", renamed)
    others = {
        counterexample_id("C-SAMPLE/fail", "lost", shorter),
        counterexample_id("C-SAMPLE/other", "lost", scenario),
        counterexample_id("C-SAMPLE/fail", "added", scenario),
    }
    assert 3 == len(others - {known})
