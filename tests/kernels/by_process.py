"""A kernel that is another one in each process."""

from __future__ import annotations

import os


class Kernel:
    """Claims a cache that is always empty."""

    version = str(os.getpid())

    def cache_set(self, _: object) -> dict[str, str]:
        return {"event": "cache_outcome", "outcome": "refused"}

    def cache_get(self, _: object) -> dict[str, str]:
        return {"event": "cache_outcome", "outcome": "miss"}
