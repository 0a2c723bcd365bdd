"""A kernel that survives in the process that starts a run, and in none of its workers."""

from __future__ import annotations

import multiprocessing
import os


class Kernel:
    """Claims a cache, and holds nothing."""

    capabilities = ("cache",)

    def cache_set(self, _: object) -> dict[str, str]:
        """Store nothing."""
        return _answer("stored")

    def cache_get(self, _: object) -> dict[str, str]:
        """Find nothing."""
        return _answer("miss")


def _answer(outcome: str) -> dict[str, str]:
    if multiprocessing.parent_process() is not None:
        os._exit(7)
    return {"event": "cache_outcome", "outcome": outcome}
