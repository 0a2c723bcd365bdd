"""What wrappers of the tree make of what the function that they wrap returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

import msgspec

from ..evaluator import Evaluator
from ..known_calls import WAITING
from ..module import FUNCTIONS, FunctionNode, Module, last_name
from ..remembered import remembered_in_circles
from ..values import Function, Instance, Sdk, only_value
from .decorators import (
    Wrapper,
    calls_inside,
    choices,
    gets,
    hands_over,
    has_function,
    is_of,
    outer,
    returns_of,
)
from .wrapping import wrapping

How = Literal["never", "perhaps", "always"]


class Remade(msgspec.Struct, frozen=True, eq=False):
    """What wrappers make of what a function returns.

    Attributes:
        how: whether they make something else of it: ``Model(**f())``. Or run it, so that there is
            no coroutine to await.
        instead: what they return in its place, each with the function that returns it.
    """

    how: How
    instead: tuple[tuple[Function, ast.expr], ...] = ()


_UNCHANGED = Remade("never")


@remembered_in_circles(meanwhile=_UNCHANGED)
def remade(evaluator: Evaluator, module: Module, function: FunctionNode) -> Remade:
    """Tell what the wrappers of a function make of what it returns."""
    if not getattr(function, "decorator_list", ()):
        return _UNCHANGED
    made = wrapping(evaluator, module, function)
    is_async = isinstance(function, ast.AsyncFunctionDef)
    found = [_remade_by(evaluator, each, is_async=is_async) for each in made.wrappers]
    joined = _joined([each for each in found if each.how != "never" or each.instead])
    is_known = made.is_clear or joined.how == "always"
    return joined if is_known else Remade("always")


def _remade_by(evaluator: Evaluator, wrapper: Wrapper, *, is_async: bool) -> Remade:
    module = wrapper.function.module
    parts = dict.fromkeys(module.function(call) for call in calls_inside(wrapper))
    found = [
        _remade_in(evaluator, part, wrapper, is_async=is_async)
        for part in (*parts, *(() if parts else _replacing(evaluator, wrapper)))
        if part is not None and not (wrapper.is_made_by(part) and has_function(part))
    ]
    return Remade("perhaps") if not found and hands_over(wrapper) else _joined(found)


def _joined(found: list[Remade]) -> Remade:
    """Join what several make of a result; which of them comes last is not asked."""
    hows = {each.how for each in found}
    if "always" in hows:
        return found[0] if len(found) == 1 else Remade("always")
    instead = tuple(item for each in found for item in each.instead)
    return Remade("perhaps" if "perhaps" in hows else "never", instead) if found else _UNCHANGED


def _replacing(evaluator: Evaluator, wrapper: Wrapper) -> Iterator[FunctionNode]:
    """Yield the only function that a decorator returns, if it has nothing of what it wraps."""
    module = wrapper.function.module
    makers = (part for part in ast.walk(wrapper.function.node) if isinstance(part, FUNCTIONS))
    for maker in makers:
        given = module.returns(maker) if gets(maker, wrapper) else []
        made = only_value([item for it in given for item in evaluator.values(module, it)])
        if isinstance(made, Function) and maker in module.ancestors(made.node):
            body = made.node.body
            parts = body if isinstance(body, list) else [body]
            inside = (each for part in parts for each in ast.walk(part))
            names = {part.id for part in inside if isinstance(part, ast.Name)}
            if not names & wrapper.wrapped:
                yield made.node


def _remade_in(
    evaluator: Evaluator, part: FunctionNode, wrapper: Wrapper, *, is_async: bool
) -> Remade:
    """Tell what one function inside a wrapper makes of what it gets from the wrapped one."""
    module = wrapper.function.module
    names = _names(part, wrapper)
    maker = Function(module, part)
    rows = [
        (_reached(evaluator, module, each, names) or _given(each, wrapper, names), each)
        for result in returns_of(maker)
        if not isinstance(result, ast.Lambda)
        for each in choices(result)
    ]
    given = {kind for kind, _ in rows}
    is_outer = outer(module, part, wrapper) is part
    others = [each for kind, each in rows if is_outer and kind in {"", _REPLACED}]
    instead = tuple((maker, each) for each in others)
    if "same" in given:
        return Remade("perhaps" if "other" in given else "never", instead)
    if "passed" in given:
        return Remade("perhaps", instead)
    runs = is_async and not isinstance(part, ast.AsyncFunctionDef | ast.Lambda)
    is_own = _drops(part, wrapper) or _are_made(evaluator, module, others)
    if "other" not in given and is_outer and is_own:
        return Remade("always", instead)
    return Remade("always" if "other" in given or runs else "never")


_REPLACED = "replaced"


def _are_made(evaluator: Evaluator, module: Module, results: list[ast.expr]) -> bool:
    """Tell whether results are objects that have nothing of what a wrapper wraps: ``Env()``."""
    found = [item.value for result in results for item in evaluator.values(module, result)]
    return bool(found) and all(isinstance(value, Instance | Sdk) for value in found)


def _names(part: FunctionNode, wrapper: Wrapper) -> dict[str, dict[ast.expr, str]]:
    """Return the names that hold what the wrapped function returned, or what is made of it.

    Each with the expressions that it gets, and what they are.
    """
    found: dict[str, dict[ast.expr, str]] = {}
    for each in ast.walk(part):
        if isinstance(each, ast.Assign | ast.AnnAssign | ast.NamedExpr) and each.value:
            kind = _given(each.value, wrapper, found)
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for target in targets:
                if kind and isinstance(target, ast.Name):
                    found.setdefault(target.id, {})[each.value] = kind
    return found


def _reached(
    evaluator: Evaluator, module: Module, result: ast.expr, names: dict[str, dict[ast.expr, str]]
) -> str:
    """Return ``replaced`` for a name that holds something else by the time that it is returned."""
    if not isinstance(result, ast.Name) or result.id not in names:
        return ""
    _, found = evaluator.project.lookup(module, result)
    plain = all(item.kind == "assign" and not item.path for item in found)
    is_other = plain and not any(item.value in names[result.id] for item in found)
    return _REPLACED if found and is_other else ""


def _drops(part: FunctionNode, wrapper: Wrapper) -> bool:
    """Tell whether what the wrapped function returns is not kept but in names of the wrapper."""
    parents = wrapper.function.module.parents
    for node in ast.walk(part):
        if isinstance(node, ast.Nonlocal | ast.Global):
            return False
        if isinstance(node, ast.Call) and is_of(node, wrapper):
            value: ast.AST = node
            parent = parents.get(value)
            if isinstance(parent, ast.Await):
                value, parent = parent, parents.get(parent)
            targets = parent.targets if isinstance(parent, ast.Assign) else []
            is_named = bool(targets) and all(isinstance(item, ast.Name) for item in targets)
            if not is_named and not isinstance(parent, ast.Expr):
                return False
    return True


def _given(result: ast.expr, wrapper: Wrapper, names: dict[str, dict[ast.expr, str]]) -> str:
    """Return what a result is: the ``same`` as the wrapped function's, or made of it."""
    plain = result.value if isinstance(result, ast.Await) else result
    if isinstance(plain, ast.Name):
        return next(reversed(names.get(plain.id, {"": ""}).values()))
    if isinstance(plain, ast.Call) and is_of(plain, wrapper):
        return "same"
    inside = [each for each in ast.walk(plain) if isinstance(each, ast.Call | ast.Name)]
    if not any(
        is_of(each, wrapper) if isinstance(each, ast.Call) else each.id in names for each in inside
    ):
        return ""
    passed = isinstance(plain, ast.Call) and last_name(plain.func) in WAITING
    return "passed" if passed else "other"
