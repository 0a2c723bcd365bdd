"""SDK objects used as lists: ``for row in document``, ``len(document)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ....inference.values.values import Alternative, Sdk
from ....sdk_use.guards import caught
from ....sdk_use.sdk_objects import has_special, source_of
from ....view import FileView

_WALKING = frozenset({"list", "tuple", "set", "sorted", "enumerate", "sum", "min", "max", "zip"})
_BUILTINS = _WALKING | {"len"}


class Walked(msgspec.Struct, frozen=True, eq=False):
    """An object that is no list.

    Attributes:
        node: the object.
        item: the alternative that makes it one of the SDK.
        text: what the code does with it: ``len(found)``.
        error: the exception that this raises.
    """

    node: ast.expr
    item: Alternative
    text: str
    error: str


def walked_objects(view: FileView, *classes: str) -> Iterator[Walked]:
    """Yield the loops over objects of some classes that have no elements, and their lengths."""
    for node, builtin in _walks(view):
        text = f"{builtin}({source_of(node)})" if builtin else f"for … in {source_of(node)}"
        for owner, item in view.sdk_values(node, *classes):
            error = _error(view, owner, builtin) if owner.certain else ""
            if error and not caught(view.module, node, error, "LookupError"):
                yield Walked(node, item, text, error)
            if error:
                break


def _walks(view: FileView) -> Iterator[tuple[ast.expr, str]]:
    """Yield (expression, builtin) of the iterables of loops and arguments of ``len`` and so on."""
    for kind in (ast.For, ast.comprehension):
        yield from ((node.iter, "") for node in view.module.nodes(kind))
    for name in sorted(_BUILTINS):
        for call in view.module.calls.get(name, ()):
            alone = len(call.args) == 1 and not isinstance(call.args[0], ast.Starred)
            is_builtin = (
                isinstance(call.func, ast.Name)
                and not view.extension.project.lookup(view.module, call.func)[1]
            )
            if alone and is_builtin:
                yield call.args[0], name


def _error(view: FileView, owner: Sdk, builtin: str) -> str:
    """Return the exception of a use; empty if the object supports it."""
    has = {name: has_special(view, owner.cls, f"__{name}__") for name in ("len", "iter", "getitem")}
    bases = view.surface.member(owner.cls, "(bases)")
    if bases is not None and "BaseModel" in bases.text and builtin != "len":
        return ""  # pydantic's models give their fields
    if builtin == "len":
        return "" if has["len"] else "TypeError"
    if has["iter"]:
        return ""
    return "KeyError" if has["getitem"] else "TypeError"
