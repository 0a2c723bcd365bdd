"""Changes of a payload after it is made."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import zip_longest

import msgspec

from ..inference.containers.dicts import escapes, is_shared, sources_of
from ..inference.evaluator import Evaluator
from ..inference.flow.branches import may_run
from ..inference.flow.json_trials import trials
from ..inference.syntax.arguments import argument_node
from ..inference.syntax.bindings import Binding, parameters
from ..inference.syntax.memo import remembered
from ..inference.syntax.module import CHANGING, COMPREHENSIONS, Module, last_name
from ..inference.values.attributes import class_chain
from ..inference.values.fields import constructor
from ..inference.values.models import known_type
from ..inference.values.origins import Holder, Written, constants, written
from ..inference.values.values import Class, External, Function, SdkMethod, Value, only_value

_MAKING = frozenset({
    "dict", "collections.defaultdict", "collections.Counter", "collections.OrderedDict",
})  # fmt: skip
_READING = frozenset({
    "get", "keys", "values", "items", "copy", "most_common", "setdefault",
})  # fmt: skip


def tuple_keys(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Yield a tuple that is a key of a dict: ``counts[row.a, row.b] += 1``; one for each dict."""
    for place in _made(evaluator, at):
        found = (_stored(evaluator, place, holder) for holder in place.holders)
        yield from next((keys[:1] for keys in found if keys), list[Written]())


def grouped(evaluator: Evaluator, at: Written) -> Iterator[tuple[Written, Written]]:
    """Yield (dict, element of its lists): ``groups.setdefault(row.kind, []).append(row)``."""
    for place in _made(evaluator, at):
        for holder in place.holders:
            names = [] if _is_lost(evaluator, holder) else list(holder.mentions(evaluator))
            if not any(_is_replaced(holder.module, name) for name in names):
                for name in names:
                    item = _appended(holder.module, name)
                    if item is not None and may_run(evaluator, holder.module, name, at.frame):
                        yield place, Written(holder.module, item, at.frame)


