"""Which functions a decorator of the tree decorates, if that is all that is done with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

import msgspec

from ..evaluator import Evaluator
from ..module import Module, last_name
from ..values import Class, Function, Instance
from .shapes import Shape
from .wrapping import Wrapping, of_decorator, registers

_MOST = 300
_MOST_NAMES = 8
_HOLDING = frozenset({"assign", "class", "def", "import"})
"""Kinds of bindings that may give a name a decorator."""


class DecoratorUse(msgspec.Struct, frozen=True, eq=False):
    """A function under a decorator.

    Attributes:
        module: where it stands.
        function: what is decorated.
        index: place of the decorator, from above.
        callee: the decorator without the calls that make it.
        made: what the decorator does with the function.
        above: what the decorators above it do, without those that register handlers.
    """

    module: Module
    function: ast.FunctionDef | ast.AsyncFunctionDef
    index: int
    callee: ast.expr
    made: Wrapping
    above: tuple[Wrapping, ...]


_Uses = tuple[DecoratorUse, ...]
_Place = tuple[Module, ast.expr]
_KNOWN: WeakKeyDictionary[Evaluator, dict[ast.AST, _Uses]] = WeakKeyDictionary()


def uses_of(evaluator: Evaluator, shape: Shape) -> _Uses:
    """Return what the decorator that makes a wrapper decorates.

    Nothing if anything else is done with the decorator, so that its wrapper may get anything.
    """
    known = _KNOWN.setdefault(evaluator, {})
    if shape.maker not in known:
        known[shape.maker] = ()
        found: list[DecoratorUse] = []
        for module, reference in _references(evaluator, shape):
            if _makes_another(shape, module, reference):
                continue
            use = _use(evaluator, module, reference)
            if use is None or len(found) == _MOST:
                return ()
            found.append(use)
        known[shape.maker] = tuple(found)
    return known[shape.maker]


def _references(evaluator: Evaluator, shape: Shape) -> Iterator[_Place]:
    """Yield the uses of a decorator, under all names that the tree gives it."""
    names = [shape.name]
    seen: set[ast.AST] = set()
    for name in names:
        for module in evaluator.project.naming(name):
            aliases = (each for it in module.nodes(ast.ImportFrom) for each in it.names)
            given = [each.asname for each in aliases if each.name == name and each.asname]
            attributes = (part for part in module.nodes(ast.Attribute) if part.attr == name)
            for part in (*module.names.get(name, ()), *attributes):
                if part not in seen and _is_made(evaluator, shape, module, part):
                    seen.add(part)
                    targets = _aliases(evaluator, shape, module, part)
                    given += targets
                    if not targets:
                        yield module, part
            names += [each for each in dict.fromkeys(given) if each not in names][:_MOST_NAMES]


def _aliases(evaluator: Evaluator, shape: Shape, module: Module, part: ast.expr) -> list[str]:
    """Return the names to which a decorator is given: ``slow = cached(ttl=300)``."""
    made = _called(module, part)
    parent = module.parents.get(made)
    if not isinstance(parent, ast.Assign) or not _is_made(evaluator, shape, module, made):
        return []
    is_named = all(isinstance(target, ast.Name) for target in parent.targets)
    is_named = is_named and module.scope(parent) is module.tree
    return [last_name(target) for target in parent.targets] if is_named else []


def _is_made(evaluator: Evaluator, shape: Shape, module: Module, part: ast.expr) -> bool:
    """Tell whether an expression is a decorator, what makes it, or an object that holds it."""
    if not _may_be_made(evaluator, shape, module, part):
        return False
    for item in evaluator.values(module, part):
        value = item.value
        node = value.cls if isinstance(value, Instance) else value
        if isinstance(node, Function | Class) and node.node in shape.chain:
            return True
    return False


def _may_be_made(evaluator: Evaluator, shape: Shape, module: Module, part: ast.expr) -> bool:
    """Tell whether an expression is to be followed: no local name holds a decorator of a file."""
    root = part
    while isinstance(root, ast.Attribute | ast.Call):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name) or not isinstance(root.ctx, ast.Load):
        return shape.is_method
    scope, found, _ = evaluator.project.bindings(module, root)
    kinds = {binding.kind for binding in found if scope is module.tree or binding.kind != "assign"}
    return bool(kinds & _HOLDING) or (shape.is_method and isinstance(part, ast.Attribute))


def _called(module: Module, node: ast.expr) -> ast.expr:
    """Return the last of the calls that begin with an expression: ``deco(3)`` of ``deco``."""
    parent = module.parents.get(node)
    while isinstance(parent, ast.Call) and parent.func is node:
        node, parent = parent, module.parents.get(parent)
    return node


def _makes_another(shape: Shape, module: Module, part: ast.expr) -> bool:
    """Tell whether a decorator only names itself to be called later: ``partial(cached, ttl=3)``."""
    parent = module.parents.get(part)
    if not isinstance(parent, ast.Call) or last_name(parent.func) != "partial":
        return False
    is_result = isinstance(module.parents.get(parent), ast.Return | ast.IfExp)
    return is_result and shape.chain[-1] in module.ancestors(part)


def _use(evaluator: Evaluator, module: Module, part: ast.expr) -> DecoratorUse | None:
    """Return the use of a decorator as one, or None if it is used otherwise."""
    made = _called(module, part)
    function = module.parents.get(made)
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    if made not in function.decorator_list:
        return None
    index = function.decorator_list.index(made)
    above = tuple(
        of_decorator(evaluator, module, each)
        for each in function.decorator_list[:index]
        if not registers(evaluator, module, each)
    )
    made_of = of_decorator(evaluator, module, made)
    return DecoratorUse(module, function, index, part, made_of, above)
