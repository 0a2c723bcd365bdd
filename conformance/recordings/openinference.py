"""OpenInference: messages as flat attributes, a kind of its own for each span."""

from __future__ import annotations

from typing import Any

from ...invariants.vocabulary.json_values import is_object
from .genai import opened, text_of
from .pieces import Piece
from .spans import Span

_KIND = "openinference.span.kind"
_INPUT, _OUTPUT = "llm.input_messages.", "llm.output_messages."


def piece(span: Span) -> Piece | None:
    """Return what is kept of a span of this convention."""
    told = span.attributes
    kind = told.get(_KIND)
    if kind == "LLM":
        return Piece(
            "request",
            form="chat",
            prompt=text_of(messages(told, _INPUT)) if _has(told, _INPUT) else "",
            output=text_of(messages(told, _OUTPUT)) if _has(told, _OUTPUT) else "",
        )
    return _result(told) if kind == "TOOL" else None


def _has(told: dict[str, Any], prefix: str) -> bool:
    return f"{prefix}0.message.role" in told or any(name.startswith(prefix) for name in told)


def _result(told: dict[str, Any]) -> Piece:
    held = told.get("output.value")
    made = Piece(
        "result",
        name=str(told.get("tool.name", "")),
        call=str(told.get("tool_call.id", told.get("tool.id", ""))),
        arguments=text_of(told.get("input.value", "")),
        result=None if held is None else text_of(held),
    )
    return opened(made)


def messages(told: dict[str, Any], prefix: str) -> list[dict[str, Any]]:
    """Return the messages that flat attributes tell, in the order of their numbers."""
    nested: dict[int, dict[str, Any]] = {}
    for name, value in told.items():
        if not name.startswith(prefix):
            continue
        number, _, rest = name[len(prefix) :].partition(".")
        if number.isdigit():
            _put(nested.setdefault(int(number), {}), rest, value)
    return [_message(nested[number].get("message", {})) for number in sorted(nested)]


def _put(into: dict[str, Any], name: str, value: Any) -> None:
    *path, last = name.split(".")
    for part in path:
        held = into.setdefault(part, {})
        if not is_object(held):
            return
        into = held
    into[last] = value


def _message(told: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"role": told.get("role", "")}
    made |= {name: told[name] for name in ("content", "tool_call_id", "name") if name in told}
    if parts := _numbered(told.get("contents")):
        inner = [part.get("message_content", {}) for part in parts]
        made["content"] = "\n".join(str(part["text"]) for part in inner if "text" in part)
    if calls := _numbered(told.get("tool_calls")):
        made["tool_calls"] = [_call(each.get("tool_call", {})) for each in calls]
    return made


def _call(told: dict[str, Any]) -> dict[str, Any]:
    function: Any = told.get("function", {})
    name, arguments = function.get("name", ""), function.get("arguments", "{}")
    return {"id": told.get("id", ""), "function": {"name": name, "arguments": arguments}}


def _numbered(told: Any) -> list[dict[str, Any]]:
    if not is_object(told):
        return []
    return [told[x] for x in sorted(filter(str.isdigit, told), key=int) if is_object(told[x])]
