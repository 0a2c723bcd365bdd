"""Small kernels for the tests of ``fedcheck smoke``."""

from __future__ import annotations


class Forgetful:
    """Claims digests and shows none."""

    capabilities = ("fact_ledger", "digest")

    def turn(self, step: object) -> dict[str, str]:
        """Show a prompt and nothing else."""
        return {"event": "classifier_prompt", "prompt": "[HISTORY]"}


class Blind:
    """Its handlers know nothing."""

    capabilities = ("probe",)

    def probe(self, step: object) -> dict[str, str]:
        """Find nothing, whatever was asked for."""
        return {"event": "probe_outcome", "outcome": "absent"}


class Hostile:
    """Has a name that clears the screen."""

    name = "\x1b[2J"
    capabilities = ("cache",)

    def cache_get(self, step: object) -> dict[str, object]:
        """Return a value that does so too."""
        error = {"name": "\x1b[2J", "message": "\x1b[2J"}
        return {"event": "cache_outcome", "outcome": "refused", "error": error}

    def cache_set(self, step: object) -> dict[str, object]:
        """Fail."""
        raise ValueError("\x1b[2J")
