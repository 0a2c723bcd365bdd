"""Counterexample files: written for every failure, read by any version, safe to write."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from fedcheck.conformance.counterexamples.confirm import replay_command
from fedcheck.conformance.counterexamples.documents import (
    CounterexampleFile,
    file_name,
    files_in,
    flows_in,
    keep,
    of_record,
    read_file,
    scenario_of,
    write_file,
)
from fedcheck.conformance.publishing.schemas import schema
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary import codec
from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.invariants.vocabulary.scenario import Environment, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import Trace
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import ClauseResult
from fedcheck.reports.record.sample import (
    sample_clause,
    sample_record,
    sample_scenario,
    sample_trace,
)

from .toy_caches import counterexample


def plain(path: Path) -> dict[str, Any]:
    """The document of a file."""
    return json.loads(path.read_text("ascii"))


class Counted(tuple[ClauseResult, ...]):  # noqa: SLOT001  it counts in an attribute
    """Clauses that count how often somebody goes over them."""

    rounds = 0

    def __iter__(self) -> Iterator[ClauseResult]:
        self.rounds += 1
        return super().__iter__()


def test_the_clauses_are_gone_over_once_whatever_broke() -> None:
    """However many counterexamples a record holds."""
    record = sample_record()
    clauses = Counted(record.clauses)
    many = record.counterexamples * 50
    files = of_record(replace(record, clauses=clauses, counterexamples=many))

    assert 50 == sum(file.sentence == clauses[1].sentence for file in files)
    assert 1 == clauses.rounds


def test_every_failure_of_a_run_becomes_a_file(tmp_path: Path) -> None:
    """The counterexample and the crash, each with kernel, suite, digests and run."""
    record = sample_record()
    (note,) = keep(record, tmp_path / "new" / "folder", "fedcheck replay")
    found = [read_file(path) for path in files_in(tmp_path / "new" / "folder")]

    assert "2 counterexamples are in" in note
    assert sorted(of_record(record), key=file_name) == sorted(found, key=file_name)
    assert {("C-SAMPLE/fail", ""), ("", "crash")} == {(x.clause, x.breakdown) for x in found}
    for each in found:
        assert ("sample-kernel", "1.2.3") == (each.kernel.name, each.kernel.version)
        assert record.header.run_id == each.run_id
        assert record.header.suite == each.suite
        assert record.header.requirement_set == each.requirement_set


def test_the_command_to_run_again_reaches_the_kernel_as_the_run_did(tmp_path: Path) -> None:
    """With all that was given of it, of a folder as of a file; a secret in it is masked."""
    options = RunOptions(
        kernel="https://me:hunter2@kernel.example", timeout=60.0, pass_env=("TOKEN",), plugins=False
    )
    (note,) = keep(sample_record(), tmp_path, replay_command(options, tmp_path))

    assert note.endswith("@kernel.example --timeout 60 --pass-env TOKEN --no-plugins")
    assert "hunter2" not in note


def test_files_fit_the_published_schema(tmp_path: Path) -> None:
    """Also a flow, which says nothing of a clause."""
    validator = Draft202012Validator(schema("counterexample"))
    examples = [*of_record(sample_record()), CounterexampleFile(scenario=sample_scenario())]

    assert [] == [
        error.message
        for example in examples
        for error in validator.iter_errors(plain(write_file(example, tmp_path)))
    ]
    assert list(validator.iter_errors({"clause": "C-SAMPLE/fail"}))


def test_a_clean_run_writes_nothing(tmp_path: Path) -> None:
    """Not even the folder."""
    clean = sample_record([sample_clause(Verdict.PASS)])

    assert [] == keep(clean, tmp_path / "folder", "fedcheck replay")
    assert [] == list(tmp_path.iterdir())


def test_a_folder_of_our_own_is_kept_out_of_git(tmp_path: Path) -> None:
    """One that the user named is left alone."""
    keep(sample_record(), tmp_path / ".fedcheck" / "counterexamples", "fedcheck replay")
    keep(sample_record(), tmp_path / "kept" / "here", "fedcheck replay")

    assert "*\n" == (tmp_path / ".fedcheck" / ".gitignore").read_text()
    assert not (tmp_path / "kept" / ".gitignore").exists()


def test_a_folder_that_cannot_be_made_costs_nothing_else(tmp_path: Path) -> None:
    """It is told, and the verdicts stand."""
    (tmp_path / "file").write_text("in the way")
    (note,) = keep(sample_record(), tmp_path / "file" / "folder", "fedcheck replay")

    assert "could not be written" in note


def test_fields_of_later_versions_are_skipped(tmp_path: Path) -> None:
    """A file outlives the version that wrote it."""
    path = write_file(counterexample(), tmp_path)
    newer = {**plain(path), "weather": "fine", "kernel": {"name": "k", "colour": "red"}}
    path.write_text(json.dumps(newer))

    assert counterexample().scenario == read_file(path).scenario
    assert "k" == read_file(path).kernel.name


@pytest.mark.parametrize(
    "clause",
    ["../../etc/passwd", "/etc/passwd", "A" * 999, "a\0b", "x\x1b[31m", "..", "", "CON", "é/ü"],
)
def test_a_hostile_clause_cannot_leave_the_folder(tmp_path: Path, clause: str) -> None:
    """A plug-in or a record from elsewhere names clauses as it likes."""
    folder = tmp_path / "inner"
    folder.mkdir()
    path = write_file(counterexample(clause=clause, id=f"../{clause}"[:99]), folder)

    assert [path] == list(folder.iterdir())
    assert ["inner"] == [x.name for x in tmp_path.iterdir()]
    assert path.name.isascii()


def test_a_scenario_and_a_trace_are_taken_for_flows(tmp_path: Path) -> None:
    """The stimulus of a recording is a scenario."""
    scenario, trace = sample_scenario(), sample_trace(sample_scenario())
    (tmp_path / "a.json").write_text(codec.to_json(scenario))
    (tmp_path / "b.json").write_text(codec.to_json(trace))

    assert CounterexampleFile(scenario=scenario) == read_file(tmp_path / "a.json")
    assert scenario.steps == read_file(tmp_path / "b.json").scenario.steps
    assert ["a", "b"] == [x.id for x in flows_in(tmp_path)]


def test_the_scenario_of_a_recording_keeps_its_environment() -> None:
    """What is known of it."""
    environment = Environment(flags={"A": "1"})
    trace = Trace(events=(), kernel=sample_trace(sample_scenario()).kernel, environment=environment)

    assert Scenario(id="trace", steps=(), environment=environment) == scenario_of(trace)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "line 1"),
        (b'"\xff"', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "names no format"),
        (b'"text"', "names no format"),
        (b'{"format": "fedcheck-counterexample/2"}', "fedcheck-counterexample/2"),
        (b'{"format": ["x"]}', "has the format"),
        (b'{"format": "fedcheck-counterexample/1"}', "scenario"),
        (b'{"format": "fedcheck-counterexample/1", "scenario": NaN}', "NaN"),
        (b'{"format": "\\u001b[31mred"}', r"\\x1b"),
    ],
)
def test_what_is_no_counterexample_is_refused(tmp_path: Path, text: bytes, message: str) -> None:
    """The message names the file and what is wrong, and is harmless to print."""
    path = tmp_path / "x.json"
    path.write_bytes(text)

    with pytest.raises(DocumentError, match=message) as caught:
        read_file(path)
    assert "x.json" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_half_a_character_survives(tmp_path: Path) -> None:
    """Kernels and generators send lone surrogates."""
    odd = Scenario(id="s", steps=(Turn(message="half \ud800 a character \u202e"),))
    path = write_file(counterexample(scenario=odd, got="\udcff"), tmp_path)

    assert odd == read_file(path).scenario


def test_a_secret_of_the_reference_is_masked(tmp_path: Path) -> None:
    """The file may be attached to a ticket."""
    record = sample_record(reference="https://me:hunter2@kernel.example")
    keep(record, tmp_path, "fedcheck replay")

    assert "hunter2" not in "".join(path.read_text() for path in files_in(tmp_path))