def _made(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Yield the origins ``{}``, ``Counter()`` and copies of such dicts."""
    for place in written(evaluator, at.module, at.node, at.frame):
        call = place.node
        if isinstance(call, ast.Call):
            callee = only_value(evaluator.values(place.module, call.func, place.frame))
            if not isinstance(callee, External) or callee.name not in _MAKING:
                continue
            if callee.name == "dict" and len(call.args) == 1:
                yield from _made(evaluator, place.part(call.args[0]))
        if isinstance(call, (ast.Dict, ast.Call)):
            yield place


def _appended(module: Module, name: ast.Name) -> ast.expr | None:
    """Return ``row`` of ``groups[kind].append(row)``."""
    item = module.parents.get(name)
    if isinstance(item, ast.Attribute) and item.attr == "setdefault":
        item = module.parents.get(item)
    method = module.parents.get(item) if item is not None else None
    call = module.parents.get(method) if isinstance(method, ast.Attribute) else None
    is_grown = isinstance(method, ast.Attribute) and method.attr == "append"
    if not is_grown or not isinstance(call, ast.Call) or len(call.args) != 1:
        return None
    is_item = isinstance(item, ast.Subscript) or (isinstance(item, ast.Call) and len(item.args) > 1)
    return call.args[0] if is_item and call.func is method else None


def _is_replaced(module: Module, name: ast.Name) -> bool:
    """Tell whether a key gets another value than an empty list: ``groups[kind] = …``."""
    item = module.parents.get(name)
    if not isinstance(item, ast.Subscript) or isinstance(item.ctx, ast.Load):
        return False
    value = getattr(module.parents.get(item), "value", None)
    return not (isinstance(value, ast.List) and not value.elts)


def _stored(evaluator: Evaluator, at: Written, holder: Holder) -> list[Written]:
    """Return the tuples that are keys; empty if keys may be removed again."""
    module = holder.module
    if _is_lost(evaluator, holder):
        return []
    stored = [
        Written(module, item.slice, at.frame)
        for name in holder.mentions(evaluator)
        if isinstance(item := module.parents.get(name), ast.Subscript)
        and isinstance(item.ctx, ast.Store)
        and may_run(evaluator, module, name, at.frame)
    ]
    return [key for key in stored if _is_tuple(evaluator, key)]


def _is_lost(evaluator: Evaluator, holder: Holder) -> bool:
    module = holder.module
    reads = module.reads(holder.scope, holder.use.id)
    uses = [it for it in reads if holder.binding in evaluator.project.lookup(module, it)[1]]
    return is_shared(evaluator, holder) or any(
        _may_lose(module, use) for use in uses if use is not holder.use
    )


def _may_lose(module: Module, use: ast.Name) -> bool:
    """Tell whether keys may be removed from a dict here, or unknown code gets it."""
    up = module.parents.get(use)
    if isinstance(up, ast.Attribute):
        call = module.parents.get(up)
        return up.attr not in _READING or isinstance(module.parents.get(call or up), ast.For)
    return escapes(module, use) or isinstance(getattr(up, "ctx", None), ast.Del)


def _is_tuple(evaluator: Evaluator, at: Written) -> bool:
    found = evaluator.values(at.module, at.node, at.frame)
    return bool(found) and all(known_type(item.value) == "a tuple" for item in found)


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
    """A write into the object that a name holds.

    Attributes:
        path: where, from the name inwards.
        place: the name or attribute through which it is written.
        value: what is written, if the code shows it.
        is_indirect: whether it is written through another container of a part.
    """

    module: Module
    path: Path
    place: ast.expr
    value: ast.expr | None = None
    is_indirect: bool = False


def is_merged(module: Module, name: ast.Name) -> bool:
    """Tell whether a statement is ``row |= …``, which changes the dict in place."""
    up = module.parents.get(name)
    return isinstance(up, ast.AugAssign) and up.target is name and isinstance(up.op, ast.BitOr)


class _Use(msgspec.Struct, frozen=True, eq=False):
    """An expression that holds the object at a path.

    Attributes:
        name: the name in it, or the attribute.
        least: least depth of a change; a write into a shallow copy itself changes nothing.
        depth: number of names on the path.
        around: number of other containers around the object.
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
        """Return the use inside of another container."""
        return msgspec.structs.replace(self, around=self.around + 1, is_indirect=True)


class Search:
    """Finds the writes through a name, its items, loops over it, and their aliases."""

    def __init__(self, evaluator: Evaluator, module: Module) -> None:
        self._evaluator = evaluator
        self._module = module

    def of_names(self, names: Iterable[ast.Name]) -> Iterator[Write]:
        """Yield the writes through names that hold the whole payload."""
        for name in names:
            yield from self._of_name(_Use(name))

    def of_attributes(self, name: str) -> Iterator[Write]:
        """Yield the writes through attributes of that name, of any object."""
        for node in self._module.nodes(ast.Attribute):
            if node.attr == name and isinstance(node.ctx, ast.Load):
                yield from self._of_name(_Use(node))

    def _of_name(self, use: _Use) -> Iterator[Write]:
        self._evaluator.project.clock.tick()
        if use.depth <= _DEEPEST:
            yield from self._of(use, use.name)

    def _of(self, use: _Use, node: ast.AST) -> Iterator[Write]:
        parent = self._module.parents.get(node)
        if isinstance(parent, (ast.Starred, ast.keyword)):
            node, parent = parent, self._module.parents.get(parent)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            yield from self._of_item(use, parent)
        elif isinstance(parent, ast.Attribute):
            yield from self._of_attribute(use, parent)
        elif isinstance(parent, ast.Call) and parent.func is not node:
            yield from self._of_argument(use, parent)
        elif isinstance(parent, (ast.IfExp, ast.BoolOp, ast.Await)):
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
        """Yield the writes through the names that an assignment, loop or pattern binds."""
        if isinstance(binder, (ast.For, ast.AsyncFor, ast.comprehension)):
            if binder.iter is node:
                yield from self._of_target(use.into(ANY), binder.target, binder)
        elif isinstance(binder, ast.NamedExpr):
            yield from self._of_target(use, binder.target, binder)
            yield from self._of(use, binder)
        elif isinstance(binder, ast.Match) and binder.subject is node:
            for case in binder.cases:
                yield from self._of_pattern(use, case.pattern)
        elif isinstance(binder, (ast.Assign, ast.AnnAssign)) and binder.value is node:
            yield from self._of_assignment(use, binder)

    def _of_assignment(self, use: _Use, node: ast.Assign | ast.AnnAssign) -> Iterator[Write]:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Subscript):
                yield from self._of_owner(use.held(), target.value)
            inner = use if isinstance(target, ast.Name) else use.into(ANY)
            yield from self._of_target(inner, target, node)

    def _of_pattern(self, use: _Use, pattern: ast.pattern) -> Iterator[Write]:
        """``case {"user": user}:`` and ``case [first, *rest]:`` name parts of what they match."""
        is_same = isinstance(pattern, (ast.MatchAs, ast.MatchOr))
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
                if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == len(parts):
                    yield target.elts[parts.index(node)], up

    def _of_owner(self, use: _Use, owner: ast.expr) -> Iterator[Write]:
        """Yield the writes through a container into which the object is put."""
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
        if isinstance(target, (ast.Tuple, ast.List)):
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
        """Tell whether a callee may be code of the extension."""
        found = [item.value for item in self._evaluator.values(self._module, callee)]
        plain = isinstance(callee, ast.Name)
        return any(isinstance(it, Function) or (plain and type(it) is Value) for it in found)

    def _key(self, node: ast.expr) -> object:
        found = constants(self._evaluator, Written(self._module, node), node)
        known = len(found) == 1 and isinstance(found[0], (str, int))
        return found[0] if known else ANY


