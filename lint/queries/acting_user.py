"""As whom a handler acts: a user, or one of the platform's pseudo-users."""

from __future__ import annotations

import ast

from ..model.module import FUNCTIONS, Module
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
_NAMES = frozenset({"__system__", "__webhook__", "scoped_from"})


def owner_of(value: Value) -> Sdk | None:
    """Return the SDK object whose method a value is."""
    owner = value.owner if isinstance(value, SdkMethod) else None
    return owner if isinstance(owner, Sdk) else None


def acts_as_system(owner: Sdk) -> bool:
    """Tell whether an object of the SDK acts for the pseudo-user of schedules."""
    return owner.kind in SYSTEM and not owner.scoped


def acts_as_webhook(owner: Sdk) -> bool:
    """Tell whether an object of the SDK acts for the pseudo-user of webhooks."""
    return owner.kind == WEBHOOK and not owner.scoped


def acts_for_a_user(owner: Sdk) -> bool:
    """Tell whether an object of the SDK acts for a user."""
    return owner.scoped or owner.kind in USERS


def tells_users_apart(module: Module, node: ast.AST) -> bool:
    """Tell whether the function around a node asks as whom it runs."""
    function = next((up for up in module.ancestors(node) if isinstance(up, FUNCTIONS)), None)
    return function is not None and any(
        part.value in _NAMES and module.owner(part) is function
        for part in module.nodes(ast.Constant)
    )
