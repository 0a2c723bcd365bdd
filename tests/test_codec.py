"""Documents in and out: what is refused, with which path, and what survives."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from fedcheck.conformance.publishing.schemas import schema, schema_names, write_schemas
from fedcheck.invariants.catalog import catalog
from fedcheck.invariants.rows import fixed_scenarios
from fedcheck.invariants.vocabulary.codec import decode, parse_json, to_json
from fedcheck.invariants.vocabulary.errors import DocumentError, UsageError
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED, Parameters, deviations
from fedcheck.invariants.vocabulary.scenario import Advance, CacheSet, Call, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import (
    CAPABILITIES,
    ClassifierPrompt,
    Given,
    KernelDescription,
    Trace,
)

HOSTILE = "\ud800 \u2028 \x00 😀 </script> \\"
SCENARIO = Scenario(
    id=HOSTILE,
    steps=(
        Turn(message=HOSTILE, calls=(Call(data_json=json.dumps({HOSTILE: 2**70})),)),
        CacheSet(key=HOSTILE, value_json="1.0", ttl_seconds=True),
        CacheSet(key="k", value_json="-0.0", ttl_seconds="60"),
        CacheSet(key="k", value_json="1E400", ttl_seconds=0.5),
    ),
)
TRACE = Trace(
    events=(
        Given(step=0, stimulus=SCENARIO.steps[0]),
        ClassifierPrompt(step=0, at=0.5, prompt=HOSTILE),
    ),
    kernel=KernelDescription(kernel=HOSTILE, version="1"),
    complete_from=3,
)


@pytest.mark.parametrize("document", [SCENARIO, TRACE, TRACE.kernel])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_survives_writing_and_reading(document: Any, indent: int | None) -> None:
    """Lone surrogates, odd types and values as text come back as they went."""
    text = to_json(document, indent=indent)

    assert text.isascii()
    assert document == decode(text, type(document), "it")
    assert document == decode(text.encode(), type(document), "it")


def test_canonical_text_does_not_depend_on_the_order_of_anything() -> None:
    """Keys are sorted and there is no space, so that equal documents have equal digests."""
    flags = [{"b": "1", "a": "2"}, {"a": "2", "b": "1"}]
    texts = {to_json(KernelDescription(kernel="k", version="1", env_fixed=x)) for x in flags}

    (text,) = texts
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")) == text


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"steps":[]}', "missing required field `id`"),
        ('{"id":"x","steps":[],"nam":"y"}', "unknown field `nam`"),
        ('{"id":"x","steps":[{"step":"dance"}]}', "'dance' - at `$.steps[0].step`"),
        ('{"id":"x","steps":[{"step":"turn"}]}', "`message` - at `$.steps[0]`"),
        ('{"id":"x","steps":[{"step":"advance","seconds":"3"}]}', "`$.steps[0].seconds`"),
        (
            '{"id":"x","steps":[{"step":"turn","message":"m","calls":[{},{"status":"so"}]}]}',
            "'so' - at `$.steps[0].calls[1].status`",
        ),
        ('{"id":"x","steps":[],"environment":{"flags":{"A":1}}}', "`$.environment.flags[...]`"),
        ('{"id":"x","steps":[],"format":"fedcheck-scenario/2"}', "`$.format`"),
        ("[]", "Expected `object`, got `array`"),
    ],
)
def test_an_error_names_the_file_and_the_path_inside(text: str, where: str) -> None:
    """Whoever wrote the document finds the place."""
    with pytest.raises(DocumentError) as caught:
        decode(text, Scenario, "my.json")

    assert str(caught.value).startswith("my.json: ")
    assert where in str(caught.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1, column 1"),
        ('{\n "id": \n}', "line 3, column 1"),
        ('{"a": NaN}', "NaN"),
        ("[-Infinity]", "-Infinity"),
        (b'"\xff"', "byte 1: not UTF-8"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "4300"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text: str | bytes, why: str) -> None:
    """Also what Python's own reader would let pass."""
    with pytest.raises(DocumentError) as caught:
        parse_json(text, "my.json")

    assert str(caught.value).startswith("my.json: ")
    assert why in str(caught.value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("indent", [None, 1])
def test_what_json_does_not_have_is_never_written(number: float, indent: int | None) -> None:
    """The message names the path, the value and what to do."""
    document = Scenario(id="x", steps=(Turn(message="m"), Advance(seconds=number)))

    with pytest.raises(DocumentError) as caught:
        to_json(document, indent=indent)

    assert (
        f"Scenario cannot be written as JSON: {number} is no JSON value; "
        "give a finite number or a text - at `$.steps[1].seconds`"
    ) == str(caught.value)


def test_a_number_too_long_to_write_is_refused() -> None:
    """The limit of the interpreter is no traceback."""
    with pytest.raises(DocumentError, match=r"cannot be written as JSON: .*4300"):
        to_json([10**5000])


@pytest.mark.parametrize("name", schema_names())
def test_every_schema_is_a_valid_one(name: str) -> None:
    """What is published can be used."""
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert name in schema(name)["title"]


def test_every_fixed_scenario_fits_its_schema() -> None:
    """The schema accepts what the suite itself sends."""
    validator = jsonschema.Draft202012Validator(schema("scenario"))
    documents = [
        json.loads(to_json(scenario))
        for invariant in catalog()
        for scenario in fixed_scenarios(invariant, catalog(), DOCUMENTED, frozenset(CAPABILITIES))
    ]

    assert [] == [str(error) for x in documents for error in validator.iter_errors(x)]
    assert list(validator.iter_errors({"id": "x"}))


def test_schemas_are_written_one_file_each(tmp_path: Any) -> None:
    """The folder is made if need be, and the files are those of `fedcheck schema`."""
    write_schemas(tmp_path / "new" / "folder")
    written = {path.stem: json.loads(path.read_text()) for path in tmp_path.rglob("*.json")}

    expected = {name: json.loads(json.dumps(schema(name))) for name in schema_names()}

    assert expected == written


def test_an_unknown_schema_is_a_usage_error() -> None:
    """The message lists what there is."""
    with pytest.raises(UsageError, match="kernel, lint, mapping, record, scenario"):
        schema("poem")


def test_deviations_are_the_parameters_that_differ() -> None:
    """What the cap counts is open in the documents, so that saying it is no deviation."""
    assert {} == deviations(Parameters(cap_counts="data"))
    assert {"window": (5, 20), "call_cap": (None, 1500)} == deviations(
        Parameters(window=20, call_cap=1500, cap_counts="line")
    )
