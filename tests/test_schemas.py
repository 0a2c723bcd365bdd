"""The published JSON Schemas: current, and true of what is really read and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fedcheck.conformance.publishing.schemas import schema, schema_names, write_schemas
from fedcheck.conformance.running.progress import watching
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.vocabulary import codec
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.sample import sample_record
from fedcheck.reports.record.writer import write_record

_ROOT = Path(__file__).resolve().parent.parent
_PUBLISHED = _ROOT / "docs" / "schemas"
_SAMPLES = _ROOT / "fixtures" / "samples"


def _errors(name: str, document: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(schema(name)).iter_errors(document)]


def test_the_published_schemas_are_current(tmp_path: Path) -> None:
    """Each says what the types say, and there is no other."""
    write_schemas(tmp_path)

    current = {path.name: path.read_text() for path in tmp_path.iterdir()}
    published = {path.name: path.read_text() for path in _PUBLISHED.iterdir()}
    assert current == published, (
        "fedcheck schema --write docs/schemas; and delete there what has no type any more"
    )


@pytest.mark.parametrize("name", schema_names())
def test_each_is_a_valid_schema(name: str) -> None:
    """Valid against the meta-schema of draft 2020-12."""
    Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize("kind", ["scenario", "trace"])
def test_samples_fit_their_schema(kind: str) -> None:
    """What we ship as a sample is what we publish as a format."""
    (sample,) = _SAMPLES.glob(f"*.{kind}.json")

    assert [] == _errors(kind, json.loads(sample.read_text("utf-8")))


def test_every_line_of_a_record_fits_the_schema(tmp_path: Path) -> None:
    """A line of each type, the footer too; every verdict that there is."""
    write_record(tmp_path / "sample.ndjson", sample_record())
    lines = [json.loads(x) for x in (tmp_path / "sample.ndjson").read_text("ascii").splitlines()]

    assert {"header", "clause", "counterexample", "incident", "summary", "footer"} == {
        line["type"] for line in lines
    }
    judged = [line for line in lines if line["type"] == "clause"]
    assert {x.value for x in Verdict} == {
        x[key] for x in judged for key in ("verdict", "effective")
    }
    assert [] == [error for line in lines for error in _errors("record", line)]


def test_what_a_run_finds_fits(tmp_path: Path) -> None:
    """Counterexamples of a broken kernel, with their scenarios and traces."""
    kernel, clause = "mutant:key-with-dot", "I-CACHE-KEY-SAFETY/unsafe-key-not-stored"
    with watching(tmp_path / "run.ndjson") as observer:
        found = run_suite(RunOptions(kernel=kernel, select=(clause,), examples=0), observer)
        observer.finish(found.summary)
    lines = [json.loads(x) for x in (tmp_path / "run.ndjson").read_text("ascii").splitlines()]
    examples = [line for line in lines if line["type"] == "counterexample"]

    assert len(found.counterexamples) == len(examples) > 0
    assert [] == [error for line in lines for error in _errors("record", line)]
    for example in examples:
        assert [] == _errors("scenario", example["scenario"])
        assert [] == _errors("trace", example["trace"])
        assert [] == _errors("violation", example["violation"])


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("scenario", {"id": "x", "steps": [{"step": "turn"}]}),
        ("scenario", {"id": "x", "steps": [{"step": "dance"}]}),
        ("scenario", {"id": "x", "steps": [], "colour": "red"}),
        ("trace", {"events": [{"event": "reply", "step": 0}], "kernel": {}}),
        ("record", {"type": "clause", "verdict": "splendid"}),
    ],
)
def test_broken_documents_do_not_fit(name: str, broken: dict[str, Any]) -> None:
    """A schema that accepts everything would be worth nothing."""
    assert [] != _errors(name, broken)


def test_what_is_written_fits_and_comes_back() -> None:
    """Our own writer and the schema agree, also on a lone surrogate."""
    scenario = Scenario(id="written", steps=(Turn(message="half \ud800 a character"),))
    text = codec.to_json(scenario)

    assert [] == _errors("scenario", json.loads(text))
    assert scenario == codec.decode(text, Scenario, "written")


def test_the_reference_kernels_events_fit() -> None:
    """What a real kernel answers is what the schema of a trace describes."""
    (sample,) = _SAMPLES.glob("*.trace.json")
    trace = json.loads(sample.read_text("utf-8"))

    assert ReferenceKernel.name == trace["kernel"]["kernel"]
    assert {"given", "classifier_prompt", "digest"} <= {e["event"] for e in trace["events"]}
