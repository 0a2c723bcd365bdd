"""The documents that clauses cite, by name."""

from __future__ import annotations

from .invariant import Source


def fact_ledger(section: str) -> Source:
    """Return a place in the fact-ledger page (both editions have the section)."""
    return Source("fact-ledger", section)


def context_channels(section: str) -> Source:
    """Return a place in the context-channels page."""
    return Source("context-channels", section)


def page(name: str, section: str) -> Source:
    """Return a place in a documented page of the platform, beyond the founding ones."""
    return Source(name, section, "documented")


def changelog(version: str, entry: str) -> Source:
    """Return an entry in the SDK's changelog."""
    return Source(f"SDK {version}", entry, "changelog")


def sdk_code(module: str, name: str) -> Source:
    """Return a place in the published code of the SDK, which promises nothing by itself."""
    return Source(module, name, "code")


def published(document: str, section: str) -> Source:
    """Return a place in what a provider, a protocol or a runtime publishes of itself."""
    return Source(document, section, "documented")