class Step(msgspec.Struct, frozen=True, eq=False):
    """A name that holds a part of the payload, and the path from there to the entry.

    Attributes:
        begin, end: positions between which its changes count.
        least: least depth of a change; shallower ones are seen in the fields of the dict.
    """

    holder: Holder
    begin: tuple[int, int]
    end: tuple[int, int]
    least: int
    path: Path = ()


class Kept(msgspec.Struct, frozen=True, eq=False):
    """An attribute that holds a part of the payload: ``self.rows``.

    Changes of that attribute of any object, at any time, count.
    """

    name: str
    least: int
    path: Path = ()


class Way(msgspec.Struct, frozen=True, eq=False):
    """The paths to an entry from the names and attributes that hold the payload."""

    steps: tuple[Step, ...] = ()
    kept: tuple[Kept, ...] = ()

    def through(self, evaluator: Evaluator, at: Written) -> Way:
        """Return the path into a container, with the names that hold it or its entries."""
        least = 2 if isinstance(at.node, ast.Dict) else 1
        found = _steps(at, [step.holder for step in self.steps], least, later=1)
        uses = [step.holder for step in (*self.steps, *found)]
        for item in _spread(evaluator, at, 0):
            found += _steps(item, uses, 2, later=2)
        kept = (Kept(name, 1 if _is_own(at) else least) for name in _kept_as(evaluator, at))
        return Way((*self.steps, *found), (*self.kept, *kept))

    def at(self, key: object) -> Way:
        """Return the path to the value of a key."""
        return Way(
            tuple(
                Step(it.holder, it.begin, it.end, it.least, (*it.path, key)) for it in self.steps
            ),
            tuple(Kept(it.name, it.least, (*it.path, key)) for it in self.kept),
        )

    def changes(self, evaluator: Evaluator) -> Iterator[Write]:
        """Yield the writes that replace this entry, or may."""
        for step in self.steps:
            holder = step.holder
            for write in _writes(evaluator, holder.module, holder.binding, holder.use):
                in_time = step.begin < _position(write.place) < step.end
                is_deep = write.is_indirect or len(write.path) >= step.least
                if in_time and is_deep and _covers(write.path, step.path):
                    yield write
        for kept in self.kept:
            for write in _kept_writes(evaluator, kept.name):
                is_deep = write.is_indirect or len(write.path) >= kept.least
                if is_deep and _covers(write.path, kept.path):
                    yield write


