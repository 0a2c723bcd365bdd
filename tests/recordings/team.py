"""What a team makes of docs/recording.md: the guide's own code, with an agent and a kernel in it.

A program: it is started in a folder that holds the code as `guide.py`, with the name of what to
do, and exports to the address in `OTEL_EXPORTER_OTLP_ENDPOINT` beside the guide's own file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from fedcheck.invariants.vocabulary.codec import decode
from fedcheck.invariants.vocabulary.trace import Given, Trace

_MAILS: dict[str, Any] = {
    "7": {"total": 2, "items": [{"code": "KX-4471-Z"}, {"code": "QT-9082-B"}]},
    "8": {"total": 1, "items": [{"code": "RV-5530-M"}]},
}


def agent(guide: Any, fault: str) -> None:
    """Two users ask an agent for their mails, three times each."""
    for user, session in (("7", "a"), ("8", "b")):
        own = _MAILS[user]
        known = " Known: KX-4471-Z." if fault == "another user's value" and user == "8" else ""
        messages = [_text("system", f"You read mails.{known}")]
        for number in range(3):
            asked = {"type": "tool_call", "id": f"{session}-{number}", "name": "read_mail"}
            answers = iter(
                (
                    {"role": "assistant", "parts": [asked | {"arguments": {"limit": 9}}]},
                    _text("assistant", f"There are {own['total']}."),
                )
            )

            def model(_messages: Any, answers: Iterator[Any] = answers) -> Any:
                return next(answers)

            def read_mail(limit: int, own: Any = own) -> Any:
                return own if limit else {}

            whose = {"session": session, "user": user}
            messages.append(_text("user", f"What is new, {number}?"))
            messages.append(guide.chat(model, messages, **whose))
            result = guide.call(read_mail, {"limit": 9}, call_id=asked["id"], **whose)
            shown = json.dumps(result | {"total": 5} if fault == "a wrong count" else result)
            response = {"type": "tool_call_response", "id": asked["id"], "response": shown}
            messages.append({"role": "tool", "parts": [response]})
            messages.append(guide.chat(model, messages, **whose))


def _text(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def kernel(guide: Any, traces: str) -> None:
    """A kernel does again what fedcheck once saw it do."""
    claimed = guide.KERNEL["capabilities"]
    for number, line in enumerate(Path(traces).read_text(encoding="ascii").splitlines()):
        trace = decode(line, Trace, traces)
        guide.KERNEL = msgspec.to_builtins(trace.kernel) | {"capabilities": claimed}
        guide.ENVIRONMENT = msgspec.to_builtins(trace.environment)
        guide.trace_of = lambda _stimulus, number=number: str(number)
        for given in trace.events:
            if isinstance(given, Given):
                events = [x for x in trace.events if x.step == given.step and x is not given]
                _step(guide, given, [msgspec.to_builtins(each) for each in events])


def _step(guide: Any, given: Given, events: list[dict[str, Any]]) -> None:
    asked = msgspec.to_builtins(given.stimulus)
    whose = {"user": given.user, "session": given.session}
    own = _Again(asked, events)
    if asked["step"] == "turn":
        guide.turn(own, asked["message"], **whose)
    elif asked["step"] == "cache_set":
        value, ttl = json.loads(asked["value_json"]), asked["ttl_seconds"]
        guide.cache_set(own, asked["key"], value, ttl, app=asked["app"], **whose)
    elif asked["step"] == "cache_get":
        guide.cache_get(own, asked["key"], app=asked["app"], **whose)
    elif asked["step"] == "skeleton_refresh":
        guide.refresh(own, app=asked["app"], section=asked["section"], **whose)
    elif asked["step"] == "store_set":
        value = json.loads(asked["value_json"])
        guide.store_set(own, asked["key"], value, app=asked["app"], **whose)
    elif asked.get("path") == "store.get" and events[0]["outcome"] == "value":
        (key,) = json.loads(asked["args_json"])
        guide.store_get(own, key, app=asked["app"], handler=asked["handler"], **whose)
    else:
        with guide.step(asked):
            for told in events:
                fields = {key: x for key, x in told.items() if key not in ("event", "step")}
                guide.tell(told["event"], **fields)


class _Again:
    """The kernel in one step, as the guide's code asks it."""

    def __init__(self, asked: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._asked = asked
        self._events = events
        self._calls = enumerate(asked.get("calls", ()))

    def _next(self, tag: str) -> dict[str, Any]:
        found = next(x for x in self._events if x["event"] == tag)
        self._events.remove(found)
        return found

    def _prompt(self, tag: str) -> Any:
        return self._next(tag)["prompt"]

    def classifier_prompt(self, _asked: Any) -> Any:
        return self._prompt("classifier_prompt")

    def planned(self, _prompt: Any) -> list[tuple[str, str]]:
        return [(call["app"], call["function"]) for call in self._asked["calls"]]

    def run(self, _app: str, _function: str) -> Any:
        number, call = next(self._calls)
        return SimpleNamespace(**call, number=number, data=json.loads(call["data_json"]))

    def digests(self, _app: str, _function: str, result: Any) -> list[dict[str, str]]:
        own = [x for x in self._events if x["event"] == "digest" and x["call"] == result.number]
        return [{name: x[name] for name in ("app_id", "fn_name", "data_facts_json")} for x in own]

    def narrator_prompt(self, _asked: Any) -> Any:
        return self._prompt("narrator_prompt")

    def draft(self, _prompt: Any) -> str:
        return self._asked["draft"]

    def guarded(self, _draft: str) -> str:
        return self._next("reply")["text"]

    def cache_set(self, *_told: Any) -> bool:
        return self._next("cache_outcome")["outcome"] == "accepted"

    def cache_get(self, *_told: Any) -> Any:
        found = self._next("cache_outcome")
        return json.loads(found["value_json"]) if found["outcome"] == "hit" else None

    def returned(self, *_told: Any) -> Any:
        (own,) = (each for each in self._events if each["event"] == "skeleton_stored")
        return json.loads(own["returned_json"])

    def stored(self, *_told: Any) -> Any:
        return json.loads(self._next("skeleton_stored")["value_json"])

    def store_set(self, *_told: Any) -> bool:
        return self._next("store_outcome")["outcome"] == "accepted"

    def store_get(self, *_told: Any) -> Any:
        return json.loads(self._next("probe_outcome")["value_json"])

    def alerts(self, *_told: Any) -> list[str]:
        return [each["text"] for each in self._events if each["event"] == "alert_raised"]


if __name__ == "__main__":
    sys.path.insert(0, ".")
    guide = import_module("guide")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    guide.provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    {"agent": agent, "kernel": kernel}[sys.argv[1]](guide, sys.argv[2])
    guide.provider.shutdown()
