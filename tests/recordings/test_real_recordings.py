"""Recordings of public runtimes: what is wrong in them is found, what is sound is not blamed."""

from __future__ import annotations

import pytest

from .made import REAL, audited, real, reasons, seen


def test_a_mail_of_another_user_is_found() -> None:
    """Agno keeps two users apart by nothing but the id of the session."""
    found = real("agno-openinference-leak")
    kept = found.judged.tallies["C-RECORDED-ISOLATION/own-values-only"].breaches

    assert {"in a message of the tool": ["boss@corp.example"]} == {
        kind: [each.got for each in some] for kind, some in kept.items()
    }
    assert (2, 1, 0) == seen(found)["own-values-only"]


def test_a_result_that_was_recorded_as_repr_is_not_judged_but_told() -> None:
    """What agno's tool gave is lost: only that the model reads Python is certain."""
    found = real("agno-openinference-leak")

    assert (0, 0, 2) == seen(found)["json-kept"]
    assert {"stringified": 2} == reasons(found, "json-kept")
    assert 2 == seen(found)["no-python-repr"][1]


def test_a_repr_in_place_of_json_is_found() -> None:
    """openai-agents shows the model what Python's ``str`` makes of a dict; a text stays a text."""
    found = real("openai-agents-openinference")
    tally = found.judged.tallies["C-AGENT-FIDELITY/json-kept"]

    assert {"not JSON": 2} == tally.kinds
    assert (0, 2, 0) == seen(found)["json-kept"]
    assert (1, 0, 0) == seen(found)["text-kept"]
    assert {"no user": 5, "gap": 3} == reasons(found, "own-values-only")


@pytest.mark.parametrize(
    "name", ["pydantic-ai-native-v5", "langgraph-openinference", "langgraph-traceloop"]
)
def test_a_sound_agent_is_not_blamed(name: str) -> None:
    """Results as JSON, a failed call, a text, two users: all is kept and all is judged."""
    found = real(name)

    judged = seen(found)

    assert {(5, 0, 0)} == {judged["own-values-only"]}
    assert {(3, 0, 0)} == {judged["json-kept"], judged["values-kept"], judged["within-window"]}
    assert {(2, 0, 0)} == {judged["no-python-repr"], judged["told-as-error"]}
    assert {0} == {broken for _, broken, _ in judged.values()}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pydantic-ai-native-v5-nocontent", "no content"),
        ("pydantic-ai-native-v5-limit300", "cut"),
        ("openai-v2-official", "no content"),
    ],
)
def test_without_content_nothing_is_judged(name: str, reason: str) -> None:
    """A recording that holds no texts, or cut ones, proves nothing: neither pass nor failure."""
    found = real(name)

    assert {(0, 0)} == {(kept, broken) for kept, broken, _ in seen(found).values()}
    assert found.judged.turns == reasons(found, "json-kept")[reason]


def test_log_records_belong_to_their_span() -> None:
    """The older conventions tell messages in log records of another file."""
    found = audited(
        REAL / "openai-v2-official.otlp.json.gz", REAL / "openai-v2-official.logs.otlp.json.gz"
    )

    assert 9 == found.judged.turns
    assert {"a call without its result": 4} == reasons(found, "json-kept")
    assert 0 == reasons(found, "no-python-repr")["no content"]
