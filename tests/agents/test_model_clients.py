"""The model endpoint, asked by the providers' official clients in Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from fedcheck.conformance.adapters.agent.endpoint import Endpoint
from fedcheck.invariants.vocabulary.scenario import AgentTurn, Call, ModelFault, Turn
from fedcheck.invariants.vocabulary.trace import ModelRequest

openai = pytest.importorskip("openai", reason="pip install openai")
anthropic = pytest.importorskip("anthropic", reason="pip install anthropic")

DRAFT = "Dóne: \U0001f389 and so on."
CALLS = (Call(), Call(app="beta", function="list_items"))
REFUSALS = (ModelFault(kind="rate_limit"), ModelFault(kind="server_error"))
CUT = (ModelFault(kind="cut_stream"),)
SCHEMA = {"type": "object", "properties": {"ref": {"type": "string"}}}
NAMES = ("alpha_read_items", "beta_list_items")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    """Return an endpoint; the turns of the tests have numbers of their own."""
    served = Endpoint()
    yield served
    served.close()
    assert [] == served.faults


_number = iter(range(1, 10_000))


def _begun(endpoint: Endpoint, *, calls: tuple[Call, ...] = CALLS, **agent: Any) -> str:
    endpoint.take()
    turn = Turn(message="hello", calls=calls, draft=DRAFT, agent=AgentTurn(**agent))
    return endpoint.script.begin(next(_number), turn)


def _seen(endpoint: Endpoint) -> list[ModelRequest]:
    return [s.event for s in endpoint.take() if isinstance(s.event, ModelRequest)]


def _told(requests: list[ModelRequest]) -> list[tuple[int, int, str]]:
    return [(request.number, request.attempt, request.answered) for request in requests]


class Chat:
    """A conversation by Chat Completions."""

    wire = "chat_completions"

    def __init__(self, endpoint: Endpoint) -> None:
        self.client = openai.OpenAI(base_url=f"{endpoint.url}/v1", api_key="x")
        self.messages: list[Any] = []

    def user(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def ask(self, *, stream: bool) -> tuple[str, list[tuple[str, str, str]], str]:
        """Return text, calls as (id, name, arguments), and why it ends."""
        function = [
            {"type": "function", "function": {"name": n, "parameters": SCHEMA}} for n in NAMES
        ]
        asked = {"model": "any", "messages": self.messages, "tools": function}
        if stream:
            usage = {"include_usage": True}
            with self.client.chat.completions.stream(**asked, stream_options=usage) as events:
                done = self._final(events)
        else:
            done = self.client.chat.completions.create(**asked)
        message = done.choices[0].message
        self.messages.append(json.loads(message.model_dump_json(exclude_none=True)))
        calls = [(c.id, c.function.name, c.function.arguments) for c in message.tool_calls or ()]
        assert done.usage.total_tokens > 0
        return message.content or "", calls, done.choices[0].finish_reason

    @staticmethod
    def _final(events: Any) -> Any:
        try:
            return events.get_final_completion()
        except openai.LengthFinishReasonError as error:
            return error.completion

    def result(self, call: str, text: str) -> None:
        self.messages.append({"role": "tool", "tool_call_id": call, "content": text})


class Responses(Chat):
    """A conversation by Responses, whose server keeps what was said."""

    wire = "responses"
    previous = openai.NOT_GIVEN

    def ask(self, *, stream: bool) -> tuple[str, list[tuple[str, str, str]], str]:
        tools = [{"type": "function", "name": n, "parameters": SCHEMA} for n in NAMES]
        asked = {
            "model": "any",
            "input": self.messages,
            "tools": tools,
            "previous_response_id": self.previous,
        }
        if stream:
            with self.client.responses.stream(**asked) as events:
                numbers, done = [], None
                for event in events:
                    numbers.append(event.sequence_number)
                    done = getattr(event, "response", done)
            assert list(range(len(numbers))) == numbers
        else:
            done = self.client.responses.create(**asked)
        assert done is not None
        self.previous, self.messages = done.id, []
        calls = [(o.call_id, o.name, o.arguments) for o in done.output if o.type == "function_call"]
        assert done.usage.total_tokens > 0
        cut = done.incomplete_details and done.incomplete_details.reason
        return done.output_text, calls, cut or done.status

    def result(self, call: str, text: str) -> None:
        self.messages.append({"type": "function_call_output", "call_id": call, "output": text})


class Messages(Chat):
    """A conversation by Anthropic's Messages."""

    wire = "messages"

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self.anthropic = anthropic.Anthropic(base_url=endpoint.url, api_key="x")

    def ask(self, *, stream: bool) -> tuple[str, list[tuple[str, str, str]], str]:
        tools = [{"name": n, "input_schema": SCHEMA} for n in NAMES]
        asked = {"model": "any", "max_tokens": 99, "messages": self.messages, "tools": tools}
        if stream:
            with self.anthropic.messages.stream(**asked) as events:
                done = events.get_final_message()
        else:
            done = self.anthropic.messages.create(**asked)
        blocks = [block.model_dump(exclude_none=True) for block in done.content]
        self.messages.append({"role": "assistant", "content": blocks})
        calls = [
            (b["id"], b["name"], json.dumps(b["input"], separators=(",", ":")))
            for b in blocks
            if b["type"] == "tool_use"
        ]
        assert done.usage.output_tokens > 0
        text = "".join(b["text"] for b in blocks if b["type"] == "text")
        return text, calls, done.stop_reason

    def result(self, call: str, text: str) -> None:
        block = {"type": "tool_result", "tool_use_id": call, "content": text}
        if self.messages[-1]["role"] == "user":
            self.messages[-1]["content"].append(block)
        else:
            self.messages.append({"role": "user", "content": [block]})


