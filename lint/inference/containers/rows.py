"""What loops run over, and what lists and pages of the SDK's objects hold."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..evaluator import Evaluator
from ..syntax.arguments import argument_node, spreads
from ..syntax.bindings import Binding, parameters
from ..syntax.memo import remembered_in_circles
from ..syntax.module import FunctionNode, Module, last_name
from ..values.changed_objects import names_of
from ..values.known_calls import LISTING
from ..values.tuples_and_enums import is_enum
from ..values.values import (
    UNKNOWN,
    Alternative,
    Class,
    Coroutine,
    Display,
    External,
    Frame,
    Gathered,
    Instance,
    Made,
    Rows,
    Sdk,
    SdkField,
    Value,
    only_value,
    replaced,
)

_COPYING = LISTING | {"reversed", "iter"}
_CHANGING = frozenset({"clear", "insert", "append", "extend"})
"""Methods of a list that bring something else into it; the others leave what it holds."""
_CHOOSING = frozenset({"max", "min"})
_WRITTEN = (ast.Tuple, ast.List, ast.Set)
_COLLECTED = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_DEEPEST = 2
"""Names that a list gets, one behind the other."""


def row_of(
    evaluator: Evaluator, module: Module, node: ast.expr, value: Value, *, page: bool = False
) -> Value | None:
    """Return the element of a list of SDK objects, unless the code adds other elements.

    Args:
        evaluator: of the extension.
        module: the file of the expression.
        node: the expression.
        value: what it is worth.
        page: whether a page counts too, which can be iterated but not indexed.
    """
    row = _held(evaluator, value, page=page)
    return None if row is None or is_mixed(evaluator, module, node) else row


def _held(evaluator: Evaluator, value: Value, *, page: bool) -> Value | None:
    if isinstance(value, Rows):
        return value.row
    if isinstance(value, Class):
        return Instance(value) if page and is_enum(evaluator, value) else None
    if isinstance(value, SdkField) and _is_list(value):
        value, page = value.owner, True
    if not page or not isinstance(value, Sdk) or not value.row or has_new_pages(evaluator):
        return None
    return Sdk(value.row, certain=value.certain)


def _is_list(value: Value) -> bool:
    """Tell whether a value is a list whose items are all of one kind, as is ``page.data``."""
    if isinstance(value, SdkField):
        return (value.owner.cls, value.name) == ("Page", "data")
    return isinstance(value, Rows)


def item_of(evaluator: Evaluator, module: Module, node: ast.expr, value: Value) -> Value | None:
    """Return the value of ``rows[0]``; None if the file tests the type of such an item."""
    row = row_of(evaluator, module, node, value)
    if row is None:
        return None
    asked = [call.args[0] for call in module.calls.get("isinstance", ()) if call.args]
    is_asked = any(
        isinstance(it, ast.Subscript) and ast.dump(it.value) == ast.dump(node) for it in asked
    )
    return None if is_asked else row


def part_of(evaluator: Evaluator, module: Module, node: ast.expr, value: Value) -> Rows | None:
    """Return the value of ``rows[:5]``, if the elements of ``rows`` are known."""
    row = row_of(evaluator, module, node, value)
    return None if row is None else Rows("list", row)


def assigned(
    evaluator: Evaluator, module: Module, name: ast.AST, found: Iterable[Alternative]
) -> Iterable[Alternative]:
    """Return the values of a name; lists into which code puts other elements are left out."""
    if not isinstance(name, ast.Assign):
        return found
    items = tuple(found)
    if not any(_is_list(item.value) for item in items):
        return items
    if not any(is_mixed(evaluator, module, target) for target in name.targets):
        return items
    return [replaced(item, UNKNOWN) if _is_list(item.value) else item for item in items]


# ---- loops and calls -------------------------------------------------------------------------


def looped(
    evaluator: Evaluator, module: Module, binding: Binding, frame: Frame | None
) -> Iterable[Alternative]:
    """Return the values of a loop's target."""
    source = binding.value
    if len(binding.path) == 1 and isinstance(source, ast.Call):
        part = _walked_beside(evaluator, module, source, binding.path[0])
        if part is not None:
            return _elements(evaluator, module, part, frame)
    targets = getattr(getattr(binding.node, "target", None), "elts", [])
    beside = (it for place, it in enumerate(targets) if (place,) != binding.path)
    is_asked = any(module.is_tested(it) for it in beside if isinstance(it, ast.Name))
    is_plain = len(binding.path) < 2 and not spreads(targets) and not is_asked
    if not isinstance(source, ast.expr) or not is_plain:
        return (Alternative(UNKNOWN),)
    found = _elements(evaluator, module, source, frame)
    return _placed(evaluator, found, binding.path[0]) if binding.path else found


