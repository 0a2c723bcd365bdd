"""A small HTTP server on loopback: threads, connections that are kept, nothing left behind."""

from __future__ import annotations

import contextlib
import socket
import threading
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

MAX_BODY_BYTES = 64 * 2**20
"""Largest body that is read; a request with more is refused."""

_IDLE_SECONDS = 600.0
_POLL_SECONDS = 0.05
_REASONS = {200: "OK", 202: "Accepted", 204: "No Content", 400: "Bad Request", 404: "Not Found"}


@dataclass(frozen=True)
class Asked:
    """A request: ``path`` is without its query, ``headers`` have names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Told:
    """An answer.

    Attributes:
        status: HTTP status.
        body: the whole body; unused where there are ``pieces``.
        pieces: the pieces of a stream, sent one after the other.
        headers: further headers.
        breaks_off: whether the connection ends in the middle of the body.
        content_type: of the body.
    """

    status: int = 200
    body: bytes = b""
    pieces: Iterable[bytes] | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    breaks_off: bool = False
    content_type: str = "application/json"


class Refused(Exception):
    """A request that cannot be read; ``status`` and text go into the answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class LoopbackServer:
    """Serves on a free port of 127.0.0.1 from its making until it is closed.

    Args:
        answer: what answers a request, called in a thread for each connection.
        refuse: makes the answer to a request that was refused, from its path, status and text.
    """

    def __init__(
        self,
        answer: Callable[[Asked], Told],
        refuse: Callable[[str, int, str], Told],
    ) -> None:
        self.answer, self.refuse = answer, refuse
        self.faults: list[str] = []
        self._server = _Server(self)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_POLL_SECONDS,), daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop, and end every connection. May be called twice."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()
        self._server.end_connections()

    def fault(self) -> None:
        """Keep the error that is being handled: it is ours, not the agent's."""
        self.faults.append(traceback.format_exc(limit=-3))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, owner: LoopbackServer) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def server_bind(self) -> None:
        # Not HTTPServer's, which asks the network for our name.
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: object) -> None:
        self._open.discard(request)  # type: ignore[arg-type]
        super().shutdown_request(request)  # type: ignore[arg-type]

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client may go at any time."""

    def end_connections(self) -> None:
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = _IDLE_SECONDS
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Write no log: standard error is the run's."""

    def send_error(
        self,
        code: int,
        message: str | None = None,
        explain: str | None = None,  # noqa: ARG002
    ) -> None:
        """Refuse what is no HTTP, as the server of the base class wants it."""
        self.close_connection = True
        self._send(self.server.owner.refuse("", int(code), message or "bad request"))

    def _serve(self) -> None:
        owner = self.server.owner
        path = unquote(urlsplit(self.path).path)
        try:
            told = owner.answer(self._asked(path))
        except Refused as refused:
            told = owner.refuse(path, refused.status, str(refused))
        except ConnectionError:
            raise
        except Exception:  # noqa: BLE001 - told by the adapter as a mistake of ours
            owner.fault()
            told = owner.refuse(path, 500, "fedcheck made a mistake")
        self._send(told)

    def _asked(self, path: str) -> Asked:
        headers = {name.lower(): value for name, value in self.headers.items()}
        origin = urlsplit(headers.get("origin", "")).hostname
        if origin not in {None, "127.0.0.1", "localhost", "::1"}:
            raise Refused(403, "requests from pages of other hosts are not served")
        return Asked(self.command, path, headers, self._body(headers))

    def _body(self, headers: dict[str, str]) -> bytes:
        if "chunked" in headers.get("transfer-encoding", ""):
            return self._chunks()
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            self.close_connection = True
            raise Refused(400, f"content-length: expected a number, got {length[:40]!r}")
        self._bounded(int(length))
        return self.rfile.read(int(length))

    def _chunks(self) -> bytes:
        body = bytearray()
        while True:
            size = self.rfile.readline(64).split(b";")[0].strip()
            try:
                length = int(size, 16)
            except ValueError:
                self.close_connection = True
                raise Refused(400, "a chunk of the body has no size") from None
            self._bounded(len(body) + length)
            body += self.rfile.read(length)
            self.rfile.readline(64)
            if not length:
                return bytes(body)

    def _bounded(self, length: int) -> None:
        if not 0 <= length <= MAX_BODY_BYTES:
            self.close_connection = True
            raise Refused(413, f"the body is larger than {MAX_BODY_BYTES:,} bytes")

    def _send(self, told: Told) -> None:
        lines = [
            f"HTTP/1.1 {told.status} {_REASONS.get(told.status, 'Status')}",
            f"Content-Type: {told.content_type}",
            *(f"{name}: {value}" for name, value in told.headers.items()),
        ]
        if told.breaks_off or self.close_connection:
            self.close_connection = True
            lines.append("Connection: close")
        if told.pieces is not None:
            self._stream(lines, told)
            return
        body = b"" if self.command == "HEAD" else told.body
        lines.append(f"Content-Length: {len(told.body)}")
        if told.breaks_off:
            body = body[: len(body) // 2]
        self.wfile.write("\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body)

    def _stream(self, lines: list[str], told: Told) -> None:
        lines.append("Transfer-Encoding: chunked")
        self.wfile.write("\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n")
        pieces = told.pieces or ()
        if told.breaks_off:
            pieces = list(pieces)
            pieces = pieces[: max(1, len(pieces) // 2)]
        for piece in pieces:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if not told.breaks_off:
            self.wfile.write(b"0\r\n\r\n")
