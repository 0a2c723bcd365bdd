"""Functions that only stand for others: abstract methods, protocols, overloads."""

from __future__ import annotations

import ast

from .blocks import leaves
from .module import Module, last_name

_STANDING_FOR = frozenset({"abstractmethod", "overload"})


def is_stub(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function without ``return`` has no body of its own, or never comes back."""
    last = function.body[-1]
    if leaves(last, module.swallowing):
        return True
    text = last.value if isinstance(last, ast.Expr) else None
    if isinstance(text, ast.Constant) and text.value is ...:
        return True
    is_empty = isinstance(last, ast.Pass) or isinstance(text, ast.Constant)
    return is_empty and any(last_name(item) in _STANDING_FOR for item in function.decorator_list)
