"""Changes of the data of results, and what JSON refuses of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import msgspec

from ....inference.calls.call_sites import call_sites
from ....inference.calls.kept_decorators import is_followed
from ....inference.containers.dicts import fields_of
from ....inference.evaluator import Evaluator
from ....inference.flow.branches import may_run
from ....inference.flow.conditions import conditions, subjects
from ....inference.flow.narrowing import allows
from ....inference.syntax.arguments import argument_node
from ....inference.syntax.bindings import parameters
from ....inference.syntax.module import FUNCTIONS, Module
from ....inference.values.classes import is_special
from ....inference.values.models import known_type
from ....inference.values.origins import Written, constants, written
from ....inference.values.values import Display, Frame, Function, Made, SdkField, Value
from ....payloads.entries import containers
from ....payloads.items import items_of
from ....payloads.payloads import ResultCall, kept_calls
from ....payloads.refusals import Refusal, refusals
from ....view import FileView, ProjectView

_SCALARS = ("field str", "field int", "field float", "field bool")
_CONTAINERS = frozenset({"a dict", "a list", "a tuple", "a set"})
"""What a test for ``Mapping`` or ``Sequence`` may hold of, which nothing here decides."""
_TYPE_TESTS = frozenset({"isinstance", "hasattr"})


def is_undecided(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether a called function returns this only for arguments of some type.

    ``return str(x)`` after ``if isinstance(x, dict): return {…}`` may be unreachable if the type
    of the argument is unknown.
    """
    if at.frame is None:
        return False
    return any(
        _is_open(evaluator, item.value)
        and allows(evaluator, at.module, test, name.id, item.value, truth=True)
        and allows(evaluator, at.module, test, name.id, item.value, truth=False)
        for test, _ in conditions(at.module, at.node, rebound=False)
        if _is_type_test(test)
        for name in subjects(test)
        for item in evaluator.values(at.module, name, at.frame)
    )


