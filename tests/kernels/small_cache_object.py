"""The small cache as an object that runs scenarios as a whole."""

from __future__ import annotations

from typing import Any

import msgspec
import small_cache


class kernel:  # noqa: N801 - as references are written
    """Describes itself and runs scenarios as the program does."""

    def describe(self) -> dict[str, Any]:
        return small_cache.DESCRIPTION

    def run(self, scenario: Any) -> list[dict[str, Any]]:
        return small_cache.run(msgspec.to_builtins(scenario))["events"]
