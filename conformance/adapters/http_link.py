"""Requests by POST, and the lines of their answers."""

from __future__ import annotations

import contextlib
import json
import ssl
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import cast
from urllib.parse import SplitResult

from ...invariants.vocabulary.errors import ProtocolError
from . import wire
from .bearer import TOKEN_VARIABLE, Token
from .http_socket import TimedConnection

_CHUNK = 65_536
_PAGE_BYTES = 65_536
"""Most that is read of an answer that is no success."""

_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, application/x-ndjson",
    "Accept-Encoding": "identity",
    "User-Agent": "fedcheck",
}
_STREAM = "application/x-ndjson"
_HINTS = {
    401: f"Set {TOKEN_VARIABLE} to a bearer token that the server accepts",
    403: f"Set {TOKEN_VARIABLE} to a bearer token that the server accepts",
    404: "Give the whole address of the adapter, with its path",
    405: "The adapter must take POST at this address",
}


class HttpLink:
    """A connection that is kept open from one request to the next.

    Args:
        url: where to post to, split.
        token: the bearer token to send, if any.

    Raises:
        OSError: from ``send``: nobody can be reached, or not safely.
    """

    stderr_tail = ""
    unsent = 0

    def __init__(self, url: SplitResult, token: Token) -> None:
        secure = url.scheme == "https"
        context = ssl.create_default_context() if secure else None
        port = url.port or (443 if secure else 80)
        self._connection = TimedConnection(url.hostname or "", port, context)
        self._target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        self._token = token
        self._body = _NO_BODY

    @property
    def unread(self) -> bytes:
        """What has arrived beyond the lines that were read; the token in it is masked."""
        return self._token.masked(bytes(self._body.received))

    def send(self, data: bytes, deadline: float) -> None:
        """Post a request and read the head of the answer.

        Raises:
            TimeoutError: it did not arrive before the deadline.
            EOFError: the connection ended first.
            ProtocolError: the answer is no success, or no HTTP.
            OSError: nobody can be reached.
        """
        connection = self._connection
        self._body = _NO_BODY
        connection.ready(deadline)
        if connection.sock is None:
            connection.connect()
        response = self._answer_to(data)
        self._body = _Body(response)
        self._check(response)

    def _answer_to(self, data: bytes) -> HTTPResponse:
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may tell why
                headers = {**_HEADERS, **self._token.headers}
                self._connection.request("POST", self._target, data, headers)
            return self._connection.getresponse()
        except TimeoutError:
            raise
        except OSError:  # also when it ends without a word
            raise EOFError from None
        except HTTPException as error:
            raise ProtocolError(f"no HTTP answer: {self._shown(_words(error))}") from None

    def read_line(self, deadline: float) -> bytes:  # noqa: ARG002 - the connection has it
        """Return the next line, or a whole body that is no stream of lines; see ``Link``."""
        return self._token.masked(self._body.line())

    def rest(self, deadline: float) -> bytes:  # noqa: ARG002
        """Return what came behind the answer.

        Raises:
            ProtocolError: the answer has no end.
        """
        try:
            return self._token.masked(self._body.rest())
        except (TimeoutError, BufferError):
            raise ProtocolError(
                "the answer is there, but the HTTP response does not end. End it after the answer"
            ) from None

    def close(self) -> None:
        """Close the connection; nobody knows an exit status."""
        self._body.close()
        self._connection.close()

    def _shown(self, text: str) -> str:
        """Return words of the server for an error message."""
        return wire.excerpt(self._token.masked_text(text))

    def _check(self, response: HTTPResponse) -> None:
        coding = response.getheader("Content-Encoding", "identity")
        if coding.lower() != "identity":
            raise ProtocolError(
                f"the answer is encoded as {self._shown(coding)}. Send it as it is: the request "
                "says `Accept-Encoding: identity`"
            )
        if response.status == 200:
            return
        page = self._token.masked(self._body.page())
        if not _is_error_object(page):
            raise ProtocolError(self._refused(response, page))
        self._body.received[:] = page

    def _refused(self, response: HTTPResponse, page: bytes) -> str:
        status = f"HTTP status {response.status} {self._shown(response.reason)}"
        target = response.getheader("Location")
        if 300 <= response.status < 400 and target is not None:
            return (
                f"{status}: a redirect to {self._shown(target)}, which is not followed. "
                "Give the final address as the kernel reference"
            )
        kind = self._shown(response.getheader("Content-Type", "no content type"))
        hint = _HINTS.get(response.status, "The log of the server may tell why")
        return f"{status}, {kind}; got {wire.excerpt(page)}. {hint}"


class _Body:
    """The body of an answer, taken in as it arrives."""

    def __init__(self, response: HTTPResponse | None) -> None:
        self.received = bytearray()
        self._response = response
        kind = "" if response is None else response.getheader("Content-Type", "")
        self._streamed = kind.partition(";")[0].strip().lower() == _STREAM
        self._searched = 0

    def line(self) -> bytes:
        while True:
            end = self.received.find(b"\n", self._searched) if self._streamed else -1
            if end >= 0:
                return self._cut(end + 1)[:-1]
            self._searched = len(self.received)
            if self._searched > wire.MAX_LINE_BYTES:
                raise BufferError
            if not self._more():
                if not self.received.strip():
                    raise ProtocolError(
                        "the HTTP response ends without an answer. Send the answer last"
                    )
                return self._cut(self._searched)

    def rest(self) -> bytes:
        while self._more():
            if len(self.received) > wire.MAX_LINE_BYTES:
                raise BufferError
        return bytes(self.received.strip())

    def page(self) -> bytes:
        """Return the beginning of a page that is shown as evidence, as far as it comes."""
        try:
            while len(self.received) < _PAGE_BYTES and self._more():
                pass
        except (TimeoutError, EOFError):
            pass
        return bytes(self._cut(_PAGE_BYTES))

    def _cut(self, length: int) -> bytes:
        cut = bytes(self.received[:length])
        del self.received[:length]
        self._searched = 0
        return cut

    def _more(self) -> bool:
        """Read on; return whether there was something.

        Raises:
            TimeoutError: nothing came before the deadline.
            EOFError: the connection ended inside the body.
            ProtocolError: this is no HTTP.
        """
        if self._response is None:
            return False
        try:
            chunk = self._response.read1(_CHUNK)
        except TimeoutError:
            raise
        except (IncompleteRead, OSError):
            raise EOFError from None
        except (HTTPException, ValueError) as error:
            raise ProtocolError(f"no HTTP answer: {type(error).__name__}") from None
        self.received += chunk
        if not chunk:
            cut_short = self._response.length
            self.close()
            if cut_short:
                raise EOFError
        return bool(chunk)

    def close(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None


_NO_BODY = _Body(None)


def _is_error_object(page: bytes) -> bool:
    """Whether a server said by JSON-RPC, beside its status, what went wrong."""
    try:
        message = json.loads(page)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "error" in cast("dict[str, object]", message)


def _words(error: Exception) -> str:
    return f"{type(error).__name__} {error}".rstrip()
