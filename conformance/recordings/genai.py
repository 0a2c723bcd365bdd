"""OpenTelemetry's GenAI conventions, in the names of today and of earlier versions."""

from __future__ import annotations

import json
from typing import Any

from ...invariants.vocabulary.json_values import is_list, is_object
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

_CHOICE = "gen_ai.choice"
_DETAILS = "gen_ai.client.inference.operation.details"
"""Events that hold the messages of a request as attributes, in place of its span."""

_WHOLE = {
    "gen_ai.content.prompt": "gen_ai.prompt",
    "gen_ai.content.completion": "gen_ai.completion",
}
"""Events of the first conventions, and where each holds its messages as JSON."""

_BLOCKS = frozenset({"text", "json", "image", "document", "video", "cachePoint", "guardContent"})
_ACTS = frozenset({"toolUse", "toolResult", "reasoningContent", "citationsContent"})
"""What the one key of a content block of Bedrock may be."""


def piece(span: Span) -> Piece | None:
    """Return what is kept of a span of these conventions."""
    if span.is_log:
        return _log(span)
    told = _with_details(span)
    operation = told.get("gen_ai.operation.name")
    if operation == "execute_tool" or (operation is None and span.name == "running tool"):
        return _result(span, told)
    if operation in _REQUESTS or (operation is None and "gen_ai.request.model" in told):
        return _request(span, told)
    return None


def _with_details(span: Span) -> dict[str, Any]:
    """The attributes of a span, with those that its events of details hold."""
    told = span.attributes
    for name, held in span.events:
        if name == _DETAILS:
            told = held | told
        elif name in _WHOLE and _WHOLE[name] in held:
            told = {_WHOLE[name]: held[_WHOLE[name]]} | told
    return told


def _log(span: Span) -> Piece | None:
    if span.name == _DETAILS:
        made = _request(span, span.attributes)
        made.kind, made.name = "log", span.name
        return made
    if span.name not in _MESSAGE and span.name != _CHOICE:
        return None
    body = span.body if is_object(span.body) else {"content": span.body}
    if span.body is None:
        body = dict(span.attributes)
    return Piece("log", name=span.name, prompt=text_of(message(span.name, body)))


def _result(span: Span, told: dict[str, Any]) -> Piece:
    """What a span of a tool tells; its events may hold arguments and result."""
    named = {name: _body(held) for name, held in span.events}
    held = next((told[name] for name in _RESULT if name in told), None)
    if held is None:
        held = named.get(_CHOICE, {}).get(
            "message", _told_by(listed(told.get("gen_ai.output.messages")))
        )
    asked = next((told[name] for name in _ARGUMENTS if name in told), None)
    if asked is None and _CHOICE in named:
        asked = named.get("gen_ai.tool.message", {}).get("content", "")
    return Piece(
        "result",
        call=str(told.get("gen_ai.tool.call.id", "")),
        arguments="" if asked is None else text_of(asked),
        result=None if held is None else unwrapped(text_of(held)),
    )


def _told_by(messages: list[Any]) -> Any:
    """The result that the messages of a tool's span tell; ``None`` if they tell none."""
    parts = [part for each in messages if is_object(each) for part in listed(each.get("parts"))]
    found = [x for x in parts if is_object(x) and x.get("type") == "tool_call_response"]
    return next((x[name] for x in found for name in ("response", "result") if name in x), None)


def listed(value: Any) -> list[Any]:
    """Return a list that may be told as JSON text; what is none holds nothing."""
    found = loaded(value) if isinstance(value, str) else value
    return found if is_list(found) else []


def loaded(text: str) -> Any:
    """Return what a text holds as JSON; ``None`` if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


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
    value = loaded(text)
    value = value.get("output", value) if is_object(value) else None
    fields = value.get("kwargs", value.get("data")) if is_object(value) else None
    if is_object(fields) and isinstance(fields.get("content"), str):
        return fields
    return None


def _request(span: Span, told: dict[str, Any]) -> Piece:
    made = Piece("request", form="genai")
    made.output = text_of(told.get("gen_ai.output.messages", told.get("gen_ai.completion", "")))
    made.system = text_of(told.get("gen_ai.system_instructions", ""))
    if not made.output and (chosen := [a for n, a in span.events if n == _CHOICE]):
        made.output = text_of([message(_CHOICE, _body(each)) for each in chosen])
    for name in _PROMPT:
        if name in told:
            made.prompt = text_of(told[name])
            return made
    events = next((told[name] for name in _EVENTS if name in told), None)
    if isinstance(events, str):
        made.form, made.prompt = "chat", _of_events_text(events)
    elif of_span := [(n, a) for n, a in span.events if n in _MESSAGE]:
        made.form = "chat"
        made.prompt = text_of([message(name, _body(held)) for name, held in of_span])
    return made


def _body(held: dict[str, Any]) -> dict[str, Any]:
    """What an event of a span holds: some write all of it as JSON into one attribute."""
    text = held.get("gen_ai.event.content")
    value = loaded(text) if isinstance(text, str) else None
    return held | value if is_object(value) else held


def _content(value: Any, *, of_tool: bool = False) -> Any:
    """The list of Bedrock's content blocks that a text holds as JSON; anything else as it is.

    A result may be any JSON, so that of a tool is taken for blocks only if one says that it is.
    """
    if not isinstance(value, str) or value.lstrip()[:1] != "[":
        return value
    blocks = listed(value)
    keys = {_key(each) for each in blocks}
    acts = bool(keys & _ACTS) or not of_tool
    return blocks if keys and acts and keys <= _BLOCKS | _ACTS else value


def _key(block: Any) -> str:
    """The one key of an object; empty if it is none, or has others."""
    return next(iter(block)) if is_object(block) and len(block) == 1 else ""


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
    if event == _CHOICE:
        inner = body.get("message")
        if isinstance(inner, str):
            inner = {"content": _content(inner)}
        body = (
            inner | {x: body[x] for x in ("finish_reason",) if x in body}
            if is_object(inner)
            else body
        )
        return {"role": "assistant", **body}
    made = {"role": _MESSAGE[event], **body}
    if "content" in made:
        made["content"] = _content(made["content"], of_tool=event == "gen_ai.tool.message")
    if event == "gen_ai.tool.message" and "id" in body:
        made["tool_call_id"] = body["id"]
    return made


def text_of(value: Any) -> str:
    """Return a text as it is, and any other value as JSON text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
