"""The endpoint and what it is asked by those who mean it no good, and the tools by every way."""

from __future__ import annotations

import http.client
import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from fedcheck.conformance.adapters.agent import serving
from fedcheck.conformance.adapters.agent.endpoint import Endpoint
from fedcheck.fixtures.agent.offered import OFFERED
from fedcheck.fixtures.agent.scripted import Request
from fedcheck.invariants.vocabulary.messages import Message, Tool
from fedcheck.invariants.vocabulary.scenario import AgentTurn, Call, Turn
from fedcheck.invariants.vocabulary.trace import CallDispatched

PATIENT = 60.0
CALLS = (
    Call(data_json='{"a":[1.0,9007199254740993,"\\ud83d"]}'),
    Call(app="beta", function="list_items", status="error", error="n\u00f6"),
)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """Return an endpoint in whose only turn the model has asked for both calls."""
    served = Endpoint()
    message = served.script.begin(
        1, Turn(message="hi", calls=CALLS, agent=AgentTurn(arguments=('{"n":1e22}',)))
    )
    asked = Request((Message(role="user", content=message),), (Tool(name="any"),))
    assert served.script.answer(asked) is not None
    yield served
    served.close()
    assert [] == served.faults


def _asked(
    endpoint: Endpoint, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, Any, dict[str, str]]:
    port = int(endpoint.url.rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENT)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, names)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text) if text else None, dict(answer.headers)


def _rpc(method: str, params: object = None, number: object = 1) -> bytes:
    asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
    return json.dumps(asked).encode()


def _dispatched(endpoint: Endpoint) -> list[tuple[str, int | None, str]]:
    return [
        (seen.transport, seen.event.call, seen.event.args_json)
        for seen in endpoint.take()
        if isinstance(seen.event, CallDispatched)
    ]


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/v1/chat/completions", b"{", 400, "no JSON"),
        ("/v1/chat/completions", b"[" * 100_000, 400, "no JSON"),
        ("/v1/chat/completions", b"\xff", 400, "no JSON"),
        ("/v1/chat/completions", b"[]", 400, "expected an object"),
        ("/v1/chat/completions", b"{}", 400, "messages: missing"),
        ("/v1/chat/completions", b'{"messages": [1]}', 400, "expected an object"),
        ("/v1/responses", b"{}", 400, "input: missing"),
        ("/v1/messages", b"{}", 400, "messages: missing"),
        ("/messages", b'{"messages": 7}', 400, "expected a list"),
        ("/v1/nothing", b"{}", 404, "not served"),
        ("/tools/nothing", b"{}", 404, "no tool"),
    ],
)
def test_what_cannot_be_read(
    endpoint: Endpoint, path: str, body: bytes, status: int, words: str
) -> None:
    """Is refused in the provider's form, and kept."""
    got, answer, _ = _asked(endpoint, "POST", path, body)

    assert status == got
    assert words in answer["error"]["message"]
    assert 1 == len(endpoint.strays)
    assert ("error" if "messages" in path else None) == answer.get("type")


@pytest.mark.parametrize("arguments", [b"{", b"[1]", b'"{}"', b'{"a": 1'])
def test_arguments_that_are_no_object_run_nothing(endpoint: Endpoint, arguments: bytes) -> None:
    """They are refused, as any tool would; that is nobody's mistake in the wiring."""
    status, answer, _ = _asked(endpoint, "POST", "/tools/alpha_read_items", arguments)
    call = {"name": "alpha_read_items", "arguments": [1]}
    refused = _asked(endpoint, "POST", "/mcp", _rpc("tools/call", call))[1]

    assert 400 == status
    assert "the arguments are no JSON" in answer["error"]["message"]
    assert -32602 == refused["error"]["code"]
    assert ([], []) == (endpoint.strays, endpoint.take())


@pytest.mark.parametrize(
    "message",
    [
        {"role": 7, "content": {"x": 1}, "tool_calls": [{}], "tool_call_id": 5, "name": []},
        {"content": [1, {"type": "image_url"}, {"type": "text"}, None]},
        {"role": "assistant", "tool_calls": [{"function": {"arguments": {"a": 1}}}]},
    ],
)
@pytest.mark.parametrize("path", ["chat/completions", "messages", "responses"])
def test_strange_messages_are_kept_as_they_are(
    endpoint: Endpoint, message: dict[str, Any], path: str
) -> None:
    """Nothing that a message may hold is a mistake of ours."""
    body = {"messages": [message], "input": [message], "system": [{"text": 1}], "tools": [{}]}
    status, answer, _ = _asked(endpoint, "POST", f"/v1/{path}", json.dumps(body).encode())

    assert status in (200, 400)
    assert answer


