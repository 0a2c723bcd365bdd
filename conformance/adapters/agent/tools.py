"""The tools of a scenario, by the Model Context Protocol and as plain HTTP."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ....fixtures.agent.offered import HINTS, OFFERED
from ....fixtures.agent.scripted import Ran
from .serving import Asked, Refused, Told

P = TypeVar("P", bound=msgspec.Struct)

Transport = str
"""``mcp``, ``mcp-sessions``, ``stdio`` or ``http``."""

_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_NAMES = frozenset(tool.name for tool in OFFERED)
_NO_SUCH_METHOD, _BAD_PARAMS, _BAD_REQUEST, _NO_JSON = -32601, -32602, -32600, -32700

_LIST = json.dumps(
    {
        "tools": [
            {
                "name": tool.name,
                "description": tool.description,
                "inputSchema": json.loads(tool.parameters),
                "annotations": HINTS[tool.name],
            }
            for tool in OFFERED
        ]
    }
).encode("ascii")

MCP_PATHS: dict[str, Transport] = {
    "/mcp": "mcp",
    "/mcp-sessions": "mcp-sessions",
    "/mcp-stdio": "stdio",
}
"""Where the protocol is served, and the transport that each path stands for."""

PLAIN_PATH = "/tools"
"""Where the tools are plain HTTP: ``POST /tools/NAME`` with the arguments as body."""


class _Call(msgspec.Struct):
    name: str
    arguments: Raw | UnsetType = UNSET


class _Begin(msgspec.Struct):
    protocolVersion: object = ""  # noqa: N815 - as the protocol writes it


class _Rpc(msgspec.Struct):
    method: str | UnsetType = UNSET
    id: Raw | UnsetType = UNSET
    params: Raw | UnsetType = UNSET


class _Failed(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Tools:
    """Serves the tools; each call goes to ``run``, which says what it returns.

    Args:
        run: takes a tool's name, the text of its arguments and the transport.
    """

    def __init__(self, run: Callable[[str, str, Transport], Ran]) -> None:
        self._run = run
        self._sessions: set[str] = set()

    def serve(self, asked: Asked) -> Told | None:
        """Return the answer to a request; ``None`` if its path is none of ours."""
        path = asked.path.rstrip("/")
        if path in MCP_PATHS:
            return self._mcp(asked, MCP_PATHS[path])
        if path == PLAIN_PATH:
            return Told(body=_LIST)
        if path.startswith(f"{PLAIN_PATH}/"):
            return self._plain(asked, path.removeprefix(f"{PLAIN_PATH}/"))
        return None

    def _plain(self, asked: Asked, name: str) -> Told:
        if name not in _NAMES:
            raise Refused(404, f"there is no tool {name!r}; GET {PLAIN_PATH} lists them")
        if asked.method != "POST":
            raise Refused(405, f"{asked.method}: a tool is called by POST")
        text = _text(asked.body) or "{}"
        if why := _misfit(text):
            raise Refused(400, why, rightly=True)
        ran = self._run(name, text, "http")
        if ran.is_error:
            return Told(400, _json({"error": ran.text}))
        return Told(body=ran.text.encode("utf-8", "surrogatepass"))

    def _mcp(self, asked: Asked, transport: Transport) -> Told:
        if asked.method == "DELETE":
            self._sessions.discard(asked.headers.get("mcp-session-id", ""))
            return Told(204)
        if asked.method != "POST":
            return Told(405, headers={"Allow": "POST, DELETE"})
        try:
            many = asked.body.lstrip()[:1] == b"["
            kind = list[_Rpc] if many else _Rpc
            read: list[_Rpc] | _Rpc = msgspec.json.decode(asked.body, type=kind)
        except (msgspec.DecodeError, RecursionError) as error:
            return Told(400, _error(b"null", _NO_JSON, str(error)))
        messages = read if isinstance(read, list) else [read]
        headers = self._session(asked, messages) if transport == "mcp-sessions" else {}
        if headers is None:
            return Told(404, _error(b"null", _BAD_REQUEST, "no such session: initialize first"))
        answers = [told for each in messages if (told := self._answer(each, transport))]
        if not answers:
            return Told(202, headers=headers)
        body = b"[" + b",".join(answers) + b"]" if many else answers[0]
        return Told(body=body, headers=headers)

    def _session(self, asked: Asked, messages: list[_Rpc]) -> dict[str, str] | None:
        if any(each.method == "initialize" for each in messages):
            session = secrets.token_hex(16)
            self._sessions.add(session)
            return {"Mcp-Session-Id": session}
        return {} if asked.headers.get("mcp-session-id") in self._sessions else None

    def _answer(self, message: _Rpc, transport: Transport) -> bytes | None:
        if message.id is UNSET or message.method is UNSET:
            return None  # a notification, or an answer to nothing that we asked
        number = bytes(message.id)
        try:
            result = self._result(message.method, message.params, transport)
        except _Failed as failed:
            return _error(number, failed.code, str(failed))
        return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (number, result)

    def _result(self, method: str, params: Raw | UnsetType, transport: Transport) -> bytes:
        if method == "tools/call":
            return self._called(_params(params, _Call), transport)
        if method == "tools/list":
            return _LIST
        if method == "initialize":
            return _initialized(_params(params, _Begin).protocolVersion)
        if method == "ping":
            return b"{}"
        raise _Failed(_NO_SUCH_METHOD, f"method not found: {method:.80}")

    def _called(self, call: _Call, transport: Transport) -> bytes:
        if call.name not in _NAMES:
            raise _Failed(_BAD_PARAMS, f"Unknown tool: {call.name:.80}")
        given = "{}" if call.arguments is UNSET else _text(bytes(call.arguments))
        given = "{}" if given == "null" else given
        if why := _misfit(given):
            raise _Failed(_BAD_PARAMS, why)
        ran = self._run(call.name, given, transport)
        content = [{"type": "text", "text": ran.text}]
        return _json({"content": content, "isError": ran.is_error})


def _misfit(text: str) -> str:
    """Return why a text is no JSON object, which arguments are; empty if it is one."""
    if not text.lstrip().startswith("{"):
        return "the arguments are no JSON object"
    try:
        msgspec.json.decode(text.encode("utf-8", "replace"), type=Raw)
    except msgspec.DecodeError as error:
        return f"the arguments are no JSON: {error}"
    return ""


def _params(params: Raw | UnsetType, kind: type[P]) -> P:
    try:
        return msgspec.json.decode(b"{}" if params is UNSET else params, type=kind)
    except msgspec.DecodeError as error:
        raise _Failed(_BAD_PARAMS, str(error)) from None


def _initialized(version: object) -> bytes:
    return _json(
        {
            "protocolVersion": version if version in _VERSIONS else _VERSIONS[0],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "fedcheck", "version": "1"},
        }
    )


def _error(number: bytes, code: int, message: str) -> bytes:
    error = _json({"code": code, "message": message})
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (number, error)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace")
