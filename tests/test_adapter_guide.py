"""The examples of docs/adapters.md are what they say: documents of the published types."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from fedcheck.conformance.adapters.decoding import description_from, event_from
from fedcheck.invariants.codec import convert
from fedcheck.invariants.protocol import tag_of
from fedcheck.invariants.scenario import AnyStep, Scenario
from fedcheck.invariants.trace import CAPABILITIES, AnyEvent, Given

_GUIDE = Path(__file__).resolve().parent.parent / "docs" / "adapters.md"
_EXAMPLE = re.compile(r"^```json (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXAMPLES = [(m[1], json.loads(m[2])) for m in _EXAMPLE.finditer(_GUIDE.read_text("utf-8"))]


def _of(kind: str) -> list[Any]:
    return [document for told, document in _EXAMPLES if told == kind]


@pytest.mark.parametrize("document", _of("event"), ids=lambda d: d["event"])
def test_event_examples_are_events(document: dict[str, Any]) -> None:
    """Each decodes as the event that it names."""
    assert document["event"] == tag_of(event_from(document, "guide"))


@pytest.mark.parametrize("document", _of("step"), ids=lambda d: d["step"])
def test_step_examples_are_steps(document: dict[str, Any]) -> None:
    """Each decodes as a step, inside a scenario."""
    scenario = convert({"id": "guide", "steps": [document]}, Scenario, "guide")

    assert document["step"] == tag_of(scenario.steps[0])


def test_scenario_and_description_decode() -> None:
    """The whole documents too."""
    (scenario,), (description,) = _of("scenario"), _of("describe")

    assert "turn" == tag_of(convert(scenario, Scenario, "guide").steps[0])
    assert "acme-kernel" == description_from(description, "guide").kernel


def test_every_event_step_and_capability_is_in_the_guide() -> None:
    """A stranger finds everything that there is."""
    text = _GUIDE.read_text("utf-8")
    events = {kind.__struct_config__.tag for kind in get_args(AnyEvent) if kind is not Given}
    steps = {kind.__struct_config__.tag for kind in get_args(AnyStep)}

    assert events == {document["event"] for document in _of("event")}
    assert set() == {step for step in steps if step not in text}
    assert set() == {name for name in CAPABILITIES if f"`{name}`" not in text}
