"""Calls of the SDK, with the arguments that they are given."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from ..files.plain_text import mentions
from ..inference.calls.handlers import sdk_class
from ..inference.calls.keyword_arguments import is_collected
from ..inference.calls.roles import Role
from ..inference.syntax.bindings import Binding, sole_value
from ..inference.syntax.module import FUNCTIONS, Module
from ..inference.values.values import (
    Alternative,
    Const,
    Display,
    External,
    Partial,
    Sdk,
    SdkMethod,
    Value,
)
from ..view import FileView
from .sdk_objects import argument_of


def shown(view: FileView, call: ast.Call) -> ast.Call:
    """Return the call with ``*args`` and ``**kwargs`` written out, as far as known.

    A name counts only if it is bound once and only ever spread, since other uses may change it.
    """
    starred = any(isinstance(item, ast.Starred) for item in call.args)
    if not starred and all(item.arg is not None for item in call.keywords):
        return call
    args: list[ast.expr] = []
    for item in call.args:
        inner = _sequence(view, item.value) if isinstance(item, ast.Starred) else None
        args.extend([item] if inner is None else inner)
    keywords = _keywords(view, call.keywords)
    written = ast.Call(call.func, args, call.keywords if keywords is None else keywords)
    return ast.copy_location(written, call)


def fully_shown(view: FileView, call: ast.Call) -> ast.Call:
    """Return the call with displays and local names written out: ``shown`` for certain facts.

    Unlike ``shown`` it leaves out the callers' ``**kwargs``, and globals, which others may change.
    """
    spread = [item.value for item in call.args if isinstance(item, ast.Starred)]
    spread += [item.value for item in call.keywords if item.arg is None]
    parts = [part for node in spread for part in ast.walk(node) if isinstance(part, ast.Name)]
    if not spread or any(not _is_local(view, part) for part in parts):
        return call
    return shown(view, call)


def _is_local(view: FileView, name: ast.Name) -> bool:
    scope, found = view.evaluator.project.lookup(view.module, name)
    if not found:
        return name.id == "dict"
    is_inside = isinstance(scope, FUNCTIONS) and not is_collected(view.module, name)
    return is_inside and all(binding.kind != "param" for binding in found)


def _keywords(view: FileView, given: list[ast.keyword]) -> list[ast.keyword] | None:
    found: list[ast.keyword] = []
    for item in given:
        inner = [item] if item.arg is not None else _mapping(view, item.value)
        if inner is None:
            return None
        found.extend(inner)
    names = [item.arg for item in found]
    return found if len(set(names)) == len(names) else None


def _mapping(view: FileView, node: ast.expr) -> list[ast.keyword] | None:
    if isinstance(node, ast.Name) and is_collected(view.module, node):
        return _handed_on(view, node)
    node = _behind(view, node)
    if isinstance(node, ast.Call):
        plain = isinstance(node.func, ast.Name) and not node.args
        made = {item.value for item in view.values(node.func)} if plain else set[object]()
        return _keywords(view, node.keywords) if made == {External("dict")} else None
    if not isinstance(node, ast.Dict):
        return None
    found: list[ast.keyword] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            inner = _mapping(view, value)
            if inner is None:
                return None
            found.extend(inner)
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            found.append(ast.keyword(key.value, value))
        else:
            return None
    return found


def _handed_on(view: FileView, node: ast.Name) -> list[ast.keyword]:
    """Return the ``**kwargs`` of the function's callers as keywords; ``**kwargs`` for others."""
    names: dict[str, None] = {}
    for item in view.values(node):
        made = item.value.node if isinstance(item.value, Display) else None
        for key in made.keys if isinstance(made, ast.Dict) else ():
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                names[key.value] = None
    found = [
        ast.keyword(
            name, ast.copy_location(ast.Subscript(node, ast.Constant(name), ast.Load()), node)
        )
        for name in names
    ]
    return [*found, ast.keyword(None, node)]


def _sequence(view: FileView, node: ast.expr) -> list[ast.expr] | None:
    node = _behind(view, node)
    plain = isinstance(node, (ast.Tuple, ast.List))
    if not plain or any(isinstance(item, ast.Starred) for item in node.elts):
        return None
    return node.elts


def _behind(view: FileView, node: ast.expr) -> ast.expr:
    """Return the expression that a name holds."""
    if not isinstance(node, ast.Name):
        return node
    _, found = view.evaluator.project.lookup(view.module, node)
    value = sole_value(found)
    return value if value is not None and _is_only_spread(view, found[0], node) else node


def _is_only_spread(view: FileView, binding: Binding, name: ast.Name) -> bool:
    for use in view.module.names.get(name.id, ()):
        if isinstance(use.ctx, ast.Store):
            continue
        _, found = view.evaluator.project.lookup(view.module, use)
        if binding in found and (len(found) > 1 or not _is_spread(view.module, use)):
            return False
    return True


def _is_spread(module: Module, use: ast.Name) -> bool:
    parent = module.parents.get(use)
    if isinstance(parent, ast.Dict):
        return use not in parent.keys and parent.keys[parent.values.index(use)] is None
    return isinstance(parent, ast.Starred) or (
        isinstance(parent, ast.keyword) and parent.arg is None
    )


CALLED = "__call__"
"""The method of ``ctx.notify("…")``."""


