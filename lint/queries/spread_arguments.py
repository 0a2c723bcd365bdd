"""Arguments that a call gives as ``*args`` and ``**kwargs``, where the code shows them."""

from __future__ import annotations

import ast

from ..model.bindings import Binding, sole_value
from ..model.keyword_arguments import is_collected
from ..model.module import FUNCTIONS, Module
from ..model.values import Display, External
from ..view import FileView


def shown(view: FileView, call: ast.Call) -> ast.Call:
    """Return the call with what it spreads written out, as far as that is known.

    A name counts only if it is bound once and never used but to be spread: anything else may
    change what it holds.
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
    """Return the call with those dicts and lists written out that nobody else can change.

    That is ``shown`` without what callers give as ``**kwargs``, and without names of the file,
    which other files may read.
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
    """Return what the function's callers give to its ``**kwargs``, and ``**kwargs`` for others."""
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
    plain = isinstance(node, ast.Tuple | ast.List)
    if not plain or any(isinstance(item, ast.Starred) for item in node.elts):
        return None
    return node.elts


def _behind(view: FileView, node: ast.expr) -> ast.expr:
    """Return what a name holds."""
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
