"""How much memory a kernel's process may have."""

from __future__ import annotations

import sys

from ...invariants.vocabulary.errors import UsageError


def check_limit(limit: int | None) -> None:
    """Refuse a limit that nobody would keep.

    Memory is what the process has asked for to write to, used or not; what it starts later is
    limited alike, each for itself. Beyond the limit its requests for more are refused.

    Args:
        limit: bytes; ``None`` sets no limit.

    Raises:
        UsageError: this system has no such limit, or none that it keeps.
    """
    if limit is not None and sys.platform != "linux":
        raise UsageError(f"--memory-limit: {sys.platform} cannot limit a process; leave it out")