WIRES = pytest.mark.parametrize("wire", [Chat, Responses, Messages], ids=lambda w: w.wire)
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])


@WIRES
@STREAMED
def test_a_turn(endpoint: Endpoint, wire: type[Chat], stream: bool) -> None:
    """Calls side by side, then the text; the requests are read with ids, results and tools."""
    talk = wire(endpoint)
    talk.user(_begun(endpoint))

    text, calls, _ = talk.ask(stream=stream)
    for index, (identity, _, _) in enumerate(calls):
        talk.result(identity, f"[{index}]")
    said, none, why = talk.ask(stream=stream)
    first, last = _seen(endpoint)

    assert "" == text
    assert list(NAMES) == [name for _, name, _ in calls]
    assert ["ref", "ref"] == [next(iter(json.loads(a))) for _, _, a in calls]
    assert (DRAFT, []) == (said, none)
    assert why in ("stop", "completed", "end_turn")
    assert {(wire.wire, stream)} == {(r.wire, r.stream) for r in (first, last)}
    assert list(NAMES) == [tool.name for tool in first.tools or ()]
    assert SCHEMA == json.loads((first.tools or ())[0].parameters)
    user, asked, *results = last.prompt
    assert "user" == user.role  # type: ignore[union-attr]
    assert calls == [(c.id, c.name, c.arguments) for c in asked.asks_for]  # type: ignore[union-attr]
    assert [(calls[0][0], "[0]"), (calls[1][0], "[1]")] == [
        (m.tool_call_id, m.content_text)  # type: ignore[union-attr]
        for m in results
    ]
    assert {"tool"} == {m.role for m in results}  # type: ignore[union-attr]


@WIRES
@STREAMED
def test_refusals_are_tried_again(endpoint: Endpoint, wire: type[Chat], stream: bool) -> None:
    """At once, as the same request."""
    talk = wire(endpoint)
    talk.user(_begun(endpoint, calls=(), faults=REFUSALS))

    assert DRAFT == talk.ask(stream=stream)[0]
    assert [(0, 0, "rate_limit"), (0, 1, "server_error"), (0, 2, "text")] == _told(_seen(endpoint))


@WIRES
def test_a_cut_stream(endpoint: Endpoint, wire: type[Chat]) -> None:
    """It breaks off in the middle, which no client takes for the end."""
    talk = wire(endpoint)
    talk.user(_begun(endpoint, calls=(), faults=CUT))

    with pytest.raises(Exception, match=r"(?i)connection|incomplete|peer|protocol"):
        talk.ask(stream=True)
    assert "cut_stream" == _seen(endpoint)[0].answered


