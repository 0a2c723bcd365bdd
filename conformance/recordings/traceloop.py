"""OpenLLMetry (Traceloop): its own names beside those of the GenAI conventions."""

from __future__ import annotations

from typing import Any

from ...invariants.vocabulary.json_values import is_object
from .genai import loaded, opened, text_of
from .pieces import Piece
from .spans import Span

_PROMPT, _ANSWER = "gen_ai.prompt.", "gen_ai.completion."


def piece(span: Span) -> Piece | None:
    """Return what is kept of a span that only this convention tells whole."""
    told = span.attributes
    if told.get("traceloop.span.kind") == "tool":
        return _result(told)
    if f"{_PROMPT}0.role" in told or f"{_PROMPT}0.content" in told:
        return Piece(
            "request",
            form="chat",
            prompt=text_of(_messages(told, _PROMPT)),
            output=text_of(_messages(told, _ANSWER)),
        )
    return None


def _result(told: dict[str, Any]) -> Piece:
    held = told.get("gen_ai.tool.call.result", told.get("traceloop.entity.output"))
    made = Piece(
        "result",
        name=str(told.get("gen_ai.tool.name", told.get("traceloop.entity.name", ""))),
        call=str(told.get("gen_ai.tool.call.id", "")),
        arguments=_arguments(told),
        result=None if held is None else text_of(held),
    )
    return opened(made)


def _arguments(told: dict[str, Any]) -> str:
    """Return the arguments of a call; LangChain's callback is told more than these."""
    text = text_of(told.get("gen_ai.tool.call.arguments", told.get("traceloop.entity.input", "")))
    if '"input_str"' not in text:
        return text
    value = loaded(text)
    held = value.get("input_str") if is_object(value) else None
    return held if isinstance(held, str) else text


def _messages(told: dict[str, Any], prefix: str) -> list[dict[str, Any]]:
    nested: dict[int, dict[str, Any]] = {}
    for name, value in told.items():
        number, _, rest = (
            name[len(prefix) :].partition(".") if name.startswith(prefix) else ("",) * 3
        )
        if number.isdigit() and rest:
            nested.setdefault(int(number), {})[rest] = value
    return [_message(nested[number]) for number in sorted(nested)]


def _message(told: dict[str, Any]) -> dict[str, Any]:
    made = {x: told[x] for x in ("role", "content", "tool_call_id", "name") if x in told}
    calls: dict[int, dict[str, Any]] = {}
    for name, value in told.items():
        head, _, rest = name.partition(".")
        number, _, field = rest.partition(".")
        if head == "tool_calls" and number.isdigit():
            calls.setdefault(int(number), {})[field] = value
    if calls:
        made["tool_calls"] = [
            {
                "id": x.get("id", ""),
                "function": {"name": x.get("name", ""), "arguments": x.get("arguments", "{}")},
            }
            for x in (calls[number] for number in sorted(calls))
        ]
    return made