class SdkCall(msgspec.Struct, frozen=True):
    """A call of a method of the SDK.

    Attributes:
        owner: the class of the SDK that was asked for.
        method: its name.
        item: the alternative that makes it a call of the SDK.
        certain: whether the receiver is proved.
        arguments: name → argument, for those that the call shows.
    """

    node: ast.Call
    owner: str
    method: str
    item: Alternative
    certain: bool
    arguments: dict[str, ast.expr]


def sdk_calls(
    view: FileView, owner: str, *methods: str, keyword: str = "", given: bool = False
) -> Iterator[SdkCall]:
    """Yield the calls of some methods of one class of the SDK and its subclasses.

    Only in files that hold the method's name, so that it can be a rule's trigger; with ``given``
    also calls that pass the method on: ``each(rows, ctx.progress)``. With ``keyword`` only calls
    with this keyword argument, or ``**mapping``.
    """
    return calls_of_any(view, {owner: methods}, keyword=keyword, given=given)


def calls_of_any(
    view: FileView, wanted: Mapping[str, Collection[str]], *, keyword: str = "", given: bool = False
) -> Iterator[SdkCall]:
    """Yield the calls of methods of several classes, class → methods, as ``sdk_calls`` does."""
    for call, callees in view.sdk_calls.items():
        if keyword and not _may_give(call, callees, keyword):
            continue
        told: set[str] = set()
        for item in callees:
            found = _sdk_call(view, call, item, wanted)
            if found is None or found.owner in told or not (given or _is_named(view, found)):
                continue
            told.add(found.owner)
            if not keyword or keyword in found.arguments:
                yield found


def _may_give(call: ast.Call, callees: Iterable[Alternative], keyword: str) -> bool:
    """Tell whether a call, or the ``partial(…)`` that it calls, may give a keyword argument."""
    made = (item.value.node for item in callees if isinstance(item.value, Partial))
    return any(item.arg in {keyword, None} for each in (call, *made) for item in each.keywords)


def _sdk_call(
    view: FileView, call: ast.Call, item: Alternative, wanted: Mapping[str, Collection[str]]
) -> SdkCall | None:
    method, whole = called(view, call, item.value)
    if method is None or not any(method.name in methods for methods in wanted.values()):
        return None
    cls = sdk_class(view.evaluator, method.owner) or method.owner.cls
    owner = "Extension" if cls == "App" and cls not in wanted else cls
    if method.name not in wanted.get(owner, ()):
        return None
    given = arguments(view, whole, cls, method.name)
    return SdkCall(call, owner, method.name, item, method.certain, given)


def called(view: FileView, call: ast.Call, callee: Value) -> tuple[SdkMethod | None, ast.Call]:
    """Return the SDK method that a call runs, and the call with its arguments.

    ``partial(method, key)(Model)`` is ``method(key, Model)``, ``ctx.notify("…")`` is ``__call__``.
    """
    if isinstance(callee, Sdk) and view.surface.member(callee.cls, CALLED):
        return SdkMethod(callee, CALLED), call
    if isinstance(callee, Partial):
        is_here = callee.module is view.module
        return callee.method if is_here else None, _completed(callee.node, call)
    return callee if isinstance(callee, SdkMethod) else None, call


def _completed(made: ast.Call, call: ast.Call) -> ast.Call:
    given = {item.arg for item in call.keywords}
    kept = [item for item in made.keywords if item.arg is None or item.arg not in given]
    args, keywords = [*made.args[1:], *call.args], [*kept, *call.keywords]
    return ast.copy_location(ast.Call(made.args[0], args, keywords), call)


def _is_named(view: FileView, found: SdkCall) -> bool:
    callee = found.node.func
    is_written = isinstance(callee, ast.Attribute) and callee.attr == found.method
    return is_written or found.method == CALLED or mentions(view.module.source, found.method)


def arguments(view: FileView, call: ast.Call, cls: str, method: str) -> dict[str, ast.expr]:
    """Return name → argument of a call, keywords for ``**kwargs`` included."""
    call = shown(view, call)
    found = {item.arg: item.value for item in call.keywords if item.arg}
    member = view.surface.member(cls, method)
    spec = member.signature if member else None
    for name in spec.names if spec else ():
        given = argument_of(call, spec, name) if spec else None
        if given is not None:
            found[name] = given
    return found


def is_proved(view: FileView, role: Role) -> bool:
    """Tell whether a handler is certainly registered with an object of the SDK."""
    callee = role.call.func if isinstance(role.call, ast.Call) else role.call
    if not isinstance(callee, ast.Attribute):
        return False
    found = view.values(callee.value)
    return any(sdk_class(view.evaluator, item.value) for item in found)


def constants_of(view: FileView, node: ast.expr) -> list[tuple[object, Alternative]]:
    """Return the known values of an expression, each with its alternative."""
    return [(item.value.value, item) for item in view.values(node) if isinstance(item.value, Const)]


def spreads(call: ast.Call) -> bool:
    """Tell whether a call passes ``**mapping``, so that it may give more than it shows."""
    return any(item.arg is None for item in call.keywords)


def applied_to(module: Module, call: ast.Call) -> ast.ClassDef | ast.expr | None:
    """Return the class that a decorator call is applied to, as ``@`` or directly; else None."""
    parent = module.parents.get(call)
    if isinstance(parent, ast.Call) and parent.func is call:
        return parent.args[0] if parent.args else None
    if isinstance(parent, ast.ClassDef) and call in parent.decorator_list:
        return parent
    return None
