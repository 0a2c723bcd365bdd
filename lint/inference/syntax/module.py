"""One parsed file and an index of its nodes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, TypeGuard, TypeVar

from ...files.source import SourceFile
from .spelling import last_part
from .unpacking import unpacked

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_BODIES = frozenset({*FUNCTIONS, ast.Module})
_OWNER_KINDS = frozenset({*_BODIES, ast.ClassDef})
_SCOPE_KINDS = frozenset({*_OWNER_KINDS, *COMPREHENSIONS})

_LEAVES = frozenset(
    {"ctx", "op", "ops", "id", "attr", "type_comment", "kind", "simple", "level", "conversion",
     "is_async", "type_ignores"}
)  # fmt: skip
"""Fields without nodes of the program; the parser shares operators and contexts between trees."""

CHANGING = frozenset(
    {"update", "setdefault", "pop", "popitem", "clear", "append", "extend", "insert", "remove",
     "sort", "reverse"}
)  # fmt: skip
TEXT_TESTS = frozenset({"endswith", "isalnum", "isalpha", "isdigit", "isidentifier", "startswith"})
"""Methods of a text that say whether it is of a kind."""
_ASKING = frozenset({
    "isinstance", "bool", "hasattr", "type", "callable", "isawaitable", "iscoroutine",
    "is_dataclass", "dumps",
})  # fmt: skip
_CHAIN = 24
_WITH_VALUE = frozenset({ast.Attribute, ast.Subscript, ast.Await, ast.NamedExpr, ast.Starred})
LINKS = _WITH_VALUE | {ast.Call}
"""The parts of a chain such as ``a.b().c[0]``."""


class _Holding(dict[type[ast.AST], tuple[str, ...]]):
    """Type of a node → its fields that may hold nodes, last first; found when first asked."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        names = () if kind in {ast.Constant, ast.MatchSingleton} else kind._fields
        found = self[kind] = tuple(name for name in reversed(names) if name not in _LEAVES)
        return found


_HOLDING = _Holding()
Node = TypeVar("Node", bound=ast.AST)
Key = TypeVar("Key")


