"""The model and the tools of a run, on loopback: what is asked is answered, and kept."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from ....fixtures.agent.scripted import Answer, Ran, Request, Script
from ....invariants.vocabulary.trace import CallDispatched, ModelRequest
from .anthropic_messages import AnthropicMessages
from .chat_completions import ChatCompletions, openai_error
from .responses import Responses
from .serving import Asked, LoopbackServer, Refused, Told
from .tools import Tools, Transport
from .wire_format import CREATED, MODEL, Malformed, Read, WireFormat, tokens_in

MAX_REQUESTS = 2000
"""Most requests to the model in one scenario; what comes beyond is refused, and told."""

MEETING_SECONDS = 1.0
"""How long the first requests of overlapping turns wait for each other."""

_STRAYS_KEPT = 20
_SLOW_SECONDS = 0.3
_RETRY_AT_ONCE = {"retry-after-ms": "1"}
_STATUS = {"rate_limit": 429, "server_error": 500}
_WHY = {429: "Rate limit reached, please try again.", 500: "The server had an error."}
_UNKNOWN_TURN = "I do not know what this is about."
_STDIO = Path(__file__).with_name("stdio_tools.py")


@dataclass(frozen=True)
class Seen:
    """Something that the agent did: a request to the model, or a call of a tool.

    Attributes:
        turn: number of the turn that it belongs to; ``None`` if that cannot be told.
        event: what it was, without step, user and session.
        raw: the body as it came.
        transport: how a tool was called.
    """

    turn: int | None
    event: ModelRequest | CallDispatched
    raw: bytes
    transport: Transport = ""


class Endpoint:
    """Serves the model and the tools from its making until it is closed.

    Attributes:
        script: what the model says and the tools return.
        strays: requests that were refused: wrong paths, bodies that cannot be read.
    """

    def __init__(self) -> None:
        self.script = Script()
        self.strays: list[str] = []
        self._seen: list[Seen] = []
        self._lock = threading.Lock()
        self._count = 0
        self._requests = 0
        self._meeting = _Meeting(())
        self._responses = Responses()
        self._formats: dict[str, WireFormat] = {
            "/chat/completions": ChatCompletions(),
            "/responses": self._responses,
            "/messages": AnthropicMessages(),
        }
        self._tools = Tools(self._run)
        self._server = LoopbackServer(self._answer, self._refusal)

    @property
    def url(self) -> str:
        """Where the server is, without a path."""
        return f"http://127.0.0.1:{self._server.port}"

    @property
    def faults(self) -> list[str]:
        """Mistakes of ours, each with the place where it was raised."""
        return self._server.faults

    def environment(self) -> dict[str, str]:
        """Return the variables that tell an agent where model and tools are."""
        address = urlsplit(self.url)
        stdio = [
            sys.executable,
            "-I",
            "-S",
            str(_STDIO),
            str(address.hostname),
            str(address.port),
            "/mcp-stdio",
        ]
        return {
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "OPENAI_API_BASE": f"{self.url}/v1",
            "OPENAI_API_KEY": "sk-fedcheck",
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": "sk-ant-fedcheck",
            "FEDCHECK_TOOLS_MCP": f"{self.url}/mcp",
            "FEDCHECK_TOOLS_MCP_SESSIONS": f"{self.url}/mcp-sessions",
            "FEDCHECK_TOOLS_HTTP": f"{self.url}/tools",
            "FEDCHECK_TOOLS_STDIO": shlex.join(stdio),
        }

    def take(self) -> list[Seen]:
        """Return what was seen since the last time, in order, and forget it."""
        with self._lock:
            seen, self._seen = self._seen, []
            self._requests = 0
        return seen

    def have_meet(self, turns: Iterable[int]) -> None:
        """Have the first requests of these turns wait for each other, for a moment."""
        self._meeting = _Meeting(turns)

    def close(self) -> None:
        """Stop serving. May be called twice."""
        self._meeting.over()
        self._server.close()

    def _answer(self, asked: Asked) -> Told:
        try:
            return self._answered(asked)
        except Refused as refused:
            if asked.method == "POST":  # others only look around
                self.strays.append(f"{asked.path}: {refused}")
                del self.strays[:-_STRAYS_KEPT]
            raise

    def _answered(self, asked: Asked) -> Told:
        if told := self._tools.serve(asked):
            return told
        wire = self._format(asked.path)
        if wire is not None and asked.method == "POST":
            return self._modelled(wire, asked)
        if asked.method in {"GET", "HEAD"} and (found := _models(asked.path)):
            return Told(body=_json(found))
        if asked.path.endswith("/messages/count_tokens"):
            read = self._read(self._formats["/messages"], asked)
            return Told(body=_json({"input_tokens": tokens_in(read)}))
        raise Refused(404, f"{asked.method} {asked.path} is not served")

    def _format(self, path: str) -> WireFormat | None:
        return next((f for end, f in self._formats.items() if path.rstrip("/").endswith(end)), None)

    def _modelled(self, wire: WireFormat, asked: Asked) -> Told:
        read = self._read(wire, asked)
        with self._lock:
            self._count += 1
            self._requests += 1
            number, requests = self._count, self._requests
        if requests > MAX_REQUESTS:
            raise Refused(400, f"more than {MAX_REQUESTS:,} requests in one scenario")
        key = hashlib.sha256(asked.body).hexdigest()
        request = Request(read.messages, read.tools, wire.name, read.stream, key)
        answer = self.script.answer(request)
        self._keep(answer, request, asked.body)
        if answer is None:
            answer = Answer(-1, 0, 0, text=_UNKNOWN_TURN)
        if answer.number == 0:
            self._meeting.come(answer.turn)
        return _told(wire, read, answer, number)

    def _read(self, wire: WireFormat, asked: Asked) -> Read:
        try:
            body: object = json.loads(asked.body)
        except (ValueError, RecursionError) as error:
            raise Refused(400, f"the body is no JSON: {error}") from None
        if not isinstance(body, dict):
            raise Refused(400, f"expected an object, got {type(body).__name__}")
        try:
            return wire.read(cast("dict[str, Any]", body))
        except (Malformed, RecursionError) as error:
            raise Refused(400, str(error)) from None

    def _keep(self, answer: Answer | None, request: Request, raw: bytes) -> None:
        event = ModelRequest(
            prompt=request.messages,
            tools=request.tools,
            number=answer.number if answer else 0,
            attempt=answer.attempt if answer else 0,
            wire=request.wire,
            stream=request.stream,
            answered=answer.answered if answer else "text",
        )
        self._add(Seen(answer.turn if answer else None, event, raw))

    def _run(self, name: str, args_json: str, transport: Transport) -> Ran:
        ran = self.script.run(name, args_json)
        event = CallDispatched(
            call=ran.call, app=ran.app, function=ran.function, args_json=ran.args_json
        )
        self._add(Seen(ran.turn, event, args_json.encode("utf-8", "replace"), transport))
        return ran

    def _add(self, seen: Seen) -> None:
        with self._lock:
            self._seen.append(seen)

    def _refusal(self, path: str, status: int, message: str) -> Told:
        wire = self._format(path)
        error = wire.error(status, message) if wire else openai_error(status, message)
        return Told(status, _json(error))


class _Meeting:
    """Lets some turns wait until all of them have come, or long enough."""

    def __init__(self, turns: Iterable[int]) -> None:
        self._missing = set(turns)
        self._all_there = threading.Event()
        self._ends = time.monotonic() + MEETING_SECONDS

    def come(self, turn: int) -> None:
        if turn not in self._missing:
            return
        self._missing.discard(turn)
        if not self._missing:
            self._all_there.set()
        self._all_there.wait(max(0.0, self._ends - time.monotonic()))

    def over(self) -> None:
        self._all_there.set()


def _told(wire: WireFormat, read: Read, answer: Answer, number: int) -> Told:
    if answer.fault == "slow":
        time.sleep(_SLOW_SECONDS)
    status = _STATUS.get(answer.fault)
    if status:
        return Told(status, _json(wire.error(status, _WHY[status])), headers=_RETRY_AT_ONCE)
    cut = answer.fault == "cut_stream"
    if read.stream:
        pieces = wire.streamed(read, answer, number)
        return Told(pieces=pieces, breaks_off=cut, content_type="text/event-stream")
    return Told(body=_json(wire.whole(read, answer, number)), breaks_off=cut)


def _models(path: str) -> dict[str, Any] | None:
    """The list of models, or one of them, with the fields of both providers."""
    words = path.strip("/").split("/")
    if words[-1] == "models":
        listed = {"object": "list", "data": [_model(MODEL)]}
        return {**listed, "has_more": False, "first_id": MODEL, "last_id": MODEL}
    return _model(words[-1]) if words[-2:-1] == ["models"] else None


def _model(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "object": "model",
        "type": "model",
        "created": CREATED,
        "created_at": "2026-05-15T17:21:04Z",
        "display_name": name,
        "owned_by": "fedcheck",
    }


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
