"""Messages in events: of spans and as log records, in the words of each version."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .made import Audited, audited, seen
from .spans_made import Event, log_record, span, written

_ORDERS = '[{"id": "AD-100", "amount": 45.45}]'
_CHANGED = _ORDERS.replace("45.45", "45.46")
_LONG = "call back " * 40
_WHOSE = {"user.id": "u1", "session.id": "s1"}
_CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", **_WHOSE}
_TOOL = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "list_orders",
    "gen_ai.tool.call.id": "c1",
    **_WHOSE,
}
_DETAILS = "gen_ai.client.inference.operation.details"

Block = dict[str, Any]
Said = tuple[str, list[Block]]
Form = Callable[[Path, str, str], Path]


def _turns(shown: str) -> list[tuple[list[Said], list[Block]]]:
    """The two requests of a turn in Bedrock's blocks: what was said, and the answer."""
    user: Said = ("user", [{"text": "my orders"}])
    use = [{"toolUse": {"toolUseId": "c1", "name": "list_orders", "input": {}}}]
    gave = {"toolUseId": "c1", "status": "success", "content": [{"text": shown}]}
    asked: list[Said] = [("system", [{"text": "You are a desk."}]), user]
    later: list[Said] = [*asked, ("assistant", use), ("tool", [{"toolResult": gave}])]
    return [(asked, use), (later, [{"text": "Here they are."}])]


def _bedrock(path: Path, gave: str, shown: str) -> Path:
    """As Strands Agents does by default: an event for each message, its blocks as JSON text."""
    spans: list[dict[str, Any]] = []
    for number, (said, answer) in enumerate(_turns(shown)):
        events: list[Event] = [
            (f"gen_ai.{role}.message", {"content": json.dumps(blocks)}) for role, blocks in said
        ]
        choice = {"finish_reason": "end_turn", "message": json.dumps(answer)}
        events.append(("gen_ai.choice", choice))
        spans.append(span("chat", (2 * number, 2 * number + 1), _CHAT, events=events))
    asked = {"role": "tool", "content": "{}", "id": "c1"}
    ran: list[Event] = [
        ("gen_ai.tool.message", asked),
        ("gen_ai.choice", {"message": json.dumps([{"text": gave}]), "id": "c1"}),
    ]
    return written(path, [*spans, span("execute_tool list_orders", (1, 2), _TOOL, events=ran)])


