"""How values appear in a record: as digests with a key, as their shape, or as they are."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

from ...invariants.readings.recorded_values import shape
from ...invariants.vocabulary.json_values import is_list, is_object, parse
from ...invariants.vocabulary.messages import Message, Part, ToolCall
from ...invariants.vocabulary.scenario import Call, Turn
from ...invariants.vocabulary.trace import (
    AnyEvent,
    CallDispatched,
    Given,
    ModelRequest,
    Reply,
    ToolResult,
    Trace,
)

Mode = Literal["digest", "masked", "full"]

_WORD = re.compile(r"[^\W\d_]+|\d{2,}", re.UNICODE)
_DIGITS = re.compile(r"\d{2,}")
_KEPT = frozenset({"true", "false", "null", "none"})
_HEX = 8
_COVERED = (Given, ModelRequest, CallDispatched, ToolResult, Reply)


class Evidence:
    """Shows texts of a recording as they may appear in a record.

    Args:
        mode: ``digest`` puts a digest for each word, the same for the same word everywhere in one
            record; ``masked`` its shape; ``full`` leaves it.
        key: of the digests; without it nobody can try words until a digest fits.
    """

    def __init__(self, mode: Mode, key: bytes) -> None:
        self.mode: Mode = mode
        self._key = key
        self._digested = self if mode == "digest" else Evidence("digest", key)

    def text(self, text: str, kept: frozenset[str] = frozenset()) -> str:
        """Return a text with its words shown so; ``kept`` are words that give nothing away."""
        if self.mode == "full":
            return text
        return _WORD.sub(lambda found: self._word(found[0], kept), text)

    def _word(self, word: str, kept: frozenset[str] = frozenset()) -> str:
        folded = word.casefold()
        if folded in _KEPT or folded in kept:
            return word
        if self.mode == "masked":
            return shape(word)
        made = hmac.new(self._key, folded.encode("utf-8", "surrogatepass"), hashlib.sha256)
        if word.isdecimal():
            return _digits(word, int.from_bytes(made.digest(), "big"))
        return f"x{made.hexdigest()[:_HEX]}"

    def name(self, name: str) -> str:
        """Return the id of a user: one digest for all of it."""
        if self.mode == "full" or not name:
            return name
        made = hmac.new(self._key, name.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return f"user-{made.hexdigest()[:_HEX]}"

    def json(self, text: str) -> str:
        """Return JSON text with its texts and numbers shown so; other text likewise."""
        if self.mode == "full":
            return text
        try:
            return json.dumps(self._value(parse(text)), ensure_ascii=False)
        except (ValueError, RecursionError):
            return self.text(text)

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if is_object(value):
            return {self._key_of(key): self._value(item) for key, item in value.items()}
        if is_list(value):
            return [self._value(item) for item in value]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self._number(value)
        return value

    def _key_of(self, key: str) -> str:
        """Show a key; where only shapes may be seen as a digest, since those are alike."""
        if self.mode != "masked":
            return self.text(key)
        return self._digested.text(key)

    def _number(self, value: float) -> float:
        return parse(_DIGITS.sub(lambda found: self._word(found[0]), json.dumps(value)))

    def covers(self, trace: Trace) -> bool:
        """Return whether all values in a trace can be shown as they may be."""
        return self.mode == "full" or all(isinstance(each, _COVERED) for each in trace.events)

    def trace(self, trace: Trace) -> Trace:
        """Return a trace in which nothing of a value can be read that may not be."""
        if self.mode == "full":
            return trace
        return replace(trace, events=tuple(self._event(each) for each in trace.events))

    def _event(self, event: AnyEvent) -> AnyEvent:
        event = replace(event, user=self.name(event.user))
        match event:
            case Given(stimulus=Turn() as turn):
                return replace(event, stimulus=self._turn(turn))
            case ModelRequest(prompt=tuple() as prompt):
                return replace(event, prompt=tuple(map(self._message, prompt)))
            case CallDispatched():
                return replace(event, args_json=self.json(event.args_json))
            case ToolResult():
                return replace(event, data_json=self.json(event.data_json))
            case Reply():
                return replace(event, text=self.text(event.text))
            case _:
                return event

    def _turn(self, turn: Turn) -> Turn:
        agent = turn.agent
        if agent is not UNSET:
            agent = replace(agent, arguments=tuple(map(self.json, agent.arguments)))
        return replace(
            turn,
            user=self.name(turn.user),
            message=self.text(turn.message),
            draft=self.text(turn.draft),
            calls=tuple(map(self._call, turn.calls)),
            agent=agent,
        )

    def _call(self, call: Call) -> Call:
        return replace(
            call,
            data_json=self.json(call.data_json),
            error=self.text(call.error),
            summary=self.text(call.summary),
        )

    def _message(self, message: Message) -> Message:
        content = message.content
        shown = self.json(content) if isinstance(content, str) else tuple(map(self._part, content))
        calls = message.tool_calls
        if calls is not UNSET:
            calls = tuple(map(self._asked, calls))
        return replace(message, content=shown, tool_calls=calls)

    def _asked(self, call: ToolCall) -> ToolCall:
        return replace(call, arguments=self.json(call.arguments))

    def _part(self, part: Part) -> Part:
        text = part.text if part.text is UNSET else self.text(part.text)
        held = part.json if part.json is UNSET else self.json(part.json)
        return replace(part, text=text, json=held)


def _digits(word: str, number: int) -> str:
    """Return as many digits, of which the first is no zero, so that a number stays one."""
    if not word.strip("0"):
        return word
    first, rest = number % 9 + 1, str(number // 9)
    return (str(first) + rest * (1 + len(word) // len(rest)))[: len(word)]
