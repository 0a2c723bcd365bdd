"""``package.module:attribute``: a Python kernel in a worker process of ours."""

from __future__ import annotations

import sys

from ...invariants.vocabulary.errors import (
    FedcheckError,
    KernelError,
    KernelReferenceError,
    KernelUnreachable,
    ProtocolError,
)
from . import wire
from .conversation import Link
from .own_process import USUAL, Hosting
from .process import ProcessAdapter

_WORKER = "fedcheck.conformance.worker"
_STARVED = ("MemoryError", "Cannot allocate memory")
"""Last words of an interpreter that could not even start; a kernel's own error is answered."""


class HostedAdapter(ProcessAdapter):
    """Hosts a kernel class, factory or object in ``python -m fedcheck.conformance.worker``.

    Args:
        reference: the string that names the kernel.
        target: ``package.module:attribute``, found from the current folder first.
        timeout: seconds that each call may take.
        hosting: what the worker's process gets.
    """

    transport = "hosted"

    def __init__(
        self,
        reference: str,
        target: str,
        *,
        timeout: float = 10.0,
        hosting: Hosting = USUAL,
    ) -> None:
        command = [sys.executable, "-m", _WORKER, target]
        super().__init__(reference, command, timeout=timeout, hosting=hosting)

    def _lost(
        self, link: Link, kind: type[KernelError], what: str, reason: str, streamed: list[object]
    ) -> KernelError:
        lost = super()._lost(link, kind, what, reason, streamed)
        starved = any(words in lost.stderr_tail for words in _STARVED)
        limit = self._hosting.memory_limit
        if what != "describe" or limit is None or not starved:
            return lost
        return KernelUnreachable(
            f"{self.reference}: in {limit:,} bytes of memory its process does not "
            "start; give more with --memory-limit, such as 512M",
            exit_status=lost.exit_status,
        )

    def _refusal(self, error: wire.RpcError, what: str, streamed: list[object]) -> FedcheckError:
        message = f"{self.reference}: {what}: {error.message}"
        if error.code == wire.NO_SUCH_KERNEL:
            return KernelReferenceError(f"{self.reference}: {error.message}")
        if error.code == wire.CANNOT_START:
            return KernelUnreachable(f"{self.reference}: {error.message}")
        if error.code == wire.BAD_ANSWER:
            return ProtocolError(message, events=tuple(streamed))
        return super()._refusal(error, what, streamed)
