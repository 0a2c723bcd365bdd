"""Async generators that are awaited, run as tasks, or walked through as if they were lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.bindings import sole_value
from ..model.known_calls import WAITING
from ..model.module import Module
from ..model.values import External
from ..view import FileView
from .async_calls import is_async_generator
from .guards import caught
from .sdk_objects import source_of
from .walked_objects import walks

_GATHER = "gather"


class Misuse(msgspec.Struct, frozen=True, eq=False):
    """A use that raises TypeError.

    Attributes:
        node: what raises.
        call: makes the async generator.
        does: what raises, in words: ``await``, ``the loop``.
        advice: what to write instead.
        needless: the ``await`` that only has to go.
    """

    node: ast.expr
    call: ast.Call
    does: str
    advice: str
    needless: ast.Await | None = None


def misuses(view: FileView) -> Iterator[Misuse]:
    """Yield the uses of async generators that raise TypeError, where nothing catches it."""
    for node in view.module.nodes(ast.Await):
        call = _made(view, node.value)
        if call is not None and _is_walked(view.module, node):
            yield Misuse(node, call, "await", "Leave out await", needless=node)
        elif call is not None:
            yield Misuse(node, call, "await", _instead(view.module, node, node.value))
    yield from _waited_for(view)
    for node, builtin in walks(view):
        parent = view.module.parents.get(node)
        if isinstance(parent, ast.comprehension) and parent.is_async:
            continue
        call = _made(view, node)
        if call is not None:
            does = f"{builtin}()" if builtin else "the loop"
            yield Misuse(node, call, does, _instead(view.module, node, node))


def _waited_for(view: FileView) -> Iterator[Misuse]:
    """Yield what functions of asyncio get that take only what can be awaited."""
    for name in (*sorted(WAITING), _GATHER):
        for call in view.extension.project.calls_by_name(view.module, name):
            found = [item.value for item in view.values(call.func)] if call.args else []
            given = call.args if name == _GATHER else call.args[:1]
            for node in map(_each, given) if found == [External(f"asyncio.{name}")] else ():
                made = _made(view, node)
                if made is not None:
                    loop = f"async for item in {source_of(node)}"
                    advice = f"Give it a coroutine that walks through it: {loop}"
                    yield Misuse(node, made, f"{name}()", advice)


def _each(given: ast.expr) -> ast.expr:
    """Return ``walk(key)`` of ``*(walk(key) for key in keys)``; else the argument."""
    part = given.value if isinstance(given, ast.Starred) else None
    return part.elt if isinstance(part, ast.ListComp | ast.GeneratorExp) else given


def _made(view: FileView, node: ast.expr) -> ast.Call | None:
    """Return the call that makes the async generator that an expression is."""
    made: ast.AST | None = node
    if isinstance(node, ast.Name) and not view.module.is_tested(node):
        made = sole_value(view.extension.project.lookup(view.module, node)[1])
    if not isinstance(made, ast.Call) or not is_async_generator(view, made):
        return None
    return None if caught(view.module, node, "TypeError") else made


def _is_walked(module: Module, node: ast.Await) -> bool:
    """Tell whether ``async for`` walks through what is awaited."""
    parent = module.parents.get(node)
    is_part = isinstance(parent, ast.comprehension) and bool(parent.is_async)
    return is_part or isinstance(parent, ast.AsyncFor)


def _instead(module: Module, node: ast.expr, generator: ast.expr) -> str:
    """Return how to walk through an async generator in the place of a node."""
    parent, source = module.parents.get(node), source_of(generator)
    if not isinstance(parent, ast.For | ast.comprehension):
        return f"Write [item async for item in {source}]"
    loop = f"async for {source_of(parent.target)} in {source}"
    is_lazy = isinstance(module.parents.get(parent), ast.GeneratorExp)
    return f"Write [… {loop}]" if is_lazy else f"Write {loop}"
