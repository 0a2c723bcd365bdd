"""How much memory a kernel's process may have."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

from ...invariants.vocabulary.errors import UsageError


def limiter(limit: int | None) -> Callable[[int], None]:
    """Return what limits the memory of a process that has just been started.

    Memory is what the process has asked for to write to, used or not; what it starts later is
    limited alike, each for itself. Beyond the limit its requests for more are refused.

    Args:
        limit: bytes; ``None`` sets no limit.

    Raises:
        UsageError: this system has no such limit, or none that it keeps.
    """
    if limit is None:
        return lambda pid: None  # noqa: ARG005
    if sys.platform != "linux":
        raise UsageError(f"--memory-limit: {sys.platform} cannot limit a process; leave it out")
    from resource import RLIMIT_DATA, prlimit

    def limit_memory(pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has already ended
            prlimit(pid, RLIMIT_DATA, (limit, limit))

    return limit_memory
