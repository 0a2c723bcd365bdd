"""One step of a value on its way: into a table and out of it, to a name, through a loop."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from ..arguments import given_in
from ..branches import may_run
from ..enums import is_enum
from ..evaluator import Evaluator
from ..fields import sites
from ..module import FUNCTIONS
from ..values import Class, Const, Instance, frame_of, only_value
from .keys import SitesOf, entries, name_of
from .uses import ANY, Held, Part, Variable, owned, uses, variable_of

Moves = Iterator[Held]
_SOME = Part("at")
_SAME = frozenset({"copy", "copy.copy", "copy.deepcopy", "dict", "iter", "list", "tuple"}) | {
    "staticmethod",
    "enum.member",
    "enum.nonmember",
    "types.MappingProxyType",
    "typing.cast",
}
"""Functions from elsewhere that return what they get, or a copy of it."""
_REORDERING = frozenset({"frozenset", "itertools.chain", "itertools.cycle", "reversed", "set"}) | {
    "sorted"
}
_HOLDING = {"dict": "key", "types.SimpleNamespace": "field"}
"""Functions from elsewhere that make a container of what they get by names → its kind of parts."""
_ADDING = {"append": 0, "appendleft": 0, "add": 0, "insert": 1, "setdefault": 1}
"""Methods that put an argument into a container → which one."""
_MERGING = frozenset({"extend", "update", "union"})
_TAKING = frozenset({"get", "pop", "setdefault", "__getitem__"})


def moves(evaluator: Evaluator, sites_of: SitesOf, held: Held) -> Moves:
    """Yield where a value is after the next step, but for calls that get it or call it."""
    parent = held.module.parents.get(held.node)
    step = _STEPS.get(type(parent))
    if step is not None:
        yield from step(evaluator, sites_of, held, parent)


def _sequence(
    _: Evaluator, _sites: SitesOf, held: Held, parent: ast.List | ast.Tuple | ast.Set
) -> Moves:
    place: object = ANY
    if not isinstance(parent, ast.Set):
        index = parent.elts.index(held.node)
        plain = not any(isinstance(each, ast.Starred) for each in parent.elts[:index])
        place = index if plain else ANY
    yield held.at(parent, held.inside(Part("at", place)))


def _starred(_: Evaluator, _sites: SitesOf, held: Held, parent: ast.Starred) -> Moves:
    around = held.module.parents.get(parent)
    if isinstance(around, ast.List | ast.Tuple | ast.Set) and held.kind == "at":
        yield held.at(around, (_SOME, *held.path[1:]))


def _dict(evaluator: Evaluator, _sites: SitesOf, held: Held, parent: ast.Dict) -> Moves:
    if held.node not in parent.values:
        return
    key = parent.keys[parent.values.index(held.node)]
    if key is not None:
        yield held.at(parent, held.inside(_key_of(evaluator, held, key)))
    elif held.kind == "key":
        yield held.at(parent)


def _key_of(evaluator: Evaluator, held: Held, key: ast.expr) -> Part:
    value = only_value(evaluator.values(held.module, key, held.frame))
    return Part("key", name_of(value)) if isinstance(value, Const) else Part("key")


def _choice(
    evaluator: Evaluator, _sites: SitesOf, held: Held, parent: ast.IfExp | ast.BoolOp | ast.BinOp
) -> Moves:
    if isinstance(parent, ast.IfExp) and held.node is parent.test:
        return
    if isinstance(parent, ast.BinOp):
        if not held.path:
            return
        held = _behind(held) if held.node is parent.right else held
    if may_run(evaluator, held.module, held.node, held.frame):
        yield held.at(parent)


def _behind(held: Held) -> Held:
    """Return the same in a list that stands behind another one."""
    return held.at(held.node, (_SOME, *held.path[1:])) if held.kind == "at" else held


def _walrus(evaluator: Evaluator, _: SitesOf, held: Held, parent: ast.NamedExpr) -> Moves:
    yield held.at(parent)
    yield from _target(evaluator, held, parent.target, parent)


def _assigned(
    evaluator: Evaluator, _: SitesOf, held: Held, parent: ast.Assign | ast.AnnAssign
) -> Moves:
    if parent.value is held.node:
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        for target in targets:
            yield from _target(evaluator, held, target, parent)


def _merged(evaluator: Evaluator, _: SitesOf, held: Held, parent: ast.AugAssign) -> Moves:
    if held.path and held.node is parent.value:
        yield from _target(evaluator, _behind(held), parent.target, parent)


def _target(evaluator: Evaluator, held: Held, target: ast.expr, binder: ast.AST) -> Moves:
    """Yield the reads of what an assignment or a loop binds."""
    if isinstance(target, ast.Name):
        scope, _, _ = evaluator.project.bindings(held.module, target)
        yield from _read(evaluator, held, Variable(held.module, scope, target.id, binder))
    elif isinstance(target, ast.Tuple | ast.List) and held.kind == "at":
        place = held.path[0].name
        if isinstance(place, int) and 0 <= place < len(target.elts):
            yield from _target(evaluator, held.taken_out(), target.elts[place], binder)
    elif isinstance(target, ast.Subscript):
        part = held.at(held.node, held.inside(_key_of(evaluator, held, target.slice)))
        yield from _in_owner(evaluator, part, target.value)
    elif isinstance(target, ast.Attribute):
        yield from _in_owner(evaluator, held, target)


def _read(evaluator: Evaluator, held: Held, variable: Variable) -> Moves:
    for module, use in uses(evaluator, variable):
        is_here = module is held.module and not isinstance(variable.scope, ast.Module)
        if is_here and not isinstance(variable.scope, ast.ClassDef):
            yield held.at(use)
        else:
            yield held.elsewhere(module, use)


def _in_owner(evaluator: Evaluator, held: Held, owner: ast.expr) -> Moves:
    """Yield the reads of a container into which something is put."""
    if isinstance(owner, ast.Name):
        given = _given_owner(evaluator, held, owner)
        if given is not None:
            yield from _in_owner(evaluator, *given)
            return
        for variable in variable_of(evaluator, held.module, owner):
            yield from _read(evaluator, held, variable)
    elif isinstance(owner, ast.Attribute) and (
        held.frame is None or _is_made_once(evaluator, held, owner)
    ):
        for module, use in owned(evaluator, held.module, owner):
            yield held.elsewhere(module, use)


def _given_owner(evaluator: Evaluator, held: Held, owner: ast.Name) -> tuple[Held, ast.expr] | None:
    """Return the table that the call gives to a parameter: ``@register(TABLE, "load")``."""
    scope, found = evaluator.project.lookup(held.module, owner)
    arg = found[0].node if len(found) == 1 else None
    frame = frame_of(held.frame, scope)
    if frame is None or not isinstance(arg, ast.arg) or not isinstance(scope, FUNCTIONS):
        return None
    given = given_in(frame, arg)
    outside = held.elsewhere(frame.module, held.node, frame.outer)
    return (outside, given) if given is not None else None


def _is_made_once(evaluator: Evaluator, held: Held, owner: ast.Attribute) -> bool:
    """Tell whether there is one object only, so that what one call gives it is what it has."""
    classes = (item.value for item in evaluator.values(held.module, owner.value, held.frame))
    return all(
        len(list(islice(sites(evaluator, each.cls), 2))) < 2
        for each in classes
        if isinstance(each, Instance)
    )


def _subscript(evaluator: Evaluator, sites_of: SitesOf, held: Held, parent: ast.Subscript) -> Moves:
    is_read = isinstance(parent.ctx, ast.Load) and held.node is parent.value
    if not is_read or held.kind in {"", "field"}:
        return
    if isinstance(parent.slice, ast.Slice):
        yield from _sliced(held, parent, parent.slice)
    elif held.path[0] != _SOME or not isinstance(parent.slice, ast.Constant | ast.UnaryOp):
        for part in entries(evaluator, sites_of, held, parent.slice, held.node):
            yield part.at(parent)


def _sliced(held: Held, parent: ast.Subscript, cut: ast.Slice) -> Moves:
    """``STEPS[1:]``; other slices may leave out what is held."""
    place, lower = held.path[0].name, cut.lower
    first = lower.value if isinstance(lower, ast.Constant) else None
    is_plain = cut.upper is None and cut.step is None
    if is_plain and isinstance(place, int) and isinstance(first, int) and 0 <= first <= place:
        yield held.at(parent, (Part("at", place - first), *held.path[1:]))


def _attribute(evaluator: Evaluator, sites_of: SitesOf, held: Held, parent: ast.Attribute) -> Moves:
    if held.kind == "field":
        if held.path[0].name == parent.attr:
            yield held.at(parent, held.path[1:])
        return
    if parent.attr == "value" and _is_member(evaluator, held):
        yield held.at(parent)
        return
    call = held.module.parents.get(parent)
    if isinstance(call, ast.Call) and call.func is parent and held.path:
        yield from _method(evaluator, sites_of, held, parent.attr, call)


def _is_member(evaluator: Evaluator, held: Held) -> bool:
    """``Op.LOAD``, whose value is what the class gives it."""
    owner = held.node.value if isinstance(held.node, ast.Attribute) else None
    found = evaluator.values(held.module, owner, held.frame) if owner is not None else ()
    return any(isinstance(it.value, Class) and is_enum(evaluator, it.value) for it in found)


def _method(
    evaluator: Evaluator, sites_of: SitesOf, held: Held, name: str, call: ast.Call
) -> Moves:
    """``TABLE.get(key)``, ``TABLE.values()`` and the like."""
    rest = held.path[1:]
    if name in _TAKING and call.args:
        for part in entries(evaluator, sites_of, held, call.args[0], held.node):
            yield part.at(call)
    elif name == "pop" and held.kind == "at":
        yield held.at(call, rest)
    elif name == "copy":
        yield held.at(call)
    elif name == "values" and held.kind == "key":
        yield held.at(call, (_SOME, *rest))
    elif name == "items" and held.kind == "key":
        yield held.at(call, (_SOME, Part("at", 1), *rest))


def _loop(
    evaluator: Evaluator,
    _: SitesOf,
    held: Held,
    parent: ast.For | ast.AsyncFor | ast.comprehension,
) -> Moves:
    if held.node is parent.iter and held.kind == "at":
        yield from _target(evaluator, held.taken_out(), parent.target, parent)


def _element(
    _: Evaluator, _sites: SitesOf, held: Held, parent: ast.ListComp | ast.SetComp | ast.GeneratorExp
) -> Moves:
    if held.node is parent.elt:
        yield held.at(parent, held.inside(_SOME))


def _entry(_: Evaluator, _sites: SitesOf, held: Held, parent: ast.DictComp) -> Moves:
    if held.node is parent.value:
        yield held.at(parent, held.inside(Part("key")))


# ---- arguments of calls from elsewhere -------------------------------------------------------


def passed(held: Held, call: ast.Call, callee: str, index: int) -> Moves:
    """Yield where an argument of a function from elsewhere is afterwards.

    Args:
        held: the argument.
        call: the call.
        callee: dotted name of what is called.
        index: of the argument.
    """
    is_element, rest = held.kind == "at", held.path[1:]
    if index == (1 if callee == "typing.cast" else 0) and callee in _SAME:
        yield held.at(call)
    elif callee in _REORDERING and is_element:
        yield held.at(call, (_SOME, *rest))
    elif callee == "enumerate" and is_element:
        yield held.at(call, (_SOME, Part("at", 1), *rest))
    elif callee == "zip" and is_element:
        yield held.at(call, (_SOME, Part("at", index), *rest))
    elif callee == "next":
        yield held.at(call, rest if is_element and not index else held.path)


def named(held: Held, call: ast.Call, callee: str, name: str) -> Moves:
    """Yield where ``dict(load=load)`` and the like put an argument that has a name."""
    kind = _HOLDING.get(callee)
    if kind is not None:
        yield held.at(call, held.inside(Part(kind, name)))


def kept(evaluator: Evaluator, held: Held, call: ast.Call, index: int) -> Moves:
    """Yield where a method of a container, ``STEPS.append(step)``, puts its argument."""
    callee = call.func
    if not isinstance(callee, ast.Attribute):
        return
    name = callee.attr
    if name == "get" and index == 1:
        yield held.at(call)
    elif name == "setdefault" and index == 1:
        yield held.at(call)
        part = held.at(held.node, held.inside(_key_of(evaluator, held, call.args[0])))
        yield from _in_owner(evaluator, part, callee.value)
    elif _ADDING.get(name) == index:
        yield from _in_owner(evaluator, held.at(held.node, held.inside(_SOME)), callee.value)
    elif name in _MERGING and held.path:
        yield from _in_owner(evaluator, _behind(held), callee.value)


_Step = Callable[[Evaluator, SitesOf, Held, Any], Moves]
_STEPS: dict[type[ast.AST] | type[None], _Step] = {
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Starred: _starred,
    ast.Dict: _dict,
    ast.IfExp: _choice,
    ast.BoolOp: _choice,
    ast.BinOp: _choice,
    ast.NamedExpr: _walrus,
    ast.Assign: _assigned,
    ast.AnnAssign: _assigned,
    ast.AugAssign: _merged,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.For: _loop,
    ast.AsyncFor: _loop,
    ast.comprehension: _loop,
    ast.ListComp: _element,
    ast.SetComp: _element,
    ast.GeneratorExp: _element,
    ast.DictComp: _entry,
}
