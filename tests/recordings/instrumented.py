"""An instrumentation of an agent in this process, as public ones are: it wraps model and tools.

It sees what the agent sends and is sent, and nothing of what the scenario says beside that.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from msgspec import UNSET

from fedcheck.fixtures.agent.agent import Events, ReferenceAgent
from fedcheck.fixtures.agent.scripted import Answer, Ran, Request, Script
from fedcheck.invariants.vocabulary.messages import Message
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn

_BEGIN = 1_778_865_664 * 10**9


@dataclass
class _Told:
    """What one turn was heard of: its trace, and whose it is."""

    trace: str
    root: str
    user: str
    session: str
    service: str


@dataclass
class Convention:
    """How an instrumentation names what it heard; this one as the GenAI conventions do today."""

    name: ClassVar[str] = "genai"

    def turn(self, told: _Told) -> dict[str, Any]:
        """Attributes of the span of a turn."""
        return {"gen_ai.operation.name": "invoke_agent", **self.whose(told)}

    def whose(self, told: _Told) -> dict[str, Any]:
        """Attributes that name session and user."""
        return {"gen_ai.conversation.id": told.session, "user.id": told.user}

    def request(self, request: Request, answer: Answer) -> dict[str, Any]:
        """Attributes of the span of a request to the model."""
        return {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": json.dumps(list(map(self._message, request.messages))),
            **(
                {"gen_ai.output.messages": json.dumps([self._output(answer)])}
                if answer.answered in ("calls", "text")
                else {}
            ),
        }

    def _output(self, answer: Answer) -> dict[str, Any]:
        return self._message(said(answer)) | {"finish_reason": finish_reason(answer)}

    def _message(self, message: Message) -> dict[str, Any]:
        if message.tool_call_id is not UNSET:
            response = {"type": "tool_call_response", "id": message.tool_call_id}
            parts = [response | {"response": message.content_text}]
        else:
            parts = [{"type": "text", "content": message.content_text}] if message.content else []
        parts += [
            {"type": "tool_call", "id": x.id, "name": x.name, "arguments": x.arguments}
            for x in message.asks_for
        ]
        return {"role": message.role, "parts": parts}

    def tool(self, name: str, call: str, arguments: str, ran: Ran) -> dict[str, Any]:
        """Attributes of the span of a tool."""
        told = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.id": call,
            "gen_ai.tool.call.arguments": arguments,
        }
        return told if ran.is_error else told | {"gen_ai.tool.call.result": ran.text}


class OpenInference(Convention):
    """As OpenInference names it: messages as flat attributes, all of them the request's own."""

    name = "openinference"

    def turn(self, told: _Told) -> dict[str, Any]:
        return {"openinference.span.kind": "AGENT", **self.whose(told)}

    def whose(self, told: _Told) -> dict[str, Any]:
        return {"session.id": told.session, "user.id": told.user}

    def request(self, request: Request, answer: Answer) -> dict[str, Any]:
        found: dict[str, Any] = {
            "openinference.span.kind": "LLM",
            "input.value": json.dumps({"messages": list(map(self._message, request.messages))}),
        }
        for number, message in enumerate(request.messages):
            found |= _flat(f"llm.input_messages.{number}.message.", message)
        if answer.answered in ("calls", "text"):
            found |= _flat("llm.output_messages.0.message.", said(answer))
            found["llm.finish_reason"] = finish_reason(answer)
        return found

    def tool(self, name: str, call: str, arguments: str, ran: Ran) -> dict[str, Any]:
        return {
            "openinference.span.kind": "TOOL",
            "tool.name": name,
            "tool_call.id": call,
            "input.value": arguments,
            **({} if ran.is_error else {"output.value": ran.text}),
        }


class Traceloop(Convention):
    """As OpenLLMetry named it before it took the names of the GenAI conventions."""

    name = "traceloop"

    def turn(self, told: _Told) -> dict[str, Any]:
        return {"traceloop.span.kind": "workflow", **self.whose(told)}

    def whose(self, told: _Told) -> dict[str, Any]:
        prefix = "traceloop.association.properties."
        return {f"{prefix}session_id": told.session, f"{prefix}user_id": told.user}

    def request(self, request: Request, answer: Answer) -> dict[str, Any]:
        found: dict[str, Any] = {"gen_ai.system": "openai"}
        for number, message in enumerate(request.messages):
            found |= _numbered(f"gen_ai.prompt.{number}.", message)
        if answer.answered in ("calls", "text"):
            found |= _numbered("gen_ai.completion.0.", said(answer))
            found["gen_ai.completion.0.finish_reason"] = finish_reason(answer)
        return found

    def tool(self, name: str, call: str, arguments: str, ran: Ran) -> dict[str, Any]:
        return {
            "traceloop.span.kind": "tool",
            "traceloop.entity.name": name,
            "gen_ai.tool.call.id": call,
            "gen_ai.tool.call.arguments": arguments,
            "traceloop.entity.output": json.dumps({"output": _langchain(name, call, ran)}),
        }


def _langchain(name: str, call: str, ran: Ran) -> dict[str, Any]:
    """The message of a tool as LangChain writes it; a callback is told nothing else."""
    told = {"content": ran.text, "type": "tool", "name": name, "tool_call_id": call}
    kept = told | {"status": "error" if ran.is_error else "success"}
    identity = ["langchain", "schema", "messages", "ToolMessage"]
    return {"lc": 1, "type": "constructor", "id": identity, "kwargs": kept}


CONVENTIONS: tuple[Convention, ...] = (Convention(), OpenInference(), Traceloop())