def test_a_body_that_is_too_large(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused before it is read."""
    monkeypatch.setattr(serving, "MAX_BODY_BYTES", 10)

    assert 413 == _asked(endpoint, "POST", "/v1/messages", b" " * 11)[0]


@pytest.mark.parametrize(
    "said",
    [
        b"nonsense\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ],
)
def test_what_is_no_http(endpoint: Endpoint, said: bytes) -> None:
    """It gets an answer, and the connection ends."""
    port = int(endpoint.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENT) as connection:
        connection.sendall(said)
        got = connection.makefile("rb").read()

    assert b"error" in got


def test_a_body_in_chunks(endpoint: Endpoint) -> None:
    """As some clients send it."""
    port = int(endpoint.url.rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENT)
    pieces = iter([b'{"mess', b'ages":[]}'])
    connection.request("POST", "/v1/messages", pieces, encode_chunked=True)

    assert 200 == connection.getresponse().status
    connection.close()


def test_pages_of_other_hosts(endpoint: Endpoint) -> None:
    """A browser's page from elsewhere is not served."""
    assert 403 == _asked(endpoint, "POST", "/mcp", b"{}", Origin="http://evil.invalid")[0]
    assert 200 == _asked(endpoint, "GET", "/v1/models", Origin="http://localhost:3000")[0]


def test_retries_come_at_once(endpoint: Endpoint) -> None:
    """By the header that the official clients read."""
    fault = {"messages": [{"role": "user", "content": "hi [t2]"}]}
    from fedcheck.invariants.vocabulary.scenario import ModelFault

    agent = AgentTurn(faults=(ModelFault(kind="rate_limit"),))
    endpoint.script.begin(2, Turn(message="hi", agent=agent))
    status, _, headers = _asked(
        endpoint, "POST", "/v1/chat/completions", json.dumps(fault).encode()
    )

    assert (429, "1") == (status, headers["retry-after-ms"])


def test_tools_as_plain_http(endpoint: Endpoint) -> None:
    """A list, a result as it is, a failure with its text."""
    _, listed, _ = _asked(endpoint, "GET", "/tools")
    status, result, _ = _asked(
        endpoint, "POST", "/tools/alpha_read_items", b'{ "n":1e22,"ref":"t1c0"}'
    )
    failed, error, _ = _asked(endpoint, "POST", "/tools/beta_list_items", b'{"ref":"t1c1"}')

    assert [tool.name for tool in OFFERED] == [tool["name"] for tool in listed["tools"]]
    assert (200, json.loads(CALLS[0].data_json)) == (status, result)
    assert (400, {"error": "n\u00f6"}) == (failed, error)
    assert [("http", 0, '{ "n":1e22}'), ("http", 1, "{}")] == _dispatched(endpoint)


def _initialized(endpoint: Endpoint, path: str) -> dict[str, str]:
    status, answer, headers = _asked(
        endpoint, "POST", path, _rpc("initialize", {"protocolVersion": "2025-06-18"})
    )
    assert (200, "2025-06-18") == (status, answer["result"]["protocolVersion"])
    return {k: v for k, v in headers.items() if k == "Mcp-Session-Id"}


def test_tools_by_mcp(endpoint: Endpoint) -> None:
    """Without a session."""
    assert {} == _initialized(endpoint, "/mcp")
    call = {"name": "alpha_read_items", "arguments": {"n": 1.0, "ref": "t1c0"}}
    _, answer, _ = _asked(endpoint, "POST", "/mcp", _rpc("tools/call", call, "x"))
    failing = {"name": "beta_list_items", "arguments": {"ref": "t1c1"}}
    _, failed, _ = _asked(endpoint, "POST", "/mcp", _rpc("tools/call", failing))

    assert "x" == answer["id"]
    content = [{"type": "text", "text": CALLS[0].data_json}]
    assert {"content": content, "isError": False} == answer["result"]
    assert failed["result"]["isError"]
    assert [("mcp", 0, '{"n": 1.0}'), ("mcp", 1, "{}")] == _dispatched(endpoint)


def test_mcp_with_sessions(endpoint: Endpoint) -> None:
    """Without the id of one, or with one that has ended, nothing is served."""
    session = _initialized(endpoint, "/mcp-sessions")
    path, ping = "/mcp-sessions", _rpc("ping")
    headers = {"Mcp_Session_Id": session["Mcp-Session-Id"]}

    assert 404 == _asked(endpoint, "POST", path, ping)[0]
    assert 200 == _asked(endpoint, "POST", path, ping, **headers)[0]
    assert 204 == _asked(endpoint, "DELETE", path, **headers)[0]
    assert 404 == _asked(endpoint, "POST", path, ping, **headers)[0]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"7", 400, -32700),
        (_rpc("resources/list"), 200, -32601),
        (_rpc("tools/call", {"name": "nothing_of"}), 200, -32602),
        (_rpc("tools/call", {"arguments": {}}), 200, -32602),
        (_rpc("tools/call", [1]), 200, -32602),
    ],
)
def test_what_mcp_does_not_know(endpoint: Endpoint, body: bytes, status: int, code: int) -> None:
    """Each has the error that the protocol has for it."""
    got, answer, _ = _asked(endpoint, "POST", "/mcp", body)

    assert (status, code) == (got, answer["error"]["code"])


