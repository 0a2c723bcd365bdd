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
from ...reports.record.protection import Sandbox
from . import wire
from .conversation import Link
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
        memory_limit: bytes of memory that the worker may have; ``None`` sets no limit.
        pass_env: variables that it gets beside the usual ones.
        sandbox: see ``reaping.owned_process``.
    """

    transport = "hosted"

    def __init__(
        self,
        reference: str,
        target: str,
        *,
        timeout: float = 10.0,
        memory_limit: int | None = None,
        pass_env: tuple[str, ...] = (),
        sandbox: Sandbox = "auto",
    ) -> None:
        command = [sys.executable, "-m", _WORKER, target]
        super().__init__(
            reference,
            command,
            timeout=timeout,
            memory_limit=memory_limit,
            pass_env=pass_env,
            sandbox=sandbox,
        )

    def _lost(
        self, link: Link, kind: type[KernelError], what: str, reason: str, streamed: list[object]
    ) -> KernelError:
        lost = super()._lost(link, kind, what, reason, streamed)
        starved = any(words in lost.stderr_tail for words in _STARVED)
        if what != "describe" or self._memory_limit is None or not starved:
            return lost
        return KernelUnreachable(
            f"{self.reference}: in {self._memory_limit:,} bytes of memory its process does not "
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
