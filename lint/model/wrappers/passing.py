"""Which decorators of the tree give their callers what the function that they wrap returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..arguments import callee_of
from ..bindings import sole_value
from ..blocks import leaves
from ..evaluator import Evaluator
from ..gathered import waited_for
from ..known_calls import LOG_METHODS
from ..module import Module, last_name
from ..values import Class, Function, Instance
from .decorators import Method, Wrapper, calls_inside, choices, gives_back, is_of, outer
from .shapes import makers_of, shape_of
from .wrapping import of_decorator

_LOOKING = frozenset({"bool", "isinstance", "len", "print", "repr", "str", "type"})
_ASKING = (ast.Compare, ast.FormattedValue, ast.Return, ast.UnaryOp)


def passes_answer(
    evaluator: Evaluator, module: Module, function: Method, decorator: ast.expr
) -> bool:
    """Tell whether what a decorator makes of a function always returns what that one does.

    Only what is seen as a whole: a plain wrapper whose every ``return`` gives the answer of what it
    wraps, as it is, or a decorator that gives the function itself back.
    """
    made = of_decorator(evaluator, module, decorator)
    if not made.is_clear or len(made.wrappers) != 1 or module.is_generator(function):
        return False
    chains = list(_chains(evaluator, made.wrappers[0], function))
    return bool(chains) and all(_is_made_by(evaluator, module, decorator, it) for it in chains)


_Chain = tuple[ast.AST, ...]


def _chains(evaluator: Evaluator, wrapper: Wrapper, function: Method) -> Iterator[_Chain]:
    """Yield the makers of each function that takes the place of another; none if it changes."""
    module, maker = wrapper.function.module, wrapper.function.node
    if wrapper.lead is None and gives_back(wrapper.function, wrapper.wrapped):
        found = makers_of(module, maker) if isinstance(maker, Method) else None
        yield found[0] if found is not None else ()
        return
    for part in dict.fromkeys(outer(module, call, wrapper) for call in calls_inside(wrapper)):
        shape = shape_of(module, part) if part is not None else None
        if shape is None or shape.is_object:
            yield ()
        elif shape.is_for_async in {None, isinstance(function, ast.AsyncFunctionDef)}:
            passes = _passes(evaluator, wrapper, shape.function, function)
            yield shape.chain if passes else ()


def _is_made_by(evaluator: Evaluator, module: Module, decorator: ast.expr, chain: _Chain) -> bool:
    """Tell whether a decorator is certainly made by one of some functions and classes."""
    found = [item.value for item in evaluator.values(module, callee_of(decorator))]
    kinds = [value.cls if isinstance(value, Instance) else value for value in found]
    return bool(kinds) and all(
        isinstance(kind, Function | Class) and kind.node in chain for kind in kinds
    )


def _passes(evaluator: Evaluator, wrapper: Wrapper, part: Method, function: Method) -> bool:
    """Tell whether each end of a wrapper returns the answer, or raises."""
    module = wrapper.function.module
    if (
        type(part) is not type(function)
        or module.is_generator(part)
        or not leaves(part.body[-1], module.swallowing)
    ):
        return False
    if any(node in module.swallowing for node in ast.walk(part)):
        return False
    results = [each for result in module.returns(part) for each in choices(result)]
    bare = sum(isinstance(node, ast.Return) and node.value is None for node in ast.walk(part))
    return (
        bool(results)
        and not bare
        and all(_is_answer(evaluator, wrapper, each, part) for each in results)
    )


def _is_answer(evaluator: Evaluator, wrapper: Wrapper, node: ast.expr, part: Method) -> bool:
    """Tell whether an expression is what the wrapped function returned: awaited, or by a name."""
    module = wrapper.function.module
    if isinstance(node, ast.Name):
        value = _held(evaluator, module, node, part)
        return value is not None and _is_answer(evaluator, wrapper, value, part)
    if isinstance(part, ast.AsyncFunctionDef):
        if not isinstance(node, ast.Await):
            return False
        node = node.value
        if isinstance(node, ast.Call):
            node = waited_for(evaluator, module, node, None) or node
    return isinstance(node, ast.Call) and is_of(node, wrapper)


def _held(
    evaluator: Evaluator, module: Module, name: ast.Name, part: Method
) -> ast.Call | ast.Await | None:
    """Return the call whose result a name holds, if a function only looks at what that is."""
    value = sole_value(evaluator.project.lookup(module, name)[1])
    uses = (use for use in ast.walk(part) if isinstance(use, ast.Name) and use.id == name.id)
    is_kept = all(isinstance(use.ctx, ast.Store) or _is_look(module, use) for use in uses)
    return value if is_kept and isinstance(value, ast.Call | ast.Await) else None


def _is_look(module: Module, use: ast.expr) -> bool:
    parent = module.parents.get(use)
    if isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is use:
        return isinstance(parent.ctx, ast.Load) and _is_look(module, parent)
    if isinstance(parent, ast.Call):
        func = parent.func
        names = LOG_METHODS if isinstance(func, ast.Attribute) else _LOOKING
        return use in parent.args and last_name(func) in names
    if isinstance(parent, ast.If | ast.IfExp):
        return parent.test is use
    return isinstance(parent, _ASKING)
