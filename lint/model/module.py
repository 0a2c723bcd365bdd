"""One parsed file and an index of its nodes."""

from __future__ import annotations

import ast
import sys
import threading
import warnings
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any, TypeGuard, TypeVar, cast

from .source import SourceFile

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef, ast.Module)

_LEAVES = frozenset(
    {"ctx", "op", "ops", "id", "attr", "type_comment", "kind", "simple", "level", "conversion",
     "is_async", "type_ignores"}
)  # fmt: skip
"""Fields without nodes of the program; the parser shares operators and contexts between trees."""

_TESTED = frozenset({"test", "operand", "values", "ifs"})
_ASKING = frozenset({"isinstance", "hasattr"})
_CHAIN = 24
_DEEP_STACK = 256 * 1024 * 1024
_DEEP_LIMIT = 200_000


@cache
def _holding(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields of a node that may hold nodes, last first."""
    if kind is ast.Constant:
        return ()
    return tuple(name for name in reversed(kind._fields) if name not in _LEAVES)


Node = TypeVar("Node", bound=ast.AST)


class Unparsable(Exception):
    """A file that cannot be read as Python; the message is a note for the user."""


class Module:
    """A file, its tree, the parents of its nodes.

    Attributes:
        source: the file.
        tree: its syntax tree.
        parents: child → parent.
        fields: child → name of the parent's field that holds it.
    """

    def __init__(self, source: SourceFile, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self.parents: dict[ast.AST, ast.AST] = {}
        self.fields: dict[ast.AST, str] = {}
        self._by_type: dict[type[ast.AST], list[ast.AST]] = {}
        self._made_by_call: dict[str, list[ast.Call]] | None = None
        self._index()

    def _index(self) -> None:
        """Walk in source order without recursion: expressions may be 20,000 terms deep."""
        stack: list[ast.AST] = [self.tree]
        by_type, parents, fields = self._by_type, self.parents, self.fields
        while stack:
            node = stack.pop()
            kind = type(node)
            same = by_type.get(kind)
            if same is None:
                same = by_type[kind] = []
            same.append(node)
            for name in _holding(kind):
                value: Any = getattr(node, name, None)
                if isinstance(value, list):
                    for child in reversed(cast("list[Any]", value)):
                        if isinstance(child, ast.AST):
                            parents[child] = node
                            fields[child] = name
                            stack.append(child)
                elif isinstance(value, ast.AST):
                    parents[value] = node
                    fields[value] = name
                    stack.append(value)

    def nodes(self, kind: type[Node]) -> list[Node]:
        """Return the nodes of one type, in source order."""
        return self._by_type.get(kind, [])  # pyright: ignore[reportReturnType]

    def decorating_calls(self, name: str) -> list[ast.Call]:
        """Return the calls ``….panel(…)(name)`` that register a function without a decorator."""
        if self._made_by_call is None:
            self._made_by_call = {}
            for call in self.nodes(ast.Call):
                first = call.args[0] if call.args else None
                if isinstance(call.func, ast.Call) and isinstance(first, ast.Name):
                    self._made_by_call.setdefault(first.id, []).append(call)
        return self._made_by_call.get(name, [])

    @cached_property
    def _returned(self) -> dict[ast.AST, list[ast.expr]]:
        found: dict[ast.AST, list[ast.expr]] = {}
        for node in self.nodes(ast.Return):
            if node.value is not None:
                found.setdefault(self._own_function(node), []).append(node.value)
        return found

    @cached_property
    def _generators(self) -> frozenset[ast.AST]:
        yields = (*self.nodes(ast.Yield), *self.nodes(ast.YieldFrom))
        return frozenset(self._own_function(node) for node in yields)

    def _own_function(self, node: ast.AST) -> ast.AST:
        return next((up for up in self.ancestors(node) if isinstance(up, FUNCTIONS)), self.tree)

    def returns(self, function: ast.AST) -> list[ast.expr]:
        """Return what a function returns, without what functions inside it return."""
        return self._returned.get(function, [])

    def is_generator(self, function: ast.AST) -> bool:
        """Tell whether a function yields."""
        return function in self._generators

    @cached_property
    def _self_values(self) -> dict[tuple[ast.AST, str], list[ast.expr]]:
        found: dict[tuple[ast.AST, str], list[ast.expr]] = {}
        for node in (*self.nodes(ast.Assign), *self.nodes(ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if _is_of_self(target) and node.value is not None:
                    cls = self._own_class(node)
                    found.setdefault((cls, target.attr), []).append(node.value)
        return found

    def _own_class(self, node: ast.AST) -> ast.AST:
        return next((up for up in self.ancestors(node) if isinstance(up, ast.ClassDef)), self.tree)

    def assigned_to_self(self, cls: ast.ClassDef, name: str) -> list[ast.expr]:
        """Return the values of ``self.name = …`` in the methods of a class."""
        return self._self_values.get((cls, name), [])

    @cached_property
    def tested_names(self) -> frozenset[str]:
        """Names about which a condition may say something: see ``narrowing.py``."""
        written: set[ast.AST] = {node.left for node in self.nodes(ast.Compare)}
        for call in self.nodes(ast.Call):
            if isinstance(call.func, ast.Name) and call.func.id in _ASKING and call.args:
                written.add(call.args[0])
        return frozenset(
            name.id
            for name in self.nodes(ast.Name)
            if self.fields[name] in _TESTED or name in written
        )

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the parents of a node, innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """Return the innermost statement that holds the node, or the node itself."""
        if isinstance(node, ast.stmt):
            return node
        return next((up for up in self.ancestors(node) if isinstance(up, ast.stmt)), None)

    def function(self, node: ast.AST) -> FunctionNode | None:
        """Return the function in whose body the node stands."""
        scope = self.scope(node)
        while not isinstance(scope, (*FUNCTIONS, ast.Module)):
            scope = self.scope(scope)
        return None if isinstance(scope, ast.Module) else scope

    def scope(self, node: ast.AST) -> ast.AST:
        """Return the scope that a name in the node's place belongs to.

        Decorators, defaults and annotations belong to the scope around their function, and the
        first iterable of a comprehension to the scope around it.
        """
        child = node
        for parent in self.ancestors(node):
            if isinstance(parent, SCOPES) and _inside(self, parent, child):
                return parent
            child = parent
        return self.tree

    def qualified_name(self, node: ast.AST) -> str:
        """Return the dotted names of the functions and classes around a node."""
        names = [
            up.name
            for up in (node, *self.ancestors(node))
            if isinstance(up, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        ]
        return ".".join(reversed(names))


def _inside(module: Module, scope: ast.AST, child: ast.AST) -> bool:
    field = module.fields[child]
    if isinstance(scope, ast.Module):
        return True
    if isinstance(scope, COMPREHENSIONS):
        first = scope.generators[0]
        return child is not first.iter
    return field == "body"


def _is_of_self(target: ast.expr) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    )


def is_deep(node: ast.AST) -> bool:
    """Tell whether a chain such as ``a.b().c[0]`` is longer than anybody writes by hand."""
    for _ in range(_CHAIN):
        inner = getattr(node, "value", None) or getattr(node, "func", None)
        if not isinstance(inner, ast.AST):
            return False
        node = inner
    return True


def parse(source: SourceFile) -> Module:
    """Parse a file.

    Raises:
        Unparsable: It is not Python that this interpreter reads; the message says why.
    """
    try:
        tree = _parse_tree(source)
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise Unparsable(f"{place}{error.msg}") from error
    except UnicodeDecodeError as error:
        raise Unparsable(f"it is not {error.encoding}: {error.reason}") from error
    except ValueError as error:
        raise Unparsable(str(error)) from error
    except (RecursionError, MemoryError) as error:
        raise Unparsable("its expressions are nested too deeply") from error
    return Module(source, tree)


def _parse_tree(source: SourceFile) -> ast.Module:
    text = source.text
    if "\0" in text:
        raise ValueError("it holds a NUL character")
    try:
        return _quiet_parse(text)
    except (RecursionError, MemoryError):
        return _parse_with_deep_stack(text)


def _quiet_parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _parse_with_deep_stack(text: str) -> ast.Module:
    """Parse in a thread that has room: the depth of an expression is the author's business."""
    result: list[ast.Module | BaseException] = []

    def work() -> None:
        try:
            result.append(_quiet_parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            result.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_DEEP_STACK)
    sys.setrecursionlimit(_DEEP_LIMIT)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    if isinstance(result[0], BaseException):
        raise result[0]
    return result[0]
