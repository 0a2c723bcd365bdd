"""From the text of a prompt to messages, whatever way they are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from ...invariants.vocabulary.json_values import is_list, is_object
from ...invariants.vocabulary.messages import Message, ToolCall
from .blocks import joined, shown, texts_in
from .genai import text_of
from .pieces import Form

_HOLDING = {"text": "content", "reasoning": "content", "tool_call": "arguments"}
"""Type of a part → where it holds what it says."""

_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "function": "tool"}


class Told(msgspec.Struct):
    """The messages of a prompt, and what is missing of them.

    Attributes:
        messages: as far as they could be read.
        gaps: ``no content`` where texts were left out, ``cut`` where the text breaks off.
    """

    messages: tuple[Message, ...] = ()
    gaps: frozenset[str] = frozenset()


NO_CONTENT, CUT = "no content", "cut"
NOTHING = Told((), frozenset({NO_CONTENT}))


def told(text: str, form: Form) -> Told:
    """Return the messages of the JSON text of a list of them."""
    if not text:
        return NOTHING
    value = parsed(text)
    if is_object(value):
        value = value.get("messages", [value])
    if not is_list(value):
        return Told((), frozenset({CUT}))
    gaps: set[str] = set()
    read = _genai if form == "genai" else _chat
    found = tuple(message for each in value for message in read(each, gaps))
    return Told(found, frozenset(gaps))


def parsed(text: str) -> Any:
    """Return the value of JSON text; a text that is none is ``CutText``."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return CutText


class CutText:
    """Stands for what could not be parsed."""


def _genai(each: Any, gaps: set[str]) -> Iterator[Message]:
    if not is_object(each):
        gaps.add(CUT)
        return
    parts = each.get("parts")
    yield from _of_parts(_role(each), parts, gaps) if is_list(parts) else _chat(each, gaps)


def _of_parts(role: str, parts: list[Any], gaps: set[str]) -> Iterator[Message]:
    texts, calls = list[str](), list[ToolCall]()
    for part in parts:
        told = part if is_object(part) else {"type": "text", "content": part}
        kind = told.get("type", "text")
        if kind == "tool_call_response":
            yield _result(told, gaps)
            continue
        wanted = _HOLDING.get(kind, "")
        if wanted and told.get(wanted) is None:
            gaps.add(NO_CONTENT)
        elif kind == "text":
            texts.append(text_of(told["content"]))
        if kind == "tool_call":
            calls.append(_tool_call(told.get("id"), told.get("name"), told.get("arguments", "")))
    if texts or calls:
        yield Message(role=role, content="\n".join(texts), tool_calls=tuple(calls) or UNSET)


def _result(part: dict[str, Any], gaps: set[str]) -> Message:
    held = next((part[name] for name in ("response", "result", "content") if name in part), None)
    if held is None and not {"response", "result"} & part.keys():
        gaps.add(NO_CONTENT)
    content = shown(text_of(held))
    return Message(role="tool", content=content, tool_call_id=str(part.get("id") or ""))


def _chat(each: Any, gaps: set[str]) -> Iterator[Message]:
    if not is_object(each):
        gaps.add(CUT)
        return
    role = _role(each)
    content = each.get("content")
    calls = tuple(_chat_call(call, gaps) for call in each.get("tool_calls") or ())
    if content is None and not calls:
        gaps.add(NO_CONTENT)
    if is_list(content):
        yield from _blocks(role, content, str(each.get("tool_call_id") or ""))
        if not calls:
            return
        content = None
    text = "" if content is None else text_of(content)
    yield Message(
        role=role,
        content=shown(text) if role == "tool" else text,
        tool_calls=calls or UNSET,
        tool_call_id=str(each["tool_call_id"]) if each.get("tool_call_id") else UNSET,
        name=str(each["name"]) if each.get("name") else UNSET,
    )


def _blocks(role: str, blocks: list[Any], call: str) -> Iterator[Message]:
    """The blocks of a message, among which Anthropic's and Bedrock's hold calls and results."""
    texts, calls = list[str](), list[ToolCall]()
    for block in blocks:
        told = block if is_object(block) else {"text": block} if isinstance(block, str) else {}
        used = told.get("toolUse", told if told.get("type") == "tool_use" else None)
        gave = told.get("toolResult", told if told.get("type") == "tool_result" else None)
        if is_object(gave):
            yield _block_of_result(gave)
        elif is_object(used):
            name = used.get("toolUseId", used.get("id"))
            calls.append(_tool_call(name, used.get("name"), used.get("input", "")))
        elif "json" in told:
            texts.append(json.dumps(told["json"], ensure_ascii=False))
        elif told.get("text") is not None:
            texts.append(text_of(told["text"]))
    if texts or calls:
        yield Message(
            role=role,
            content=joined(texts) if call and texts else "\n".join(texts),
            tool_calls=tuple(calls) or UNSET,
            tool_call_id=call or UNSET,
        )


def _block_of_result(told: dict[str, Any]) -> Message:
    """A result that stands in a block; an error is marked beside its text."""
    inner = told.get("content", "")
    if is_list(inner):
        found = texts_in(text_of(inner))
        inner = joined(found) if found else "\n".join(_texts_of(inner))
    failed = told.get("status") == "error" or told.get("is_error") is True
    call = str(told.get("toolUseId", told.get("tool_use_id", "")))
    content = shown(text_of(inner))
    return Message(
        role="tool", content=content, tool_call_id=call, is_error=True if failed else UNSET
    )


def _texts_of(blocks: list[Any]) -> Iterator[str]:
    return (str(x.get("text", "")) for x in blocks if is_object(x))


def _chat_call(call: Any, gaps: set[str]) -> ToolCall:
    if not is_object(call):
        gaps.add(CUT)
        return _tool_call("", "", "")
    inner = call.get("function")
    held = inner if is_object(inner) else call
    arguments = held.get("arguments", held.get("args", "{}"))
    return _tool_call(call.get("id"), held.get("name"), arguments)


def _tool_call(call: Any, name: Any, arguments: Any) -> ToolCall:
    return ToolCall(id=str(call or ""), name=str(name or ""), arguments=text_of(arguments))


def _role(each: dict[str, Any]) -> str:
    role = str(each.get("role", each.get("type", "")) or "")
    return _ROLES.get(role, role)
