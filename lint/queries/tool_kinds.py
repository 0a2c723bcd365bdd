"""Whether the code itself keeps all but skeleton handlers away from a place: ``_tool_type``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.blocks import ran_before
from ..model.call_texts import property_returns
from ..model.calling import own_nodes
from ..model.conditions import conditions, left_true, split
from ..model.definitions import definition
from ..model.module import FUNCTIONS, Module, last_name
from ..model.narrowing import COMPARISONS
from ..model.values import Display, Function, Instance, SdkField
from ..model.written import called
from ..view import FileView, ProjectView

_FIELD = "_tool_type"
_SKELETON = "skeleton"
_OTHERS = ("tool", "panel", "chat_fn")
"""What the SDK's ``Context`` documents beside ``skeleton``."""
_ASKING = (ast.Compare, ast.BoolOp, ast.UnaryOp)
_DEPTH = 4
_OPEN = object()

Asked = tuple[Module, ast.expr, bool]
"""A test, its file, and whether it is true."""


def only_skeletons(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether a place is behind a question that only skeleton handlers pass.

    ``ctx._tool_type`` is what the SDK itself asks (``_SkeletonAccessGuard.get``). A question about
    it that is not understood is taken for a guard; one that only other handlers pass is none.

    Args:
        view: a file of the extension.
        module: the file of the place.
        node: a call that leads to a use, or the use.
    """
    if _is_chosen(view, module, node):
        return True
    places = (node, *module.functions_around(node))
    return any(
        _keeps_others_out(view, *asked)
        for place in places
        for asked in _asked_around(view, module, place)
    )


def _is_chosen(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether the kind chooses what is called: ``{"skeleton": load}[ctx._tool_type](ctx)``."""
    return isinstance(node, ast.Call) and any(
        _is_kind(view, module, part) for part in _inside(node.func)
    )


def _asked_around(view: FileView, module: Module, node: ast.AST) -> Iterator[Asked]:
    """Yield the tests around a node in its function."""
    for test, truth in (*conditions(module, node, rebound=False), *_cases(module, node)):
        yield from _spelt_out(view, module, test, truth)
    for before in ran_before(module, node):
        yield from _left_by(view, module, before)


def _left_by(view: FileView, module: Module, statement: ast.stmt) -> Iterator[Asked]:
    """Yield what ``ensure(ctx)`` leaves true, which raises for other kinds of handlers."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    call = call.value if isinstance(call, ast.Await) else call
    found = called(view.evaluator, module, call, None) if isinstance(call, ast.Call) else []
    for function, _ in found if len(found) == 1 else ():
        body = function.node.body
        returns = any(isinstance(it, ast.Return) for it in own_nodes(function.node))
        for test, truth in (
            left_true(function.module, body) if isinstance(body, list) and not returns else ()
        ):
            yield from _spelt_out(view, function.module, test, truth)


def _cases(module: Module, node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """Yield that ``match kind: case "panel" | "tool": …`` asks for the subject, whatever it is."""
    child = node
    for up in module.ancestors(node):
        if isinstance(up, FUNCTIONS):
            return
        is_other = isinstance(child, ast.match_case) and not isinstance(
            child.pattern, ast.MatchValue
        )
        if isinstance(up, ast.Match) and is_other:
            yield ast.Compare(up.subject, [ast.Eq()], [ast.Name("_")]), True
        child = up


def _spelt_out(
    view: FileView, module: Module, test: ast.expr, truth: bool, depth: int = _DEPTH
) -> Iterator[Asked]:
    """Yield a test, or those that a name keeps or a helper asks in its place."""
    for part, holds in split(test, truth=truth):
        asked = list(_questions(view, module, part)) if depth else []
        if not asked:
            yield module, part, holds
        for where, question in asked:
            yield from _spelt_out(view, where, question, holds, depth - 1)


def _questions(view: FileView, module: Module, node: ast.expr) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the tests whose answer an expression is."""
    for value in () if isinstance(node, ast.Compare) else _values(view, module, node):
        if isinstance(value, Display) and isinstance(value.node, _ASKING):
            yield value.module, value.node
    if isinstance(node, ast.Attribute):
        for value in _values(view, module, node.value):
            if isinstance(value, Instance):
                where, found = property_returns(view.evaluator, value.cls, node.attr)
                yield from ((where, each) for each in found)


def _values(view: FileView, module: Module, node: ast.expr) -> Iterator[object]:
    if node in module.parents:
        yield from (item.value for item in view.evaluator.values(module, node))


def _keeps_others_out(view: FileView, module: Module, test: ast.expr, truth: bool) -> bool:
    """Tell whether skeleton handlers pass a test, and others perhaps not."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        kinds = (_SKELETON, *_OTHERS)
        if _is_kind(view, module, left):
            worth = _worth(view, module, right)
            first, *rest = (_outcome(test.ops[0], kind, worth) for kind in kinds)
            return first in {truth, None} and set(rest) != {truth}
        if _is_kind(view, module, right):
            worth = _worth(view, module, left)
            first, *rest = (_outcome(test.ops[0], worth, kind) for kind in kinds)
            return first in {truth, None} and set(rest) != {truth}
    is_itself = _is_kind(view, module, test)
    return not is_itself and any(_is_kind(view, module, part) for part in _inside(test))


def _outcome(operator: ast.cmpop, left: object, right: object) -> bool | None:
    if left is _OPEN or right is _OPEN:
        return None
    try:
        return bool(COMPARISONS[type(operator)](left, right))
    except TypeError:
        return None


def _worth(view: FileView, module: Module, node: ast.expr) -> object:
    """Return what a node says; ``_OPEN`` if that is not known."""
    known = definition(view.evaluator, module, node) if node in module.parents else None
    try:
        return ast.literal_eval(known[1] if known is not None else node)
    except (ValueError, TypeError, RecursionError):
        return _OPEN


def _inside(node: ast.AST) -> Iterator[ast.expr]:
    return (part for part in ast.walk(node) if isinstance(part, ast.expr))


def _is_kind(view: FileView, module: Module, node: ast.expr) -> bool:
    """Tell whether a node is the kind itself, or what keeps it."""
    if isinstance(node, ast.Attribute) and node.attr == _FIELD:
        return True
    if _place_of(node) in view.extension.once(_keeping):
        return True
    if isinstance(node, ast.Call) and any(
        isinstance(value, Function) and _asks_for_kind(value)
        for value in _values(view, module, node.func)
    ):
        return True
    return any(
        isinstance(value, SdkField) and value.name == _FIELD
        for value in _values(view, module, node)
    )


def _asks_for_kind(function: Function) -> bool:
    """``Place.of(ctx)``, whose answer depends on the kind."""
    return any(
        _FIELD in {getattr(part, "attr", ""), getattr(part, "value", "")}
        for part in ast.walk(function.node)
        if isinstance(part, ast.Attribute | ast.Constant)
    )


def _keeping(view: ProjectView) -> frozenset[str]:
    """Return the keys and attributes under which code keeps it: ``state["kind"] = ctx._tool_type``.

    Which object it is put into is not asked.
    """
    found: set[str] = set()
    for module in view.project.naming(_FIELD):
        for node in module.attributes(_FIELD):
            parent = module.parents.get(node)
            if isinstance(parent, ast.Assign):
                found.update(map(_place_of, parent.targets))
            elif isinstance(parent, ast.keyword) and _is_entry(module, parent):
                found.add(parent.arg or "")
    return frozenset(found - {""})


def _is_entry(module: Module, given: ast.keyword) -> bool:
    """``dict(kind=ctx._tool_type)`` and ``state.update(kind=ctx._tool_type)``."""
    call = module.parents.get(given)
    return isinstance(call, ast.Call) and last_name(call.func) in {"dict", "update"}


def _place_of(node: ast.expr) -> str:
    """Return the key of ``state["kind"]`` or ``state.get("kind")``, the name of ``state.kind``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    key = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and last_name(node.func) == "get" and node.args:
        key = node.args[0]
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
