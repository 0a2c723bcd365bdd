"""Which functions are wrappers: what a decorator always gives back in place of a function."""

from __future__ import annotations

import ast

import msgspec

from ..arguments import callee_of
from ..module import FunctionNode, Module, last_name
from .decorators import Method, choices, passed_through


class Shape(msgspec.Struct, frozen=True, eq=False):
    """A wrapper, and what makes it.

    Attributes:
        module: the file.
        function: the wrapper.
        maker: the function around it, which gets what is decorated; for the ``__call__`` of an
            object that takes the place of a function, the wrapper itself.
        chain: the maker, and what makes it in turn; the function or class of the file comes last.
        name: under which the tree knows the last one.
        is_for_async: whether it takes the place of async functions only, or of others only; None
            if of all.
    """

    module: Module
    function: Method
    maker: Method
    chain: tuple[ast.AST, ...]
    name: str
    is_for_async: bool | None = None

    @property
    def is_object(self) -> bool:
        """Whether the wrapper is the ``__call__`` of an object."""
        return self.maker is self.function

    @property
    def is_method(self) -> bool:
        """Whether the last of the makers is a method of an object that others call."""
        return isinstance(self.module.parents.get(self.chain[-1]), ast.ClassDef)


def shape_of(module: Module, function: FunctionNode) -> Shape | None:
    """Return what makes a wrapper, or None if the function is none or only perhaps one."""
    if isinstance(function, ast.Lambda):
        return None
    if any(last_name(callee_of(each)) != "wraps" for each in function.decorator_list):
        return None
    if isinstance(module.parents.get(function), ast.ClassDef):
        found = _of_class(module, function)
        return None if found is None else Shape(module, function, function, *found)
    maker = module.function(function)
    if not isinstance(maker, ast.FunctionDef):
        return None
    is_for_async = None
    if not _gives(module, maker, [function]):
        pair = _pair(module, maker)
        if function not in pair or not _gives(module, maker, pair):
            return None
        is_for_async = isinstance(function, ast.AsyncFunctionDef)
    elif module.parents.get(function) is not maker:
        return None
    found = makers_of(module, maker)
    return None if found is None else Shape(module, function, maker, *found, is_for_async)


def _pair(module: Module, maker: ast.FunctionDef) -> list[Method]:
    """Return the two functions of which one takes the place of async functions."""
    asked = [part for part in ast.walk(maker) if last_name(part) == "iscoroutinefunction"]
    inner = [part for part in ast.walk(maker) if isinstance(part, Method)]
    own = [part for part in inner if part is not maker and module.function(part) is maker]
    kinds = sorted(isinstance(part, ast.AsyncFunctionDef) for part in own)
    return own if asked and kinds == [False, True] else []


def _gives(module: Module, maker: Method, parts: list[Method]) -> bool:
    """Tell whether a function always gives back one of some functions that it holds."""
    names = {part.name for part in parts}
    inside = [part for part in ast.walk(maker) if isinstance(part, Method) and part.name in names]
    stored = (part for part in ast.walk(maker) if isinstance(part, ast.Name))
    if len(inside) != len(parts) or any(
        part.id in names and not isinstance(part.ctx, ast.Load) for part in stored
    ):
        return False
    results = [each for it in module.returns(maker) for each in choices(it)]
    given = [each for each in results if not _is_itself(each, maker)]
    return bool(given) and all(_is_given(each, names) for each in given)


def _is_given(result: ast.expr, names: set[str]) -> bool:
    if isinstance(result, ast.Name):
        return result.id in names
    inner = passed_through(result) if isinstance(result, ast.Call) else None
    return inner is not None and _is_given(inner, names)


def makers_of(module: Module, maker: Method) -> tuple[tuple[ast.AST, ...], str] | None:
    """Return the makers of a maker, the one that stands in the file last, and its name."""
    chain: list[ast.AST] = [maker]
    current = maker
    while True:
        parent = module.parents.get(current)
        if isinstance(parent, ast.Module):
            return tuple(chain), current.name
        if isinstance(parent, ast.ClassDef):
            found = _of_class(module, current)
            return None if found is None else ((*chain, *found[0][1:]), found[1])
        if not isinstance(parent, ast.FunctionDef) or not _makes(module, parent, current):
            return None
        chain.append(parent)
        current = parent


def _of_class(module: Module, method: Method) -> tuple[tuple[ast.AST, ...], str] | None:
    """Return a method and its class, and the name by which the tree calls it."""
    cls = module.parents.get(method)
    if not isinstance(cls, ast.ClassDef) or module.parents.get(cls) is not module.tree:
        return None
    if method.name != "__call__":
        return (method,), method.name
    return None if cls.decorator_list else ((method, cls), cls.name)


def _makes(module: Module, factory: ast.FunctionDef, maker: Method) -> bool:
    """Tell whether a factory always gives back a decorator, or what that one makes."""
    stored = (part for part in ast.walk(factory) if isinstance(part, ast.Name))
    if any(part.id == maker.name and not isinstance(part.ctx, ast.Load) for part in stored):
        return False
    results = [each for it in module.returns(factory) for each in choices(it)]
    return bool(results) and all(_is_made(each, factory, maker) for each in results)


def _is_made(result: ast.expr, factory: ast.FunctionDef, maker: Method) -> bool:
    if not isinstance(result, ast.Call):
        return getattr(result, "id", None) == maker.name
    return getattr(result.func, "id", None) == maker.name or _is_itself(result, factory)


def _is_itself(result: ast.expr, maker: Method) -> bool:
    """Tell whether a result is ``partial(deco, ttl=ttl)`` of a decorator that got no function."""
    if not isinstance(result, ast.Call) or last_name(result.func) != "partial":
        return False
    return len(result.args) == 1 and getattr(result.args[0], "id", None) == maker.name
