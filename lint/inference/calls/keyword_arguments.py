"""What ``**kwargs`` of a function holds in one call."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from ..syntax.memo import remembered
from ..syntax.module import FunctionNode, Module, last_name

_READING = frozenset({"get", "items", "keys", "values"})
READERS = frozenset({
    "len", "str", "repr", "bool", "dict", "list", "tuple", "set", "sorted", "sum", "min", "max",
    "any", "all", "isinstance", "print", "iter", "enumerate", "dumps", "deepcopy", "copy",
    "debug", "info", "warning", "error", "exception", "format", "get", "append", "success",
    "update",
})  # fmt: skip
"""Names of functions that only read what they get."""
_DISPLAYS: WeakKeyDictionary[ast.Call, dict[ast.arg, ast.Dict]] = WeakKeyDictionary()


def collected(call: ast.Call, function: FunctionNode) -> ast.Dict | None:
    """Return the ``**kwargs`` of a call as a dict display.

    None if the function has no such parameter, or may change it.
    """
    arg = function.args.kwarg
    if arg is None or not _is_kept(function, arg.arg):
        return None
    made = _DISPLAYS.setdefault(call, {})
    if arg not in made:
        named = {item.arg for item in (*function.args.args, *function.args.kwonlyargs)}
        given = [item for item in call.keywords if item.arg not in named]
        keys: list[ast.expr | None] = [
            ast.Constant(item.arg) if item.arg is not None else None for item in given
        ]
        made[arg] = ast.copy_location(ast.Dict(keys, [item.value for item in given]), call)
    return made[arg]


@remembered
def _is_kept(function: FunctionNode, name: str) -> bool:
    """Tell whether a function only reads a dict, or passes it on as ``**name``."""
    reading = {
        part
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and last_name(call.func) in READERS
        for part in (call, *call.keywords)
    }
    return all(
        parent in reading or _is_read(parent, child)
        for parent in ast.walk(function)
        for child in ast.iter_child_nodes(parent)
        if isinstance(child, ast.Name) and child.id == name
    )


def _is_read(parent: ast.AST, name: ast.Name) -> bool:
    if isinstance(parent, ast.keyword):
        return parent.arg is None
    if isinstance(parent, ast.Dict):
        return parent.keys[parent.values.index(name)] is None
    if isinstance(parent, ast.Subscript):
        return parent.value is name and isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Attribute):
        return parent.attr in _READING
    return isinstance(parent, (ast.Compare, ast.If, ast.For))


def is_collected(module: Module, name: ast.Name) -> bool:
    """Tell whether a name is the ``**kwargs`` of the function around it."""
    function = module.function(name)
    arg = function.args.kwarg if function is not None else None
    return arg is not None and arg.arg == name.id
