"""What later code writes into the dicts and lists inside a payload."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.arguments import argument_node
from ..model.attributes import class_chain
from ..model.bindings import Binding, parameters
from ..model.dict_sources import sources_of
from ..model.evaluator import Evaluator
from ..model.fields import constructor
from ..model.json_trials import trials
from ..model.module import Module, last_name
from ..model.remembered import remembered
from ..model.values import Class, SdkMethod
from ..model.written import Holder, Written, written
from .inner_writes import ANY, Path, Search, Write, is_merged

_DEEPEST = 4


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
        kept = (Kept(name, 1 if _is_own(at) else least) for name in _kept_as(evaluator, at))
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


def _is_own(at: Written) -> bool:
    """``self.row = {…}``, whose entries other methods change."""
    up = at.module.parents.get(at.node)
    targets = up.targets if isinstance(up, ast.Assign) else [getattr(up, "target", None)]
    owners = (it.value for it in targets if isinstance(it, ast.Attribute))
    return any(isinstance(owner, ast.Name) and owner.id == "self" for owner in owners)


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


def passed_dumps(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether a name holds what ``json.dumps`` took before, and nothing changed it since."""
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
    """Tell whether a name is what it was when it was tried, or what a handler of that gave it."""
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
