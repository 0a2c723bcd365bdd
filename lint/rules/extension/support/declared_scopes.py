"""The scopes that an extension declares, for itself and for its tools."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ....inference.calls.handlers import EXTENSIONS, sdk_class
from ....inference.syntax.module import Module, last_name
from ....inference.values.attributes import class_chain
from ....inference.values.fields import constructor
from ....inference.values.origins import written
from ....inference.values.values import Class, Const, Display, Frame, SdkClass, Value
from ....payloads.items import elements_of
from ....sdk_use.calls import arguments, shown
from ....view import FileView

_ADDING = frozenset({"append", "add", "extend", "update", "insert"})
_CONSTRUCTOR = "__init__"


class Scopes(msgspec.Struct, frozen=True, eq=False):
    """An expression of declared scopes.

    Attributes:
        name: of the argument or attribute: ``capabilities`` or ``scopes``.
        node: the expression; a list, or a single scope.
        place: the call or statement around it.
    """

    name: str
    node: ast.expr
    place: ast.AST


def scopes_of_call(view: FileView, call: ast.Call) -> Iterator[Scopes]:
    """Yield the scopes that a call gives to an extension, or to a tool of it."""
    cls, method, plain = _called(view, call)
    if not cls:
        return
    given = arguments(view, plain, cls, method)
    for name in ("capabilities", "scopes"):
        if name in given and method in {_CONSTRUCTOR, "tool"}:
            yield Scopes(name, given[name], call)


def scopes_given_later(view: FileView) -> Iterator[Scopes]:
    """Yield the scopes of ``ext.capabilities = …``, ``+= …`` and ``.append(…)``."""
    for node in view.module.nodes(ast.Attribute):
        if node.attr != "capabilities" or not _is_extension(view, node.value):
            continue
        parent = view.module.parents.get(node)
        if isinstance(parent, ast.Assign) and node in parent.targets:
            yield Scopes(node.attr, parent.value, parent)
        elif isinstance(parent, (ast.AnnAssign, ast.AugAssign)) and parent.target is node:
            if parent.value is not None:
                yield Scopes(node.attr, parent.value, parent)
        elif isinstance(parent, ast.Attribute) and parent.attr in _ADDING:
            call = view.module.parents.get(parent)
            if isinstance(call, ast.Call) and call.func is parent and call.args:
                yield Scopes(node.attr, call.args[-1], call)


def wildcard_in(view: FileView, given: Scopes) -> ast.AST | None:
    """Return the node of ``"*"`` among the scopes; their place if it is defined elsewhere."""
    if _is_wildcard(view, given.node):
        return _shown_at(given, given.node)
    for module, node, frame in _lists(view, given.node):
        for part in elements_of(view, module, node):
            if part is not None and any(
                item.value == Const("*") for item in view.evaluator.values(*part, frame)
            ):
                return _shown_at(given, part[1])
    return None


def _lists(view: FileView, node: ast.expr) -> Iterator[tuple[Module, ast.expr, Frame | None]]:
    for at in written(view.evaluator, view.module, node):
        yield at.module, at.node, at.frame
    for item in view.values(node):
        if isinstance(item.value, Display):
            yield item.value.module, item.value.node, item.frame


def _is_wildcard(view: FileView, node: ast.expr) -> bool:
    return any(item.value == Const("*") for item in view.values(node))


def _shown_at(given: Scopes, part: ast.expr) -> ast.AST:
    """Return the narrowest node within the place: the scope, the list, the call."""
    inside = set(ast.walk(given.place))
    return next((node for node in (part, given.node) if node in inside), given.place)


def _called(view: FileView, call: ast.Call) -> tuple[str, str, ast.Call]:
    """Return (class, method, call without ``self``) of a call of the SDK.

    The class is empty if it is neither a constructor of an extension nor its ``tool``.
    """
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == _CONSTRUCTOR:
        return _base_call(view, call, func.value)
    if isinstance(func, ast.Attribute) and func.attr == "tool":
        owners = [item.value for item in view.values(func.value)]
        known = {sdk_class(view.evaluator, owner) for owner in owners} & EXTENSIONS
        if known:
            return min(known), func.attr, call
        maybe = any(type(owner) is Value for owner in owners)
        return ("Extension" if maybe else ""), func.attr, _only_named(call)
    for item in view.values(func) if isinstance(func, (ast.Name, ast.Attribute)) else ():
        cls = extension_class(view, item.value)
        if cls:
            return cls, _CONSTRUCTOR, _only_named(call) if _has_own(view, item.value) else call
    return "", "", call


def extension_class(view: FileView, value: Value) -> str:
    """Return ``Extension`` or ``App`` for this class or a subclass; else empty."""
    cls = view.evaluator.sdk_base(value) if isinstance(value, Class) else ""
    cls = value.cls if isinstance(value, SdkClass) else cls
    return cls if cls in EXTENSIONS else ""


def _has_own(view: FileView, value: Value) -> bool:
    """Tell whether a class defines a constructor of its own."""
    return isinstance(value, Class) and constructor(class_chain(view.evaluator, value)) is not None


def _base_call(view: FileView, call: ast.Call, owner: ast.expr) -> tuple[str, str, ast.Call]:
    """Read ``super().__init__(…)`` and ``Extension.__init__(self, …)`` in a subclass."""
    if isinstance(owner, ast.Call) and last_name(owner.func) == "super":
        function = view.module.function(call)
        around = view.module.parents.get(function) if function is not None else None
        if not isinstance(around, ast.ClassDef):
            return "", "", call
        cls = Class(view.module, around)
        base = view.evaluator.sdk_base(cls)
        others = [each for each in class_chain(view.evaluator, cls) if each.node is not around]
        plain = _only_named(call) if constructor(others) is not None else call
        return (base if base in EXTENSIONS else ""), _CONSTRUCTOR, plain
    found = {item.value.cls for item in view.values(owner) if isinstance(item.value, SdkClass)}
    known = found & EXTENSIONS
    without_self = ast.copy_location(ast.Call(call.func, call.args[1:], call.keywords), call)
    return (min(known) if known else ""), _CONSTRUCTOR, without_self


def _only_named(call: ast.Call) -> ast.Call:
    """Return a call without its positional arguments, whose parameters are unknown."""
    return ast.copy_location(ast.Call(call.func, [], call.keywords), call)


def _is_extension(view: FileView, owner: ast.expr) -> bool:
    return any(sdk_class(view.evaluator, item.value) in EXTENSIONS for item in view.values(owner))


def is_whole(view: FileView, call: ast.Call) -> bool:
    """Tell whether a call shows all its keyword arguments."""
    return all(item.arg is not None for item in shown(view, call).keywords)