def _placed(evaluator: Evaluator, rows: Iterable[Alternative], place: int) -> Iterator[Alternative]:
    """Yield one column of literal rows: ``for name, ttl in (("all", 60), …)``."""
    for row in rows:
        node = row.value.node if isinstance(row.value, Display) else None
        parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else []
        if isinstance(row.value, Display) and not spreads(parts) and place < len(parts):
            yield from evaluator.values(row.value.module, parts[place], row.frame)
        else:
            yield replaced(row, UNKNOWN)


def _walked_beside(
    evaluator: Evaluator, module: Module, call: ast.Call, place: int
) -> ast.expr | None:
    """Return ``rows`` for the second part of ``enumerate(rows)``, the first of ``zip(rows, x)``."""
    found = [item.value for item in evaluator.values(module, call.func)]
    if found == [External("enumerate")]:
        return call.args[0] if place == 1 and call.args else None
    is_shown = found == [External("zip")] and not spreads(call.args)
    return call.args[place] if is_shown and place < len(call.args) else None


def _elements(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None
) -> Iterator[Alternative]:
    for base in evaluator.values(module, node, frame):
        value = base.value
        if isinstance(value, Display) and isinstance(value.node, _WRITTEN):
            if _has_new_items(module, node):
                yield Alternative(UNKNOWN, base.via)
                continue
            for each in value.node.elts:
                yield from evaluator.values(value.module, each, base.frame)
        elif isinstance(value, Display) and isinstance(value.node, _COLLECTED):
            for item in evaluator.values(value.module, value.node.elt, base.frame):
                is_kind = isinstance(item.value, (Sdk, Instance))
                known = is_kind and not is_mixed(evaluator, module, node)
                yield item if known else replaced(item, UNKNOWN)
        else:
            row = row_of(evaluator, module, node, value, page=True)
            yield Alternative(row or UNKNOWN, base.via)


def of_call(
    evaluator: Evaluator, module: Module, node: ast.Call, name: str, frame: Frame | None
) -> tuple[Alternative, ...]:
    """Return the result of ``list(rows)``, ``next(rows)`` or ``asyncio.gather(*coroutines)``.

    Empty for other calls, and for unknown arguments.
    """
    if not node.args:
        return ()
    if name == "next":
        first = tuple(_elements(evaluator, module, node.args[0], frame))
        if not any(isinstance(item.value, Sdk) for item in first):
            return ()
        return (*first, *(evaluator.values(module, node.args[1], frame) if node.args[1:] else ()))
    if name in _CHOOSING and len(node.args) == 1:
        return _chosen(evaluator, module, node, frame)
    if name == "asyncio.gather":
        row = _result(evaluator, module, node, frame)
        return () if row is None else (Alternative(Gathered(name, row), frame=frame),)
    copied = node.args[1:2] if name == "filter" else node.args[:1] if name in _COPYING else []
    rows = [
        (item, row_of(evaluator, module, part, item.value, page=True))
        for part in copied
        for item in evaluator.values(module, part, frame)
    ]
    if not any(row for _, row in rows):
        return ()
    return tuple(
        Alternative(Rows(name, row) if row else Made(name), item.via, frame=frame)
        for item, row in rows
    )


