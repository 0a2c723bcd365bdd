"""Which keys a dict loses between its display and its use."""

from __future__ import annotations

import ast

from .evaluator import Evaluator
from .module import block_of
from .written import Holder, Written, constants

_REMOVING = frozenset({"pop", "popitem", "clear"})


def removed(
    evaluator: Evaluator, holder: Holder, name: ast.Name, at: Written, keys: set[str]
) -> set[str]:
    """Return the keys that ``del data[…]``, ``pop``, ``popitem`` or ``clear`` may take out.

    Args:
        evaluator: of the extension.
        holder: what holds the dict.
        name: a mention of it.
        at: the dict.
        keys: its keys, of which each may go if the removed one is not known.
    """
    parent = holder.module.parents.get(name)
    key: ast.expr | None = None
    if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Del):
        key = parent.slice
    elif isinstance(parent, ast.Attribute) and parent.attr in _REMOVING:
        call = holder.module.parents.get(parent)
        key = call.args[0] if isinstance(call, ast.Call) and call.args else None
    else:
        return set()
    here = Written(holder.module, name, at.frame)
    names = constants(evaluator, here, key) if key is not None else []
    return {name for name in names if isinstance(name, str)} or set(keys)


def comes_by(holder: Holder, name: ast.Name) -> bool:
    """Tell whether the use of a dict may come behind a mention of it.

    It does not if the branch of the mention ends by ``return``, or if the use is in another one.
    """
    child: ast.AST = name
    for parent in holder.module.ancestors(name):
        if parent is holder.scope:
            break
        block = block_of(parent, child) if isinstance(child, ast.stmt) else []
        if block and not _holds(block[0], block[-1], holder.use):
            if isinstance(block[-1], ast.Return | ast.Raise):
                return False
            if isinstance(parent, ast.If) and _holds(parent, parent, holder.use):
                return False
        child = parent
    return True


def _holds(first: ast.stmt, last: ast.stmt, node: ast.expr) -> bool:
    return first.lineno <= node.lineno <= (last.end_lineno or last.lineno)
