"""``python -m fedcheck.conformance.worker package.module:attribute``.

Hosts one Python kernel and serves the wire protocol for it. The protocol has the original
stdin and stdout to itself: what the kernel prints goes to stderr, and it reads nothing.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ..invariants.vocabulary import codec
from ..invariants.vocabulary.errors import (
    KernelReferenceError,
    KernelUnreachable,
    ProtocolError,
)
from ..invariants.vocabulary.scenario import Scenario
from .adapters import wire
from .adapters.hosting import HostedKernel
from .adapters.loading import load

if TYPE_CHECKING:
    import io

_CODES: dict[type[Exception], int] = {
    KernelReferenceError: wire.NO_SUCH_KERNEL,
    KernelUnreachable: wire.CANNOT_START,
    ProtocolError: wire.BAD_ANSWER,
}


def main(arguments: list[str]) -> int:
    """Serve until stdin ends; return the exit status."""
    (target,) = arguments
    requests, answers = _channels()
    faulthandler.enable()
    kernel = _kernel(target)
    for line in requests:
        for reply in _replies(kernel, line):
            answers.write(reply)
            answers.flush()
    return 0


def _kernel(target: str) -> HostedKernel | Exception:
    try:
        return HostedKernel(load(target))
    except (KernelReferenceError, KernelUnreachable) as error:
        return error


def _replies(kernel: HostedKernel | Exception, line: bytes) -> Iterator[bytes]:
    """Yield the notifications and the answer to one request."""
    request: Any = codec.parse_json(line, "request")
    number, method = request["id"], request["method"]
    try:
        hosted = _alive(kernel)
        if method == "run":
            yield from _run(hosted, number, request["params"]["scenario"])
        elif method == "describe":
            yield wire.result_line(number, codec.to_json(hosted.describe()))
        else:
            yield wire.error_line(number, wire.METHOD_NOT_FOUND, f"unknown method {method!r}")
    except tuple(_CODES) as error:
        yield wire.error_line(number, _CODES[type(error)], str(error))


def _alive(kernel: HostedKernel | Exception) -> HostedKernel:
    if isinstance(kernel, Exception):
        raise kernel
    return kernel


def _run(kernel: HostedKernel, number: object, plain_scenario: object) -> Iterator[bytes]:
    """Stream the events of each step before the next one, which may never come back."""
    scenario = codec.convert(plain_scenario, Scenario, "scenario")
    events: list[str] = []
    for index, batch in enumerate(kernel.batches(scenario), start=1):
        fresh = [codec.to_json(event) for event in batch]
        if index < len(scenario.steps) and fresh:
            yield b"".join(wire.event_line(event) for event in fresh)
        events += fresh
    yield wire.result_line(number, f'{{"events":[{",".join(events)}]}}')


def _channels() -> tuple[BinaryIO, BinaryIO]:
    """Take stdin and stdout for the protocol; give the kernel an empty one and stderr."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # Printed lines must reach stderr before a crash can lose them.
    cast("io.TextIOWrapper", sys.stdout).reconfigure(line_buffering=True, errors="backslashreplace")
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)  # not held up by threads that the kernel left running
