"""As whom a handler acts: a user, or one of the platform's pseudo-users."""

from __future__ import annotations

from ..model.values import Sdk, SdkMethod, Value

SYSTEM = frozenset({"schedule", "signal"})
"""Kinds of handlers that run as ``__system__``."""
USERS = frozenset(
    {
        "tool",
        "function",
        "skeleton",
        "alert",
        "panel",
        "widget",
        "tray",
        "menu_item",
        "expose",
        "search_provider",
    }
)
"""Kinds of handlers that run for a user. Of the others the SDK does not say for whom they run."""
WEBHOOK = "webhook"
"""The kind of handlers that run as ``__webhook__``."""
A_USER = "a user"
AS_SYSTEM = "__system__"
AS_WEBHOOK = "__webhook__"


def owner_of(value: Value) -> Sdk | None:
    """Return the SDK object whose method a value is."""
    owner = value.owner if isinstance(value, SdkMethod) else None
    return owner if isinstance(owner, Sdk) else None


def pseudo_user(owner: Sdk) -> str:
    """Return the pseudo-user that an object of the SDK acts for; empty if for none, or unknown."""
    user = "" if owner.scoped else acting(owner.kind)
    return "" if user == A_USER else user


def acts_for_a_user(owner: Sdk) -> bool:
    """Tell whether an object of the SDK acts for a user."""
    return owner.scoped or owner.kind in USERS


def acting(kind: str) -> str:
    """Return as whom handlers of a kind run: ``A_USER``, a pseudo-user; empty if nobody says."""
    if kind in SYSTEM:
        return AS_SYSTEM
    if kind == WEBHOOK:
        return AS_WEBHOOK
    return A_USER if kind in USERS else ""
