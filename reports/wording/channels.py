"""The channel that an invariant is about, by what a kernel must claim for all of its clauses."""

from __future__ import annotations

from collections.abc import Iterable

from ..record.model import ClauseResult

CHANNELS = {
    "agent": "agent",
    "cache": "cache",
    "store": "store",
    "skeleton": "skeleton",
    "dispatch": "dispatch",
    "audit": "dispatch",
    "narrator": "narrator",
    "probe": "handlers",
    "fact_ledger": "fact ledger",
}
"""Capability → channel; of several, the first one is told."""

OTHER = "other"


def channel(results: Iterable[ClauseResult]) -> str:
    """Return the channel of an invariant whose results these are."""
    every = tuple(results)
    for capability, name in CHANNELS.items():
        if every and all(capability in result.capabilities for result in every):
            return name
    return OTHER
