"""A prompt: one text, or the messages and tools that a model is sent, and the text of both."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType


class _Piece(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of a prompt; unknown fields are refused, so that a misspelt one is not lost."""


class Part(_Piece, frozen=True, kw_only=True):
    """One part of a message whose content is a list.

    Attributes:
        type: ``text``, or what else it is, as it is called on the wire.
        text: its text, if it has one.
        json: JSON text of what it holds, if that is no text.
    """

    type: str = "text"
    text: str | UnsetType = UNSET
    json: str | UnsetType = UNSET


class ToolCall(_Piece, frozen=True, kw_only=True):
    """A call that a message asks for.

    Attributes:
        id: by which a later message names it.
        name: the function, as the model names it, perhaps with its extension before it.
        arguments: JSON text of the arguments.
    """

    id: str
    name: str
    arguments: str = "{}"


class Tool(_Piece, frozen=True, kw_only=True):
    """A tool that a model is offered.

    Attributes:
        name: the function, as the model is to name it.
        description: what the model is told of it.
        parameters: JSON text of the schema of its arguments, if it has one.
    """

    name: str
    description: str = ""
    parameters: str = ""


class Message(_Piece, frozen=True, kw_only=True):
    """One message of a prompt that is sent as a list.

    Attributes:
        role: whose it is, such as ``system``, ``user``, ``assistant`` or ``tool``.
        content: its text, or its parts.
        name: the name that it carries on the wire, such as that of the function.
        tool_calls: the calls that it asks for.
        tool_call_id: the call whose result it is.
        is_error: whether that result is marked as an error.
    """

    role: str
    content: str | tuple[Part, ...] = ""
    name: str | UnsetType = UNSET
    tool_calls: tuple[ToolCall, ...] | UnsetType = UNSET
    tool_call_id: str | UnsetType = UNSET
    is_error: bool | UnsetType = UNSET

    @property
    def asks_for(self) -> tuple[ToolCall, ...]:
        """The calls that it asks for, if any."""
        return self.tool_calls or ()

    @property
    def content_text(self) -> str:
        """Its content as one text; parts are joined by a line feed."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part_text(part) for part in self.content)

    @property
    def text(self) -> str:
        """All of its text: its content, then a line for each call that it asks for."""
        if not self.asks_for:
            return self.content_text
        calls = (_one_line(f"call {call.name} {call.arguments}") for call in self.asks_for)
        return "\n".join(filter(None, (self.content_text, *calls)))


Prompt = str | tuple[Message, ...]
"""A prompt as one text, or as a list of messages."""


def part_text(part: Part) -> str:
    """Return the text of a part, and below it the JSON text of what else it holds."""
    return "\n".join(text for text in (part.text, part.json) if isinstance(text, str))


def tools_text(tools: tuple[Tool, ...] | UnsetType) -> str:
    """Return a line for each tool that a model is offered: name, description, parameters."""
    return "".join(map(_tool_line, tools or ()))


def _tool_line(tool: Tool) -> str:
    told = (f"tool {tool.name}:", tool.description, tool.parameters)
    return _one_line(" ".join(filter(None, told))) + "\n"


def _one_line(text: str) -> str:
    """What stands in a field of its own can begin no line of the prompt."""
    return text.replace("\r", " ").replace("\n", " ")