def finish_reason(answer: Answer) -> str:
    """Why the model ended its answer, as OpenAI's interface says it."""
    return "length" if answer.cut else "tool_calls" if answer.calls else "stop"


def said(answer: Answer) -> Message:
    """The message of the model, as it answered."""
    from fedcheck.invariants.vocabulary.messages import ToolCall

    calls = tuple(ToolCall(id=x.id, name=x.name, arguments=x.arguments) for x in answer.calls)
    return Message(role="assistant", content=answer.text, tool_calls=calls or UNSET)


def _flat(prefix: str, message: Message) -> dict[str, Any]:
    found: dict[str, Any] = {f"{prefix}role": message.role}
    if message.content or not message.asks_for:
        found[f"{prefix}content"] = message.content_text
    if message.tool_call_id is not UNSET:
        found[f"{prefix}tool_call_id"] = message.tool_call_id
    for number, call in enumerate(message.asks_for):
        inner = f"{prefix}tool_calls.{number}.tool_call."
        found[f"{inner}id"] = call.id
        found[f"{inner}function.name"] = call.name
        found[f"{inner}function.arguments"] = call.arguments
    return found


def _numbered(prefix: str, message: Message) -> dict[str, Any]:
    found: dict[str, Any] = {f"{prefix}role": message.role}
    if message.content or not message.asks_for:
        found[f"{prefix}content"] = message.content_text
    if message.tool_call_id is not UNSET:
        found[f"{prefix}tool_call_id"] = message.tool_call_id
    for number, call in enumerate(message.asks_for):
        inner = f"{prefix}tool_calls.{number}."
        found |= {f"{inner}id": call.id, f"{inner}name": call.name}
        found[f"{inner}arguments"] = call.arguments
    return found


@dataclass
class Instrumented:
    """Runs an agent and writes spans of what its model and its tools were asked.

    Attributes:
        convention: how it names what it hears.
        lines: OTLP as JSON, a span on each.
    """

    convention: Convention
    lines: list[str] = field(default_factory=list[str])
    _traces: int = 0
    _spans: int = 0
    _services: int = 0

    def run(self, agent: ReferenceAgent, scenario: Scenario) -> None:
        """Run a scenario, as a service of its own: what others hold is not compared with it."""
        self._services += 1
        heard = _Heard(self, agent)
        agent.script = heard
        agent.turn = heard.turn  # type: ignore[method-assign]
        agent.result = heard.result  # type: ignore[method-assign]
        agent.run(scenario)

    def begin(self, user: str, session: str) -> _Told:
        """Begin a trace; its root is written at once."""
        self._traces += 1
        told = _Told(f"{self._traces:032x}", "", user, session, f"agent-{self._services}")
        told.root = self.write(told, "invoke_agent", self.convention.turn(told))
        return told

    def write(
        self, told: _Told, name: str, attributes: dict[str, Any], error: str | None = None
    ) -> str:
        """Write a span of a trace; return its id."""
        self._spans += 1
        span: dict[str, Any] = {
            "traceId": told.trace,
            "spanId": f"{self._spans:016x}",
            "parentSpanId": told.root,
            "name": name,
            "startTimeUnixNano": str(start := _BEGIN + self._spans * 10**6),
            "endTimeUnixNano": str(start + 10**5),
            "attributes": [
                {"key": key, "value": {"stringValue": str(value)}}
                for key, value in attributes.items()
            ],
        }
        if error is not None:
            span["status"] = {"code": 2, "message": error}
        resource = {"attributes": [{"key": "service.name", "value": {"stringValue": told.service}}]}
        group = {"resource": resource, "scopeSpans": [{"spans": [span]}]}
        self.lines.append(json.dumps({"resourceSpans": [group]}))
        return cast("str", span["spanId"])


class _Heard(Script):
    """The script of an agent, heard by an instrumentation, and the context of what runs."""

    def __init__(self, writer: Instrumented, agent: ReferenceAgent) -> None:
        super().__init__()
        self._writer = writer
        self._turn, self._result = agent.turn, agent.result
        self._told: _Told | None = None
        self._call = ""

    def turn(self, step: Turn, message: str, /) -> Events:
        """Run a turn in a context of its own."""
        told = self._writer.begin(step.user, step.session)
        inner = self._turn(step, message)
        while True:
            self._told = told
            event = next(inner, None)
            self._told = None
            if event is None:
                return
            yield event

    def result(self, asked: Any, answer: Answer, /) -> Generator[Any, None, list[Message]]:
        """Know for which of the model's calls a tool is run."""
        inner = self._result(asked, answer)
        while True:
            self._call = asked.id
            try:
                event = next(inner)
            except StopIteration as done:
                self._call = ""
                return cast("list[Message]", done.value)
            yield event

    def answer(self, request: Request) -> Answer | None:
        """Answer as the script says, and write the span."""
        answer = super().answer(request)
        if answer is not None and self._told is not None:
            failed = answer.answered if answer.answered not in ("calls", "text") else None
            self._writer.write(
                self._told, "chat", self._writer.convention.request(request, answer), failed
            )
        return answer

    def run(self, name: str, args_json: str) -> Ran:
        """Run a tool, and write the span."""
        ran = super().run(name, args_json)
        if self._told is not None:
            attributes = self._writer.convention.tool(name, self._call, args_json, ran)
            error = ran.text if ran.is_error else None
            self._writer.write(self._told, f"execute_tool {name}", attributes, error)
        return ran


def scenarios_of(names: Sequence[str], known: dict[str, Scenario]) -> list[Scenario]:
    """The scenarios of some names, each once, in order."""
    return [known[name] for name in dict.fromkeys(names)]
