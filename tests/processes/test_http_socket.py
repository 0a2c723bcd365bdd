"""The socket under an HTTP kernel."""

from __future__ import annotations

import socket
import time
from typing import Any, cast

import pytest

from fedcheck.conformance.adapters.http_socket import TimedSocket


class _NotedSocket:
    """A socket that notes what is asked of it and receives two bytes."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []

    def settimeout(self, _seconds: float) -> None:
        pass

    def setsockopt(self, *option: int) -> None:
        self.asked.append(option)

    def recv_into(self, buffer: Any) -> int:
        self.asked.append(("recv",))
        return 2


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="this system has no TCP_QUICKACK")
def test_each_packet_is_acknowledged_at_once() -> None:
    """A server that writes head and body apart is not held up by a late acknowledgement."""
    raw = _NotedSocket()
    timed = TimedSocket(cast("socket.socket", raw), time.monotonic() + 60)
    timed.receive_into(bytearray(2))
    timed.receive_into(bytearray(2))
    at_once = (socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
    assert raw.asked == [at_once, ("recv",), at_once, ("recv",)]
