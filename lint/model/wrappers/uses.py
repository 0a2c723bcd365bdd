"""What a decorator does with the function that it gets: it calls it, looks at it, keeps it."""

from __future__ import annotations

import ast

from ..module import Module, last_name
from .decorators import Method, Wrapper, call_of, dotted, hands_over

_LOOKING = frozenset(
    {
        "callable",
        "cast",
        "get_type_hints",
        "getattr",
        "getdoc",
        "getmodule",
        "hasattr",
        "id",
        "isasyncgenfunction",
        "isawaitable",
        "iscoroutinefunction",
        "isgeneratorfunction",
        "isinstance",
        "repr",
        "signature",
        "str",
        "type",
        "unwrap",
        "update_wrapper",
        "wraps",
    }
)
"""Functions that get a function and do not call it."""
_CALLING = frozenset({"__call__", "__get__"})


def is_plain_use(wrapper: Wrapper, name: ast.Name) -> bool:
    """Tell whether a use of what is decorated is a call that is seen, or calls nothing."""
    module, node = wrapper.function.module, wrapper.function.node
    parent = module.parents.get(name)
    if not isinstance(name.ctx, ast.Load):
        return isinstance(parent, ast.Assign) and getattr(parent.value, "id", "") in wrapper.wrapped
    if isinstance(parent, ast.Assign):
        return module.function(name) is node or all(
            isinstance(target, ast.Name) for target in parent.targets
        )
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _CALLING
    call = call_of(module, name)
    if call is not None:
        return call.func is name or _is_looked_at(wrapper, call)
    return _is_asked(module, name) or isinstance(parent, ast.Return | ast.Expr) or parent is node


def _is_looked_at(wrapper: Wrapper, call: ast.Call) -> bool:
    """Tell whether a call with the function as an argument does not stand for calling it."""
    if last_name(call.func) in _LOOKING or hands_over(wrapper):
        return True
    module = wrapper.function.module
    around = next(up for up in module.ancestors(call) if not isinstance(up, ast.Call | ast.IfExp))
    is_own = module.function(call) is wrapper.function.node
    return is_own and isinstance(around, ast.Expr | ast.Return | ast.Lambda)


def _is_asked(module: Module, node: ast.expr) -> bool:
    """Tell whether an expression is only a condition, or a part of a text."""
    parent: ast.AST | None = module.parents.get(node)
    if isinstance(parent, ast.Compare | ast.FormattedValue):
        return True
    child: ast.AST = node
    while isinstance(parent, ast.BoolOp | ast.UnaryOp):
        child, parent = parent, module.parents.get(parent)
    return isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert) and parent.test is child


def kept_by(start: ast.FunctionDef, name: str) -> frozenset[str] | None:
    """Return ``self.f`` for each attribute that a constructor keeps what it gets in.

    None if it does more with it than that.
    """
    kept: set[str] = set()
    stored: list[str] = []
    for part in ast.walk(start):
        if isinstance(part, ast.Assign) and getattr(part.value, "id", None) == name:
            if not all(isinstance(target, ast.Attribute) for target in part.targets):
                return None
            kept.update(dotted(target) for target in part.targets)
        elif isinstance(part, ast.Attribute | ast.Name) and isinstance(part.ctx, ast.Store):
            stored.append(dotted(part))
    is_set_once = name not in stored and all(stored.count(each) == 1 for each in kept)
    return frozenset(kept) if is_set_once and "" not in kept else None


def is_own_use(module: Module, part: ast.Attribute, method: Method, start: ast.FunctionDef) -> bool:
    """Tell whether ``self.f`` is set by the constructor, called by ``__call__``, or looked at."""
    if not isinstance(part.ctx, ast.Load):
        return start in module.ancestors(part)
    call = call_of(module, part)
    if call is None:
        return isinstance(module.parents.get(part), ast.Attribute) or _is_asked(module, part)
    is_called = call.func is part and method in module.ancestors(part)
    return is_called or (call.func is not part and last_name(call.func) in _LOOKING)