def _openai(role: str, blocks: list[Block]) -> dict[str, Any]:
    """A message as OpenAI's interface has it."""
    made: dict[str, Any] = {"role": role}
    for block in blocks:
        if "toolUse" in block:
            function = {"name": "list_orders", "arguments": "{}"}
            made["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
        elif "toolResult" in block:
            made |= {"id": "c1", "content": block["toolResult"]["content"][0]["text"]}
        else:
            made["content"] = block["text"]
    return made


def _one_attribute(path: Path, gave: str, shown: str) -> Path:
    """As Azure's client does: all of a message as JSON in one attribute of its event."""
    spans: list[dict[str, Any]] = []
    for number, (said, answer) in enumerate(_turns(shown)):
        held: list[tuple[str, dict[str, Any]]] = [
            (f"gen_ai.{role}.message", _openai(role, blocks)) for role, blocks in said
        ]
        choice = {"index": 0, "message": _openai("assistant", answer)}
        held.append(("gen_ai.choice", choice))
        events = [(name, {"gen_ai.event.content": json.dumps(x)}) for name, x in held]
        spans.append(span("chat", (2 * number, 2 * number + 1), _CHAT, events=events))
    return written(path, [*spans, _ran(gave)])


def _first_version(path: Path, gave: str, shown: str) -> Path:
    """As the first conventions had it: an event for the prompt, one for the completion."""
    spans: list[dict[str, Any]] = []
    for number, (said, answer) in enumerate(_turns(shown)):
        prompt = [_openai(role, blocks) for role, blocks in said]
        for each in prompt:
            if each["role"] == "tool":
                each["tool_call_id"] = each.pop("id")
        completion = json.dumps([_openai("assistant", answer)])
        events: list[Event] = [
            ("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps(prompt)}),
            ("gen_ai.content.completion", {"gen_ai.completion": completion}),
        ]
        spans.append(span("chat", (2 * number, 2 * number + 1), _CHAT, events=events))
    return written(path, [*spans, _ran(gave)])


def _ran(gave: str) -> dict[str, Any]:
    told = {"gen_ai.tool.call.arguments": "{}", "gen_ai.tool.call.result": gave}
    return span("execute_tool list_orders", (1, 2), _TOOL | told)


def _part(block: Block) -> dict[str, Any]:
    if "toolUse" in block:
        return {"type": "tool_call", "id": "c1", "name": "list_orders", "arguments": {}}
    if "toolResult" in block:
        response = block["toolResult"]["content"]
        return {"type": "tool_call_response", "id": "c1", "response": response}
    return {"type": "text", "content": block["text"]}


def _details(said: list[Said], answer: list[Block]) -> list[dict[str, Any]]:
    """The attributes of the event of details: instructions, messages, and what was answered."""
    messages = [
        {"role": role, "parts": [_part(x) for x in blocks]}
        for role, blocks in said
        if role != "system"
    ]
    output = {"role": "assistant", "parts": [_part(x) for x in answer], "finish_reason": "stop"}
    return [
        {"gen_ai.system_instructions": [_part(x) for x in said[0][1]]},
        {"gen_ai.input.messages": messages},
        {"gen_ai.output.messages": [output]},
    ]


def _details_of_spans(path: Path, gave: str, shown: str) -> Path:
    """As Strands Agents does when asked for the newest conventions: several events, JSON text."""
    spans: list[dict[str, Any]] = []
    for number, (said, answer) in enumerate(_turns(shown)):
        events: list[Event] = [
            (_DETAILS, {name: json.dumps(value) for name, value in each.items()})
            for each in _details(said, answer)
        ]
        spans.append(span("chat", (2 * number, 2 * number + 1), _CHAT, events=events))
    response = [{"type": "tool_call_response", "id": "c1", "response": [{"text": gave}]}]
    output = {"gen_ai.output.messages": json.dumps([{"role": "tool", "parts": response}])}
    asked = {"gen_ai.tool.call.arguments": "{}"}
    ran = span("execute_tool list_orders", (1, 2), _TOOL | asked, events=[(_DETAILS, output)])
    return written(path, [*spans, ran])


def _details_as_logs(path: Path, gave: str, shown: str) -> Path:
    """As the conventions have it: a log record for each request, its values structured."""
    spans, logs = [_ran(gave)], list[dict[str, Any]]()
    for number, (said, answer) in enumerate(_turns(shown)):
        spans.append(span("chat", (2 * number, 2 * number + 1), _CHAT, number=number + 1))
        held = {name: x for each in _details(said, answer) for name, x in each.items()}
        logs.append(log_record(_DETAILS, 2 * number + 0.9, held, number + 1))
    return written(path, spans, logs)


FORMS: tuple[Form, ...] = (
    _bedrock,
    _one_attribute,
    _first_version,
    _details_of_spans,
    _details_as_logs,
)
_NAMED = pytest.mark.parametrize("form", FORMS, ids=lambda x: x.__name__.strip("_"))


def _broken(found: Audited) -> set[str]:
    tallies = found.judged.tallies.items()
    return {clause.partition("/")[2] for clause, tally in tallies if tally.kinds}


@_NAMED
@pytest.mark.parametrize(("gave", "name"), [(_ORDERS, "values-kept"), ("a note\n", "text-kept")])
def test_what_events_tell_is_judged(form: Form, gave: str, name: str, tmp_path: Path) -> None:
    """Messages, calls, results and answers are read, and nothing is said to be missing."""
    found = audited(form(tmp_path / "spans.json", gave, gave))

    assert (set(), {}) == (_broken(found), dict(found.judged.remarks.counts))
    assert {(1, 0, 0)} == {
        seen(found)[each]
        for each in (name, "one-result-each", "in-this-turn", "no-call-unasked", "at-most-once")
    }


@_NAMED
def test_what_events_show_broken_is_found(form: Form, tmp_path: Path) -> None:
    """A changed value, as well as where attributes tell it."""
    assert {"values-kept"} == _broken(audited(form(tmp_path / "spans.json", _ORDERS, _CHANGED)))


def test_a_lost_result_is_found_in_events(tmp_path: Path) -> None:
    """Where the event that shows it is missing, the call still stands in another one."""
    path = _bedrock(tmp_path / "spans.json", _ORDERS, _ORDERS)
    told = json.loads(path.read_text())
    spans = told["resourceSpans"][0]["scopeSpans"][0]["spans"]
    for each in spans:
        each["events"] = [x for x in each["events"] if "toolResult" not in str(x)]
    written(path, spans)

    assert {"one-result-each", "in-this-turn"} <= _broken(audited(path))


@_NAMED
def test_a_long_text_in_an_event_is_not_cut(form: Form, tmp_path: Path) -> None:
    """What events hold counts for the longest text that was recorded."""
    found = audited(form(tmp_path / "spans.json", _LONG, _LONG[:-20]))

    assert (0, 1, 0) == seen(found)["text-kept"]


def test_json_of_a_tool_is_not_taken_for_blocks(tmp_path: Path) -> None:
    """A list of objects that have more than a text is what the tool returned."""
    hits = '[{"text": "one", "score": 1}, {"text": "two", "score": 2}]'
    path, lost = tmp_path / "spans.json", hits.replace(', "score": 2', "")

    assert set() == _broken(audited(_one_attribute(path, hits, hits)))
    assert {"values-kept"} == _broken(audited(_one_attribute(path, hits, lost)))
