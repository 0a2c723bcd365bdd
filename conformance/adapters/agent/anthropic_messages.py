"""Anthropic's Messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from ....fixtures.agent.scripted import Answer, AskedCall, Wire
from ....invariants.vocabulary.messages import Message, Part, ToolCall
from .wire_format import (
    Malformed,
    Read,
    WireFormat,
    an_object,
    asked_for,
    content_of,
    event,
    json_text,
    objects,
    pieces,
    text_of,
    tokens_in,
    tokens_out,
)


class AnthropicMessages(WireFormat):
    """``POST /v1/messages``."""

    name: Wire = "messages"
    schema = "input_schema"

    def messages(self, body: dict[str, Any]) -> Iterable[Message]:
        """Return the messages; each tool result is one of its own."""
        if "messages" not in body:
            raise Malformed("messages: missing")
        given = objects(body["messages"], "messages")
        system = body.get("system")
        first = [] if system is None else [Message(role="system", content=content_of(system))]
        return (*first, *(told for each in given for told in _messages(each)))

    def whole(self, read: Read, answer: Answer, number: int) -> dict[str, Any]:
        """Return a message."""
        return {
            **_head(read, number),
            "content": [_block(call) for call in answer.calls] or [_text_block(answer.text)],
            "stop_reason": _why(answer),
            "stop_sequence": None,
            "usage": _usage(read, answer),
        }

    def streamed(self, read: Read, answer: Answer, number: int) -> Iterator[bytes]:
        """Return its events."""
        return (event(told, told["type"]) for told in _events(read, answer, number))

    def error(self, status: int, message: str) -> dict[str, Any]:
        """Return ``{"type": "error", …}``."""
        kinds = {429: "rate_limit_error", 404: "not_found_error", 413: "request_too_large"}
        kind = kinds.get(status, "api_error" if status >= 500 else "invalid_request_error")
        return {
            "type": "error",
            "error": {"type": kind, "message": message},
            "request_id": None,
        }


def _head(read: Read, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number:024d}",
        "type": "message",
        "role": "assistant",
        "model": read.model,
    }


def _why(answer: Answer) -> str:
    if answer.cut:
        return "max_tokens"
    return "tool_use" if answer.calls else "end_turn"


def _usage(read: Read, answer: Answer) -> dict[str, Any]:
    return {
        "input_tokens": tokens_in(read),
        "output_tokens": tokens_out(answer),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }


def _text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": None}


def _block(call: AskedCall) -> dict[str, Any]:
    """A call as a block: its arguments are an object, whatever the model wrote."""
    try:
        given = an_object(json.loads(call.arguments))
    except (ValueError, RecursionError):
        given = None
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": given or {}}


def _events(read: Read, answer: Answer, number: int) -> Iterator[dict[str, Any]]:
    usage = _usage(read, answer)
    begun: dict[str, Any] = {"content": [], "stop_reason": None, "stop_sequence": None}
    begun |= {**_head(read, number), "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    for index, call in enumerate(answer.calls):
        block: dict[str, Any] = {**_block(call), "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for piece in pieces(call.arguments):
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    if not answer.calls:
        yield {"type": "content_block_start", "index": 0, "content_block": _text_block("")}
        for piece in pieces(answer.text):
            delta = {"type": "text_delta", "text": piece}
            yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": _why(answer), "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": usage}
    yield {"type": "message_stop"}


def _messages(given: dict[str, Any]) -> Iterator[Message]:
    role, content = text_of(given.get("role")) or "unknown", given.get("content")
    if not isinstance(content, list):
        yield Message(role=role, content=content_of(cast("object", content)))
        return
    blocks = objects(cast("object", content), "content")
    rest: list[dict[str, Any]] = []
    calls: list[ToolCall] = []
    for block in blocks:
        if block.get("type") == "tool_result":
            yield _result(block)
        elif block.get("type") == "tool_use":
            calls.append(_call(block))
        else:
            rest.append(block)
    if rest or calls or not blocks:
        parts = content_of(rest)
        yield Message(role=role, content=_one_text(parts), tool_calls=asked_for(calls))


def _one_text(parts: str | tuple[Part, ...]) -> str | tuple[Part, ...]:
    """A single text block is the same as a text."""
    if isinstance(parts, tuple) and len(parts) == 1 and isinstance(parts[0].text, str):
        return parts[0].text
    return parts or ""


def _result(block: dict[str, Any]) -> Message:
    return Message(
        role="tool",
        content=content_of(block.get("content")),
        tool_call_id=text_of(block.get("tool_use_id")),
        is_error=bool(block.get("is_error")),
    )


def _call(block: dict[str, Any]) -> ToolCall:
    given = block.get("input")
    return ToolCall(
        id=text_of(block.get("id")),
        name=text_of(block.get("name")),
        arguments="{}" if given is None else json_text(given),
    )