class Module:
    """A file, its tree, the parents of its nodes.

    Attributes:
        source: the file.
        tree: its syntax tree.
        parents: child → parent.
        find_swallowing: finds the ``with`` statements that may swallow exceptions.
    """

    def __init__(self, source: SourceFile, tree: ast.Module, earlier: Module | None = None) -> None:
        self.source = source
        self.tree = tree
        self.find_swallowing: Callable[[Module], frozenset[ast.AST]] = lambda _: frozenset()
        self.parents: dict[ast.AST, ast.AST] = {}
        self._scopes: dict[ast.AST, ast.AST] = {}
        self._by_type: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        self._reads: dict[tuple[ast.AST, str], list[ast.Name]] = {}
        if earlier is None:
            self._index()
            self._size = len(self.parents)
        else:
            self._size = earlier._size
            self.parents.update(islice(earlier.parents.items(), self._size))
            self._by_type = earlier._by_type

    def again(self, source: SourceFile) -> Module:
        """Return the same tree as the module of another run, which finds out anew what it says.

        Args:
            source: the same text.
        """
        return Module(source, self.tree, self)

    def _index(self) -> None:
        """Walk in source order without recursion: expressions may be 20,000 terms deep."""
        stack: list[ast.AST] = [self.tree]
        by_type, parents, holding = self._by_type, self.parents, _HOLDING
        while stack:
            node = stack.pop()
            kind = type(node)
            by_type[kind].append(node)
            for name in holding[kind]:
                value: Any = getattr(node, name, None)
                held = value.__class__
                if held is list:
                    items: list[Any] = value
                    for child in reversed(items):
                        if child is not None and child.__class__ is not str:
                            parents[child] = node
                            stack.append(child)
                elif held is not str and value is not None:
                    parents[value] = node
                    stack.append(value)

    def nodes(self, kind: type[Node]) -> list[Node]:
        """Return the nodes of one type, in source order."""
        return self._by_type.get(kind, [])  # pyright: ignore[reportReturnType]

    def stored(self, name: str) -> list[ast.Attribute]:
        """Return the attributes ``….name`` that are given a value, in source order."""
        return self._stored.get(name, [])

    @cached_property
    def _stored(self) -> dict[str, list[ast.Attribute]]:
        nodes = self.nodes(ast.Attribute)
        return _grouped((node.attr, node) for node in nodes if type(node.ctx) is ast.Store)

    def stores(self, function: FunctionNode, name: str) -> list[ast.Name]:
        """Return the assignments to a name in a function's body, in source order."""
        return self._named_stores.get((function, name), [])

    @cached_property
    def _named_stores(self) -> dict[tuple[ast.AST | None, str], list[ast.Name]]:
        stores = (node for node in self.nodes(ast.Name) if type(node.ctx) is ast.Store)
        return _grouped(((self.function(node), node.id), node) for node in stores)

    def attributes(self, *names: str) -> list[ast.Attribute]:
        """Return the attributes ``….name`` with one of some names, in source order."""
        if len(names) == 1:
            return self._attributes.get(names[0], [])
        if not any(name in self._attributes for name in names):
            return []
        return [node for node in self.nodes(ast.Attribute) if node.attr in names]

    @cached_property
    def _attributes(self) -> dict[str, list[ast.Attribute]]:
        return _grouped((node.attr, node) for node in self.nodes(ast.Attribute))

    def decorating_calls(self, name: str) -> list[ast.Call]:
        """Return the calls ``….panel(…)(name)`` and ``….panel(…)(….name)``, which may register."""
        return self._made_by_call.get(name, [])

    @cached_property
    def _made_by_call(self) -> dict[str, list[ast.Call]]:
        calls = (call for call in self.calls.get("", ()) if isinstance(call.func, ast.Call))
        return _grouped((last_name(call.args[0]), call) for call in calls if call.args)

    @cached_property
    def calls(self) -> dict[str, list[ast.Call]]:
        """Last name of the callee, or an empty text → the calls, in source order."""
        return _grouped((last_name(_table_of(call.func)), call) for call in self.nodes(ast.Call))

    @cached_property
    def _returned(self) -> dict[ast.AST, list[ast.expr]]:
        return _grouped((self._around(it), it.value) for it in self.nodes(ast.Return) if it.value)

    @cached_property
    def _generators(self) -> frozenset[ast.AST]:
        yields = (*self.nodes(ast.Yield), *self.nodes(ast.YieldFrom))
        return frozenset(self._around(node) for node in yields)

    def _around(self, node: ast.AST) -> ast.AST:
        return next(self.functions_around(node), self.tree)

    def returns(self, function: ast.AST) -> list[ast.expr]:
        """Return the expressions that a function itself returns."""
        if isinstance(function, ast.Lambda):
            return [function.body]
        return self._returned.get(function, [])

    def is_generator(self, function: ast.AST) -> bool:
        """Tell whether a function yields."""
        return function in self._generators

    @cached_property
    def _self_values(self) -> dict[tuple[ast.ClassDef | None, str], list[ast.expr]]:
        found: dict[tuple[ast.ClassDef | None, str], list[ast.expr]] = {}
        for node in (*self.nodes(ast.Assign), *self.nodes(ast.AnnAssign)):
            for target, value in unpacked(node):
                if _is_of_self(target):
                    cls = self.class_around(node)
                    found.setdefault((cls, target.attr), []).append(value)
        return found

    def class_around(self, node: ast.AST) -> ast.ClassDef | None:
        """Return the innermost class in which a node stands."""
        return next((up for up in self.ancestors(node) if isinstance(up, ast.ClassDef)), None)

    def assigned_to_self(self, cls: ast.ClassDef, name: str) -> list[ast.expr]:
        """Return the values of ``self.name = …`` in the methods of a class."""
        return self._self_values.get((cls, name), [])

    def is_tested(self, name: ast.Name) -> bool:
        """Tell whether a test in its function may be about a name."""
        tested = self._tested.get(name.id)
        return tested is not None and self._body(name) in tested

    def _body(self, node: ast.AST) -> ast.AST:
        scope = self.scope(node)
        while type(scope) not in _BODIES:
            scope = self.scope(scope)
        return scope

    @cached_property
    def _tested(self) -> dict[str, set[ast.AST]]:
        """Name → the functions that test it, or the module: see ``narrowing.py``."""
        found: dict[str, set[ast.AST]] = {}
        for node in self._asked:
            if isinstance(node, ast.Name):
                found.setdefault(node.id, set()).add(self._body(node))
        return found

    @cached_property
    def tested_parts(self) -> frozenset[str]:
        """Names of the attributes and keys that a test may be about."""
        return frozenset(map(last_part, self._asked)) - {""}

    @cached_property
    def _asked(self) -> set[ast.AST]:
        written: set[ast.AST] = set()
        for compared in self.nodes(ast.Compare):
            written.update((compared.left, *compared.comparators))
        written.update(node.operand for node in self.nodes(ast.UnaryOp))
        for kind in (ast.If, ast.IfExp, ast.While, ast.Assert):
            written.update(node.test for node in self.nodes(kind))
        for boolean in self.nodes(ast.BoolOp):
            written.update(boolean.values)
        for generator in self.nodes(ast.comprehension):
            written.update(generator.ifs)
        asking = [call for name in _ASKING for call in self.calls.get(name, ())]
        asking += [node for node in written if isinstance(node, ast.Call)]
        written.update(call.args[0] for call in asking if call.args)
        texts = (call.func for name in TEXT_TESTS for call in self.calls.get(name, ()))
        written.update(method.value for method in texts if isinstance(method, ast.Attribute))
        written.update(node.target for node in self.nodes(ast.NamedExpr) if node in written)
        written.update(node.subject for node in self.nodes(ast.Match))
        handlers = (it for it in self.nodes(ast.ExceptHandler) if _is_for_missing(it))
        tried = (part for it in handlers for part in ast.walk(self.parents[it]))
        written.update(part.value for part in tried if isinstance(part, ast.Attribute))
        return written

    @cached_property
    def changed(self) -> list[ast.expr]:
        """The expressions that hold a dict or list where the file changes it in place."""
        items = self.nodes(ast.Subscript)
        callees = (call.func for call in self.nodes(ast.Call))
        owners = [item.value for item in items if isinstance(item.ctx, (ast.Store, ast.Del))]
        owners += [
            it.value for it in callees if isinstance(it, ast.Attribute) and it.attr in CHANGING
        ]
        return [*owners, *(node.target for node in self.nodes(ast.AugAssign))]

    @cached_property
    def changed_names(self) -> frozenset[str]:
        """Names and attributes whose dicts and lists the file changes in place."""
        return frozenset(map(last_name, self.changed)) - {""}

    @cached_property
    def swallowing(self) -> frozenset[ast.AST]:
        """The ``with`` statements that may swallow what is raised inside them."""
        return self.find_swallowing(self)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the parents of a node, innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def functions_around(self, node: ast.AST) -> Iterator[FunctionNode]:
        """Yield the functions around a node, innermost first; also those that it decorates."""
        return (up for up in self.ancestors(node) if isinstance(up, FUNCTIONS))

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """Return the innermost statement that holds the node, or the node itself."""
        if isinstance(node, ast.stmt):
            return node
        return next((up for up in self.ancestors(node) if isinstance(up, ast.stmt)), None)

    def function(self, node: ast.AST) -> FunctionNode | None:
        """Return the function in whose body the node stands."""
        body = self._body(node)
        return body if isinstance(body, FUNCTIONS) else None

    def scope(self, node: ast.AST) -> ast.AST:
        """Return the scope in which a name at the node's place is looked up.

        Decorators, defaults and annotations belong to the scope around their function.
        """
        scopes, parents = self._scopes, self.parents
        passed: list[ast.AST] = []
        child, parent = node, parents.get(node)
        found: ast.AST | None = None
        while parent is not None:
            found = scopes.get(parent)
            if found is not None:
                break
            if type(parent) not in _SCOPE_KINDS:
                passed.append(parent)
            elif _inside(parent, child):
                found = parent
                break
            child, parent = parent, parents.get(parent)
        found = found or self.tree
        for between in passed:
            scopes[between] = found
        return found

    def owner(self, node: ast.AST) -> ast.AST | None:
        """Return the innermost function, class or module around a node; None outside its body."""
        child, parents = node, self.parents
        parent = parents.get(child)
        while parent is not None:
            if type(parent) in _OWNER_KINDS:
                return parent if _inside(parent, child) else None
            child, parent = parent, parents.get(parent)
        return None

    def reads(self, scope: ast.AST, name: str) -> list[ast.Name]:
        """Return the reads of a name in a body, not those in functions and classes inside it."""
        key = (scope, name)
        if key not in self._reads:
            uses = (node for node in self.names.get(name, ()) if isinstance(node.ctx, ast.Load))
            self._reads[key] = [node for node in uses if self.owner(node) is scope]
        return self._reads[key]

    @cached_property
    def names(self) -> dict[str, list[ast.Name]]:
        """Name → its uses, in source order."""
        return _grouped((node.id, node) for node in self.nodes(ast.Name))

    def qualified_name(self, node: ast.AST) -> str:
        """Return the dotted names of the functions and classes around a node."""
        names = [
            up.name
            for up in (node, *self.ancestors(node))
            if isinstance(up, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ]
        return ".".join(reversed(names))


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body without those of functions and classes inside it."""
    body: list[ast.AST] | ast.AST = getattr(function, "body", [])
    stack: list[ast.AST] = list(reversed(body)) if isinstance(body, list) else [body]
    while stack:
        node = stack.pop()
        yield node
        kind = type(node)
        if kind in _OWNER_KINDS:
            continue
        for name in _HOLDING[kind]:
            value: Any = getattr(node, name, None)
            if value.__class__ is list:
                stack += [child for child in reversed(value) if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST):
                stack.append(value)


def _grouped(items: Iterable[tuple[Key, Node]]) -> dict[Key, list[Node]]:
    """Return the items grouped by key, in the given order."""
    found: defaultdict[Key, list[Node]] = defaultdict(list)
    for key, node in items:
        found[key].append(node)
    return found


def _inside(scope: ast.AST, child: ast.AST) -> bool:
    """Tell whether a child is evaluated in the scope: of a function or class only its body."""
    if type(scope) in _DEFINITIONS:
        return isinstance(child, ast.stmt)
    return child is scope.body if isinstance(scope, ast.Lambda) else True


def _is_of_self(target: ast.expr) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    )


def _table_of(callee: ast.expr) -> ast.expr:
    """Return the table of ``TABLE[key](…)`` and ``TABLE.get(key)(…)``; else the callee."""
    if isinstance(callee, ast.Subscript):
        return callee.value
    if isinstance(callee, ast.Call) and isinstance(callee.func, ast.Attribute):
        return callee.func.value if callee.func.attr == "get" else callee
    return callee


def last_name(node: ast.AST) -> str:
    """Return ``c`` of ``a.b.c``; empty for anything else."""
    name = _NAMED_BY.get(type(node))
    return getattr(node, name) if name is not None else ""


_NAMED_BY: dict[type[ast.AST], str] = {ast.Attribute: "attr", ast.Name: "id"}


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def block_of(parent: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """Return the block of a compound statement that holds a statement."""
    for name in _BLOCKS:
        block: list[ast.stmt] = getattr(parent, name, [])
        if statement in block:
            return block
    return []


def is_deep(node: ast.AST) -> bool:
    """Tell whether a chain such as ``a.b().c[0]`` exceeds the limit."""
    link: Any = node
    for _ in range(_CHAIN):
        kind = link.__class__
        if kind in _WITH_VALUE:
            link = link.value
        elif kind is ast.Call:
            link = link.func
        else:
            return False
    return True


def _is_for_missing(handler: ast.ExceptHandler) -> bool:
    return handler.type is not None and last_name(handler.type) == "AttributeError"
