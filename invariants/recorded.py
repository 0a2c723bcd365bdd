"""The clauses that judge recordings: those of the catalog on agents, and those of recordings alone.

Whatever needs the capability ``agent`` judges recordings, and everything that a kernel claims the
traces of it that fedcheck wrote; nothing has to be told here of a clause that joins the catalog,
except what a recording must hold for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache

from .catalog import catalog, clauses
from .judges.recordings import isolation, results
from .vocabulary.invariant import Clause, Invariant

Clauses = Mapping[str, tuple[Invariant, Clause]]

ISOLATION = "C-RECORDED-ISOLATION/own-values-only"
"""The one clause for which all conversations are compared with each other."""

RECORDED_ALONE = (isolation.INVARIANT, results.INVARIANT)
"""The invariants of which only recordings are asked."""

_UNSHOWN = {
    "agent_users": "whether the id of a session alone is the key of a conversation is not told",
    "agent_restart": "whether a process was started anew is not told",
    "agent_overlap": "whether a runtime takes turns of several sessions at the same time is not "
    "told",
    "agent_confirm": "whether its user has agreed is not told",
    "agent_streams": "whether an answer was asked for as a stream is not told",
    "C-AGENT-REPLY/reply-whole": "what the user saw is not told, only what the model said",
    "C-AGENT-ROLES/user-text-stays": "what the user wrote is told by the requests alone",
    "C-AGENT-SESSIONS/sessions-apart": "each session is judged alone, and what one shows of "
    "another of its user may be a memory that is meant",
}
"""Capability or clause on agents → why spans do not show it."""

GAPS = (
    "no content", "cut", "stringified", "no user", "a call without its result", "gap",
    "a call id used twice", "a call with two results", "unreadable",
)  # fmt: skip
"""What may be missing of a turn."""

_OF_RESULTS = (
    "no content", "cut", "stringified", "a call without its result", "a call id used twice",
    "a call with two results",
)  # fmt: skip

_NEEDS: dict[str, tuple[str, ...]] = {
    "C-AGENT-FIDELITY/json-kept": _OF_RESULTS,
    "C-AGENT-FIDELITY/values-kept": _OF_RESULTS,
    "C-AGENT-FIDELITY/text-kept": _OF_RESULTS,
    "C-AGENT-ONCE/at-most-once": ("no content", "cut", "gap", "a call id used twice"),
    "C-RECORDED-RESULTS/no-python-repr": ("no content", "cut"),
    ISOLATION: ("no content", "cut", "no user", "gap", "a call without its result"),
}  # fmt: skip
"""Clause → what must not be missing of a turn that it judges; of other clauses nothing may."""


@cache
def every_clause() -> Clauses:
    """Return every clause there is, those of recordings alone among them."""
    return {**clauses(catalog()), **clauses(RECORDED_ALONE)}


@cache
def recorded_clauses(capabilities: frozenset[str] = frozenset()) -> Clauses:
    """Return every clause that judges recordings, by its id.

    Args:
        capabilities: of the kernels whose traces fedcheck itself wrote, which hold all that their
            clauses ask for; of other recordings nothing is claimed.
    """
    return {
        clause_id: (invariant, clause)
        for clause_id, (invariant, clause) in every_clause().items()
        if _shows(clause_id, needed := invariant.capabilities | clause.capabilities)
        or needed <= capabilities
    }


def _shows(clause_id: str, needed: frozenset[str]) -> bool:
    """Whether any recording can show what a clause with these capabilities promises."""
    return "agent" in needed and not unshown(clause_id)


@cache
def unshown(clause_id: str) -> str:
    """Return why spans do not show what a clause on agents promises; empty if they may."""
    invariant, clause = every_clause()[clause_id]
    needed = invariant.capabilities | clause.capabilities
    told = (_UNSHOWN[each] for each in (clause_id, *sorted(needed)) if each in _UNSHOWN)
    return next(told, "")


@cache
def unshown_clauses() -> dict[str, tuple[str, ...]]:
    """Return the clauses on agents that spans do not show, by the reason."""
    found: dict[str, list[str]] = {}
    for clause_id in every_clause():
        if reason := unshown(clause_id):
            found.setdefault(reason, []).append(clause_id)
    return {reason: tuple(sorted(clauses)) for reason, clauses in sorted(found.items())}


_ALSO = {"C-AGENT-ARGUMENTS/arguments-unchanged": ("arguments not told",)}
"""Clause → what must not be missing besides, which no other clause asks for."""


def needs(clause_id: str) -> tuple[str, ...]:
    """Return what must not be missing of a turn for a clause to judge it."""
    return (*_NEEDS.get(clause_id, GAPS), *_ALSO.get(clause_id, ()))


def judges_turns(clause_id: str) -> bool:
    """Return whether a clause judges turns one by one, whatever is missing of others."""
    return clause_id in _NEEDS


def recorded_digest() -> str:
    """Return the SHA-256 of what the clauses say that may judge recordings."""
    told = [
        [name, clause.sentence, clause.level, needs(name)]
        for name, (_, clause) in sorted(every_clause().items())
    ]
    return hashlib.sha256(json.dumps(told).encode("ascii")).hexdigest()
