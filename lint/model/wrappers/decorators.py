"""What decorators of the tree do with the functions that they wrap."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

import msgspec

from ..arguments import callee_of
from ..bindings import parameters
from ..evaluator import Evaluator
from ..module import FUNCTIONS, FunctionNode, Module, last_name
from ..values import Function

Method = ast.FunctionDef | ast.AsyncFunctionDef
_GIVING_BACK = {"update_wrapper": 0, "wraps": 0, "cast": 1}
"""Functions that give back one of their arguments → its place."""


class Wrapper(msgspec.Struct, frozen=True, eq=False):
    """A function of the tree that decorates another one.

    Attributes:
        function: the decorator, or what makes it: ``@retry(3)``.
        wrapped: the names under which it knows what it decorates.
        lead: None for what makes a function. A function that is called itself gets so many
            positional arguments by ``partial(function, f)``, before those of the call.
    """

    function: Function
    wrapped: frozenset[str]
    lead: int | None = None

    def holds(self, node: ast.AST) -> bool:
        """Tell whether a node stands in the function."""
        return self.function.node in self.function.module.ancestors(node)

    def is_made_by(self, part: FunctionNode) -> bool:
        """Tell whether a function gets what is wrapped, and gives what is called in its place."""
        return self.lead is None and gets(part, self)


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
    while found is not None and not wrapper.is_made_by(found):
        maker = module.function(found)
        is_last = maker is None or wrapper.is_made_by(maker)
        if is_last or isinstance(module.parents.get(found), ast.ClassDef):
            return found
        found = maker
    return None


def calls_inside(wrapper: Wrapper) -> Iterator[ast.Call]:
    """Yield the calls that a wrapper makes of the function that it wraps."""
    calls = (part for part in ast.walk(wrapper.function.node) if isinstance(part, ast.Call))
    return (call for call in calls if is_of(call, wrapper))


def hands_over(wrapper: Wrapper) -> bool:
    """Tell whether a wrapper lets others call what it wraps."""
    return bool(handed_over(wrapper))


def handed_over(wrapper: Wrapper) -> list[ast.Call]:
    """Return the calls by which a wrapper lets others call what it wraps: ``await run(f, ctx)``.

    Nothing if it calls it itself.
    """
    if any(True for _ in calls_inside(wrapper)):
        return []
    module = wrapper.function.module
    names = (part for part in ast.walk(wrapper.function.node) if isinstance(part, ast.Name))
    given = (
        call_of(module, name)
        for name in names
        if name.id in wrapper.wrapped and outer(module, name, wrapper) is not None
    )
    return [call for call in given if call is not None]


def call_of(module: Module, node: ast.expr) -> ast.Call | None:
    """Return the call that an expression is the callee or an argument of."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.keyword | ast.Starred):
        parent = module.parents.get(parent)
    return parent if isinstance(parent, ast.Call) else None


def gets(part: FunctionNode, wrapper: Wrapper) -> bool:
    """Tell whether a function gets what a wrapper wraps."""
    return any(arg.arg in wrapper.wrapped for arg in parameters(part))


def returns_of(function: Function) -> list[ast.expr]:
    """Return the expressions that a function returns."""
    node = function.node
    return [node.body] if isinstance(node, ast.Lambda) else function.module.returns(node)


def results_of(function: Function) -> list[ast.expr]:
    """Return the expressions of which one is what a function returns."""
    return [each for result in returns_of(function) for each in choices(result)]


def gives_back(function: Function, names: Collection[str]) -> bool:
    """Tell whether a function always returns what one of some names holds."""
    results = results_of(function)
    return bool(results) and all(getattr(each, "id", None) in names for each in results)


def choices(result: ast.expr) -> list[ast.expr]:
    """Return the expressions of which one is the result."""
    if isinstance(result, ast.IfExp):
        return [*choices(result.body), *choices(result.orelse)]
    return result.values if isinstance(result, ast.BoolOp) else [result]


def _wrapped(decorator: FunctionNode, skip: int, *, is_made: bool) -> frozenset[str]:
    """Return the first parameter of a decorator, or of those that a factory makes.

    A decorator that is a method has its object before that.
    """
    makers = _makers(decorator)
    if is_made and makers:
        return frozenset(arg.arg for part in makers for arg in parameters(part)[:1])
    return names_of(decorator, {arg.arg for arg in parameters(decorator)[skip : skip + 1]})


def names_of(decorator: FunctionNode, taken: set[str]) -> frozenset[str]:
    """Return the names under which a decorator knows what it gets by some of its parameters."""
    own = set(taken)
    makers = _makers(decorator)
    for part in ast.walk(decorator):
        if isinstance(part, ast.Assign) and getattr(part.value, "id", None) in own:
            own.update(each.id for each in part.targets if isinstance(each, ast.Name))
        if isinstance(part, ast.Call) and part.args and getattr(part.args[0], "id", None) in own:
            name = last_name(part.func)
            named = (each for each in makers if getattr(each, "name", None) == name)
            own.update(arg.arg for each in named for arg in parameters(each)[:1])
    return frozenset(own)


def _makers(decorator: FunctionNode) -> list[FunctionNode]:
    """Return the functions inside a decorator that make functions themselves."""
    inner = (part for part in ast.walk(decorator) if isinstance(part, FUNCTIONS))
    return [part for part in inner if part is not decorator and has_function(part)]


def has_function(function: FunctionNode) -> bool:
    """Tell whether a function makes another one."""
    return any(isinstance(part, FUNCTIONS) and part is not function for part in ast.walk(function))


def is_of(call: ast.Call, wrapper: Wrapper) -> bool:
    """Tell whether a call is one of what a wrapper wraps."""
    return dotted(call.func) in wrapper.wrapped


def dotted(node: ast.expr) -> str:
    """Return ``f`` or ``self.f``; an empty text for what is longer."""
    if isinstance(node, ast.Attribute):
        return f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else ""
    return node.id if isinstance(node, ast.Name) else ""


def passed_through(call: ast.Call) -> ast.expr | None:
    """Return the argument that a call gives back: ``inner`` of ``wraps(f)(inner)``."""
    name = last_name(callee_of(call.func))
    place = _GIVING_BACK.get(name, -1)
    is_made = isinstance(call.func, ast.Call) == (name == "wraps")
    return call.args[place] if is_made and 0 <= place < len(call.args) else None
