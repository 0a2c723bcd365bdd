"""The arguments of a call, as far as the call shows them."""

from __future__ import annotations

import ast


def argument_at(call: ast.Call, name: str, position: int) -> ast.expr | None:
    """Return the argument that a call gives to a parameter, if the call shows it.

    Args:
        call: the call.
        name: of the parameter.
        position: among the positional arguments, from 0; negative if it has none.
    """
    for item in call.keywords:
        if item.arg == name:
            return item.value
    if not 0 <= position < len(call.args):
        return None
    before = call.args[: position + 1]
    return None if any(isinstance(item, ast.Starred) for item in before) else before[position]
