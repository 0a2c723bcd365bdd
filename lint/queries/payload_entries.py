"""What the dicts of a payload hold when they are handed over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

import msgspec

from ..model.branches import may_run
from ..model.dict_shapes import Fields, escapes, fields_of, filled_fields, is_shared
from ..model.evaluator import Evaluator
from ..model.module import Module, last_name
from ..model.remembered import remembered
from ..model.values import (
    Alternative,
    Display,
    EnumMember,
    External,
    Frame,
    Instance,
    Made,
    Sdk,
    only_value,
)
from ..model.written import Written, constants, written
from .inner_changes import ANY
from .list_items import LISTS, is_list
from .not_json import refused, refused_constant

_CONTAINERS = (ast.Dict, ast.DictComp, *LISTS)
_MAKING = (*_CONTAINERS, ast.BinOp)
_READING = frozenset({"get", "keys", "values", "items", "copy"})
_FILLED = (ast.BinOp, ast.Call, ast.Dict, ast.DictComp)
_MADE = frozenset({"dict", "list", "tuple", "sorted"})


class Entry(msgspec.Struct, frozen=True, eq=False):
    """What stands under one key.

    Attributes:
        key: as an expression.
        values: what may stand there, one of them.
        sure: whether nothing else can stand there.
        together: whether it stands beside the others that do: of branches those of the one with
            most keys.
    """

    key: ast.expr
    values: list[Written]
    sure: bool
    together: bool = True


def is_container(item: Alternative) -> bool:
    """Tell whether a value is a dict, list or tuple that the code writes out or makes."""
    if isinstance(item.value, Made):
        return item.value.of in _MADE
    return isinstance(item.value, Display) and isinstance(item.value.node, _MAKING)


_ENTRIES: WeakKeyDictionary[Evaluator, dict[tuple[object, ...], list[Entry]]] = WeakKeyDictionary()


@remembered  # several rules ask the same of one result
def containers(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None
) -> list[tuple[Written, bool]]:
    """Return the displays that an expression may be, each with whether it is no other one here."""
    if isinstance(node, _CONTAINERS):
        return [(Written(module, node, frame), True)]
    places = _places(evaluator, module, node, frame)
    here = module.function(node)
    return [
        (at, len(places) == 1 or at.module.function(at.node) is not here)
        for at in places
        if isinstance(at.node, _CONTAINERS) or _is_made(evaluator, at) or is_list(evaluator, at)
    ]


_places = remembered(written)


def _is_made(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether a dict is made by ``dict(…)`` or ``{…} | {…}`` of what the code shows."""
    if isinstance(at.node, ast.Call) and last_name(at.node.func) != "dict":
        return False
    if not isinstance(at.node, ast.Call | ast.BinOp | ast.DictComp):
        return False
    fields = fields_of(evaluator, at)
    return fields is not None and not fields.dynamic


def entries(evaluator: Evaluator, at: Written) -> Iterator[Entry]:
    """Yield the entries of a dict; nothing if code that cannot be followed may have changed it."""
    if not isinstance(at.node, ast.Dict):
        fields = (fields_of(evaluator, at) if _is_made(evaluator, at) else None) or Fields()
        for name, values in fields.values.items():
            yield Entry(ast.Constant(name), values, sure=True, together=name in fields.together)
        return
    keys = [key.value for key in at.node.keys if isinstance(key, ast.Constant)]
    if not at.holders and len(keys) == len(at.node.keys):
        for key, value in dict(zip(keys, _pairs(at.node), strict=True)).values():
            yield Entry(key, [at.part(value)], sure=True)
        return
    known = _ENTRIES.setdefault(evaluator, {})
    place = (at.node, at.frame, *(holder.use for holder in at.holders))
    if place not in known:
        known[place] = list(_followed(evaluator, at, at.node))
    yield from known[place]


def filled(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None
) -> Iterator[tuple[Written, Entry]]:
    """Yield what certainly is put into a dict whose other entries the code does not show.

    ``row = dict(doc.data)`` and ``row["at"] = now``; nothing if it may be changed by what is not
    followed.
    """
    for at in _places(evaluator, module, node, frame):
        is_made = isinstance(at.node, _FILLED) and bool(at.holders)
        if not is_made or _is_object(evaluator, at) or any(True for _ in entries(evaluator, at)):
            continue
        fields = filled_fields(evaluator, at, Fields())
        for name in fields.values if not fields.dynamic else ():
            if name in fields.sure:
                yield at, Entry(ast.Constant(name), fields.values[name], sure=True)


def _is_object(evaluator: Evaluator, at: Written) -> bool:
    found = evaluator.values(at.module, at.node, at.frame)
    return any(isinstance(item.value, Instance | Sdk) for item in found)


