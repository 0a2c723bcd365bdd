"""The examples of docs/adapters.md are what they say: documents of the published types."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from fedcheck.conformance.adapters import wire
from fedcheck.conformance.adapters.decoding import description_from, event_from
from fedcheck.conformance.adapters.reference import GRAMMAR
from fedcheck.conformance.publishing.schemas import schema
from fedcheck.invariants.vocabulary.codec import convert
from fedcheck.invariants.vocabulary.protocol import tag_of
from fedcheck.invariants.vocabulary.scenario import AnyStep, Scenario
from fedcheck.invariants.vocabulary.trace import CLAIMABLE, AnyEvent, Given

_GUIDE = Path(__file__).resolve().parent.parent / "docs" / "adapters.md"
_TEXT = _GUIDE.read_text("utf-8")
_TELL = "tell of it in docs/adapters.md, with an example"
_EXAMPLE = re.compile(r"^```json (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXAMPLES = [(m[1], json.loads(m[2])) for m in _EXAMPLE.finditer(_TEXT)]


def _of(kind: str) -> list[Any]:
    return [document for told, document in _EXAMPLES if told == kind]


def _fits(document: dict[str, Any], name: str) -> None:
    """Let a validator that knows nothing of our types look at the published schema."""
    jsonschema.Draft202012Validator(schema(name)).validate(document)


def _trace(*events: dict[str, Any]) -> dict[str, Any]:
    return {"events": list(events), "kernel": {"kernel": "k", "version": "1"}}


@pytest.mark.parametrize("document", _of("event"), ids=lambda d: d["event"])
def test_event_examples_are_events(document: dict[str, Any]) -> None:
    """Each decodes as the event that it names, and fits the schema."""
    assert document["event"] == tag_of(event_from(document, "guide"))
    _fits(_trace(document), "trace")


@pytest.mark.parametrize("document", _of("step"), ids=lambda d: d["step"])
def test_step_examples_are_steps(document: dict[str, Any]) -> None:
    """Each decodes as a step, inside a scenario, and fits the schema."""
    scenario = {"id": "guide", "steps": [document]}

    assert document["step"] == tag_of(convert(scenario, Scenario, "guide").steps[0])
    _fits(scenario, "scenario")


def test_scenario_and_description_decode() -> None:
    """The whole documents too."""
    (scenario,), (description,) = _of("scenario"), _of("describe")

    assert "turn" == tag_of(convert(scenario, Scenario, "guide").steps[0])
    assert "acme-kernel" == description_from(description, "guide").kernel
    _fits(scenario, "scenario")
    _fits(description, "kernel")


def test_messages_are_read_as_a_kernel_s_are() -> None:
    """The requests are those that we send, the answers and notifications those that we take."""
    describe, run = _of("request")
    described, ran, refused = _of("answer")
    (streamed,) = _of("notification")
    scenario = convert(run["params"]["scenario"], Scenario, "guide")
    messages = [wire.message_from(json.dumps(x).encode()) for x in (described, ran, refused)]
    outcomes = [
        wire.outcome_of(message, number, b"")
        for number, message in enumerate(messages, start=1)
        if isinstance(message, wire.Answer)
    ]

    assert ("describe", "run", "cache_get") == (
        describe["method"],
        run["method"],
        tag_of(scenario.steps[0]),
    )
    assert describe == json.loads(wire.request_line(1, "describe", "{}"))
    assert "acme-kernel" == description_from(outcomes[0], "guide").kernel
    assert ["cache_outcome"] == [tag_of(event) for event in wire.events_from(outcomes[1])]
    assert wire.RpcError(code=-32000, message="the database is down") == outcomes[2]
    assert isinstance(wire.message_from(json.dumps(streamed).encode()), wire.Notification)


def test_every_event_step_and_capability_is_in_the_guide() -> None:
    """A stranger finds everything that there is, each with an example."""
    events = {kind.__struct_config__.tag for kind in get_args(AnyEvent) if kind is not Given}
    steps = {kind.__struct_config__.tag for kind in get_args(AnyStep)}

    assert events == {document["event"] for document in _of("event")}, _TELL
    assert steps == {document["step"] for document in _of("step")}, _TELL
    assert set() == {name for name in CLAIMABLE if f"`{name}`" not in _TEXT}, _TELL


def test_every_way_to_a_kernel_of_one_s_own_is_in_the_guide() -> None:
    """The forms of a reference that are not embedded are named as the command line names them."""
    forms = {"exec:COMMAND", "http://…", "https://…", "package.module:attribute"}
    agents = {"agent:module:attribute", "agent:exec:COMMAND"}
    assert {True} == {form in GRAMMAR for form in agents}
    assert "--kernel agent:" in _TEXT
    assert "--kernel 'agent:exec:" in _TEXT
    assert {True} == {form in GRAMMAR and f"`{form}`" in _TEXT for form in forms}


def test_numbers_in_the_guide_are_those_of_the_code() -> None:
    """Limits change in one place only."""
    assert f"a line {wire.MAX_LINE_BYTES // 2**20} MiB" in _TEXT
    assert f"{wire.MAX_EVENTS:,} events" in _TEXT
