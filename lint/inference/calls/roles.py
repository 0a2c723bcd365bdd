"""What a function is registered as."""

from __future__ import annotations

import ast

import msgspec

HOOKS = ("on_install", "on_uninstall", "on_enable", "on_disable", "health_check")
"""Names of decorators that may stand without a call."""
KINDS = frozenset(
    [
        "tool",
        "skeleton",
        "panel",
        "widget",
        "tray",
        "menu_item",
        "schedule",
        "signal",
        "webhook",
        "on_event",
        "expose",
        "search_provider",
        *HOOKS,
        "on_upgrade",
        "function",
    ]
)
"""Names of decorators whose functions get a context."""
CONTEXT_NAMES = frozenset({"ctx", "context"})
"""Names that people give a context."""


class Role(msgspec.Struct, frozen=True, eq=False):
    """What a handler is registered as.

    Attributes:
        kind: name of the decorator; ``skeleton`` also for ``@ext.tool("skeleton_refresh_…")``,
            ``alert`` for ``@ext.tool("skeleton_alert_…")``.
        call: the decorator; the call itself if it is one.
        context: the parameter that receives the context, if there is one.
        label: the decorator as people write it: ``@ext.panel("notes")``.
        name: the first argument, if it is a constant text.
        is_elsewhere: whether the call stands in another file than the function.
    """

    kind: str
    call: ast.expr
    context: ast.arg | None
    label: str
    name: str
    is_elsewhere: bool = False

    @property
    def arguments(self) -> dict[str, ast.expr]:
        """The keyword arguments of the decorator."""
        if not isinstance(self.call, ast.Call):
            return {}
        return {item.arg: item.value for item in self.call.keywords if item.arg}
