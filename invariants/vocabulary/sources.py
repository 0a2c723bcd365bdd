"""The founding documents, by the names that clauses cite."""

from __future__ import annotations

from .invariant import Source


def fact_ledger(section: str) -> Source:
    """Return a place in the fact-ledger page (both editions have the section)."""
    return Source("fact-ledger", section)


def context_channels(section: str) -> Source:
    """Return a place in the context-channels page."""
    return Source("context-channels", section)
