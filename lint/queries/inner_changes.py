"""What later code writes into the dicts and lists inside a payload."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

import msgspec

from ..model.arguments import argument_node
from ..model.attributes import class_chain
from ..model.bindings import parameters
from ..model.dict_shapes import sources_of
from ..model.evaluator import Evaluator
from ..model.fields import constructor
from ..model.module import Module, last_name
from ..model.values import Class, Function, SdkMethod, Value
from ..model.written import Holder, Written, constants, written

Path = tuple[object, ...]
"""Keys and indexes from a name inwards; ``ANY`` where one is not known."""
ANY = object()
_DEEPEST = 4
_MUTATORS = frozenset({"clear", "popitem", "remove"})
_VIEWS = frozenset({"items", "values"})
_SAME = frozenset({"enumerate", "reversed", "iter", "zip", "filter", "islice", "chain"})
_COPIES = frozenset({"dict", "list", "tuple", "sorted"})


class Write(msgspec.Struct, frozen=True, eq=False):
    """A change of what a name holds.

    Attributes:
        path: where, from the name inwards.
        place: the name or attribute through which it is written.
        value: what is written, if the code shows it.
    """

    module: Module
    path: Path
    place: ast.expr
    value: ast.expr | None = None


class Step(msgspec.Struct, frozen=True, eq=False):
    """A name that holds a part of the payload, and the way from there to the entry looked at.

    Attributes:
        begin, end: positions between which its changes count.
        least: how deep a change lies at least; others are told from the fields of the dict.
    """

    holder: Holder
    begin: tuple[int, int]
    end: tuple[int, int]
    least: int
    path: Path = ()


class Kept(msgspec.Struct, frozen=True, eq=False):
    """An attribute that holds a part of the payload: ``self.rows``.

    Which object it is of, and when it is changed, is not asked: each change of an attribute of
    that name counts.
    """

    name: str
    least: int
    path: Path = ()


class Way(msgspec.Struct, frozen=True, eq=False):
    """How an entry of a payload is reached from the names and attributes that hold the payload."""

    steps: tuple[Step, ...] = ()
    kept: tuple[Kept, ...] = ()

    def through(self, evaluator: Evaluator, at: Written) -> Way:
        """Return the way into a container, with the names that hold it or give it entries."""
        least = 2 if isinstance(at.node, ast.Dict) else 1
        found = _steps(at, [step.holder for step in self.steps], least, later=1)
        uses = [step.holder for step in (*self.steps, *found)]
        for item in _spread(evaluator, at, 0):
            found += _steps(item, uses, 2, later=2)
        kept = (Kept(name, least) for name in _kept_as(evaluator, at))
        return Way((*self.steps, *found), (*self.kept, *kept))

    def at(self, key: object) -> Way:
        """Return the way to what stands under a key."""
        return Way(
            tuple(
                Step(it.holder, it.begin, it.end, it.least, (*it.path, key)) for it in self.steps
            ),
            tuple(Kept(it.name, it.least, (*it.path, key)) for it in self.kept),
        )

    def changes(self, evaluator: Evaluator) -> Iterator[Write]:
        """Yield what writes another value to this place, or may."""
        for step in self.steps:
            for write in _writes(evaluator, step.holder):
                in_time = step.begin < _position(write.place) < step.end
                if in_time and len(write.path) >= step.least and _covers(write.path, step.path):
                    yield write
        for kept in self.kept:
            for write in _kept_writes(evaluator, kept.name):
                if len(write.path) >= kept.least and _covers(write.path, kept.path):
                    yield write


def _kept_as(evaluator: Evaluator, at: Written) -> Iterator[str]:
    """Yield the attributes that get a container where it is written.

    ``self.rows = […]``, ``Box(rows=[…])``, ``Box([…])`` and ``rows = […]`` in the body of a class.
    """
    parents = at.module.parents
    up = parents.get(at.node)
    if isinstance(up, ast.keyword) and up.arg is not None:
        call = parents.get(up)
        if not _is_of_sdk(evaluator, at, call):
            yield up.arg
        up = call
    if isinstance(up, ast.Call):
        yield from _kept_by(evaluator, at, up)
        return
    targets = up.targets if isinstance(up, ast.Assign) else [getattr(up, "target", None)]
    for target in targets:
        if isinstance(target, ast.Attribute):
            yield target.attr
        elif isinstance(target, ast.Name) and isinstance(parents.get(up or target), ast.ClassDef):
            yield target.id


def _is_of_sdk(evaluator: Evaluator, at: Written, call: ast.AST | None) -> bool:
    """``success(data=…)``: what is written into the result's data is told by its own search."""
    func = call.func if isinstance(call, ast.Call) else None
    found = evaluator.values(at.module, func, at.frame) if func is not None else ()
    return bool(found) and all(isinstance(item.value, SdkMethod) for item in found)


