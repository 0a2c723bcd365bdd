"""OpenAI's Chat Completions, which most other providers speak too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET

from ....fixtures.agent.scripted import Answer, Wire
from ....invariants.vocabulary.messages import Message, ToolCall
from .wire_format import (
    CREATED,
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


class ChatCompletions(WireFormat):
    """``POST /v1/chat/completions``."""

    name: Wire = "chat_completions"

    def messages(self, body: dict[str, Any]) -> Iterable[Message]:
        """Return the messages."""
        if "messages" not in body:
            raise Malformed("messages: missing")
        return map(_message, objects(body["messages"], "messages"))

    def whole(self, read: Read, answer: Answer, number: int) -> dict[str, Any]:
        """Return a chat.completion."""
        message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
        if answer.calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for call in answer.calls
            ]
        else:
            message["content"] = answer.text
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _why(answer)}
        head = _head(read, number, "chat.completion")
        return {**head, "choices": [choice], "usage": _usage(read, answer)}

    def streamed(self, read: Read, answer: Answer, number: int) -> Iterator[bytes]:
        """Return its chunks: a call's id and name in its first delta, then its arguments."""
        head = _head(read, number, "chat.completion.chunk")
        options = an_object(read.body.get("stream_options")) or {}
        wants_usage = bool(options.get("include_usage"))
        usage: dict[str, Any] = {"usage": None} if wants_usage else {}

        def chunk(delta: dict[str, Any], why: str | None = None) -> bytes:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": why}
            return event({**head, "choices": [choice], **usage})

        yield chunk({"role": "assistant", "content": None if answer.calls else ""})
        for index, call in enumerate(answer.calls):
            function = {"name": call.name, "arguments": ""}
            first = {"index": index, "id": call.id, "type": "function", "function": function}
            yield chunk({"tool_calls": [first]})
            for piece in pieces(call.arguments):
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        for piece in pieces(answer.text):
            yield chunk({"content": piece})
        yield chunk({}, _why(answer))
        if wants_usage:
            yield event({**head, "choices": [], "usage": _usage(read, answer)})
        yield b"data: [DONE]\n\n"

    def error(self, status: int, message: str) -> dict[str, Any]:
        """Return ``{"error": …}``."""
        return openai_error(status, message)


def openai_error(status: int, message: str) -> dict[str, Any]:
    """Return an error as OpenAI's interfaces tell it."""
    kinds = {429: "rate_limit_error", 404: "not_found_error"}
    kind = kinds.get(status, "server_error" if status >= 500 else "invalid_request_error")
    code = "rate_limit_exceeded" if status == 429 else None
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _head(read: Read, number: int, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{number:024d}",
        "object": kind,
        "created": CREATED,
        "model": read.model,
        "system_fingerprint": "fp_fedcheck",
        "service_tier": "default",
    }


def _why(answer: Answer) -> str:
    if answer.cut:
        return "length"
    return "tool_calls" if answer.calls else "stop"


def _usage(read: Read, answer: Answer) -> dict[str, Any]:
    prompt, completion = tokens_in(read), tokens_out(answer)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def _message(given: dict[str, Any]) -> Message:
    name, result_of = given.get("name"), given.get("tool_call_id")
    return Message(
        role=text_of(given.get("role")) or "unknown",
        content=content_of(given.get("content")),
        name=UNSET if name is None else text_of(name),
        tool_calls=asked_for(map(_call, objects(given.get("tool_calls"), "tool_calls"))),
        tool_call_id=UNSET if result_of is None else text_of(result_of),
    )


def _call(given: dict[str, Any]) -> ToolCall:
    function = an_object(given.get("function"))
    if function is None:
        return ToolCall(id=text_of(given.get("id")), name="", arguments=json_text(given))
    return ToolCall(
        id=text_of(given.get("id")),
        name=text_of(function.get("name")),
        arguments=text_of(function.get("arguments")),
    )
