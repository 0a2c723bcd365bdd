"""What decorators of the tree do with the functions that they wrap."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal
from weakref import WeakKeyDictionary

import msgspec

from .arguments import callee_of
from .bindings import parameters
from .evaluator import Evaluator
from .module import FUNCTIONS, FunctionNode, Module, last_name
from .values import Class, Function, Instance


class Wrapper(msgspec.Struct, frozen=True, eq=False):
    """A function of the tree that decorates another one.

    Attributes:
        function: the decorator, or what makes it: ``@retry(3)``.
        wrapped: the names under which it knows what it decorates.
    """

    function: Function
    wrapped: frozenset[str]


def wrappers(
    evaluator: Evaluator, module: Module, function: FunctionNode, but: frozenset[str] = frozenset()
) -> Iterator[Wrapper]:
    """Yield the functions of the tree that decorate a function.

    Args:
        evaluator: of the extension.
        module: the file of the function.
        function: what is decorated.
        but: names of methods that are no such decorators.
    """
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    for decorator in decorators:
        callee = callee_of(decorator)
        if isinstance(callee, ast.Attribute) and callee.attr in but:
            continue
        for found in evaluator.values(module, callee):
            if isinstance(found.value, Function):
                is_made = isinstance(decorator, ast.Call)
                skip = int(found.value.bound is not None)
                yield Wrapper(found.value, _wrapped(found.value.node, skip, is_made=is_made))


def outer(module: Module, node: ast.AST, wrapper: Wrapper) -> FunctionNode | None:
    """Return the function around a node that is called in place of what a wrapper wraps."""
    found = node if isinstance(node, FUNCTIONS) else module.function(node)
    while found is not None and not isinstance(module.parents.get(found), ast.ClassDef):
        maker = module.function(found)
        if maker is None or _gets(maker, wrapper):
            break
        found = maker
    return None if found is None or _gets(found, wrapper) else found


def calls_inside(wrapper: Wrapper) -> Iterator[ast.Call]:
    """Yield the calls that a wrapper makes of the function that it wraps."""
    calls = (part for part in ast.walk(wrapper.function.node) if isinstance(part, ast.Call))
    return (call for call in calls if _is_of(call, wrapper))


def around(evaluator: Evaluator, module: Module, function: FunctionNode) -> Iterator[Wrapper]:
    """Yield the functions and the objects of the tree that decorate a function."""
    yield from wrappers(evaluator, module, function)
    yield from _objects(evaluator, module, function)


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


def remade(evaluator: Evaluator, module: Module, function: FunctionNode) -> Remade:
    """Tell what the wrappers of a function make of what it returns."""
    if not getattr(function, "decorator_list", ()):
        return _UNCHANGED
    known = _KNOWN.setdefault(evaluator, {})
    if function not in known:
        known[function] = _UNCHANGED
        is_async = isinstance(function, ast.AsyncFunctionDef)
        found = [
            _remade_by(evaluator, each, is_async=is_async)
            for each in around(evaluator, module, function)
        ]
        known[function] = _joined([each for each in found if each.how != "never" or each.instead])
    return known[function]


_UNCHANGED = Remade("never")
_KNOWN: WeakKeyDictionary[Evaluator, dict[FunctionNode, Remade]] = WeakKeyDictionary()
_PASSING = frozenset({"wait_for", "shield", "create_task", "ensure_future"})
"""Functions of asyncio that give what the coroutine gives."""


def _objects(evaluator: Evaluator, module: Module, function: FunctionNode) -> Iterator[Wrapper]:
    """Yield the methods that are called in place of a function that a class decorates."""
    for decorator in getattr(function, "decorator_list", ()):
        for found in evaluator.values(module, callee_of(decorator)):
            is_made = isinstance(decorator, ast.Call)
            if isinstance(found.value, Class):
                yield from _called(found.value, is_made=is_made)
            elif isinstance(found.value, Function) and not is_made:
                owner = found.value
                for result in owner.module.returns(owner.node):
                    for made in evaluator.values(owner.module, result):
                        if isinstance(made.value, Instance):
                            yield from _called(made.value.cls, is_made=False)


def _called(cls: Class, *, is_made: bool) -> Iterator[Wrapper]:
    for method in cls.node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and (
            method.name == "__call__"
        ):
            own = _kept(cls.node)
            if is_made:
                own = frozenset(arg.arg for arg in parameters(method)[1:2])
            yield Wrapper(Function(cls.module, method), own)


def _kept(cls: ast.ClassDef) -> frozenset[str]:
    """Return ``self.f`` for each argument that the constructor of a class keeps."""
    return frozenset(
        ast.unparse(target)
        for part in ast.walk(cls)
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Name)
        for target in part.targets
        if isinstance(target, ast.Attribute)
    )


def _remade_by(evaluator: Evaluator, wrapper: Wrapper, *, is_async: bool) -> Remade:
    module = wrapper.function.module
    parts = dict.fromkeys(module.function(call) for call in calls_inside(wrapper))
    found = [
        _remade_in(evaluator, part, wrapper, is_async=is_async)
        for part in (*parts, *(() if parts else _replacing(evaluator, wrapper)))
        if part is not None and not (_gets(part, wrapper) and _has_function(part))
    ]
    return Remade("perhaps") if not found and hands_over(wrapper) else _joined(found)


def hands_over(wrapper: Wrapper) -> bool:
    """Tell whether a wrapper lets others call what it wraps: ``await run(f, ctx)``."""
    module = wrapper.function.module
    if any(True for _ in calls_inside(wrapper)):
        return False
    names = (part for part in ast.walk(wrapper.function.node) if isinstance(part, ast.Name))
    return any(
        name.id in wrapper.wrapped
        and isinstance(module.parents.get(name), ast.Call | ast.Starred | ast.keyword)
        and outer(module, name, wrapper) is not None
        for name in names
    )


def _joined(found: list[Remade]) -> Remade:
    """Join what several make of a result; which of them comes last is not asked."""
    hows = {each.how for each in found}
    if "always" in hows:
        return found[0] if len(found) == 1 else Remade("always")
    instead = tuple(item for each in found for item in each.instead)
    return Remade("perhaps" if "perhaps" in hows else "never", instead) if found else _UNCHANGED


def _gets(part: FunctionNode, wrapper: Wrapper) -> bool:
    return any(arg.arg in wrapper.wrapped for arg in parameters(part))


def _replacing(evaluator: Evaluator, wrapper: Wrapper) -> Iterator[FunctionNode]:
    """Yield the only function that a decorator returns, if it has nothing of what it wraps."""
    module = wrapper.function.module
    makers = [wrapper.function.node, *ast.walk(wrapper.function.node)]
    for maker in dict.fromkeys(each for each in makers if isinstance(each, FUNCTIONS)):
        given = module.returns(maker) if _gets(maker, wrapper) else []
        found = [item.value for it in given for item in evaluator.values(module, it)]
        if (
            len(found) == 1
            and isinstance(found[0], Function)
            and maker in module.ancestors(found[0].node)
        ):
            body: list[ast.AST] = getattr(found[0].node, "body", [])
            inside = (part for statement in body for part in ast.walk(statement))
            names = {part.id for part in inside if isinstance(part, ast.Name)}
            if not names & wrapper.wrapped:
                yield found[0].node


def _remade_in(
    evaluator: Evaluator, part: FunctionNode, wrapper: Wrapper, *, is_async: bool
) -> Remade:
    """Tell what one function inside a wrapper makes of what it gets from the wrapped one."""
    module = wrapper.function.module
    names = _names(part, wrapper)
    results = [part.body] if isinstance(part, ast.Lambda) else module.returns(part)
    rows = [
        (_reached(evaluator, module, each, names) or _given(each, wrapper, names), each)
        for result in results
        if not isinstance(result, ast.Lambda)
        for each in _choice(result)
    ]
    given = {kind for kind, _ in rows}
    maker = Function(module, part)
    is_outer = outer(module, part, wrapper) is part
    others = [each for kind, each in rows if is_outer and kind in {"", _REPLACED}]
    instead = tuple((maker, each) for each in others)
    if "same" in given:
        return Remade("perhaps" if "other" in given else "never", instead)
    if "passed" in given:
        return Remade("perhaps", instead)
    runs = is_async and not isinstance(part, ast.AsyncFunctionDef | ast.Lambda)
    if "other" not in given and is_outer and _drops(part, wrapper, module):
        return Remade("always", instead)
    return Remade("always" if "other" in given or runs else "never")


_REPLACED = "replaced"


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


def _drops(part: FunctionNode, wrapper: Wrapper, module: Module) -> bool:
    """Tell whether what the wrapped function returns is not kept but in names of the wrapper."""
    for node in ast.walk(part):
        if isinstance(node, ast.Nonlocal | ast.Global):
            return False
        if isinstance(node, ast.Call) and _is_of(node, wrapper):
            value: ast.AST = node
            parent = module.parents.get(value)
            if isinstance(parent, ast.Await):
                value, parent = parent, module.parents.get(parent)
            targets = parent.targets if isinstance(parent, ast.Assign) else []
            is_named = bool(targets) and all(isinstance(item, ast.Name) for item in targets)
            if not is_named and not isinstance(parent, ast.Expr):
                return False
    return True


def _choice(result: ast.expr) -> list[ast.expr]:
    """Return the expressions of which one is the result."""
    if isinstance(result, ast.IfExp):
        return [*_choice(result.body), *_choice(result.orelse)]
    return result.values if isinstance(result, ast.BoolOp) else [result]


def _given(result: ast.expr, wrapper: Wrapper, names: dict[str, dict[ast.expr, str]]) -> str:
    """Return what a result is: the ``same`` as the wrapped function's, or made of it."""
    plain = result.value if isinstance(result, ast.Await) else result
    if isinstance(plain, ast.Name):
        return next(reversed(names.get(plain.id, {"": ""}).values()))
    if isinstance(plain, ast.Call) and _is_of(plain, wrapper):
        return "same"
    inside = [each for each in ast.walk(plain) if isinstance(each, ast.Call | ast.Name)]
    if not any(
        _is_of(each, wrapper) if isinstance(each, ast.Call) else each.id in names for each in inside
    ):
        return ""
    passed = isinstance(plain, ast.Call) and last_name(plain.func) in _PASSING
    return "passed" if passed else "other"


