"""What a call shows of its callee and of its arguments."""

from __future__ import annotations

import ast


def callee_of(decorator: ast.expr) -> ast.expr:
    """Return what a decorator calls, or is: ``ext.panel`` of ``@ext.panel("p")``."""
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def shows_all(call: ast.Call) -> bool:
    """Tell whether a call spreads nothing, neither ``*args`` nor ``**kwargs``."""
    return not any(isinstance(item, ast.Starred) for item in call.args) and all(
        item.arg is not None for item in call.keywords
    )


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
