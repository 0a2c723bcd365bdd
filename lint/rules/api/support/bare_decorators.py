"""Decorator factories of the SDK used without brackets: ``@ext.panel``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from .....reports.lint.findings import Severity
from ....inference.calls.handlers import DECLARING
from ....inference.values.values import Alternative, SdkMethod
from ....sdk_use.import_errors import failure, never_runs
from ....sdk_use.reach import is_replaced
from ....sdk_use.sdk_objects import source_of
from ....view import FileView

_Decorated = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_MAKERS = frozenset(
    {"tool", "signal", "schedule", "skeleton", "panel", "widget", "tray", "menu_item", "webhook",
     "search_provider", "on_event", "on_upgrade", "expose", "emits", "cache_model", "secret",
     "function"}
)  # fmt: skip
"""Methods that make a decorator, in every release that has them."""
_REFUSING = {
    "skeleton": ("1.6.0", "ValueError"),
    "webhook": ("5.9.0", "AttributeError"),
    "emits": ("4.0.0", "TypeError"),
}
"""Method → since when it looks at its first argument, and what it raises for a function."""


class BareDecorator(msgspec.Struct, frozen=True):
    """A decorator that gets the function as its first argument.

    Attributes:
        node: the decorator.
        text: what happens, and what to write.
        severity: None for that of the rule.
    """

    node: ast.expr
    text: str
    severity: Severity | None


def bare_decorators(view: FileView) -> Iterator[BareDecorator]:
    """Yield the decorators of a file that lack their brackets, so that they register nothing."""
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        for decorated in view.module.nodes(kind):
            for node in decorated.decorator_list:
                item = _maker(view, node)
                if item is not None:
                    yield _found(view, decorated, node, item)


def _maker(view: FileView, node: ast.expr) -> Alternative | None:
    if isinstance(node, ast.Attribute) and node.attr not in _MAKERS:
        return None
    found = view.values(node) if isinstance(node, (ast.Attribute, ast.Name)) else ()
    for item in found:
        value = item.value
        if not isinstance(value, SdkMethod) or value.name not in _MAKERS:
            return None
        owner = value.owner.cls
        if owner not in DECLARING or view.surface.member(owner, value.name) is None:
            return None
        if is_replaced(view, owner, value.name):
            return None
    return found[0] if found else None


def _found(
    view: FileView, decorated: _Decorated, node: ast.expr, item: Alternative
) -> BareDecorator:
    value = item.value
    assert isinstance(value, SdkMethod)  # noqa: S101 - _maker looked
    member = view.surface.member(value.owner.cls, value.name)
    spec = member.signature if member is not None else None
    what = "the class" if isinstance(decorated, ast.ClassDef) else "the function"
    first = spec.positional[0] if spec is not None and spec.positional else "its first argument"
    needed = [it for it in spec.names[1:] if it in spec.required] if spec is not None else []
    lack = f" and needs {' and '.join(needed)}" if needed else ""
    error = "TypeError" if needed else _refusal(view, value.name)
    effect, severity = f"registers nothing, and {decorated.name} is a decorator", None
    if error:
        failed = failure(view, node, error)
        effect, severity = f"raises {error}{failed.effect}", failed.severity
    elif never_runs(view, node):
        severity = "info"
    sure = getattr(value.owner, "certain", True) and decorated.decorator_list == [node]
    if not sure and severity in {None, "error"}:
        severity = "warning"
    shown = source_of(node)
    text = (
        f"@{shown} without brackets gets {what} in place of {first}{lack}: in {view.sdk} it "
        f"{effect}. Write @{shown}({_written(decorated, first, needed)})."
    )
    return BareDecorator(node, text, None if severity == "error" else severity)


def _refusal(view: FileView, name: str) -> str:
    """Return the exception that a method raises if its only argument is a function."""
    since, error = _REFUSING.get(name, ("", ""))
    return error if error and view.surface.at_least(since) else ""


def _written(decorated: _Decorated, first: str, needed: list[str]) -> str:
    """Return the arguments that the decorator needs."""
    given = f'"{decorated.name}"' if "name" in first or first.endswith("_id") else f"{first}=…"
    return ", ".join([given, *(f"{name}=…" for name in needed)])
