"""A real HTTP server on loopback, in the place of the platform's gateway.

It keeps whatever arrives and gives it back: it never refuses, checks or expires
anything, so that nothing it does can be credited to the SDK. Refusing is the SDK's part.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import unquote

_LOOPBACK = "127.0.0.1"


class Shelf:
    """What one scenario has stored, by path; ``url`` is the gateway's address for it.

    Bodies are the bytes that arrived, untouched.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.bodies: dict[str, bytes] = {}

    def put_section(self, app: str, user: str, section: str, value: object) -> None:
        """Store a skeleton section, as the platform does; the SDK has no way to write one."""
        body = json.dumps({"data": value}).encode()
        self.bodies[f"/v1/internal/skeleton/{app}/{user}/{section}"] = body

    def answer(self, path: str) -> bytes | None:
        """Return what a read of ``path`` gives: of a cache entry, only its envelope.

        Raises:
            KeyError, TypeError, ValueError: the body that arrived holds no envelope.
        """
        body = self.bodies.get(path)
        if body is None or "/extcache/" not in path:
            return body
        return json.dumps(json.loads(body)["envelope"]).encode()


Place = tuple[Shelf | None, str]
"""The shelf that a request's target means, if it is still open, and the path on it."""


class Gateway:
    """The server, in a thread of its own, with one shelf per running scenario."""

    def __init__(self) -> None:
        self._shelves: dict[str, Shelf] = {}
        self._numbers = count(1)
        self._server = _Server((_LOOPBACK, 0), partial(_Handler, self._locate))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def open_shelf(self) -> Shelf:
        """Return a new, empty shelf."""
        name = str(next(self._numbers))
        port = self._server.server_address[1]
        shelf = self._shelves[name] = Shelf(f"http://{_LOOPBACK}:{port}/{name}")
        return shelf

    def close_shelf(self, shelf: Shelf) -> None:
        """Forget a shelf and everything on it."""
        self._shelves.pop(shelf.url.rpartition("/")[2], None)

    def _locate(self, target: str) -> Place:
        name, _, path = unquote(target.partition("?")[0]).lstrip("/").partition("/")
        return self._shelves.get(name), f"/{path}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what broke here, but not that a client hung up."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer is written at once, and not held back: else each costs a delayed ACK of 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def __init__(self, locate: Callable[[str], Place], *connection: Any) -> None:
        self._locate = locate
        super().__init__(*connection)

    def do_GET(self) -> None:
        shelf, path = self._locate(self.path)
        try:
            body = shelf.answer(path) if shelf else None
        except (KeyError, TypeError, ValueError) as error:
            reason = f"what arrived at {path} has no envelope: {error!r}"
            self._send(HTTPStatus.BAD_GATEWAY, reason.encode())
        else:
            self._send(HTTPStatus.NOT_FOUND if body is None else HTTPStatus.OK, body or b"")

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        shelf, path = self._locate(self.path)
        if shelf is None:
            self._send(HTTPStatus.NOT_FOUND, b"this scenario is over")
        else:
            shelf.bodies[path] = body
            self._send(HTTPStatus.NO_CONTENT)

    def do_DELETE(self) -> None:
        shelf, path = self._locate(self.path)
        found = shelf.bodies.pop(path, None) if shelf else None
        self._send(HTTPStatus.NOT_FOUND if found is None else HTTPStatus.NO_CONTENT)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: a kernel's stderr is evidence."""

    def _send(self, status: HTTPStatus, body: bytes = b"") -> None:
        self.send_response(status)
        if status != HTTPStatus.NO_CONTENT:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def gateway() -> Gateway:
    """Return this process's gateway, started on first use."""
    return _gateway_of(os.getpid())


@lru_cache(maxsize=1)
def _gateway_of(_process: int) -> Gateway:
    _bypass_proxies()
    return Gateway()


def _bypass_proxies() -> None:
    """Let the SDK reach loopback although the user's environment names an HTTP proxy."""
    excepted = os.environ.get("no_proxy") or os.environ.get("NO_PROXY", "")
    hosts = [host for host in excepted.split(",") if host]
    if _LOOPBACK not in hosts:
        os.environ["no_proxy"] = os.environ["NO_PROXY"] = ",".join([*hosts, _LOOPBACK])