def test_mcp_notifications_and_batches(endpoint: Endpoint) -> None:
    """Notifications are accepted without an answer, several messages answered together."""
    note = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    batch = b"[" + _rpc("ping", None, 1) + b"," + note + b"," + _rpc("ping", None, 2) + b"]"

    assert (202, None) == _asked(endpoint, "POST", "/mcp", note)[:2]
    assert [1, 2] == [each["id"] for each in _asked(endpoint, "POST", "/mcp", batch)[1]]
    assert 405 == _asked(endpoint, "GET", "/mcp")[0]


def test_tools_on_standard_streams(endpoint: Endpoint) -> None:
    """A line in, a line out; notifications have none."""
    command = shlex.split(endpoint.environment()["FEDCHECK_TOOLS_STDIO"])
    call = {"name": "alpha_read_items", "arguments": {"ref": "t1c0"}}
    lines = [
        _rpc("initialize"),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b"",
        _rpc("tools/call", call, 2),
    ]
    done = subprocess.run(
        command, input=b"\n".join(lines) + b"\n", capture_output=True, check=True, timeout=PATIENT
    )

    first, last = map(json.loads, done.stdout.splitlines())
    assert (1, 2) == (first["id"], last["id"])
    assert CALLS[0].data_json == last["result"]["content"][0]["text"]
    assert ["stdio"] == [transport for transport, _, _ in _dispatched(endpoint)]


def test_the_official_client(endpoint: Endpoint) -> None:
    """It lists and calls by every way, failures included."""
    pytest.importorskip("mcp", reason="pip install mcp")
    import asyncio

    from mcp import ClientSession, StdioServerParameters
    from mcp.client import streamable_http
    from mcp.client.stdio import stdio_client

    names = ("streamable_http_client", "streamablehttp_client")  # the second is that of version 1
    by_http = next(f for name in names if (f := getattr(streamable_http, name, None)))
    variables = endpoint.environment()
    program, *arguments = shlex.split(variables["FEDCHECK_TOOLS_STDIO"])

    async def tried(way: Any) -> tuple[int, str, bool, bool]:
        async with way as streams, ClientSession(*streams[:2]) as session:
            await session.initialize()
            listed = await session.list_tools()
            good = (await session.call_tool("alpha_read_items", {"ref": "t1c0"})).model_dump()
            bad = (await session.call_tool("beta_list_items", {"ref": "t1c1"})).model_dump()
        errors = [x.get("is_error", x.get("isError")) for x in (good, bad)]
        return len(listed.tools), good["content"][0]["text"], *errors  # type: ignore[return-value]

    ways = [
        by_http(variables["FEDCHECK_TOOLS_MCP"]),
        by_http(variables["FEDCHECK_TOOLS_MCP_SESSIONS"]),
        stdio_client(StdioServerParameters(command=program, args=arguments)),
    ]
    for way in ways:
        told = asyncio.run(tried(way))
        assert (len(OFFERED), CALLS[0].data_json, False, True) == told
    transports = [transport for transport, _, _ in _dispatched(endpoint)]
    assert ["mcp", "mcp", "mcp-sessions", "mcp-sessions", "stdio", "stdio"] == transports


def test_the_command_that_serves_tools(endpoint: Endpoint) -> None:
    """``fedcheck tools`` does the same; without a run it says where it belongs."""
    command = [sys.executable, "-m", "fedcheck", "tools"]
    rest = {name: value for name, value in os.environ.items() if name != "FEDCHECK_TOOLS_MCP"}
    known = {**rest, "FEDCHECK_TOOLS_MCP": endpoint.environment()["FEDCHECK_TOOLS_MCP"]}
    ping = _rpc("ping") + b"\n"
    done = subprocess.run(
        command, input=ping, capture_output=True, check=True, timeout=PATIENT, env=known
    )
    lost = subprocess.run(
        command, input=ping, capture_output=True, check=False, timeout=PATIENT, env=rest
    )

    assert {"jsonrpc": "2.0", "id": 1, "result": {}} == json.loads(done.stdout)
    assert 2 == lost.returncode
    assert b"FEDCHECK_TOOLS_MCP is not set" in lost.stderr
