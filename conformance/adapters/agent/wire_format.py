"""What a provider's interface is to our endpoint, and what the interfaces share."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from msgspec import UNSET, UnsetType

from ....fixtures.agent.scripted import Answer, Wire
from ....invariants.vocabulary.messages import Message, Part, Tool, ToolCall

MODEL = "fedcheck-1"
"""The model that our endpoint lists; it answers to any other name too."""

CREATED = 1_778_865_664
"""When the model and its answers were made, seconds since the Unix epoch; always the same."""

_PIECES = 4


class Malformed(Exception):
    """A body that the interface does not know; the text says what was expected where."""


@dataclass(frozen=True)
class Read:
    """A request body, read: messages, tools, and how the answer is wanted."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    stream: bool
    model: str
    body: dict[str, Any]


class WireFormat(ABC):
    """One provider's interface: reads its requests, writes its answers."""

    name: Wire
    schema: str = "parameters"
    """The field of a tool that says which arguments it takes."""

    def read(self, body: dict[str, Any]) -> Read:
        """Return what a body holds.

        Raises:
            Malformed: it is no request of this interface.
        """
        return Read(
            messages=tuple(self.messages(body)),
            tools=tuple(_tool(x, self.schema) for x in objects(body.get("tools"), "tools")),
            stream=bool(body.get("stream")),
            model=text_of(body.get("model")),
            body=body,
        )

    @abstractmethod
    def messages(self, body: dict[str, Any]) -> Iterable[Message]:
        """Return the messages of a body; raises as ``read``."""

    @abstractmethod
    def whole(self, read: Read, answer: Answer, number: int) -> dict[str, Any]:
        """Return the answer as one document; ``number`` is the answer's own."""

    @abstractmethod
    def streamed(self, read: Read, answer: Answer, number: int) -> Iterator[bytes]:
        """Return the answer as server-sent events."""

    @abstractmethod
    def error(self, status: int, message: str) -> dict[str, Any]:
        """Return an error as the provider tells it."""


def objects(value: object, where: str) -> list[dict[str, Any]]:
    """Return a list of objects; nothing counts as an empty one.

    Raises:
        Malformed: it is something else.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise Malformed(f"{where}: expected a list, got {type(value).__name__}")
    items = cast("list[object]", value)
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            raise Malformed(f"{where}[{index}]: expected an object, got {type(item).__name__}")
    return cast("list[dict[str, Any]]", items)


def an_object(value: object) -> dict[str, Any] | None:
    """Return a field that is an object; ``None`` if it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def text_of(value: object) -> str:
    """Return a field that should be text: as it is, or as JSON; nothing is the empty text."""
    if isinstance(value, str):
        return value
    return "" if value is None else json_text(value)


def json_text(value: object) -> str:
    """Return a parsed value as JSON text, its characters unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def content_of(value: object, texts: Iterable[str] = ("text",)) -> str | tuple[Part, ...]:
    """Return the content of a message: a text, or its parts.

    Args:
        value: as it stands in the request.
        texts: types of the parts that are text.
    """
    if not isinstance(value, list):
        return text_of(value)
    known = set(texts)
    return tuple(_part(item, known) for item in cast("list[object]", value))


def _part(item: object, texts: set[str]) -> Part:
    if not isinstance(item, dict):
        return Part(type="unknown", json=json_text(item))
    part = cast("dict[str, object]", item)
    kind, text = part.get("type"), part.get("text")
    if isinstance(text, str) and (kind in texts or kind is None):
        return Part(text=text)
    return Part(type=text_of(kind) or "unknown", json=json_text(part))


def _tool(given: dict[str, Any], schema: str) -> Tool:
    told = an_object(given.get("function")) or given
    parameters = told.get(schema)
    return Tool(
        name=text_of(told.get("name")) or text_of(given.get("type")),
        description=text_of(told.get("description")),
        parameters="" if parameters is None else json_text(parameters),
    )


def asked_for(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...] | UnsetType:
    """Return calls as a message has them."""
    return tuple(calls) or UNSET


def pieces(text: str) -> list[str]:
    """Return a text in the pieces in which a stream brings it."""
    size = max(1, -(-len(text) // _PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]


def event(data: object, kind: str = "") -> bytes:
    """Return a server-sent event."""
    name = f"event: {kind}\n" if kind else ""
    return f"{name}data: {json.dumps(data, separators=(',', ':'))}\n\n".encode("ascii")


def tokens(*texts: str) -> int:
    """Return a plausible number of tokens for some text."""
    return 1 + sum(map(len, texts)) // 4


def tokens_in(read: Read) -> int:
    """Return a plausible number of tokens for a request."""
    return tokens(*(message.content_text for message in read.messages))


def tokens_out(answer: Answer) -> int:
    """Return a plausible number of tokens for an answer."""
    return tokens(answer.text, *(call.arguments for call in answer.calls))
