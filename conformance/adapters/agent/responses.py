"""OpenAI's Responses, with the state that its server keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import structs

from ....fixtures.agent.scripted import Answer, AskedCall, Wire
from ....invariants.vocabulary.messages import Message, Part, ToolCall
from .chat_completions import openai_error
from .wire_format import (
    CREATED,
    Malformed,
    Read,
    WireFormat,
    content_of,
    event,
    json_text,
    objects,
    pieces,
    text_of,
    tokens_in,
    tokens_out,
)

_TEXTS = ("input_text", "output_text", "text")
_KEPT = 10_000
"""How many answers are remembered."""

Item = dict[str, Any]


class Responses(WireFormat):
    """``POST /v1/responses``: ``previous_response_id`` and ``item_reference`` are served."""

    name: Wire = "responses"

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._conversations: dict[str, list[Item]] = {}

    def messages(self, body: dict[str, Any]) -> Iterable[Message]:
        """Return the messages, earlier items put where they are referred to."""
        items = self._all_items(body)
        instructions = body.get("instructions")
        system = (
            [] if instructions is None else [Message(role="system", content=text_of(instructions))]
        )
        return (*system, *_messages(items))

    def whole(self, read: Read, answer: Answer, number: int) -> dict[str, Any]:
        """Return a response, and remember it."""
        output = _output(answer, number)
        self._remember(read, output, number)
        status = "incomplete" if answer.cut else "completed"
        return _response(read, number, status, output, _usage(read, answer))

    def streamed(self, read: Read, answer: Answer, number: int) -> Iterator[bytes]:
        """Return its events, each with its number in the sequence."""
        for index, told in enumerate(self._events(read, answer, number)):
            yield event({**told, "sequence_number": index}, told["type"])

    def error(self, status: int, message: str) -> dict[str, Any]:
        """Return ``{"error": …}``."""
        return openai_error(status, message)

    def _events(self, read: Read, answer: Answer, number: int) -> Iterator[dict[str, Any]]:
        begun = _response(read, number, "in_progress", [], None)
        yield {"type": "response.created", "response": begun}
        yield {"type": "response.in_progress", "response": begun}
        for index, item in enumerate(_output(answer, number)):
            if item["type"] == "function_call":
                yield from _call_events(index, item)
            else:
                yield from _text_events(index, item)
        done = self.whole(read, answer, number)
        yield {"type": f"response.{done['status']}", "response": done}

    def _all_items(self, body: dict[str, Any]) -> list[Item]:
        given = body.get("input")
        if isinstance(given, str):
            new: list[Item] = [{"role": "user", "content": given}]
        elif given is None:
            raise Malformed("input: missing")
        else:
            new = [self._referred(item) for item in objects(given, "input")]
        previous = body.get("previous_response_id")
        if previous is None:
            return new
        if not isinstance(previous, str) or previous not in self._conversations:
            raise Malformed(f"previous_response_id: no response {previous!r:.80} is stored")
        return [*self._conversations[previous], *new]

    def _referred(self, item: Item) -> Item:
        if item.get("type") != "item_reference":
            return item
        name = item.get("id")
        if not isinstance(name, str) or name not in self._items:
            raise Malformed(f"item_reference: no item {name!r:.80} is stored")
        return self._items[name]

    def _remember(self, read: Read, output: list[Item], number: int) -> None:
        self._items.update((item["id"], item) for item in output)
        self._conversations[_id(number)] = [*self._all_items(read.body), *output]
        for kept in (self._items, self._conversations):
            if len(kept) > _KEPT:
                del kept[next(iter(kept))]


def _id(number: int) -> str:
    return f"resp_{number:032d}"


def _response(
    read: Read, number: int, status: str, output: list[Item], usage: dict[str, Any] | None
) -> dict[str, Any]:
    cut = {"reason": "max_output_tokens"} if status == "incomplete" else None
    body = read.body
    return {
        "id": _id(number),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "background": False,
        "error": None,
        "incomplete_details": cut,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "model": read.model,
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": body.get("previous_response_id"),
        "reasoning": {"effort": None, "summary": None},
        "service_tier": "default",
        "store": True,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": usage,
        "user": None,
        "metadata": {},
    }


def _output(answer: Answer, number: int) -> list[Item]:
    if answer.calls:
        return [_call_item(call, number) for call in answer.calls]
    return [
        {
            "id": f"msg_{number:032d}",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [_text_part(answer.text)],
        }
    ]


def _text_part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call_item(call: AskedCall, number: int) -> Item:
    return {
        "id": f"fc_{number:024d}{call.index:08d}",
        "type": "function_call",
        "status": "incomplete" if call.cut else "completed",
        "call_id": call.id,
        "name": call.name,
        "arguments": call.arguments,
    }


def _call_events(index: int, item: Item) -> Iterator[dict[str, Any]]:
    place = {"output_index": index, "item_id": item["id"]}
    begun = {**item, "status": "in_progress", "arguments": ""}
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}
    kind = "response.function_call_arguments"
    for piece in pieces(item["arguments"]):
        yield {"type": f"{kind}.delta", **place, "delta": piece}
    yield {
        "type": f"{kind}.done",
        **place,
        "name": item["name"],
        "arguments": item["arguments"],
    }
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _text_events(index: int, item: Item) -> Iterator[dict[str, Any]]:
    place = {"output_index": index, "item_id": item["id"], "content_index": 0}
    begun: Item = {**item, "status": "in_progress", "content": []}
    text = item["content"][0]["text"]
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}
    yield {"type": "response.content_part.added", **place, "part": _text_part("")}
    for piece in pieces(text):
        yield {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **place, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **place, "part": _text_part(text)}
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _usage(read: Read, answer: Answer) -> dict[str, Any]:
    given, made = tokens_in(read), tokens_out(answer)
    return {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": made,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": given + made,
    }


def _messages(items: list[Item]) -> list[Message]:
    """Return items as messages; calls that follow each other stand in one message."""
    found: list[Message] = []
    open_call = False
    for item in items:
        is_call = item.get("type") == "function_call"
        if is_call and open_call:
            last = found[-1]
            found[-1] = structs.replace(last, tool_calls=(*last.asks_for, _call(item)))
        else:
            found.append(_message(item))
        open_call = is_call
    return found


def _call(item: Item) -> ToolCall:
    return ToolCall(
        id=text_of(item.get("call_id")),
        name=text_of(item.get("name")),
        arguments=text_of(item.get("arguments")),
    )


def _message(item: Item) -> Message:
    kind = item.get("type", "message")
    if kind == "message":
        role = text_of(item.get("role")) or "unknown"
        return Message(role=role, content=content_of(item.get("content"), _TEXTS))
    if kind == "function_call":
        return Message(role="assistant", tool_calls=(_call(item),))
    if kind == "function_call_output":
        return Message(
            role="tool",
            content=content_of(item.get("output"), _TEXTS),
            tool_call_id=text_of(item.get("call_id")),
        )
    return Message(role=text_of(kind), content=(Part(type=text_of(kind), json=json_text(item)),))