def _chosen(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> tuple[Alternative, ...]:
    """Return the result of ``max(rows, key=…, default=None)``."""
    found = tuple(_elements(evaluator, module, node.args[0], frame))
    if not any(isinstance(item.value, Sdk) for item in found):
        return ()
    others = (part.value for part in node.keywords if part.arg == "default")
    return (*found, *(it for each in others for it in evaluator.values(module, each, frame)))


def given_rows(
    evaluator: Evaluator, module: Module, function: ast.Lambda
) -> tuple[Alternative, ...]:
    """Return the arguments that builtins pass to a lambda: ``sorted(rows, key=lambda row: …)``."""
    part = _walked_with(evaluator, module, function) if len(function.args.args) == 1 else None
    found = tuple(_elements(evaluator, module, part, None)) if part is not None else ()
    return found if any(isinstance(item.value, Sdk) for item in found) else ()


def _walked_with(evaluator: Evaluator, module: Module, function: ast.Lambda) -> ast.expr | None:
    up = module.parents.get(function)
    is_key = isinstance(up, ast.keyword) and up.arg == "key"
    call = module.parents.get(up) if isinstance(up, ast.keyword) else up
    if not isinstance(call, ast.Call) or not (is_key or function in call.args[:1]):
        return None
    if is_key and isinstance(call.func, ast.Attribute) and call.func.attr == "sort":
        return call.func.value
    wanted = _CHOOSING | {"sorted"} if is_key else {"filter", "map"}
    callee = only_value(evaluator.values(module, call.func))
    is_known = isinstance(callee, External) and callee.name in wanted
    given = call.args if is_key else call.args[1:]
    return given[0] if is_known and len(given) == 1 else None


def _result(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> Value | None:
    """Return the result of each coroutine in ``gather(*(find(key) for key in keys))``."""
    given = node.args[0].value if isinstance(node.args[0], ast.Starred) else None
    if given is None or len(node.args) > 1 or node.keywords or is_mixed(evaluator, module, given):
        return None
    shown = evaluator.values(module, given, frame)
    display = only_value(shown)
    if not isinstance(display, Display) or not isinstance(display.node, _COLLECTED):
        return None
    one = only_value(evaluator.values(display.module, display.node.elt, shown[0].frame))
    return one.result if isinstance(one, Coroutine) else None


def _has_new_items(module: Module, node: ast.expr) -> bool:
    """``values[i] = Note(…)`` in the function that walks through ``values``."""
    owner = module.owner(node)
    return isinstance(node, ast.Name) and any(
        isinstance(up := module.parents.get(use), ast.Subscript)
        and isinstance(up.ctx, ast.Store)
        and up.value is use
        and module.owner(use) is owner
        for name in names_of(module, node.id)
        for use in module.names.get(name, ())
    )


# ---- changes ---------------------------------------------------------------------------------


@remembered_in_circles(meanwhile=False)  # what is changed may come from a page itself
def has_new_pages(evaluator: Evaluator) -> bool:
    """Tell whether code may put other rows on a page: ``page.data = …``, ``page.data[0] = …``."""
    return any(
        _is_changed(module, node) and _may_be_page(evaluator, module, node.value)
        for module in evaluator.project.naming("data")
        for node in module.attributes("data")
    )


def _may_be_page(evaluator: Evaluator, module: Module, node: ast.expr) -> bool:
    found = [item.value for item in evaluator.values(module, node)]
    return any(isinstance(value, Sdk) and value.cls == "Page" for value in found)


def is_mixed(evaluator: Evaluator, module: Module, node: ast.expr, depth: int = _DEEPEST) -> bool:
    """Tell whether code adds other elements to the list that a name or attribute holds.

    For a name its function is searched, for an attribute its file; pages: ``has_new_pages``.
    """
    if isinstance(node, ast.Name):
        return _is_name_mixed(evaluator, module, node.id, module.function(node), depth)
    name = last_name(node)
    return name in module.changed_names and name != "data"


def _is_name_mixed(
    evaluator: Evaluator, module: Module, name: str, function: FunctionNode | None, depth: int
) -> bool:
    return any(
        (function is None or function in module.ancestors(use))
        and (_is_changed(module, use) or (depth > 0 and _escapes(evaluator, module, use, depth)))
        for use in module.names.get(name, ())
    )


def _escapes(evaluator: Evaluator, module: Module, use: ast.Name, depth: int) -> bool:
    """Tell whether ``other = rows`` or ``add(rows)`` changes the list by another name."""
    up = module.parents.get(use)
    if isinstance(up, ast.Assign):
        return up.value is use and any(
            is_mixed(evaluator, module, target, depth - 1) for target in up.targets
        )
    call = module.parents.get(up) if isinstance(up, ast.keyword) else up
    if not isinstance(call, ast.Call) or call.func is use:
        return False
    return any(
        _is_name_mixed(evaluator, owner, arg.arg, function, depth - 1)
        for owner, function, skip in _named_as(evaluator, module, call.func)
        for arg in parameters(function)
        if argument_node(call, function, arg, skip=skip) is use
    )


def _named_as(
    evaluator: Evaluator, module: Module, callee: ast.expr
) -> Iterator[tuple[Module, FunctionNode, int]]:
    """Yield (file, function, number of bound arguments) for each function named as a callee."""
    name, project = last_name(callee), evaluator.project
    is_name = isinstance(callee, ast.Name)
    if is_name and not project.lookup(module, callee)[1]:
        return  # a builtin
    for owner in project.naming(name):
        for node in (*owner.nodes(ast.FunctionDef), *owner.nodes(ast.AsyncFunctionDef)):
            is_method = isinstance(owner.parents.get(node), ast.ClassDef)
            if node.name == name and not (is_name and is_method):
                yield owner, node, int(is_method)


def _is_changed(module: Module, node: ast.Attribute | ast.Name) -> bool:
    """Tell whether a statement changes what a name or an attribute holds."""
    up = module.parents.get(node)
    if not isinstance(node.ctx, ast.Load):
        return isinstance(node, ast.Attribute) or isinstance(up, ast.AugAssign)
    if isinstance(up, ast.Subscript) and up.value is node:
        return not isinstance(up.ctx, ast.Load)
    return isinstance(up, ast.Attribute) and up.attr in _CHANGING
