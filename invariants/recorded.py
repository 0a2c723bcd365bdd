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
    return _by_reason({clause_id: unshown(clause_id) for clause_id in every_clause()})


def _by_reason(reasons: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return clauses by the reason that each has; those without one are left out."""
    found: dict[str, list[str]] = {}
    for clause_id, reason in reasons.items():
        if reason:
            found.setdefault(reason, []).append(clause_id)
    return {reason: tuple(sorted(clauses)) for reason, clauses in sorted(found.items())}


_GUARD = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/"

_HAS_EXTENSION = "whether a user has an extension of which nothing is told is not told"

_NOT_TOLD = {
    f"{_GUARD}contradicted-count": "of what a number in a draft speaks is not told",
    f"{_GUARD}counted-draft-survives": "whether all else that a draft says is true is not told",
    f"{_GUARD}grounded-draft-survives": "whether all else that a draft says is true is not told",
    f"{_GUARD}grounded-in-any-form": "whether all else that a draft says is true is not told",
    "C-SKELETON-ISOLATION/per-user": "whether a word of another user's section stands in a prompt "
    "by chance is not told",
    "C-SKELETON-REFRESH/first-refresh-unasked": _HAS_EXTENSION,
    "I-SKEL-AUTO-DERIVE-1/appears-unasked": _HAS_EXTENSION,
    "C-SKELETON-ALERT/tool-speaks": "what alert tools return is not told",
    "C-CACHE-LASTING/kept-through": "who else wrote, and what made room, is not told",
    "C-TURN-ORDER/classified-first": "whether events are told in the order in which they "
    "happened is not told",
    "C-TURN-ORDER/narrated-last": "whether events are told in the order in which they happened "
    "is not told",
}
"""Clause on kernels → why the spans of their steps do not show it."""


def not_told(clause_id: str) -> str:
    """Return why a kernel's spans do not show what a clause promises; empty if they may."""
    return _NOT_TOLD.get(clause_id, "")


def not_told_clauses() -> dict[str, tuple[str, ...]]:
    """Return the clauses that a kernel's spans do not show, by the reason."""
    return _by_reason(_NOT_TOLD)


NO_STORE = "undeclared whether all of the store is told"
NO_SKELETON = "undeclared whether all of the skeleton is told"

_OF_SKELETON = (
    "C-EXTENSION-IDS/sections-apart",
    "C-SKELETON-ALERT/raised-on-change",
    "C-SKELETON-ALERT/silent-unless-asked",
    "C-SKELETON-ALERT/silent-without-change",
    "C-SKELETON-ALERT/silent-without-tool",
    "C-SKELETON-COMPRESSION/at-most-six-fields",
    "C-SKELETON-COMPRESSION/first-six-fields-kept",
    "C-SKELETON-COMPRESSION/long-lists-collapsed",
    "C-SKELETON-COMPRESSION/long-strings-cut",
    "C-SKELETON-COMPRESSION/shape-hinted",
    "C-SKELETON-COMPRESSION/short-lists-named",
    "C-SKELETON-EVERY-TURN/all-sections-shown",
    "C-SKELETON-EVERY-TURN/newest-value-shown",
    "C-SKELETON-ISOLATION/per-extension",
    "C-SKELETON-ISOLATION/read-per-extension",
    "C-SKELETON-ISOLATION/read-per-user",
    "C-SKELETON-REFRESH/every-ttl",
    "C-SKELETON-REMOVAL/gone",
    "C-SKELETON-REMOVAL/others-stay",
    "C-SKELETON-SPOOFING/chat-makes-no-section",
    "C-SKELETON-SPOOFING/headers-not-imitated",
    "C-SKELETON-SPOOFING/values-make-no-section",
    "I-SKEL-AUTO-DERIVE-1/refreshed-again",
    "I-SKEL-AUTO-DERIVE-1/shown-when-refreshed",
    "I-SKELETON-LLM-ONLY/read-inside-skeleton",
    "I-SKELETON-LLM-ONLY/refusal-named",
    "I-SKELETON-LLM-ONLY/refused-outside-skeleton",
    "I-SKELETON-STALENESS-ENVELOPE/age-accurate",
    "I-SKELETON-STALENESS-ENVELOPE/age-shown",
    "I-SKELETON-STALENESS-ENVELOPE/staleness-stated",
)

_ALSO = {
    **dict.fromkeys(_OF_SKELETON, (NO_SKELETON,)),
    "C-EXTENSION-IDS/store-apart": (NO_STORE,),
    "C-STORE-ISOLATION/per-extension": (NO_STORE,),
    "C-STORE-ISOLATION/per-user": (NO_STORE,),
    "C-STORE-LASTING/across-sessions": (NO_STORE,),
    "C-STORE-LASTING/newest-read": (NO_STORE,),
    "C-STORE-LASTING/outlives-the-channels": (NO_STORE,),
    "C-AGENT-ARGUMENTS/arguments-unchanged": ("arguments not told",),
    f"{_GUARD}guard": ("draft not told",),
    f"{_GUARD}guard-in-any-form": ("draft not told",),
}
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