def _kept_as(evaluator: Evaluator, at: Written) -> Iterator[str]:
    """Yield the attributes that a container is assigned to where it is made.

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


def _is_own(at: Written) -> bool:
    """``self.row = {…}``, whose entries other methods change."""
    up = at.module.parents.get(at.node)
    targets = up.targets if isinstance(up, ast.Assign) else [getattr(up, "target", None)]
    owners = (it.value for it in targets if isinstance(it, ast.Attribute))
    return any(isinstance(owner, ast.Name) and owner.id == "self" for owner in owners)


def _is_of_sdk(evaluator: Evaluator, at: Written, call: ast.AST | None) -> bool:
    """Tell whether a call is ``success(data=…)``, whose data ``results.changes`` follows."""
    func = call.func if isinstance(call, ast.Call) else None
    found = evaluator.values(at.module, func, at.frame) if func is not None else ()
    return bool(found) and all(isinstance(item.value, SdkMethod) for item in found)


def _steps(at: Written, uses: list[Holder], least: int, later: int) -> list[Step]:
    """Return the steps from the names that hold a container.

    Args:
        at: the container.
        uses: names that hold its container, and until where.
        least: least depth of changes before its use.
        later: least depth of changes between its use and that of the others.
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
    """Yield the dicts that a dict spreads, with which it shares the values."""
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
    """Yield the attributes to which a constructor assigns an argument of a call."""
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


def passed_dumps(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether ``json.dumps`` accepted a name's value before, unchanged since."""
    if not isinstance(at.node, ast.Name):
        return False
    _, found = evaluator.project.lookup(at.module, at.node)
    for test, is_passed in trials(at.module, at.node):
        tried = test.args[0] if isinstance(test, ast.Call) else None
        if not is_passed or not isinstance(tried, ast.Name) or tried.id != at.node.id:
            continue
        if _is_kept(evaluator, at.module, tried, found):
            return not any(
                _position(tried) < _position(write.place) < _position(at.node)
                for binding in found
                for write in _writes(evaluator, at.module, binding, at.node)
            )
    return False


def _is_kept(evaluator: Evaluator, module: Module, tried: ast.Name, found: list[Binding]) -> bool:
    """Tell whether a name is unchanged since a trial, or rebound by its handler only."""
    before = evaluator.project.lookup(module, tried)[1]
    around = next((up for up in module.ancestors(tried) if isinstance(up, ast.Try)), None)
    handlers = around.handlers if around is not None else []
    return any(it in found for it in before) and all(
        it in before or any(up in handlers for up in module.ancestors(it.node)) for it in found
    )


@remembered
def _writes(evaluator: Evaluator, module: Module, binding: Binding, use: ast.Name) -> list[Write]:
    names = [
        name
        for name in module.names.get(use.id, ())
        if name is not use and binding in evaluator.project.lookup(module, name)[1]
    ]
    read = [name for name in names if isinstance(name.ctx, ast.Load)]
    return [
        *Search(evaluator, module).of_names(read),
        *(Write(module, (ANY,), it) for it in names if is_merged(module, it)),
    ]


@remembered
def _kept_writes(evaluator: Evaluator, name: str) -> list[Write]:
    return [
        write
        for module in evaluator.project.naming(name)
        for write in Search(evaluator, module).of_attributes(name)
    ]