def _steps(at: Written, uses: list[Holder], least: int, later: int) -> list[Step]:
    """Return the steps from the names that hold a container.

    Args:
        at: the container.
        uses: names that hold what it is a part of, until later places.
        least: how deep changes before its use lie at least.
        later: and those between its use and that of the others.
    """
    found: list[Step] = []
    behind = list(uses)
    for holder in at.holders:
        use = _position(holder.use)
        found.append(Step(holder, (0, 0), use, least))
        ends = [_position(it.use) for it in behind if it.scope is holder.scope]
        if ends and max(ends) > use:
            found.append(Step(holder, use, max(ends), later))
        behind.append(holder)
    return found


def _spread(evaluator: Evaluator, at: Written, depth: int) -> Iterator[Written]:
    """Yield the dicts whose entries a dict takes over, and so shares what they hold."""
    for value in sources_of(at.node) if depth <= _DEEPEST else ():
        for item in written(evaluator, at.module, value, at.frame):
            yield item
            yield from _spread(evaluator, item, depth + 1)


def _position(node: ast.expr) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _covers(outer: Path, inner: Path) -> bool:
    return len(outer) <= len(inner) and all(
        left is ANY or right is ANY or left == right
        for left, right in zip(outer, inner, strict=False)
    )


def _kept_by(evaluator: Evaluator, at: Written, call: ast.Call) -> Iterator[str]:
    """Yield the attributes that the constructor of a class gives what a call gives it."""
    for item in evaluator.values(at.module, call.func, at.frame):
        chain = class_chain(evaluator, item.value) if isinstance(item.value, Class) else ()
        made = constructor(chain)
        if made is None:
            continue
        args = parameters(made)
        given = [it.arg for it in args if argument_node(call, made, it, skip=1) is at.node]
        for node in ast.walk(made) if given else ():
            if isinstance(node, ast.Assign) and last_name(node.value) in given:
                yield from (it.attr for it in node.targets if isinstance(it, ast.Attribute))


_KNOWN: WeakKeyDictionary[Evaluator, dict[ast.Name, list[Write]]] = WeakKeyDictionary()


def _writes(evaluator: Evaluator, holder: Holder) -> list[Write]:
    known = _KNOWN.setdefault(evaluator, {})
    if holder.use not in known:
        names = [
            name
            for name in holder.module.names.get(holder.use.id, ())
            if name is not holder.use
            and holder.binding in evaluator.project.lookup(holder.module, name)[1]
        ]
        read = [name for name in names if isinstance(name.ctx, ast.Load)]
        known[holder.use] = [
            *_Search(evaluator, holder.module).of_names(read, (), 1, 0),
            *(Write(holder.module, (ANY,), it) for it in names if _is_merged(holder.module, it)),
        ]
    return known[holder.use]


def _is_merged(module: Module, name: ast.Name) -> bool:
    """``row |= …``, which changes what other names hold too."""
    up = module.parents.get(name)
    return isinstance(up, ast.AugAssign) and up.target is name and isinstance(up.op, ast.BitOr)


_KNOWN_KEPT: WeakKeyDictionary[Evaluator, dict[str, list[Write]]] = WeakKeyDictionary()


def _kept_writes(evaluator: Evaluator, name: str) -> list[Write]:
    known = _KNOWN_KEPT.setdefault(evaluator, {})
    if name not in known:
        known[name] = [
            write
            for module in evaluator.project.naming(name)
            for write in _Search(evaluator, module).of_attributes(name)
        ]
    return known[name]


class _Use(msgspec.Struct, frozen=True, eq=False):
    """An expression that holds what stands at a path.

    Attributes:
        name: the name in it, or the attribute.
        least: how deep a change lies at least; what is written into a copy itself changes nothing.
        depth: through how many names it came.
    """

    name: ast.expr
    path: Path
    least: int
    depth: int

    def into(self, key: object) -> _Use:
        return _Use(self.name, (*self.path, key), self.least, self.depth)

    def copied(self) -> _Use:
        return _Use(self.name, self.path, max(self.least, len(self.path) + 2), self.depth)


