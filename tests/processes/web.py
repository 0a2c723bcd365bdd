"""A web server that serves the protocol without our code, and breaks it when told to.

The path of the address names what it does to ``describe``, the id of a scenario what it does to
``run``; names that it does not know mean to behave.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

PROMPT = {"event": "classifier_prompt", "step": 0, "prompt": "p"}
DESCRIPTION = {"kernel": "web", "version": "1", "capabilities": ["fact_ledger"]}
HTML = b"<html><body>Internal \x1b[31mServer Error</body></html>"


class Web:
    """The server, on a port of its own; each connection is served by a thread.

    Args:
        context: how to speak TLS; ``None`` speaks plain HTTP.
        kernel: what to answer to the parameters of ``run``: a result, or the name of a misdeed.
    """

    def __init__(
        self,
        context: ssl.SSLContext | None = None,
        kernel: Callable[[dict[str, Any]], dict[str, Any] | str] | None = None,
    ) -> None:
        self._kernel = kernel or (lambda params: params["scenario"]["id"])
        self.description = DESCRIPTION
        self.connections = 0
        self.requests: list[dict[str, str]] = []
        self._context = context
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def address(self) -> str:
        """The address of an adapter that behaves."""
        scheme = "https" if self._context else "http"
        return f"{scheme}://localhost:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        """Stop serving."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)

    def wait_for_the_open(self) -> None:
        """Wait until all connections but the last have been closed at this end."""
        for thread in self._threads[1:-1]:
            thread.join(10)

    def _accept(self) -> None:
        while True:
            try:
                raw, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(raw)
            thread = threading.Thread(target=self._serve, args=(raw,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, raw: socket.socket) -> None:
        with contextlib.suppress(OSError), raw:
            connection = self._context.wrap_socket(raw, server_side=True) if self._context else raw
            with connection, connection.makefile("rb") as reader:
                while self._one(connection, reader):
                    pass

    def _one(self, connection: socket.socket, reader: Any) -> bool:
        """Answer one request; return whether the connection stays open."""
        head: list[str] = []
        while (line := reader.readline()) != b"\r\n":
            if not line:
                return False
            head.append(line.decode().strip())
        headers = dict(line.lower().split(": ", 1) for line in head[1:])
        self.requests.append({**headers, "target": head[0].split()[1]})
        request = json.loads(reader.read(int(headers["content-length"])))
        described = request["method"] == "describe"
        path = head[0].split()[1].partition("?")[0].strip("/").replace("-", " ")
        told = path if described else self._kernel(request["params"])
        name = told if isinstance(told, str) else ""
        act = ACTIONS.get(name)
        if act is None:
            shown = told if isinstance(told, dict) else {"events": [PROMPT]}
            result = self.description if described else shown
            connection.sendall(success(answer(request["id"], result)))
            return True
        act(Call(connection, request["id"], head))
        return name in STAYS_OPEN


class Call:
    """A request that is to be treated badly."""

    def __init__(self, connection: socket.socket, number: int, head: list[str]) -> None:
        self.connection = connection
        self.number = number
        self.token = next((x.split()[-1] for x in head if x.startswith("Authorization")), "")

    def send(self, data: bytes) -> None:
        """Send as it is."""
        self.connection.sendall(data)

    def drip(self, data: bytes) -> None:
        """Send some, and then a byte now and then for ever."""
        self.send(data)
        while True:
            time.sleep(0.05)
            self.send(b"x")

    def flood(self, data: bytes, again: bytes) -> None:
        """Send some, and then more and more for ever."""
        self.send(data)
        while True:
            self.send(again)

    def wait(self) -> None:
        """Do nothing more until the other side gives up."""
        while self.connection.recv(65_536):
            pass

    def reset(self) -> None:
        """End the connection as a crash of the server does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


def answer(number: int, result: object) -> bytes:
    """Return an answer as JSON."""
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()


def event(params: object) -> bytes:
    """Return a notification as a line."""
    return json.dumps({"jsonrpc": "2.0", "method": "event", "params": params}).encode() + b"\n"


def success(body: bytes, kind: str = "application/json", more: str = "") -> bytes:
    """Return a whole HTTP response."""
    return response("200 OK", body, kind, more)


def response(status: str, body: bytes, kind: str = "text/html", more: str = "") -> bytes:
    """Return a whole HTTP response with a status."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def stream(*parts: bytes, end: bool = True) -> bytes:
    """Return a response in chunks, whose last may be missing."""
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson; charset=utf-8\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return head + chunks + (b"0\r\n\r\n" if end else b"")


def _events(number: int) -> bytes:
    return answer(number, {"events": [PROMPT]})


def _echo(call: Call) -> bytes:
    return answer(call.number, {"events": [{**PROMPT, "prompt": f"I know {call.token}"}]})


def _echo_failure(call: Call) -> bytes:
    failed = {"event": "step_failed", "step": 0, "message": f"I know {call.token}"}
    return answer(call.number, {"events": [failed]})


ACTIONS: dict[str, Callable[[Call], object]] = {
    "close": lambda _: None,
    "reset": lambda c: c.reset(),
    "hang": lambda c: c.wait(),
    "drip head": lambda c: c.drip(b"HTTP/1.1 200 OK\r\nX: "),
    "drip body": lambda c: c.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{"),
    "endless headers": lambda c: c.flood(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000),
    "endless body": lambda c: c.flood(b"HTTP/1.1 200 OK\r\n\r\n", b" " * 65_536),
    "no http": lambda c: c.send(b"SSH-2.0-OpenSSH_9.7\r\n\r\n"),
    "cut": lambda c: c.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"),
    "packed": lambda c: c.send(success(b"\x1f\x8b", more="Content-Encoding: gzip\r\n")),
    "redirect": lambda c: c.send(
        response("302 Found", b"", more=f"Location: https://elsewhere/?t={c.token}\r\n")
    ),
    "html": lambda c: c.send(response("500 Internal Server Error", HTML)),
    "html as success": lambda c: c.send(success(HTML, "text/html")),
    "unauthorized": lambda c: c.send(response("401 Unauthorized", b"who is " + c.token.encode())),
    "endless page": lambda c: c.flood(b"HTTP/1.1 503 Busy\r\n\r\n", b"busy " * 1000),
    "empty": lambda c: c.send(success(b"")),
    "no content": lambda c: c.send(b"HTTP/1.1 204 No Content\r\n\r\n"),
    "wrong id": lambda c: c.send(success(_events(c.number + 1))),
    "two answers": lambda c: c.send(success(_events(c.number) + b"\n" + _events(c.number))),
    "two lines": lambda c: c.send(stream(_events(c.number) + b"\n", _events(c.number) + b"\n")),
    "error": lambda c: c.send(
        response(
            "500 Oh",
            json.dumps(
                {"jsonrpc": "2.0", "id": c.number, "error": {"code": -32000, "message": "no disk"}}
            ).encode(),
            "application/json",
        )
    ),
    "streamed": lambda c: c.send(stream(event(PROMPT), _events(c.number) + b"\n")),
    "streamed alone": lambda c: c.send(stream(event(PROMPT))),
    "streamed without end": lambda c: (
        c.send(stream(_events(c.number) + b"\n", end=False)),
        c.wait(),
    ),
    "streamed then reset": lambda c: (
        c.send(stream(event(PROMPT), end=False)),
        time.sleep(0.2),
        c.reset(),
    ),
    "streamed then hang": lambda c: (c.send(stream(event(PROMPT), end=False)), c.wait()),
    "then closed": lambda c: c.send(success(_events(c.number))),
    "said closed": lambda c: c.send(success(_events(c.number), more="Connection: close\r\n")),
    "old": lambda c: c.send(b"HTTP/1.0 200 OK\r\n\r\n" + _events(c.number)),
    "indented": lambda c: c.send(
        success(json.dumps(json.loads(_events(c.number)), indent=2).encode() + b"\r\n")
    ),
    "echo": lambda c: c.send(success(_echo(c))),
    "echo failure": lambda c: c.send(success(_echo_failure(c))),
}
"""What is done instead of answering."""

STAYS_OPEN = {"streamed", "indented", "echo", "echo failure", "error", "wrong id"}
"""Actions after which the connection serves on."""
