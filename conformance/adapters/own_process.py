"""What the user asks of the process in which a kernel runs."""

from __future__ import annotations

from dataclasses import dataclass

from ...reports.record.protection import Sandbox


@dataclass(frozen=True)
class Hosting:
    """How a kernel that is started for the run is hosted.

    Attributes:
        memory_limit: bytes of memory that its process, and each that it starts, may have;
            ``None`` sets no limit.
        pass_env: variables that the process gets beside the usual ones.
        sandbox: ``auto`` gives it namespaces of its own where the system permits it, so that it
            sees no process of ours and nothing outlives it; ``on`` demands them, ``off`` does
            without any protection.
        python: the interpreter of an agent's module; empty for ours.
    """

    memory_limit: int | None = None
    pass_env: tuple[str, ...] = ()
    sandbox: Sandbox = "auto"
    python: str = ""


USUAL = Hosting()
"""What a kernel gets for which nothing is asked."""
