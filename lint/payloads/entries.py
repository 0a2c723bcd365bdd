"""The entries of a payload: keys, values and objects in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

import msgspec

from ..inference.containers.dicts import Fields, escapes, fields_of, filled_fields, is_shared
from ..inference.containers.rows import has_new_pages
from ..inference.evaluator import Evaluator
from ..inference.flow.branches import may_run
from ..inference.flow.conditions import conditions
from ..inference.syntax.arguments import given_in
from ..inference.syntax.memo import remembered
from ..inference.syntax.module import FUNCTIONS, Module, last_name
from ..inference.syntax.spelling import is_none
from ..inference.values.attributes import class_chain
from ..inference.values.known_calls import LISTING
from ..inference.values.models import known_type
from ..inference.values.origins import Written, constants, written
from ..inference.values.standard_types import JOINING, TIMES
from ..inference.values.values import (
    Alternative,
    Class,
    Display,
    EnumMember,
    External,
    Frame,
    Instance,
    Made,
    Sdk,
    SdkField,
    SdkMethod,
    Value,
    frame_of,
    only_value,
)
from .changes import ANY
from .items import LISTS, is_list
from .json_types import EXCEPTION, OBJECTS, is_decimal, refused, refused_constant

_CONTAINERS = (ast.Dict, ast.DictComp, *LISTS)
_MAKING = (*_CONTAINERS, ast.BinOp)
_READING = frozenset({"get", "keys", "values", "items", "copy"})
_FILLED = (ast.BinOp, ast.Call, ast.Dict, ast.DictComp)
_MADE = frozenset({"dict", "list", "tuple", "sorted"})


class Entry(msgspec.Struct, frozen=True, eq=False):
    """The values of one key.

    Attributes:
        key: as an expression.
        values: the alternatives.
        sure: whether these are all alternatives.
        together: whether it is present with all others that say so (of exclusive branches those
            of the largest).
    """

    key: ast.expr
    values: list[Written]
    sure: bool
    together: bool = True


def is_container(item: Alternative) -> bool:
    """Tell whether a value is a dict, list or tuple made by a display or a builtin."""
    if isinstance(item.value, Made):
        return item.value.of in _MADE
    return isinstance(item.value, Display) and isinstance(item.value.node, _MAKING)


_ENTRIES: WeakKeyDictionary[Evaluator, dict[tuple[object, ...], list[Entry]]] = WeakKeyDictionary()


@remembered  # several rules ask the same of one result
def containers(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None
) -> list[tuple[Written, bool]]:
    """Return (display, whether it is the only alternative) for the values of an expression."""
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
    """Tell whether a dict is made by ``dict(…)`` or ``{…} | {…}`` of known parts."""
    if isinstance(at.node, ast.Call) and last_name(at.node.func) != "dict":
        return False
    if not isinstance(at.node, (ast.Call, ast.BinOp, ast.DictComp)):
        return False
    fields = fields_of(evaluator, at)
    return fields is not None and not fields.dynamic


def entries(evaluator: Evaluator, at: Written) -> Iterator[Entry]:
    """Yield the entries of a dict; nothing if unknown code may have changed it."""
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
    """Yield the entries certainly written to an otherwise unknown dict.

    ``row = dict(doc.data)`` and ``row["at"] = now``; nothing if unknown code may change it.
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
    return any(isinstance(item.value, (Instance, Sdk)) for item in found)


