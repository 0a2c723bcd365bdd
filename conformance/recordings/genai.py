"""OpenTelemetry's GenAI conventions, in the names of today and of earlier versions."""

from __future__ import annotations

import json
from typing import Any

from ...invariants.vocabulary.json_values import is_object
from .pieces import Piece
from .spans import Span

_REQUESTS = frozenset({"chat", "text_completion", "generate_content"})
_PROMPT = ("gen_ai.input.messages", "gen_ai.prompt")
_EVENTS = ("events", "all_messages_events")
_RESULT = ("gen_ai.tool.call.result", "tool_response", "gen_ai.tool.output")
_ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments", "gen_ai.tool.input")
_MESSAGE = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
"""Name of an event or a log record → whose message it is."""


def piece(span: Span) -> Piece | None:
    """Return what is kept of a span of these conventions."""
    if span.is_log:
        return _log(span)
    told = span.attributes
    operation = told.get("gen_ai.operation.name")
    if operation == "execute_tool" or (operation is None and span.name == "running tool"):
        return _result(told)
    if operation in _REQUESTS or (operation is None and "gen_ai.request.model" in told):
        return _request(span)
    return None


def _log(span: Span) -> Piece | None:
    if span.name not in _MESSAGE and span.name != "gen_ai.choice":
        return None
    body = span.body if is_object(span.body) else {"content": span.body}
    if span.body is None:
        body = dict(span.attributes)
    return Piece("log", name=span.name, prompt=text_of(message(span.name, body)))


def _result(told: dict[str, Any]) -> Piece:
    held = next((told[name] for name in _RESULT if name in told), None)
    return Piece(
        "result",
        call=str(told.get("gen_ai.tool.call.id", "")),
        arguments=text_of(next((told[name] for name in _ARGUMENTS if name in told), "")),
        result=None if held is None else unwrapped(text_of(held)),
    )


def unwrapped(text: str) -> str:
    """Return the content of a result that LangChain wrapped; other text as it is."""
    found = langchain(text)
    return text if found is None else str(found["content"])


def opened(result: Piece) -> Piece:
    """Return a result with what LangChain's message of a tool says of it, if it is one."""
    if fields := langchain(result.result or ""):
        result.result = str(fields["content"])
        result.call = result.call or str(fields.get("tool_call_id", ""))
        result.failed = True if fields.get("status") == "error" else None
        result.told = result.result if result.failed else ""
    return result


def langchain(text: str) -> dict[str, Any] | None:
    """Return the fields of LangChain's message of a tool, if the text is one as JSON."""
    if '"tool_call_id"' not in text or not text.lstrip().startswith("{"):
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    value = value.get("output", value)
    fields = value.get("kwargs", value.get("data")) if is_object(value) else None
    if is_object(fields) and isinstance(fields.get("content"), str):
        return fields
    return None


def _request(span: Span) -> Piece:
    told = span.attributes
    made = Piece("request", form="genai", output=text_of(told.get("gen_ai.output.messages", "")))
    made.system = text_of(told.get("gen_ai.system_instructions", ""))
    for name in _PROMPT:
        if name in told:
            made.prompt = text_of(told[name])
            return made
    events = next((told[name] for name in _EVENTS if name in told), None)
    if isinstance(events, str):
        made.form, made.prompt = "chat", _of_events_text(events)
    elif of_span := [(n, a) for n, a in span.events if n in _MESSAGE]:
        made.form = "chat"
        made.prompt = text_of([message(name, body) for name, body in of_span])
    return made


def _of_events_text(events: str) -> str:
    """The messages that an older pydantic-ai told as a list of events, as JSON text."""
    try:
        every: Any = json.loads(events)
        kept = [x for x in every if x.get("event.name") in _MESSAGE]
    except (ValueError, RecursionError, AttributeError, TypeError):
        return events
    return text_of([message(x["event.name"], x) for x in kept])


def message(event: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the message that an event or a log record tells."""
    if event == "gen_ai.choice":
        inner = body.get("message")
        body = inner if is_object(inner) else body
        return {"role": "assistant", **body}
    made = {"role": _MESSAGE[event], **body}
    if event == "gen_ai.tool.message" and "id" in body:
        made["tool_call_id"] = body["id"]
    return made


def text_of(value: Any) -> str:
    """Return a text as it is, and any other value as JSON text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
