"""One run that two instrumentations tell, as a framework's and its client's: judged once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .made import Audited, audited, reasons, seen
from .spans_made import span, written

_TWICE = "a request as a second instrumentation tells it"
_ORDERS = '[{"id": "AD-100", "amount": 45.45}]'
_WHOSE = {"user.id": "u1", "session.id": "s1"}


def _framework(messages: list[dict[str, Any]], answer: dict[str, Any]) -> dict[str, str]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps(messages),
        "gen_ai.output.messages": json.dumps([answer]),
        **_WHOSE,
    }


def _client(messages: list[dict[str, str]], answer: dict[str, str]) -> dict[str, str]:
    told = {"openinference.span.kind": "LLM"}
    for number, message in enumerate(messages):
        told |= {f"llm.input_messages.{number}.message.{x}": message[x] for x in message}
    return told | {f"llm.output_messages.0.message.{x}": answer[x] for x in answer}


def _said(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def _call(number: int) -> tuple[dict[str, Any], dict[str, str]]:
    """A call, as each of the two tells it."""
    name = "tool_calls.0.tool_call"
    flat = {f"{name}.id": f"c{number}", f"{name}.function.name": "list_orders"}
    told = {"type": "tool_call", "id": f"c{number}", "name": "list_orders", "arguments": {}}
    return told, {"role": "assistant", **flat, f"{name}.function.arguments": "{}"}


def _result(number: int, text: str) -> tuple[dict[str, Any], dict[str, str]]:
    told = {"type": "tool_call_response", "id": f"c{number}", "response": [{"text": text}]}
    return told, {"role": "tool", "tool_call_id": f"c{number}", "content": text}


def _recording(
    path: Path,
    *,
    framework_shows: str = _ORDERS,
    client_shows: str = _ORDERS,
    server_gave: str = _ORDERS,
    server_call: str = "c1",
    without: str = "",
) -> Path:
    """A turn of one call: spans of a framework, within them those of its client and its tools."""
    user = {"type": "text", "content": "my orders"}
    calls = _call(1)
    answer = "Here they are."
    asked = [_said("user", user), _said("assistant", calls[0])]
    shown = [*asked, _said("tool", _result(1, framework_shows)[0])]
    flat = [{"role": "user", "content": "my orders"}, calls[1]]
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "list_orders",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": "{}",
        "gen_ai.tool.call.result": json.dumps([{"text": _ORDERS}]),
    }
    server = {
        "openinference.span.kind": "TOOL",
        "tool.name": "list_orders",
        "input.value": "{}",
        "output.value": server_gave,
        **({"tool_call.id": server_call} if server_call else {}),
    }
    final = {"role": "assistant", "content": answer}
    every = {
        "framework": [
            span("chat", (0, 1), _framework(asked[:1], asked[1]), number=1),
            span(
                "chat",
                (2, 3),
                _framework(shown, _said("assistant", {"type": "text", "content": answer})),
                number=3,
            ),
        ],
        "client": [
            span("ChatCompletion", (0.1, 0.9), _client(flat[:1], flat[1]), number=11, parent=1),
            span(
                "ChatCompletion",
                (2.1, 2.9),
                _client([*flat, _result(1, client_shows)[1]], final),
                number=13,
                parent=3,
            ),
        ],
        "tool": [span("execute_tool list_orders", (1, 2), tool | _WHOSE, number=2)],
        "server": [span("list_orders", (1.1, 1.9), server, number=12, parent=2)],
    }
    return written(path, [x for name in every if name != without for x in every[name]])


def _broken(found: Audited) -> set[str]:
    tallies = found.judged.tallies.items()
    return {clause.partition("/")[2] for clause, tally in tallies if tally.kinds}


@pytest.mark.parametrize("server_call", ["c1", ""])
def test_a_run_that_is_told_twice_is_judged_once(server_call: str, tmp_path: Path) -> None:
    """No call without a result is made up, and no id of a call was used twice."""
    found = audited(_recording(tmp_path / "spans.json", server_call=server_call))

    assert (set(), 1) == (_broken(found), found.judged.turns)
    assert {(1, 0, 0)} == {
        seen(found)[name] for name in ("values-kept", "one-result-each", "at-most-once")
    }
    assert {_TWICE: 2} == found.judged.remarks.counts


@pytest.mark.parametrize("without", ["framework", "client", "tool", "server"])
def test_each_instrumentation_alone_tells_the_same(without: str, tmp_path: Path) -> None:
    """What is judged does not hang on how many tell it."""
    twice = seen(audited(_recording(tmp_path / "twice.json")))

    assert twice == seen(audited(_recording(tmp_path / "once.json", without=without)))


def test_what_the_model_was_sent_counts(tmp_path: Path) -> None:
    """A client between the framework and the model may spoil what the framework told."""
    spoiled = _recording(tmp_path / "spans.json", client_shows=_ORDERS.replace("45", "46"))

    assert {"values-kept"} == _broken(audited(spoiled))


def test_two_results_of_one_run_are_not_judged(tmp_path: Path) -> None:
    """Nobody knows which of the two instrumentations is right."""
    found = audited(_recording(tmp_path / "spans.json", server_gave=_ORDERS.replace("45", "46")))

    assert set() == _broken(found)
    assert {"a call with two results": 1} == reasons(found, "values-kept")


def test_requests_at_the_same_time_are_not_taken_for_one(tmp_path: Path) -> None:
    """An agent within an agent asks and is answered otherwise, or for another call."""
    asked = [_said("user", {"type": "text", "content": "my orders"})]
    inner = _framework(asked, _said("assistant", _call(2)[0]))
    outer = _framework(asked, _said("assistant", _call(1)[0]))
    spans = [
        span("chat", (0, 1), outer, number=1),
        span("chat", (0.1, 0.9), inner, number=2, parent=1),
    ]
    found = audited(written(tmp_path / "spans.json", spans))

    assert 0 == found.judged.remarks.counts[_TWICE]


def test_a_call_that_ran_again_for_one_id_is_still_found(tmp_path: Path) -> None:
    """Its second span begins after the first has ended."""
    path = _recording(tmp_path / "spans.json", without="server")
    told = json.loads(path.read_text())
    spans = told["resourceSpans"][0]["scopeSpans"][0]["spans"]
    tool = next(x for x in spans if x["name"].startswith("execute_tool"))
    again = span("execute_tool list_orders", (2.01, 2.02), {}, number=9)
    written(path, [*spans, again | {"attributes": tool["attributes"]}])

    assert "at-most-once" in _broken(audited(path))
