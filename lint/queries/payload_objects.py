"""Objects in a payload that only their place tells: rows, exceptions, spans of time, sets."""

from __future__ import annotations

import ast

from ..model.arguments import given_in
from ..model.attributes import class_chain
from ..model.conditions import conditions
from ..model.evaluator import Evaluator
from ..model.known_calls import LISTING
from ..model.models import known_type
from ..model.module import FUNCTIONS, Module, last_name
from ..model.rows import has_new_pages
from ..model.spelling import is_none
from ..model.standard_types import JOINING, TIMES
from ..model.values import Class, External, SdkField, SdkMethod, Value, frame_of
from ..model.written import Written, written
from .decimals import is_decimal
from .not_json import EXCEPTION, OBJECTS, refused

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
    """Return (what JSON refuses of an expression, whether it can be nothing else).

    Only of what its place tells: the ``row`` of ``for row in page``, the ``exc`` of ``except``,
    ``datetime.now() - started``, ``wanted - found``. Where something else may stand but None,
    nothing is said.
    """
    if not isinstance(at.node, _TOLD):
        return "", False
    places = _places(evaluator, at)
    kinds = {_kind(evaluator, it, 0) for it in places if not is_none(it.node)}
    what = kinds.pop() if len(kinds) == 1 else ""
    return what, not any(is_none(it.node) for it in places)


def rows_of(evaluator: Evaluator, at: Written, depth: int = 0) -> str:
    """Return what the items of an expression are in words, if it certainly is rows of a page.

    ``await ctx.store.query("notes")``, ``page.data``, ``list(page)``; empty for everything else.
    """
    if depth > _DEEPEST:
        return ""
    kinds = {_rows(evaluator, it, depth) for it in _places(evaluator, at) if not _is_empty(it.node)}
    return kinds.pop() if len(kinds) == 1 else ""


def _places(evaluator: Evaluator, at: Written) -> list[Written]:
    """Return where an expression is written, in the calls that give it as an argument too.

    Nothing where a name on its way is asked for its type: ``isinstance(rows, list)``.
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
    """Return what the call in which a parameter is read gives to it."""
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
    return isinstance(node, ast.List | ast.Tuple) and not node.elts


def _kind(evaluator: Evaluator, at: Written, depth: int) -> str:
    node = at.node
    if is_decimal(evaluator, at):
        return "a Decimal"
    if isinstance(node, ast.BinOp):
        return _of_times(evaluator, at, node, depth) or _of_sets(evaluator, at, node, depth)
    if isinstance(node, ast.Subscript):
        is_index = isinstance(node.slice, ast.Constant | ast.UnaryOp)
        return rows_of(evaluator, at.part(node.value)) if is_index else ""
    if isinstance(node, ast.Call):
        return _of_sets(evaluator, at, node, depth)
    return _of_name(evaluator, at, node) if isinstance(node, ast.Name) else ""


def _of_name(evaluator: Evaluator, at: Written, node: ast.Name) -> str:
    """Return what ``for row in page`` and ``except ValueError as exc`` give a name."""
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
    """Tell whether a test around a name asks for its type."""
    return any(
        isinstance(call, ast.Call)
        and last_name(call.func) in _ASKING
        and any(isinstance(arg, ast.Name) and arg.id == name.id for arg in call.args)
        for test, _ in conditions(module, name)
        for call in ast.walk(test)
    )


def _is_plain(evaluator: Evaluator, at: Written, handler: ast.ExceptHandler) -> bool:
    """Tell whether no caught class of the tree is a text, a number or a dict as well."""
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
    """Return what ``ctx.store.query`` and other methods of the SDK put on their pages."""
    if not isinstance(callee, SdkMethod) or not getattr(callee.owner, "certain", False):
        return ""
    member = evaluator.surface.member(callee.owner.cls, callee.name)
    whole = member.returns if member is not None else ""
    base, _, item = whole.removesuffix("]").partition("[")
    return OBJECTS.get(item, "") if base in {"Page", "list"} else ""


# ---- times -----------------------------------------------------------------------------------


def _of_times(evaluator: Evaluator, at: Written, node: ast.BinOp, depth: int) -> str:
    """Return what ``datetime.now() - started`` and ``started + timedelta(days=1)`` make."""
    left, right = (_time(evaluator, at.part(it), depth) for it in (node.left, node.right))
    if isinstance(node.op, ast.Sub) and left in {"a datetime", "a date"}:
        return _SPAN if left == right else left if right == _SPAN else ""
    if isinstance(node.op, ast.Add | ast.Sub) and right == _SPAN:
        return left if left in _SUMMED else ""
    if isinstance(node.op, ast.Add) and left == _SPAN:
        return right if right in {"a datetime", "a date"} else ""
    is_scaled = (
        isinstance(node.op, ast.Mult | ast.Div) and left == _SPAN and right in _NUMBERS
    ) or (isinstance(node.op, ast.Mult) and right == _SPAN and left in _NUMBERS)
    return _SPAN if is_scaled else ""


def _time(evaluator: Evaluator, at: Written, depth: int) -> str:
    """Return what kind of time an expression certainly is; ``an int`` and ``a float`` too."""
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
    """Return what ``wanted - found``, ``data.keys() & known`` and ``wanted.union(found)`` make."""
    sides: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        is_joined = isinstance(node.op, ast.BitOr | ast.BitAnd | ast.BitXor | ast.Sub)
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
