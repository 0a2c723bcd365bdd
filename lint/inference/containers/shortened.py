"""Lists and texts that are cut while they stand in a dict: ``del data["rows"][5:]``."""

from __future__ import annotations

import ast
from typing import TypeGuard

from ..evaluator import Evaluator
from ..flow.length_tests import UNLIMITED, left_longest, number
from ..syntax.module import block_of
from ..values.origins import Holder, Written, constants

_TAKING = frozenset({"pop", "clear", "remove", "popitem", "popleft"})


def shortened(
    evaluator: Evaluator, holder: Holder, name: ast.Name, values: dict[str, list[Written]]
) -> dict[str, list[Written]]:
    """Return key → what is left of its value after a statement that shortens it.

    Args:
        evaluator: of the extension.
        holder: the name that holds the dict.
        name: a read of it.
        values: key → what stood there before.
    """
    module = holder.module
    item = module.parents.get(name)
    if not isinstance(item, ast.Subscript) or item.value is not name:
        return {}
    outer = module.parents.get(item)
    here = Written(module, item)
    limit: int | None = None
    if isinstance(outer, ast.Subscript) and not isinstance(outer.ctx, ast.Load):
        bounds = outer.slice if isinstance(outer.slice, ast.Slice) else None
        if isinstance(outer.ctx, ast.Store) and not _gets_nothing(module.parents.get(outer)):
            return {}
        if bounds is not None and bounds.upper is None and bounds.step is None:
            limit = number(evaluator, here, bounds.lower)
    elif not isinstance(outer, ast.Attribute) or outer.attr not in _TAKING:
        return {}
    keys = [key for key in constants(evaluator, here, item.slice) if isinstance(key, str)]
    known = [key for key in keys if key in values]
    if limit is None or limit < 0:
        return {key: [here] for key in known}
    return {key: [cut(value, limit) for value in values[key]] for key in known}


def _gets_nothing(parent: ast.AST | None) -> bool:
    """Tell whether an assignment replaces a value by an empty display."""
    value = parent.value if isinstance(parent, ast.Assign) else None
    return isinstance(value, (ast.List, ast.Tuple)) and not value.elts


def cut(value: Written, limit: int) -> Written:
    """Return a value as ``value[:limit]``."""
    upper = ast.copy_location(ast.Constant(limit), value.node)
    made = ast.Subscript(value.node, ast.Slice(None, upper, None), ast.Load())
    return Written(value.module, ast.copy_location(made, value.node), value.frame)


def replaced_above(evaluator: Evaluator, holder: Holder, statement: ast.stmt) -> int | None:
    """Return 5 for ``if len(data["rows"]) > 5: data["rows"] = data["rows"][:5]``; else None."""
    parents = holder.module.parents
    asking = parents.get(statement)
    if not isinstance(asking, (ast.If, ast.While)) or not isinstance(statement, ast.Assign):
        return None
    outer = parents[asking]
    around = outer if isinstance(outer, ast.For) else asking
    if holder.binding.node not in block_of(parents[around], around):
        return None
    replaced = {ast.dump(target.slice) for target in statement.targets if _is_item(target, holder)}

    def asked(node: ast.expr) -> bool:
        return _is_item(node, holder) and ast.dump(node.slice) in replaced

    test: ast.expr = asking.test
    if statement in asking.orelse:
        test = ast.UnaryOp(ast.Not(), test)
    most = left_longest(evaluator, holder.module, test, asked)
    return None if most == UNLIMITED or most < 0 else int(most)


def _is_item(node: ast.expr, holder: Holder) -> TypeGuard[ast.Subscript]:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == holder.use.id
    )