def computed_items(evaluator: Evaluator, at: Written) -> list[Written]:
    """Return what a dict gets under keys that the code does not show: ``found[row.id] = row``.

    Nothing if code that cannot be followed may have changed it.
    """
    found: list[Written] = []
    for holder in at.holders if isinstance(at.node, ast.Dict) else ():
        if is_shared(evaluator, holder):
            return []
        for name in holder.mentions(evaluator):
            here = Written(holder.module, name, at.frame)
            if may_run(evaluator, holder.module, name, at.frame):
                put = _put(evaluator, here)
                if put is None:
                    return []
                found += put
    return found


def factories(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None
) -> Iterator[tuple[Written, Written]]:
    """Yield (``defaultdict(set)``, its ``set``) if items of it are used: ``it[key].add(row)``."""
    for at in _places(evaluator, module, node, frame):
        call = at.node
        if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
            continue
        callee = only_value(evaluator.values(at.module, call.func, at.frame))
        if callee == External("dict"):
            yield from factories(evaluator, at.module, call.args[0], at.frame)
        elif callee == External("collections.defaultdict") and _is_filled(evaluator, at):
            yield at, at.part(call.args[0])


def _is_filled(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether a method of an item of a dict is called: ``found[key].add(row)``."""
    return any(
        isinstance(item := holder.module.parents.get(name), ast.Subscript)
        and isinstance(method := holder.module.parents.get(item), ast.Attribute)
        and isinstance(holder.module.parents.get(method), ast.Call)
        for holder in at.holders
        for name in holder.mentions(evaluator)
    )


def _put(evaluator: Evaluator, here: Written) -> list[Written] | None:
    """Return what one mention of a dict puts under a computed key; None if it may do anything."""
    parents = here.module.parents
    parent = parents.get(here.node)
    if isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load):
        statement = parents.get(parent)
        if not isinstance(statement, ast.Assign):
            return None
        return [] if constants(evaluator, here, parent.slice) else [here.part(statement.value)]
    call = parents.get(parent) if isinstance(parent, ast.Attribute) else None
    if isinstance(parent, ast.Attribute) and isinstance(call, ast.Call):
        if parent.attr == "setdefault" and len(call.args) == 2:
            known = constants(evaluator, here, call.args[0])
            return [] if known else [here.part(call.args[1])]
        return [] if parent.attr in _READING else None
    return None if not isinstance(here.node, ast.Name) or escapes(here.module, here.node) else []


def key_of(entry: Entry) -> object:
    """Return the key itself, ``ANY`` if it is not written out."""
    return entry.key.value if isinstance(entry.key, ast.Constant) else ANY


def refused_key(evaluator: Evaluator, entry: Entry) -> str:
    """Return in words what JSON refuses of a key; empty if nothing."""
    if isinstance(entry.key, ast.Tuple):
        return "a tuple"
    if isinstance(entry.key, ast.Constant):
        return refused_constant(entry.key.value) if isinstance(entry.key.value, bytes) else ""
    at = entry.values[0]
    found = [refused(item.value) for item in evaluator.values(at.module, entry.key, at.frame)]
    return found[0] if found and all(found) else ""


def _pairs(node: ast.Dict) -> Iterator[tuple[ast.expr, ast.expr]]:
    return ((key, value) for key, value in zip(node.keys, node.values, strict=True) if key)


def _followed(evaluator: Evaluator, at: Written, node: ast.Dict) -> Iterator[Entry]:
    """Yield what spreads, names as keys and later changes make of a display."""
    fields = fields_of(evaluator, at)
    if fields is None or (fields.dynamic and at.is_mentioned(evaluator)):
        return
    last = {_text(evaluator, at, key): index for index, key in enumerate(node.keys) if key}
    spreads = [index for index, key in enumerate(node.keys) if key is None]
    for name, values in fields.values.items():
        covered = fields.dynamic and any(index > last.get(name, -1) for index in spreads)
        own = node.values[last[name]] if name in last else None
        replaces = own is not None and all(index < last[name] for index in spreads)
        kept = _since(values, own) if replaces else values
        yield Entry(ast.Constant(name), kept, not covered, name in fields.together)
    for key, value in _pairs(node):
        if _text(evaluator, at, key) is None:
            yield Entry(key, [at.part(value)], sure=True)


def _since(values: list[Written], own: ast.expr | None) -> list[Written]:
    """Return the values without those that the display replaces: ``{**row, "at": "now"}``."""
    found = [index for index, value in enumerate(values) if value.node is own]
    return values[found[0] :] if found else values


def _text(evaluator: Evaluator, at: Written, key: ast.expr) -> str | None:
    if isinstance(key, ast.Attribute) and any(
        isinstance(item.value, EnumMember) for item in evaluator.values(at.module, key, at.frame)
    ):
        return None
    found = constants(evaluator, at, key)
    return found[0] if len(found) == 1 and isinstance(found[0], str) else None
