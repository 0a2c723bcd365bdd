"""The numbers that the founding documents fix, written once.

A kernel may declare other values in its description; it is then judged by its own
values and the report shows the deviation.
"""

from __future__ import annotations

from typing import Literal

import msgspec

EXPOSE_PII_FLAG = "IMPERAL_FACT_LEDGER_EXPOSE_PII"
"""Environment flag that opts in to raw personal data (fact-ledger page, PII gate)."""

KEY_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-:"
"""Characters a cache key may hold (context-channels page, channel 2)."""


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Values that bound the channels; the defaults are those of the founding documents.

    Attributes:
        window: completed exchanges whose facts are replayed (fact-ledger page, Caps and limits).
        turn_cap: characters of facts per turn, in Unicode code points (same table).
        call_cap: characters of facts per call; ``None`` when the kernel has no such cap.
        cap_counts: whether ``turn_cap`` counts the ``data`` payloads or the whole ``line``;
            ``None`` when the kernel does not say, which leaves both readings open.
        key_max_length: characters in a cache key (context-channels page, channel 2).
        ttl_max_seconds: longest life of a cache entry, in seconds (same place).
        value_max_bytes: largest serialised cache value, in bytes (same place).
        section_fields: top-level fields of a skeleton section that survive compression.
        section_list_items: dicts in a list that may still be shown inline.
        retry_budget: how often the planner is asked again for arguments that do not fit (page
            pydantic-feedback-loop).
        confirm_writes: whether writes wait for a yes too, as one edition of the page on
            confirmations says.
        agent_turns: earlier turns of its session that an agent's model is sent; ``None`` if all.
        agent_failed_turns: whether an agent keeps a turn that ended with an error; ``None``
            where it does not say.
    """

    window: int = 5
    turn_cap: int = 3000
    call_cap: int | None = None
    cap_counts: str | None = None
    key_max_length: int = 128
    ttl_max_seconds: int = 300
    value_max_bytes: int = 65_536
    section_fields: int = 6
    section_list_items: int = 5
    retry_budget: int = 2
    confirm_writes: bool = False
    agent_turns: int | None = None
    agent_failed_turns: Literal["kept", "dropped"] | None = None


CLAIMED_ELSEWHERE = {
    "retry_budget": "I-PYDANTIC-RETRY-BUDGET",
    "confirm_writes": "C-CONFIRM-GATE",
}
"""Values that no founding document fixes, each with the invariant to which it matters."""


def _is_within(field: str, declared: Parameters) -> bool:
    """Whether a value that differs is no deviation: the documents leave it open, or allow less."""
    fewer = field == "retry_budget" and declared.retry_budget < DOCUMENTED.retry_budget
    return field == "cap_counts" or field.startswith("agent_") or fewer


DOCUMENTED = Parameters()
"""The values of the founding documents."""


def deviations(declared: Parameters) -> dict[str, tuple[object, object]]:
    """Return the parameters that differ from the documents, as name → (documented, declared)."""
    return {
        field: (getattr(DOCUMENTED, field), getattr(declared, field))
        for field in Parameters.__struct_fields__
        if getattr(DOCUMENTED, field) != getattr(declared, field)
        and not _is_within(field, declared)
    }
