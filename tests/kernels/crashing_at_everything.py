"""A kernel that describes itself and then never survives a scenario."""

from __future__ import annotations

import os


class Kernel:
    """Claims a cache."""

    capabilities = ("cache",)

    def cache_set(self, _: object) -> None:
        """End the process."""
        os._exit(7)

    def cache_get(self, _: object) -> None:
        """End the process."""
        os._exit(7)