def _wrapped(decorator: FunctionNode, skip: int, *, is_made: bool) -> frozenset[str]:
    """Return the first parameter of a decorator, or of those that a factory makes.

    A decorator that is a method has its object before that.
    """
    inner = [part for part in ast.walk(decorator) if isinstance(part, FUNCTIONS)]
    makers = [part for part in inner if part is not decorator and _has_function(part)]
    if is_made and makers:
        return frozenset(arg.arg for part in makers for arg in parameters(part)[:1])
    own = {arg.arg for arg in parameters(decorator)[skip : skip + 1]}
    for part in ast.walk(decorator):
        if isinstance(part, ast.Assign) and getattr(part.value, "id", None) in own:
            own.update(each.id for each in part.targets if isinstance(each, ast.Name))
        if isinstance(part, ast.Call) and part.args and getattr(part.args[0], "id", None) in own:
            name = last_name(part.func)
            named = (each for each in makers if getattr(each, "name", None) == name)
            own.update(arg.arg for each in named for arg in parameters(each)[:1])
    return frozenset(own)


def _has_function(function: FunctionNode) -> bool:
    return any(isinstance(part, FUNCTIONS) and part is not function for part in ast.walk(function))


def _is_of(call: ast.Call, wrapper: Wrapper) -> bool:
    callee = call.func
    if isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name):
        return f"{callee.value.id}.{callee.attr}" in wrapper.wrapped
    return isinstance(callee, ast.Name) and callee.id in wrapper.wrapped