def computed_items(evaluator: Evaluator, at: Written) -> list[Written]:
    """Return the values of computed keys: ``found[row.id] = row``.

    Empty if unknown code may have changed the dict.
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
    """Return the values that one use of a dict writes to computed keys; None if unknown."""
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
    """Return the literal key, or ``ANY``."""
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
    """Yield the entries of a display with spreads, constant keys and later changes."""
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


_DEEPEST = 4
_TOLD = (
    ast.Name, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.BoolOp, ast.Await, ast.Call,
)  # fmt: skip
_NUMBERS = frozenset({"an int", "a float"})
_ERRORS = ("Error", "Exception", "Warning", "ExceptionGroup", "Exit", "Interrupt", "Iteration")
_ASKING = frozenset({"isinstance", "hasattr", "type", "callable"})
_SPAN = "a timedelta"
_SETS = frozenset({"a set", "a view of a dict"})
_SUMMED = frozenset(TIMES.values()) - {"a time"}


def object_at(evaluator: Evaluator, at: Written) -> tuple[str, bool]:
    """Return (type that JSON refuses, whether there is no alternative); empty if none.

    Only by syntax: the ``row`` of ``for row in page``, the ``exc`` of ``except``,
    ``datetime.now() - started``, ``wanted - found``.
    """
    if not isinstance(at.node, _TOLD):
        return "", False
    places = _spots(evaluator, at)
    kinds = {_kind(evaluator, it, 0) for it in places if not is_none(it.node)}
    what = kinds.pop() if len(kinds) == 1 else ""
    return what, not any(is_none(it.node) for it in places)


def rows_of(evaluator: Evaluator, at: Written, depth: int = 0) -> str:
    """Return in words what the items are, if an expression certainly is a list of page rows.

    ``await ctx.store.query("notes")``, ``page.data``, ``list(page)``; empty for everything else.
    """
    if depth > _DEEPEST:
        return ""
    kinds = {_rows(evaluator, it, depth) for it in _spots(evaluator, at) if not _is_empty(it.node)}
    return kinds.pop() if len(kinds) == 1 else ""


def _spots(evaluator: Evaluator, at: Written) -> list[Written]:
    """Return the origins of an expression, through parameters too.

    Empty if the type of a name on its path is tested: ``isinstance(rows, list)``.
    """
    found: list[Written] = []
    todo = written(evaluator, at.module, at.node, at.frame)
    if any(_is_asked(holder.module, holder.use) for it in todo for holder in it.holders):
        return []
    while todo:
        place = todo.pop(0)
        given = _argument(evaluator, place)
        if given is None:
            found.append(place)
        else:
            todo += written(evaluator, given.module, given.node, given.frame)
    return found


def _argument(evaluator: Evaluator, at: Written) -> Written | None:
    """Return the argument of the current frame for a parameter."""
    if not isinstance(at.node, ast.Name) or at.frame is None:
        return None
    scope, found = evaluator.project.lookup(at.module, at.node)
    frame = frame_of(at.frame, scope)
    arg = found[0].node if len(found) == 1 else None
    if frame is None or not isinstance(arg, ast.arg) or not isinstance(scope, FUNCTIONS):
        return None
    if arg in {scope.args.vararg, scope.args.kwarg}:
        return None
    node = given_in(frame, arg)
    return Written(frame.module, node, frame.outer) if node is not None else None


def _is_empty(node: ast.expr) -> bool:
    return isinstance(node, (ast.List, ast.Tuple)) and not node.elts


def _kind(evaluator: Evaluator, at: Written, depth: int) -> str:
    node = at.node
    if is_decimal(evaluator, at):
        return "a Decimal"
    if isinstance(node, ast.BinOp):
        return _of_times(evaluator, at, node, depth) or _of_sets(evaluator, at, node, depth)
    if isinstance(node, ast.Subscript):
        is_index = isinstance(node.slice, (ast.Constant, ast.UnaryOp))
        return rows_of(evaluator, at.part(node.value)) if is_index else ""
    if isinstance(node, ast.Call):
        return _of_sets(evaluator, at, node, depth)
    return _of_name(evaluator, at, node) if isinstance(node, ast.Name) else ""


def _of_name(evaluator: Evaluator, at: Written, node: ast.Name) -> str:
    """Return the type of a name bound by ``for row in page`` or ``except ValueError as exc``."""
    _, found = evaluator.project.lookup(at.module, node)
    handlers = [it.node for it in found if isinstance(it.node, ast.ExceptHandler)]
    if handlers and len(handlers) == len(found):
        return EXCEPTION if all(_is_plain(evaluator, at, it) for it in handlers) else ""
    if _is_asked(at.module, node):
        return ""
    loops = [it.value for it in found if it.kind == "for" and not it.path]
    kinds = {rows_of(evaluator, at.part(it)) if isinstance(it, ast.expr) else "" for it in loops}
    return kinds.pop() if len(kinds) == 1 and len(loops) == len(found) else ""


def _is_asked(module: Module, name: ast.Name) -> bool:
    """Tell whether a test around a name is about its type."""
    return any(name.id in _asked_in(test) for test, _ in conditions(module, name))


@remembered
def _asked_in(test: ast.expr) -> set[str]:
    """Return the names about whose types a test is."""
    calls = [call for call in ast.walk(test) if isinstance(call, ast.Call)]
    asking = [call for call in calls if last_name(call.func) in _ASKING]
    return {arg.id for call in asking for arg in call.args if isinstance(arg, ast.Name)}


def _is_plain(evaluator: Evaluator, at: Written, handler: ast.ExceptHandler) -> bool:
    """Tell whether no caught exception class also extends str, a number or dict."""
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return all(
        isinstance(base, Class) or (isinstance(base, External) and base.name.endswith(_ERRORS))
        for kind in types
        if kind is not None
        for item in evaluator.values(at.module, kind)
        if isinstance(item.value, Class)
        for owner in class_chain(evaluator, item.value)
        for base in evaluator.bases(owner)
    )


# ---- pages -----------------------------------------------------------------------------------


def _rows(evaluator: Evaluator, at: Written, depth: int) -> str:
    node = at.node
    if isinstance(node, ast.Attribute):
        found = [item.value for item in evaluator.values(at.module, node, at.frame)]
        is_data = bool(found) and all(_is_data_of_page(value) for value in found)
        if not is_data or has_new_pages(evaluator):
            return ""
        return rows_of(evaluator, at.part(node.value), depth + 1)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return rows_of(evaluator, at.part(node.value), depth + 1)
    if not isinstance(node, ast.Call):
        return ""
    callees = [item.value for item in evaluator.values(at.module, node.func, at.frame)]
    if len(node.args) == 1 and callees and all(_is_copy(value) for value in callees):
        return rows_of(evaluator, at.part(node.args[0]), depth + 1)
    kinds = {_items_of(evaluator, value) for value in callees}
    return kinds.pop() if len(kinds) == 1 else ""


def _is_copy(value: Value) -> bool:
    return isinstance(value, External) and value.name in LISTING


def _is_data_of_page(value: Value) -> bool:
    return (
        isinstance(value, SdkField)
        and (value.owner.cls, value.name) == ("Page", "data")
        and value.owner.certain
    )


def _items_of(evaluator: Evaluator, callee: Value) -> str:
    """Return the row type of ``ctx.store.query`` and other methods that return pages."""
    if not isinstance(callee, SdkMethod) or not getattr(callee.owner, "certain", False):
        return ""
    member = evaluator.surface.member(callee.owner.cls, callee.name)
    whole = member.returns if member is not None else ""
    base, _, item = whole.removesuffix("]").partition("[")
    return OBJECTS.get(item, "") if base in {"Page", "list"} else ""


# ---- times -----------------------------------------------------------------------------------


def _of_times(evaluator: Evaluator, at: Written, node: ast.BinOp, depth: int) -> str:
    """Return the type of ``datetime.now() - started`` or ``started + timedelta(days=1)``."""
    left, right = (_time(evaluator, at.part(it), depth) for it in (node.left, node.right))
    if isinstance(node.op, ast.Sub) and left in {"a datetime", "a date"}:
        return _SPAN if left == right else left if right == _SPAN else ""
    if isinstance(node.op, (ast.Add, ast.Sub)) and right == _SPAN:
        return left if left in _SUMMED else ""
    if isinstance(node.op, ast.Add) and left == _SPAN:
        return right if right in {"a datetime", "a date"} else ""
    is_scaled = (
        isinstance(node.op, (ast.Mult, ast.Div)) and left == _SPAN and right in _NUMBERS
    ) or (isinstance(node.op, ast.Mult) and right == _SPAN and left in _NUMBERS)
    return _SPAN if is_scaled else ""


def _time(evaluator: Evaluator, at: Written, depth: int) -> str:
    """Return the date, time or number type that an expression certainly has."""
    if depth > _DEEPEST:
        return ""
    if isinstance(at.node, ast.BinOp):
        return _of_times(evaluator, at, at.node, depth + 1)
    kinds: set[str] = set()
    for place in written(evaluator, at.module, at.node, at.frame):
        if isinstance(place.node, ast.BinOp):
            kinds.add(_of_times(evaluator, place, place.node, depth + 1))
        else:
            found = evaluator.values(place.module, place.node, place.frame)
            kinds |= {known_type(item.value) for item in found} or {""}
    return kinds.pop() if len(kinds) == 1 else ""


# ---- sets ------------------------------------------------------------------------------------


def _of_sets(evaluator: Evaluator, at: Written, node: ast.expr, depth: int) -> str:
    """Return the set type of ``wanted - found``, ``data.keys() & known`` or a set method."""
    sides: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        is_joined = isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub))
        sides = [node.left, node.right] if is_joined else []
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        sides = [node.func.value] if node.func.attr in JOINING else []
    if not sides or depth > _DEEPEST:
        return ""
    return "a set" if all(_is_set(evaluator, at.part(side), depth) for side in sides) else ""


def _is_set(evaluator: Evaluator, at: Written, depth: int) -> bool:
    """Tell whether an expression certainly is a set, or a view of a dict."""
    for place in written(evaluator, at.module, at.node, at.frame):
        known = bool(_of_sets(evaluator, place, place.node, depth + 1))
        if not known:
            found = evaluator.values(place.module, place.node, place.frame)
            known = bool(found) and all(refused(item.value) in _SETS for item in found)
        if not known:
            return False
    return True
