"""What decorators of the tree do with the functions that they wrap."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

import msgspec

from .arguments import callee_of
from .bindings import parameters
from .evaluator import Evaluator
from .module import FUNCTIONS, FunctionNode, Module
from .values import Function


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
                yield Wrapper(found.value, _wrapped(found.value.node, is_made=is_made))


def calls_inside(wrapper: Wrapper) -> Iterator[ast.Call]:
    """Yield the calls that a wrapper makes of the function that it wraps."""
    calls = (part for part in ast.walk(wrapper.function.node) if isinstance(part, ast.Call))
    return (call for call in calls if _is_of(call, wrapper))


def remakes(evaluator: Evaluator, module: Module, function: FunctionNode) -> bool:
    """Tell whether a wrapper makes something else of what a function returns: ``Model(**f())``.

    Or runs it, so that there is no coroutine to await.
    """
    if not getattr(function, "decorator_list", ()):
        return False
    known = _KNOWN.setdefault(evaluator, {})
    if function not in known:
        known[function] = False
        is_async = isinstance(function, ast.AsyncFunctionDef)
        known[function] = any(
            _is_remaking(wrapper) or (is_async and _is_running(wrapper))
            for wrapper in wrappers(evaluator, module, function)
        )
    return known[function]


_KNOWN: WeakKeyDictionary[Evaluator, dict[FunctionNode, bool]] = WeakKeyDictionary()


def _is_remaking(wrapper: Wrapper) -> bool:
    for made in _results(wrapper.function.node):
        result = made.value if isinstance(made, ast.Await) else made
        if not (isinstance(result, ast.Call) and _is_of(result, wrapper)) and any(
            isinstance(part, ast.Call) and _is_of(part, wrapper) for part in ast.walk(result)
        ):
            return True
    return False


def _is_running(wrapper: Wrapper) -> bool:
    """Tell whether a plain function calls what it wraps, and returns something else."""
    for part in ast.walk(wrapper.function.node):
        if isinstance(part, ast.FunctionDef) and not _has_function(part):
            calls = [each for each in ast.walk(part) if isinstance(each, ast.Call)]
            given_back = [each for each in _results(part) if isinstance(each, ast.Call)]
            own = [each for each in calls if _is_of(each, wrapper)]
            if own and not any(each in given_back for each in own):
                return True
    return False


def _results(function: ast.AST) -> Iterator[ast.expr]:
    """Yield what a function and those inside it return."""
    for part in ast.walk(function):
        if isinstance(part, ast.Lambda):
            yield part.body
        elif isinstance(part, ast.Return) and not isinstance(part.value, ast.Lambda | None):
            yield part.value


def _wrapped(decorator: FunctionNode, *, is_made: bool) -> frozenset[str]:
    """Return the first parameter of a decorator, or of those that a factory makes."""
    inner = [part for part in ast.walk(decorator) if isinstance(part, FUNCTIONS)]
    makers = [part for part in inner if part is not decorator and _has_function(part)]
    found = makers if is_made and makers else [decorator]
    return frozenset(arg.arg for part in found for arg in parameters(part)[:1])


def _has_function(function: FunctionNode) -> bool:
    return any(isinstance(part, FUNCTIONS) and part is not function for part in ast.walk(function))


def _is_of(call: ast.Call, wrapper: Wrapper) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in wrapper.wrapped
