"""What expressions and statements are made of, for the question whether they are echoes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from ..model.bindings import Binding
from ..model.calling import own_nodes
from ..model.module import FUNCTIONS, Module, last_name

UNSEEN: ast.expr = ast.Await(ast.Constant(None))
"""Stands for what the code does not show: never an echo."""
BUILTINS = frozenset(
    {"abs", "all", "any", "bool", "dict", "enumerate", "filter", "float", "format", "frozenset",
     "getattr", "hasattr", "int", "isinstance", "iter", "len", "list", "map", "max", "min", "next",
     "range", "repr", "reversed", "round", "set", "sorted", "str", "tuple", "type", "zip"}
)  # fmt: skip
"""Builtins that ask nobody: neither files nor the user."""
_MODULES = (
    "re", "json", "string", "textwrap", "html", "unicodedata", "itertools", "functools",
    "collections", "operator", "copy", "urllib.parse", "os.path", "posixpath", "datetime",
)  # fmt: skip
"""Modules of the standard library whose results follow from the arguments alone."""
_NOW = frozenset({"now", "utcnow", "today", "fromtimestamp"})
_FILLING = frozenset(
    {"append", "add", "extend", "insert", "update", "setdefault", "appendleft", "discard", "clear",
     "pop", "popitem", "remove"}
)  # fmt: skip
_CONTAINERS = frozenset({"list", "dict", "set", "defaultdict", "OrderedDict", "Counter", "deque"})
_TRIES = tuple(kind for name in ("Try", "TryStar") if (kind := getattr(ast, name, None)))


def put_into(module: Module, name: ast.Name) -> list[ast.expr] | None:
    """Return what a use puts into what a name holds; None if it puts nothing."""
    part = module.parents.get(name)
    if not isinstance(part, ast.Attribute | ast.Subscript) or part.value is not name:
        return None
    above = module.parents.get(part)
    if not isinstance(part.ctx, ast.Load):
        value = getattr(above, "value", None)
        return [value if isinstance(value, ast.expr) else UNSEEN]
    fills = isinstance(part, ast.Attribute) and part.attr in _FILLING
    if not fills or not isinstance(above, ast.Call) or above.func is not part:
        return None
    return [*above.args, *(item.value for item in above.keywords)]


def operands(node: ast.AST) -> list[ast.AST]:
    """Return the parts of an expression that are worth something themselves."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    kinds = ast.expr | ast.keyword | ast.comprehension
    found = [part for part in ast.iter_child_nodes(node) if isinstance(part, kinds)]
    return [part for part in found if not isinstance(getattr(part, "ctx", None), ast.Store)]


def source(binding: Binding) -> ast.AST:
    """Return what is assigned, of ``a, b = x, y`` the part of it, or what a loop goes through."""
    value = binding.value or getattr(binding.node, "iter", binding.node)
    for index in binding.path if binding.kind == "assign" else ():
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        if index >= len(parts) or any(isinstance(part, ast.Starred) for part in parts):
            break
        value = parts[index]
    return value


def part_of(made: ast.AST | None, key: object) -> ast.expr | None:
    """Return what a dict display has under a key, or what a class gets for a field."""
    if isinstance(made, ast.Dict):
        keys = [part.value for part in made.keys if isinstance(part, ast.Constant)]
        found = [value for name, value in zip(keys, made.values, strict=False) if name == key]
        return found[0] if len(found) == 1 and len(keys) == len(made.keys) else None
    given = made.keywords if isinstance(made, ast.Call) and not made.args else []
    return next((item.value for item in given if item.arg == key and key is not None), None)


def taken_apart(module: Module, node: ast.AST) -> ast.expr | None:
    """Return what a pattern that binds a name takes apart."""
    if not isinstance(node, ast.MatchAs | ast.MatchStar | ast.MatchMapping):
        return None
    found = (up for up in module.ancestors(node) if isinstance(up, ast.Match))
    return next((match.subject for match in found), None)


def is_config(node: ast.AST) -> bool:
    """Tell whether an expression is ``….config`` or what hangs on it."""
    while isinstance(node, ast.Attribute):
        if node.attr == "config":
            return True
        node = node.value
    return False


def is_method(name: str) -> bool:
    """Tell whether a dotted name is that of a method of a result or a type: ``str().strip``."""
    owner, _, _ = name.partition(".")
    return "(" in name or (owner != name and isinstance(getattr(builtins, owner, None), type))


def asks_nobody(name: str) -> bool:
    """Tell whether the result of a function from elsewhere follows from its arguments alone."""
    known = any(name == it or name.startswith(f"{it}.") for it in _MODULES)
    return (known and _NOW.isdisjoint(name.split("."))) or name in BUILTINS


def parts_inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement or function without those of functions inside it."""
    if isinstance(node, FUNCTIONS):
        yield from own_nodes(node)
        return
    stack = list(ast.iter_child_nodes(node))
    while stack:
        part = stack.pop()
        if not isinstance(part, FUNCTIONS):
            yield part
            stack.extend(ast.iter_child_nodes(part))


def questions_of(node: ast.AST) -> list[ast.expr]:
    """Return what a statement asks before it goes on."""
    if isinstance(node, ast.If | ast.While):
        return [node.test]
    if isinstance(node, ast.For):
        return [node.iter]
    if isinstance(node, ast.Match):
        return [node.subject, *(case.guard for case in node.cases if case.guard is not None)]
    return []


def may_break_off(module: Module, node: ast.AST) -> bool:
    """Tell whether a statement may leave its body anywhere, and go on behind it."""
    if node in module.swallowing:
        return True
    return isinstance(node, _TRIES) and bool(getattr(node, "handlers", None))


def waits(node: ast.AST) -> bool:
    """Tell whether a statement awaits anything."""
    return any(isinstance(part, ast.Await | ast.AsyncFor) for part in parts_inside(node))


def is_bare(node: ast.AST | None) -> bool:
    """Tell whether a value is an empty list, set or dict, which somebody will fill."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _CONTAINERS and not node.keywords
    empty = isinstance(node, ast.List) and not node.elts
    return empty or (isinstance(node, ast.Dict) and not node.keys)
