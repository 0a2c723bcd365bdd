"""Which ``with`` statements may swallow what is raised inside them, and go on behind."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ..syntax.arguments import callee_of
from ..syntax.memo import remembered
from ..syntax.module import FUNCTIONS, Module, last_name
from ..syntax.names import Names
from ..syntax.unpacking import unpacked

_KNOWN = frozenset({"AsyncExitStack", "ExitStack", "move_on_after", "move_on_at", "suppress"})
"""Makers of such contexts in the standard library and in anyio."""
MANAGERS = frozenset({"asynccontextmanager", "contextmanager"})
"""Decorators that make a context of a generator."""
_EXITS = frozenset({"__aexit__", "__exit__"})


def swallowing(names: Names, module: Module) -> frozenset[ast.AST]:
    """Return the ``with`` statements of a file that may swallow what is raised inside them."""
    found = (*module.nodes(ast.With), *module.nodes(ast.AsyncWith))
    makers = swallowers(names) if found else ()
    return frozenset(node for node in found if _is_made_by(node, makers))


@remembered
def swallowers(names: Names) -> frozenset[str]:
    """Return the last names of what makes, or is, a context that may swallow an exception."""
    found: set[str] = set()
    new = {*_KNOWN, *MANAGERS, *_EXITS}
    while new:
        found |= new
        modules = dict.fromkeys(module for name in sorted(new) for module in names.naming(name))
        new = {name for module in modules for name in _named(module, found)} - found - {""}
    return frozenset(found - MANAGERS - _EXITS)


def _is_made_by(node: ast.With | ast.AsyncWith, names: Collection[str]) -> bool:
    return any(_maker(item.context_expr) in names for item in node.items)


def _maker(context: ast.expr) -> str:
    """Return the last name of what makes a context: ``quiet`` of ``await self.quiet()``."""
    return last_name(callee_of(context.value if isinstance(context, ast.Await) else context))


def _named(module: Module, found: Collection[str]) -> Iterator[str]:
    yield from (
        cls.name for cls in module.nodes(ast.ClassDef) if _is_swallowing(module, cls, found)
    )
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef):
        for function in module.nodes(kind):
            if _yields_swallowing(module, function, found) or any(
                _maker(value) in found for value in module.returns(function)
            ):
                yield function.name
    for node in (*module.nodes(ast.Assign), *module.nodes(ast.AnnAssign)):
        yield from (last_name(it) for it, value in unpacked(node) if _maker(value) in found)
    for node in module.nodes(ast.ImportFrom):
        yield from (it.asname for it in node.names if it.asname and it.name in found)


def _is_swallowing(module: Module, cls: ast.ClassDef, found: Collection[str]) -> bool:
    exits = [it for it in cls.body if isinstance(it, FUNCTIONS) and it.name in _EXITS]
    given = (value for function in exits for value in module.returns(function))
    return any(last_name(base) in found for base in cls.bases) or any(
        not isinstance(value, ast.Constant) or value.value for value in given
    )


def _yields_swallowing(
    module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef, found: Collection[str]
) -> bool:
    """Tell whether a function under ``@contextmanager`` catches what comes out of its ``yield``."""
    return any(last_name(callee_of(it)) in MANAGERS for it in function.decorator_list) and any(
        module.function(part) is function and _is_caught(module, part, function, found)
        for part in module.nodes(ast.Yield)
    )


def _is_caught(module: Module, part: ast.AST, function: ast.AST, found: Collection[str]) -> bool:
    child = part
    for up in module.ancestors(part):
        if up is function:
            return False
        if child in getattr(up, "body", ()) and _catches(up, found):
            return True
        child = up
    return False


def _catches(around: ast.AST, found: Collection[str]) -> bool:
    """Tell whether a statement may swallow what comes out of its body."""
    if isinstance(around, (ast.With, ast.AsyncWith)):
        return _is_made_by(around, found)
    return isinstance(around, ast.Try) and not all(map(_raises, around.handlers))


def _raises(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler certainly raises."""
    return isinstance(handler.body[-1], ast.Raise) and not any(
        isinstance(part, ast.Return) for part in ast.walk(handler)
    )