def _is_open(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether the type of a value is unknown."""
    if isinstance(value, SdkField):
        member = evaluator.surface.member(value.owner.cls, value.name)
        return member is None or not member.text.startswith(_SCALARS)
    if isinstance(value, (Made, Display)):
        kind = known_type(value)
        return kind in _CONTAINERS or (not kind and not _is_made_of_class(value))
    return type(value) is Value


def _is_made_of_class(value: Made | Display) -> bool:
    return isinstance(value, Made) and is_special(value.of)


def _is_type_test(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id in _TYPE_TESTS
    )


_EMPTYING = frozenset({"clear", "popitem"})
_CHANGING = _EMPTYING | {"update", "pop", "remove", "append", "extend", "insert", "setdefault"}
_DEEPEST = 4


class Change(msgspec.Struct, frozen=True, eq=False):
    """A change of the data of a result after its construction.

    Attributes:
        module, node: the data that is changed: ``r.data``.
        keys: the replaced or removed keys; None for any.
        value: the new value, if known.
    """

    module: Module
    node: ast.expr
    keys: frozenset[str] | None
    value: ast.expr | None = None


def left(view: FileView, call: ResultCall) -> ast.expr | None:
    """Return the final data of a result; None if unknown.

    Args:
        view: the file of the call.
        call: constructs the result. Costly: all files that mention ``data`` are searched, so ask
            only for results with a refusal.
    """
    function = view.module.function(call.node)
    if function is not None and not is_followed(view.evaluator, view.module, function):
        return None
    data = call.data
    for change in changes(view, call):
        data = _after(view, data, change) if data is not None else None
    return data


def changes(view: FileView, call: ResultCall) -> list[Change]:
    """Return the changes of a result's data, in source order."""
    known = view.extension.once(_all_changes)
    return known.get(call.node, [])


def put_in(view: FileView, call: ResultCall) -> Iterator[Change]:
    """Yield the writes of a result's own function into its data: ``r.data["tags"] = {1, 2}``."""
    module, function = view.module, view.module.function(call.node)
    found = changes(view, call)
    if not found or function is None or not is_followed(view.evaluator, module, function):
        return
    own = [it for it in found if it.module is module and module.function(it.node) is function]
    others = [it for it in found if it not in own]
    for index, change in enumerate(own):
        later = (*own[index + 1 :], *others)
        is_left = change.value is not None and not any(_replaces(it, change) for it in later)
        runs = is_left and may_run(view.evaluator, module, change.node, None)
        if runs and not _is_taken(module, function, change.node):
            yield change


def _is_taken(module: Module, function: ast.AST, data: ast.expr) -> bool:
    """Tell whether a function passes on the whole data of a result: ``clean(r.data)``."""
    return any(
        node.attr == "data"
        and isinstance(node.ctx, ast.Load)
        and not isinstance(module.parents.get(node), (ast.Subscript, ast.Attribute))
        and module.function(node) is function
        and ast.unparse(node) == ast.unparse(data)
        for node in module.nodes(ast.Attribute)
    )


def _replaces(later: Change, change: Change) -> bool:
    return later.keys is None or change.keys is None or bool(later.keys & change.keys)


def _after(view: FileView, data: ast.expr, change: Change) -> ast.expr | None:
    value = change.value if change.module is view.module else None
    if change.keys is None:
        return value
    places = [at for at, _ in containers(view.evaluator, view.module, data, None)]
    shapes = [fields_of(view.evaluator, at) for at in places]
    if shapes and all(it and not it.dynamic and not change.keys & set(it.values) for it in shapes):
        return data
    return _without(data, change.keys, value) if isinstance(data, ast.Dict) else None


def _without(data: ast.Dict, keys: frozenset[str], value: ast.expr | None) -> ast.expr | None:
    """Return a display without some entries, or with a value for the only one."""
    names = [key.value if isinstance(key, ast.Constant) else None for key in data.keys]
    if None in names:
        return None
    kept = [index for index, name in enumerate(names) if name not in keys]
    made = ast.Dict([data.keys[index] for index in kept], [data.values[index] for index in kept])
    if value is not None and len(keys) == 1:
        made.keys.append(ast.copy_location(ast.Constant(next(iter(keys))), data))
        made.values.append(value)
    return ast.copy_location(made, data)


# ---- the changes of an extension -------------------------------------------------------------


def _all_changes(extension: ProjectView) -> dict[ast.AST, list[Change]]:
    """Return constructor call of a result → later changes."""
    found: dict[ast.AST, list[Change]] = {}
    evaluator = extension.evaluator
    for module in extension.project.naming("data"):
        for change, owner in _of_module(evaluator, module):
            for maker in _makers(evaluator, Written(module, owner)):
                found.setdefault(maker, []).append(change)
    return found


def _of_module(evaluator: Evaluator, module: Module) -> Iterator[tuple[Change, ast.expr]]:
    """Yield (change, expression of the result)."""
    for node in module.nodes(ast.Attribute):
        if node.attr == "data":
            for change in _changes(evaluator, module, node, 0):
                yield change, node.value
    for call in module.calls.get("replace", ()):
        if call.args and any(item.arg == "data" for item in call.keywords):
            yield Change(module, call, None), call.args[0]


def _changes(evaluator: Evaluator, module: Module, node: ast.expr, depth: int) -> Iterator[Change]:
    """Yield the changes of a dict through an expression that holds it."""
    parent = module.parents.get(node)
    if not isinstance(getattr(node, "ctx", None), (ast.Load, type(None))):
        yield from _replaced(evaluator, module, node, parent)
    elif isinstance(parent, ast.Subscript) and parent.value is node:
        if _is_changed_inside(evaluator, module, parent, depth):
            keys = _keys(evaluator, module, parent.slice)
            yield Change(module, node, keys, _given(module, parent))
    elif isinstance(parent, ast.Attribute):
        yield from _called(evaluator, module, node, parent)
    elif depth < _DEEPEST:
        for use_module, use in _elsewhere(evaluator, module, node, parent):
            for change in _changes(evaluator, use_module, use, depth + 1):
                yield Change(change.module, change.node, change.keys)


def _replaced(
    evaluator: Evaluator, module: Module, node: ast.expr, parent: ast.AST | None
) -> Iterator[Change]:
    """``r.data = …`` and ``r.data |= …``."""
    if isinstance(parent, ast.Assign):
        yield Change(module, node, None, parent.value)
    elif isinstance(parent, ast.AugAssign):
        yield Change(module, node, _written_keys(evaluator, module, [parent.value]))
    else:
        yield Change(module, node, None)


def _is_changed_inside(
    evaluator: Evaluator, module: Module, item: ast.Subscript, depth: int
) -> bool:
    """Tell whether the value of a key is replaced, removed or changed in place."""
    parent = module.parents.get(item)
    if not isinstance(item.ctx, ast.Load):
        return True
    if isinstance(parent, ast.Attribute):
        return isinstance(module.parents.get(parent), ast.Call) and parent.attr in _CHANGING
    return depth < _DEEPEST and any(True for _ in _changes(evaluator, module, item, depth + 1))


def _given(module: Module, item: ast.Subscript) -> ast.expr | None:
    parent = module.parents.get(item)
    return parent.value if isinstance(parent, ast.Assign) and item in parent.targets else None


def _called(
    evaluator: Evaluator, module: Module, node: ast.expr, callee: ast.Attribute
) -> Iterator[Change]:
    call, method = module.parents.get(callee), callee.attr
    if not isinstance(call, ast.Call) or call.func is not callee:
        return
    if method in _EMPTYING:
        yield Change(module, node, None)
    elif method == "pop" and call.args:
        yield Change(module, node, _keys(evaluator, module, call.args[0]))
    elif method == "update":
        named = [item.arg for item in call.keywords if item.arg]
        spread = [item.value for item in call.keywords if item.arg is None]
        keys = _written_keys(evaluator, module, [*call.args, *spread])
        yield Change(module, node, None if keys is None else keys | frozenset(named))


def _keys(evaluator: Evaluator, module: Module, key: ast.expr) -> frozenset[str] | None:
    names = constants(evaluator, Written(module, key), key)
    return frozenset(map(str, names)) if names else None


def _written_keys(
    evaluator: Evaluator, module: Module, parts: list[ast.expr]
) -> frozenset[str] | None:
    found: set[str] = set()
    for part in parts:
        for at in written(evaluator, module, part):
            fields = fields_of(evaluator, at)
            if fields is None or fields.dynamic:
                return None
            found |= set(fields.values)
    return frozenset(found)


def _elsewhere(
    evaluator: Evaluator, module: Module, node: ast.expr, parent: ast.AST | None
) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the aliases of an expression: by a name, a loop or a parameter."""
    if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For)):
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        for name in (target for target in targets if isinstance(target, ast.Name)):
            scope, _ = evaluator.project.lookup(module, name)
            yield from ((module, use) for use in module.reads(scope, name.id))
        return
    call = module.parents.get(parent) if isinstance(parent, ast.keyword) else parent
    for item in evaluator.values(module, call.func) if isinstance(call, ast.Call) else ():
        function = item.value
        if isinstance(call, ast.Call) and isinstance(function, Function):
            for arg in parameters(function.node):
                skip = int(function.bound is not None)
                if argument_node(call, function.node, arg, skip=skip) is node:
                    uses = function.module.reads(function.node, arg.arg)
                    yield from ((function.module, use) for use in uses)


# ---- where a result comes from ---------------------------------------------------------------


def _makers(evaluator: Evaluator, at: Written) -> Iterator[ast.AST]:
    """Yield the constructor calls of a result, through lists filled by ``append`` too."""
    todo, seen = [at], {at.node}
    for _ in range(_DEEPEST + 1):
        found = [made for each in todo for made in _places(evaluator, each)]
        for made in found:
            if isinstance(made.node, ast.Call):
                yield made.node
                yield from _around(made.frame)
        names = [(made.module, made.node) for made in found if isinstance(made.node, ast.Name)]
        given = [each for module, name in names for each in _behind(evaluator, module, name)]
        todo = list({each.node: each for each in given if each.node not in seen}.values())
        seen.update(each.node for each in todo)


def _places(evaluator: Evaluator, at: Written) -> list[Written]:
    return written(evaluator, at.module, at.node, at.frame) or [at]


def _around(frame: Frame | None) -> Iterator[ast.Call]:
    """Yield the calls of a frame, which may pass their arguments on to a result."""
    while frame is not None:
        yield frame.call
        frame = frame.outer


def _behind(evaluator: Evaluator, module: Module, name: ast.Name) -> Iterator[Written]:
    """Yield the arguments for a parameter, and the elements of an iterated list."""
    scope, found = evaluator.project.lookup(module, name)
    for walked in (it.value for it in found if it.kind == "for"):
        for at in written(evaluator, module, walked) if isinstance(walked, ast.expr) else ():
            yield from (item for _, item in items_of(evaluator, at))
    if not isinstance(scope, FUNCTIONS):
        return
    for arg in (binding.node for binding in found if isinstance(binding.node, ast.arg)):
        for caller, call, bound in call_sites(evaluator, module, scope):
            given = argument_node(call, scope, arg, skip=int(bound is not None))
            if given is not None:
                yield Written(caller, given)


def lasting_refusals(view: FileView) -> Iterator[tuple[ResultCall, ast.expr, Refusal]]:
    """Yield (call, data or later value, refusal)."""
    seen: set[ast.expr] = set()
    for call, data in kept_calls(view):
        for refusal in _lasting(view, call, data):
            yield call, data, refusal
        for change in put_in(view, call):
            if change.value is not None and change.value not in seen:
                seen.add(change.value)
                for refusal in _told(refusals(view.evaluator, Written(view.module, change.value))):
                    yield call, change.value, _placed(change, refusal)


def _lasting(view: FileView, call: ResultCall, data: ast.expr) -> list[Refusal]:
    """Return the refusals in the final data."""
    found = list(_told(refusals(view.evaluator, Written(view.module, data))))
    rest = left(view, call) if found else data
    if rest is data:
        return found
    again = refusals(view.evaluator, Written(view.module, rest)) if rest is not None else ()
    kept = {(it.where, it.what) for it in again}
    return [it for it in found if (it.where, it.what) in kept]


def _told(found: Iterable[Refusal]) -> Iterator[Refusal]:
    """Yield the certain refusals, and the first uncertain one."""
    is_said = False
    for refusal in found:
        if not (refusal.is_vague and is_said):
            yield refusal
        is_said = is_said or refusal.is_vague


def _placed(change: Change, refusal: Refusal) -> Refusal:
    """Return the refusal of a value, with the path of the key under which it is put."""
    key = "".join(f"[{key!r}]" for key in change.keys or ())
    where = f"data{key}{refusal.where.removeprefix('data')}"
    return msgspec.structs.replace(refusal, where=where)