@WIRES
@STREAMED
def test_cut_arguments(endpoint: Endpoint, wire: type[Chat], stream: bool) -> None:
    """They end in the middle, and the answer says that it was cut."""
    talk = wire(endpoint)
    talk.user(_begun(endpoint, calls=CALLS[:1], arguments=('{"amount":1000}',), cut=(0,)))

    _, ((_, _, arguments),), why = talk.ask(stream=stream)

    assert why in ("length", "max_output_tokens", "max_tokens")
    if wire is not Messages:  # whose client, and whose plain format, have no text of arguments
        assert '{"amount":10' == arguments


def test_items_that_are_referred_to(endpoint: Endpoint) -> None:
    """Stand where the reference does."""
    client = openai.OpenAI(base_url=f"{endpoint.url}/v1", api_key="x")
    user = {"role": "user", "content": _begun(endpoint)}
    tools = [{"type": "function", "name": NAMES[0], "parameters": SCHEMA}]
    first = client.responses.create(model="any", input=[user], tools=tools)
    referred = [{"type": "item_reference", "id": item.id} for item in first.output]
    results = [
        {"type": "function_call_output", "call_id": item.call_id, "output": "1"}
        for item in first.output
    ]
    last = client.responses.create(
        model="any", instructions="be kind", input=[user, *referred, *results], tools=tools
    )

    assert DRAFT == last.output_text
    roles = [message.role for message in _seen(endpoint)[-1].prompt]  # type: ignore[union-attr]
    assert ["system", "user", "assistant", "tool", "tool"] == roles
    with pytest.raises(openai.BadRequestError, match="no item"):
        client.responses.create(model="any", input=[{"type": "item_reference", "id": "x"}])
    with pytest.raises(openai.BadRequestError, match="no response"):
        client.responses.create(model="any", input="x", previous_response_id="y")


def test_models_and_tokens(endpoint: Endpoint) -> None:
    """Both providers' lists, any model, and the number of tokens."""
    ours = openai.OpenAI(base_url=f"{endpoint.url}/v1", api_key="x")
    theirs = anthropic.Anthropic(base_url=endpoint.url, api_key="x")
    hello = [{"role": "user", "content": "hello"}]

    assert ["fedcheck-1"] == [model.id for model in ours.models.list()]
    assert ["fedcheck-1"] == [model.id for model in theirs.models.list()]
    assert "gpt-any" == ours.models.retrieve("gpt-any").id
    assert 0 < theirs.messages.count_tokens(model="any", messages=hello).input_tokens


def test_errors_are_the_providers_own(endpoint: Endpoint) -> None:
    """Each client knows what went wrong."""
    ours = openai.OpenAI(base_url=f"{endpoint.url}/v1", api_key="x")
    theirs = anthropic.Anthropic(base_url=endpoint.url, api_key="x")

    with pytest.raises(openai.NotFoundError, match="embeddings is not served"):
        ours.embeddings.create(model="any", input="x")
    with pytest.raises(openai.BadRequestError, match="expected a list"):
        ours.chat.completions.create(model="any", messages="x")  # type: ignore[arg-type]
    with pytest.raises(anthropic.BadRequestError, match=r"messages\[0\]: expected an object"):
        theirs.messages.create(model="any", max_tokens=1, messages=["x"])  # type: ignore[list-item]


def test_results_marked_as_errors(endpoint: Endpoint) -> None:
    """Where the provider has such a mark, it is kept."""
    talk = Messages(endpoint)
    talk.user(_begun(endpoint, calls=CALLS[:1]))
    _, ((identity, _, _),), _ = talk.ask(stream=False)
    block = {"type": "tool_result", "tool_use_id": identity, "content": "no", "is_error": True}
    talk.messages.append({"role": "user", "content": [block, {"type": "text", "text": "well"}]})
    talk.ask(stream=False)

    *_, result, user = _seen(endpoint)[-1].prompt
    assert ("tool", True, "no") == (result.role, result.is_error, result.content_text)  # type: ignore[union-attr]
    assert ("user", "well") == (user.role, user.content)  # type: ignore[union-attr]
