"""Finds the changes of what a name holds: through its items, loops, other names and containers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import zip_longest

import msgspec

from ..model.evaluator import Evaluator
from ..model.module import CHANGING, COMPREHENSIONS, Module, last_name
from ..model.values import Function, Value
from ..model.written import Written, constants

Path = tuple[object, ...]
"""Keys and indexes from a name inwards; ``ANY`` where one is not known."""
ANY = object()
_DEEPEST = 4
_MUTATORS = frozenset({"clear", "popitem", "popleft", "remove"})
_GETTING = frozenset({"get", "setdefault", "pop", "popleft"})
_VIEWS = frozenset({"items", "values"})
_SAME = frozenset({"enumerate", "reversed", "iter", "zip", "filter", "islice", "chain"})
_COPIES = frozenset({"dict", "list", "tuple", "set", "deque", "sorted"})
_GROUPING = frozenset({"groupby", "batched"})
_TAKING = frozenset({"next", "max", "min", "choice"})
"""Functions that return an element of what they get."""
_ADDING = frozenset({"append", "appendleft", "add", "insert", "setdefault"})
_MERGING = frozenset({"extend", "update"})
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.BinOp, *COMPREHENSIONS)


class Write(msgspec.Struct, frozen=True, eq=False):
    """A change of what a name holds.

    Attributes:
        path: where, from the name inwards.
        place: the name or attribute through which it is written.
        value: what is written, if the code shows it.
        is_indirect: whether it is written through something else that holds a part.
    """

    module: Module
    path: Path
    place: ast.expr
    value: ast.expr | None = None
    is_indirect: bool = False


def is_merged(module: Module, name: ast.Name) -> bool:
    """``row |= …``, which changes what other names hold too."""
    up = module.parents.get(name)
    return isinstance(up, ast.AugAssign) and up.target is name and isinstance(up.op, ast.BitOr)


class _Use(msgspec.Struct, frozen=True, eq=False):
    """An expression that holds what stands at a path.

    Attributes:
        name: the name in it, or the attribute.
        least: how deep a change lies at least; what is written into a copy itself changes nothing.
        depth: through how many names it came.
        around: how many containers of other things are around what stands at the path.
        is_indirect: whether there were any.
    """

    name: ast.expr
    path: Path = ()
    least: int = 1
    depth: int = 0
    around: int = 0
    is_indirect: bool = False

    def of(self, name: ast.expr) -> _Use:
        return msgspec.structs.replace(self, name=name, depth=self.depth + 1)

    def into(self, key: object) -> _Use:
        if self.around:
            return msgspec.structs.replace(self, around=self.around - 1)
        return msgspec.structs.replace(self, path=(*self.path, key))

    def copied(self) -> _Use:
        least = self.least if self.around else max(self.least, len(self.path) + 2)
        return msgspec.structs.replace(self, least=least)

    def held(self) -> _Use:
        """Return the same in a container of other things."""
        return msgspec.structs.replace(self, around=self.around + 1, is_indirect=True)


class Search:
    """Finds the changes through a name, its items, loops over it and other names for them."""

    def __init__(self, evaluator: Evaluator, module: Module) -> None:
        self._evaluator = evaluator
        self._module = module

    def of_names(self, names: Iterable[ast.Name]) -> Iterator[Write]:
        """Yield the changes through names that hold the whole."""
        for name in names:
            yield from self._of_name(_Use(name))

    def of_attributes(self, name: str) -> Iterator[Write]:
        """Yield the changes of what attributes of a name hold, of whatever object."""
        for node in self._module.nodes(ast.Attribute):
            if node.attr == name and isinstance(node.ctx, ast.Load):
                yield from self._of_name(_Use(node))

    def _of_name(self, use: _Use) -> Iterator[Write]:
        self._evaluator.project.clock.tick()
        if use.depth <= _DEEPEST:
            yield from self._of(use, use.name)

    def _of(self, use: _Use, node: ast.AST) -> Iterator[Write]:
        parent = self._module.parents.get(node)
        if isinstance(parent, ast.Starred | ast.keyword):
            node, parent = parent, self._module.parents.get(parent)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            yield from self._of_item(use, parent)
        elif isinstance(parent, ast.Attribute):
            yield from self._of_attribute(use, parent)
        elif isinstance(parent, ast.Call) and parent.func is not node:
            yield from self._of_argument(use, parent)
        elif isinstance(parent, ast.IfExp | ast.BoolOp | ast.Await):
            yield from self._of(use, parent)
        elif isinstance(parent, _CONTAINERS):
            yield from self._of_container(use, node, parent)
        else:
            yield from self._of_binder(use, node, parent)

    def _of_item(self, use: _Use, item: ast.Subscript) -> Iterator[Write]:
        is_slice = isinstance(item.slice, ast.Slice)
        if isinstance(item.ctx, ast.Load):
            yield from self._of(use if is_slice else use.into(self._key(item.slice)), item)
            return
        key = ANY if is_slice else self._key(item.slice)
        parent = self._module.parents.get(item)
        value = parent.value if isinstance(parent, ast.Assign) and not is_slice else None
        yield from self._write(use, key, value)

    def _of_attribute(self, use: _Use, read: ast.Attribute) -> Iterator[Write]:
        call = self._module.parents.get(read)
        if isinstance(call, ast.Call) and call.func is read:
            yield from self._of_method(use, read.attr, call)
        elif read.attr in CHANGING:  # pop = row.pop
            yield from self._write(msgspec.structs.replace(use, is_indirect=True), ANY)

    def _of_method(self, use: _Use, method: str, call: ast.Call) -> Iterator[Write]:
        key = self._key(call.args[0]) if call.args else ANY
        if method == "pop" or method in _MUTATORS:
            yield from self._write(use, key if method == "pop" else ANY)
        if method in _GETTING:
            yield from self._of(use.into(key), call)
        elif method == "update":
            yield from self._of_update(use, call)
        elif method in _VIEWS:
            yield from self._of(use, call)
        elif method == "copy":
            yield from self._of(use.copied(), call)

    def _of_update(self, use: _Use, call: ast.Call) -> Iterator[Write]:
        for given in call.keywords:
            yield from self._write(use, given.arg or ANY, given.value if given.arg else None)
        for given in call.args:
            for part in given.keys if isinstance(given, ast.Dict) else [None]:
                yield from self._write(use, ANY if part is None else self._key(part))

    def _of_argument(self, use: _Use, call: ast.Call) -> Iterator[Write]:
        callee = last_name(call.func)
        if callee in _SAME:
            yield from self._of(use, call)
        elif callee in _COPIES:
            yield from self._of(use.copied(), call)
        elif callee in _GROUPING:
            yield from self._of(use.held(), call)
        elif callee in _TAKING:
            is_of_several = callee != "next" and len(call.args) > 1
            yield from self._of(use if is_of_several else use.into(ANY), call)
        elif callee in _ADDING | _MERGING and isinstance(call.func, ast.Attribute):
            inner = use.held() if callee in _ADDING else use.copied()
            yield from self._of_owner(inner, call.func.value)
        elif callee == "map" or self._is_own(call.func):
            yield from self._write(msgspec.structs.replace(use, around=0), ANY)

    def _of_binder(self, use: _Use, node: ast.AST, binder: ast.AST | None) -> Iterator[Write]:
        """Yield the changes through the names that an assignment, a loop or a pattern binds."""
        if isinstance(binder, ast.For | ast.AsyncFor | ast.comprehension):
            if binder.iter is node:
                yield from self._of_target(use.into(ANY), binder.target, binder)
        elif isinstance(binder, ast.NamedExpr):
            yield from self._of_target(use, binder.target, binder)
            yield from self._of(use, binder)
        elif isinstance(binder, ast.Match) and binder.subject is node:
            for case in binder.cases:
                yield from self._of_pattern(use, case.pattern)
        elif isinstance(binder, ast.Assign | ast.AnnAssign) and binder.value is node:
            yield from self._of_assignment(use, binder)

    def _of_assignment(self, use: _Use, node: ast.Assign | ast.AnnAssign) -> Iterator[Write]:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Subscript):
                yield from self._of_owner(use.held(), target.value)
            inner = use if isinstance(target, ast.Name) else use.into(ANY)
            yield from self._of_target(inner, target, node)

    def _of_pattern(self, use: _Use, pattern: ast.pattern) -> Iterator[Write]:
        """``case {"user": user}:`` and ``case [first, *rest]:`` name parts of what they match."""
        is_same = isinstance(pattern, ast.MatchAs | ast.MatchOr)
        bound = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
        for name in self._bound(bound, pattern) if bound else ():
            yield from self._of_name((use if is_same else use.copied()).of(name))
        keys = getattr(pattern, "keys", [])
        parts = [it for it in ast.iter_child_nodes(pattern) if isinstance(it, ast.pattern)]
        for part, key in zip_longest(parts, keys):
            inner = use.into(ANY if key is None else self._key(key))
            is_whole = is_same or isinstance(part, ast.MatchStar)
            yield from self._of_pattern(use if is_whole else inner, part)

    def _of_container(self, use: _Use, node: ast.AST, container: ast.AST) -> Iterator[Write]:
        """``(row["a"], b)``, ``{"user": user}``, ``rows + more``, ``[it for it in rows]``."""
        if isinstance(container, ast.BinOp):
            yield from self._of(use.copied(), container)
        elif isinstance(container, ast.Dict):
            for key, value in zip(container.keys, container.values, strict=True):
                if value is node:
                    yield from self._of(use.copied() if key is None else use.held(), container)
        elif isinstance(container, COMPREHENSIONS):
            if node is getattr(container, "elt", getattr(container, "value", None)):
                yield from self._of(use.held(), container)
        else:
            targets = list(self._beside(node, container))
            for target, binder in targets:
                yield from self._of_target(use, target, binder)
            inner = use.copied() if isinstance(node, ast.Starred) else use.held()
            yield from self._of(inner, container) if not targets else ()

    def _beside(self, node: ast.AST, display: ast.AST) -> Iterator[tuple[ast.expr, ast.AST]]:
        """``first, second = row["a"], row["b"]``."""
        up = self._module.parents.get(display)
        parts = getattr(display, "elts", [])
        if isinstance(up, ast.Assign):
            for target in up.targets:
                if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(parts):
                    yield target.elts[parts.index(node)], up

    def _of_owner(self, use: _Use, owner: ast.expr) -> Iterator[Write]:
        """Yield the changes through a container into which something is put."""
        if isinstance(owner, ast.Name):
            _, found = self._evaluator.project.lookup(self._module, owner)
            for binding in found:
                for name in self._bound(owner.id, binding.node):
                    yield from self._of_name(use.of(name))
        elif isinstance(owner, ast.Subscript):
            yield from self._of_owner(use.held(), owner.value)
        elif isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
            yield from self._of_owner(use.held(), owner.func.value)

    def _of_target(self, use: _Use, target: ast.expr, binder: ast.AST) -> Iterator[Write]:
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                yield from self._of_target(use, part, binder)
        elif isinstance(target, ast.Name):
            for name in self._bound(target.id, binder):
                yield from self._of_name(use.of(name))
            owner = self._module.owner(target)
            for name in self._module.names.get(target.id, ()):
                if is_merged(self._module, name) and self._module.owner(name) is owner:
                    yield from self._write(use.of(name), ANY)

    def _bound(self, target: str, binder: ast.AST) -> Iterator[ast.Name]:
        for name in self._module.names.get(target, ()):
            if isinstance(name.ctx, ast.Load):
                _, found = self._evaluator.project.lookup(self._module, name)
                if any(it.node is binder for it in found):
                    yield name

    def _write(self, use: _Use, key: object, value: ast.expr | None = None) -> Iterator[Write]:
        if not use.around and len(use.path) + 1 >= use.least:
            yield Write(self._module, (*use.path, key), use.name, value, use.is_indirect)

    def _is_own(self, callee: ast.expr) -> bool:
        """Tell whether code of the project may get what is handed over here."""
        found = [item.value for item in self._evaluator.values(self._module, callee)]
        plain = isinstance(callee, ast.Name)
        return any(isinstance(it, Function) or (plain and type(it) is Value) for it in found)

    def _key(self, node: ast.expr) -> object:
        found = constants(self._evaluator, Written(self._module, node), node)
        known = len(found) == 1 and isinstance(found[0], str | int)
        return found[0] if known else ANY
