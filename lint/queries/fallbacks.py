"""``getattr`` that asks for what may be missing, and goes on with what is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.module import last_name
from ..model.values import Alternative, Sdk, SdkClass
from ..sdk.module_surface import modules
from ..view import Access, FileView
from .sdk_names import path_of


def fallback(view: FileView, access: Access, item: Alternative) -> str:
    """Return what makes a ``getattr`` with a default right, in words; empty if nothing does.

    Its default, or what stands beside it at ``or``, is a member of the same object that exists; or
    it is the default of one, or what ``callable`` asks about.

    Args:
        view: the file of the use.
        access: the ``getattr``, spelt with a default, of a name that does not exist.
        item: the object, of which it is an attribute.
    """
    call = access.node
    if not isinstance(call, ast.Call):
        return ""
    parent = view.module.parents.get(call)
    if isinstance(parent, ast.Call) and parent.args == [call] and _is_callable(parent.func):
        return "callable asks whether it is there"
    taken = [part for default in call.args[2:] for part in _ends(default)]
    before: list[ast.expr] = []
    if isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.Or):
        place = parent.values.index(call)
        before = parent.values[:place]
        taken += [part for value in parent.values[place + 1 :] for part in _ends(value)]
    elif isinstance(parent, ast.Call) and parent.args[2:] == [call]:
        before = [parent]
    for words, parts in (("goes on with", taken), ("stands behind", before)):
        for part in parts:
            if _is_member(view, access, part, item):
                return f"getattr {words} {_read(part)[1]}, which exists"
    return ""


def _is_callable(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "callable"


def _ends(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the expressions of which one is the value."""
    if isinstance(node, ast.IfExp):
        yield from (part for side in (node.body, node.orelse) for part in _ends(side))
    elif isinstance(node, ast.BoolOp):
        yield from (part for value in node.values for part in _ends(value))
    else:
        yield node


def _is_member(view: FileView, access: Access, node: ast.expr, item: Alternative) -> bool:
    """Tell whether an expression reads what the object has: ``user.imperal_id``."""
    owner, name = _read(node)
    if owner is None or ast.dump(owner) != ast.dump(access.owner):
        return False
    path = path_of(item.value)
    if path:
        return name in modules(view.surface.version).names(path)
    value = item.value
    member = view.surface.member(value.cls, name) if isinstance(value, Sdk | SdkClass) else None
    return member is not None and (isinstance(value, Sdk) or member.is_method)


def _read(node: ast.expr) -> tuple[ast.expr | None, str]:
    """Return the object and the name of ``x.name`` and of ``getattr(x, "name", …)``."""
    if isinstance(node, ast.Attribute):
        return node.value, node.attr
    if isinstance(node, ast.Call) and last_name(node.func) == "getattr" and len(node.args) > 1:
        name = node.args[1]
        return node.args[0], str(name.value) if isinstance(name, ast.Constant) else ""
    return None, ""
