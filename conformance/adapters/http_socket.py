"""A connection whose every wait ends at one deadline, however slowly the other side drips."""

from __future__ import annotations

import io
import select
import socket
import ssl
import time
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


_TRUSTED_SECONDS = 1.0
"""How long a silent connection is used again: servers close theirs after some seconds, and a
request that crosses that closing is lost and must not be sent twice."""

_ACKNOWLEDGE_AT_ONCE = getattr(socket, "TCP_QUICKACK", None)
"""Linux only. A server that sends head and body apart otherwise waits 40 ms for each answer: its
second packet for our acknowledgement, and our acknowledgement for something to travel with."""


class TimedSocket:
    """As much of a socket as ``http.client`` uses, with a deadline for all calls together.

    Args:
        raw: the connected socket, which is owned from now on.
        deadline: a value of ``time.monotonic()``; set anew for each request.
    """

    def __init__(self, raw: socket.socket, deadline: float) -> None:
        self._raw = raw
        self._readers = 0
        self._let_go = False
        self._heard = 0.0
        self.deadline = deadline

    def sendall(self, data: bytes) -> None:
        """Send everything, or raise TimeoutError or OSError."""
        rest = memoryview(data)
        while rest:
            self._raw.settimeout(remaining(self.deadline))
            rest = rest[self._raw.send(rest) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return a file to read an answer from; it keeps the connection open until it is closed."""
        self._readers += 1
        return io.BufferedReader(_Reader(self), 65_536)

    def receive_into(self, buffer: WriteableBuffer) -> int:
        """Read what has arrived, or wait for it."""
        self._raw.settimeout(remaining(self.deadline))
        if _ACKNOWLEDGE_AT_ONCE is not None:  # the system forgets it after each packet
            self._raw.setsockopt(socket.IPPROTO_TCP, _ACKNOWLEDGE_AT_ONCE, 1)
        received = self._raw.recv_into(buffer)
        self._heard = time.monotonic()
        return received

    def reusable(self) -> bool:
        """Whether the connection was used just now, is still open, and silent as it should be."""
        if time.monotonic() - self._heard > _TRUSTED_SECONDS:
            return False
        poll = select.poll()
        poll.register(self._raw, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Close the connection, or let the last reader do it: an answer may still be coming."""
        self._let_go = True
        if not self._readers:
            self._raw.close()

    def reader_closed(self) -> None:
        """One reader fewer."""
        self._readers -= 1
        if self._let_go:
            self.close()


class _Reader(io.RawIOBase):
    def __init__(self, source: TimedSocket) -> None:
        self._source = source

    def close(self) -> None:
        if not self.closed:
            self._source.reader_closed()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        return self._source.receive_into(buffer)


class TimedConnection(HTTPConnection):
    """An HTTP connection over a ``TimedSocket``.

    Args:
        host: name or address.
        port: TCP port.
        context: how to speak TLS; ``None`` speaks plain HTTP.
    """

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None) -> None:
        super().__init__(host, port)
        self._tls = context
        self.deadline = 0.0
        self.sock: Any = None

    def connect(self) -> None:
        """Connect to the first address that answers before the deadline.

        Raises:
            TimeoutError: none did in time.
            OSError: none did, or the certificate is not to be trusted.
        """
        raw = _connected(self.host, self.port, self.deadline)
        try:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls is not None:
                raw.settimeout(remaining(self.deadline))
                raw = self._tls.wrap_socket(raw, server_hostname=self.host)
        except BaseException:
            raw.close()
            raise
        self.sock = TimedSocket(raw, self.deadline)

    def ready(self, deadline: float) -> None:
        """Get ready for a request that must be answered before the deadline.

        A connection that the server has closed meanwhile, or may be about to, is opened anew;
        a request that was sent is never sent again.
        """
        self.deadline = deadline
        if self.sock is not None and not self.sock.reusable():
            self.close()
        if self.sock is not None:
            self.sock.deadline = deadline


def _connected(host: str, port: int, deadline: float) -> socket.socket:
    failure: OSError = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    ):
        raw = socket.socket(family, kind, protocol)
        try:
            raw.settimeout(remaining(deadline))
            raw.connect(address)
        except OSError as error:
            raw.close()
            failure = error
        else:
            return raw
    raise failure


def remaining(deadline: float) -> float:
    """Return the seconds until the deadline.

    Raises:
        TimeoutError: it is over.
    """
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
