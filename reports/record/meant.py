"""Which clauses are not meant for what was judged: those on kernels for an agent, and the reverse.

They stand in the record, since a run selects from the whole catalog. Nobody waits for them, so
reports do not count them among what was left out, or is not claimed.
"""

from __future__ import annotations

from ...invariants.catalog import catalog, clauses
from .model import RunRecord
from .verdict_words import ABOUT_AGENTS, ABOUT_KERNELS


def not_meant(record: RunRecord) -> frozenset[str]:
    """Return the ids of the clauses that are about the other kind of system."""
    found = {x.clause for x in record.clauses if x.reason in (ABOUT_AGENTS, ABOUT_KERNELS)}
    header = record.header
    if header.excluded and not header.is_audit:
        known, is_agent = clauses(catalog()), "agent" in header.kernel.capabilities
        found |= {
            name
            for name in header.excluded
            if name in known and ("agent" in known[name][0].capabilities) != is_agent
        }
    return frozenset(found)