class _Search:
    """Finds the changes through a name, its items, loops over it and other names for them."""

    def __init__(self, evaluator: Evaluator, module: Module) -> None:
        self._evaluator = evaluator
        self._module = module

    def of_names(
        self, names: Iterable[ast.Name], path: Path, least: int, depth: int
    ) -> Iterator[Write]:
        """Yield the changes of at least a depth through names that hold what is at a path."""
        for name in names if depth <= _DEEPEST else ():
            self._evaluator.project.clock.tick()
            yield from self._of(_Use(name, path, least, depth), name)

    def of_attributes(self, name: str) -> Iterator[Write]:
        """Yield the changes of what attributes of a name hold, of whatever object."""
        for node in self._module.nodes(ast.Attribute):
            if node.attr == name and isinstance(node.ctx, ast.Load):
                self._evaluator.project.clock.tick()
                yield from self._of(_Use(node, (), 1, 0), node)

    def _of(self, use: _Use, node: ast.expr) -> Iterator[Write]:
        parent = self._module.parents.get(node)
        if isinstance(parent, ast.Starred | ast.keyword):
            node, parent = parent.value, self._module.parents.get(parent)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            yield from self._of_item(use, parent)
        elif isinstance(parent, ast.Attribute):
            call = self._module.parents.get(parent)
            if isinstance(call, ast.Call) and call.func is parent:
                yield from self._of_method(use, parent.attr, call)
        elif isinstance(parent, ast.Call) and parent.func is not node:
            yield from self._of_argument(use, parent)
        elif isinstance(parent, ast.IfExp | ast.BoolOp | ast.Await):
            yield from self._of(use, parent)
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

    def _of_method(self, use: _Use, method: str, call: ast.Call) -> Iterator[Write]:
        key = self._key(call.args[0]) if call.args else ANY
        if method == "pop" or method in _MUTATORS:
            yield from self._write(use, key if method == "pop" else ANY)
        if method in {"get", "setdefault", "pop"}:
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
        elif callee == "map" or self._is_own(call.func):
            yield from self._write(use, ANY)

    def _of_binder(self, use: _Use, node: ast.expr, binder: ast.AST | None) -> Iterator[Write]:
        """Yield the changes through the names that an assignment or a loop binds."""
        if isinstance(binder, ast.For | ast.AsyncFor | ast.comprehension):
            if binder.iter is node:
                yield from self._of_target(use.into(ANY), binder.target, binder)
        elif isinstance(binder, ast.Tuple | ast.List):
            yield from self._of_part(use, node, binder)
        elif isinstance(binder, ast.NamedExpr):
            yield from self._of_target(use, binder.target, binder)
            yield from self._of(use, binder)
        elif isinstance(binder, ast.Assign | ast.AnnAssign) and binder.value is node:
            for target in binder.targets if isinstance(binder, ast.Assign) else [binder.target]:
                inner = use if isinstance(target, ast.Name) else use.into(ANY)
                yield from self._of_target(inner, target, binder)

    def _of_part(self, use: _Use, node: ast.expr, display: ast.Tuple | ast.List) -> Iterator[Write]:
        """``for part in (row["a"], row["b"])`` and ``first, second = row["a"], row["b"]``."""
        up = self._module.parents.get(display)
        if isinstance(up, ast.For | ast.AsyncFor | ast.comprehension) and up.iter is display:
            yield from self._of_target(use, up.target, up)
        elif isinstance(up, ast.Assign) and up.value is display:
            for target in up.targets:
                parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
                if len(parts) == len(display.elts):
                    yield from self._of_target(use, parts[display.elts.index(node)], up)

    def _of_target(self, use: _Use, target: ast.expr, binder: ast.AST) -> Iterator[Write]:
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                yield from self._of_target(use, part, binder)
        elif isinstance(target, ast.Name):
            names = self._bound(target, binder)
            yield from self.of_names(names, use.path, use.least, use.depth + 1)
            owner = self._module.owner(target)
            for name in self._module.names.get(target.id, ()):
                if _is_merged(self._module, name) and self._module.owner(name) is owner:
                    place = _Use(name, use.path, use.least, use.depth)
                    yield from self._write(place, ANY)

    def _bound(self, target: ast.Name, binder: ast.AST) -> Iterator[ast.Name]:
        for name in self._module.names.get(target.id, ()):
            if isinstance(name.ctx, ast.Load):
                _, found = self._evaluator.project.lookup(self._module, name)
                if any(it.node is binder for it in found):
                    yield name

    def _write(self, use: _Use, key: object, value: ast.expr | None = None) -> Iterator[Write]:
        if len(use.path) + 1 >= use.least:
            yield Write(self._module, (*use.path, key), use.name, value)

    def _is_own(self, callee: ast.expr) -> bool:
        """Tell whether code of the project may get what is handed over here."""
        found = [item.value for item in self._evaluator.values(self._module, callee)]
        plain = isinstance(callee, ast.Name)
        return any(isinstance(it, Function) or (plain and type(it) is Value) for it in found)

    def _key(self, node: ast.expr) -> object:
        found = constants(self._evaluator, Written(self._module, node), node)
        known = len(found) == 1 and isinstance(found[0], str | int)
        return found[0] if known else ANY
