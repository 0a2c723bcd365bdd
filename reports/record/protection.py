"""What keeps a kernel from leaving something behind that outlives the run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

Sandbox: TypeAlias = Literal["auto", "on", "off"]
"""Whether a kernel gets namespaces: where the system permits it, in any case, or never."""

Protection: TypeAlias = Literal["", "none", "subreaper", "pid-namespace", "not-needed"]
"""What held: nothing, a supervisor that ends all descendants, or namespaces with which everything
in them ends; ``not-needed`` for the embedded kernels, which are ours, and empty in a record that
was written before this was told."""

_FROM_WEAK_TO_STRONG: tuple[Protection, ...] = (
    "none",
    "subreaper",
    "pid-namespace",
    "not-needed",
)
_WORDS: dict[Protection, str] = {
    "": "not told",
    "none": "none",
    "subreaper": "a supervisor ended every descendant (subreaper)",
    "pid-namespace": "it ran in namespaces of its own (pid-namespace)",
    "not-needed": "not needed: the kernel is the suite's own",
}


def weakest(found: Iterable[Protection]) -> Protection:
    """Return the weakest of several protections; empty if there are none."""
    seen = set(found)
    for protection in _FROM_WEAK_TO_STRONG:
        if protection in seen:
            return protection
    return ""


def protection_words(protection: Protection) -> str:
    """Return a protection in words."""
    return _WORDS[protection]


def is_protected(protection: Protection) -> bool:
    """Return whether it is known that nothing of the kernel outlived the run."""
    return protection not in {"", "none"}


def possible_protections(transport: str, sandbox: object) -> frozenset[Protection]:
    """Return what may have held for a kernel, by its transport and the setting ``sandbox``."""
    if transport in {"embedded", "recording"}:
        return frozenset({"not-needed"})
    if transport in {"exec", "hosted"} and sandbox != "off":
        return frozenset({"none", "subreaper", "pid-namespace"})
    return frozenset({"none"})
