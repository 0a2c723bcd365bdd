"""Methods of strings and dicts, and timedeltas, evaluated for constants."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from datetime import timedelta

from ..evaluator import Evaluator
from ..syntax.module import Module
from .values import (
    Alternative,
    Computed,
    Const,
    Display,
    Duration,
    Frame,
    Made,
    Value,
    only_value,
)

TEXT_METHODS = frozenset(
    {
        "capitalize",
        "casefold",
        "format",
        "join",
        "lower",
        "lstrip",
        "removeprefix",
        "removesuffix",
        "replace",
        "rstrip",
        "strip",
        "swapcase",
        "title",
        "upper",
        "zfill",
    }
)
"""Methods of ``str`` that return a text."""
VIEWS = frozenset({"keys", "values", "items"})
"""Methods of ``dict`` that return a view."""
LISTING = frozenset({"list", "sorted", "tuple"})
"""Builtins that put the items that they get into a list or a tuple."""
COLLECTING = LISTING | {"frozenset", "set"}
"""Builtins that put the items that they get into something."""
LOG_METHODS = frozenset({"critical", "debug", "error", "exception", "info", "log", "warning"})
"""Methods of a logger that write what they get."""
WAITING = frozenset({"wait_for", "shield", "create_task", "ensure_future"})
"""Functions of asyncio that give what the coroutine gives which they get first."""
CONSTANTS: dict[str, object] = {
    "math.inf": math.inf,
    "math.nan": math.nan,
    "math.pi": math.pi,
    "math.e": math.e,
    "os.sep": "/",
}
_LONGEST = 100_000
_UNITS = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")


def of_method(
    evaluator: Evaluator, module: Module, node: ast.Call, base: Alternative, frame: Frame | None
) -> tuple[Alternative, ...]:
    """Return the result of ``text.strip()``, ``dict.keys()`` and the like; empty for others."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name in VIEWS and _is_dict(base.value) and not node.args:
        return (Alternative(Made(f"dict.{name}"), base.via, base.origin, frame),)
    if not is_text(base.value):
        return ()
    if name == "encode":
        return (Alternative(Made("bytes"), base.via, base.origin, frame),)
    if name not in TEXT_METHODS:
        return ()
    known = _computed(evaluator, module, node, base.value, frame)
    value = Const(known) if known is not None else Display(module, node)
    return (Alternative(value, base.via, base.origin, frame),)


def _is_dict(value: Value) -> bool:
    if isinstance(value, Display):
        return isinstance(value.node, (ast.Dict, ast.DictComp))
    return isinstance(value, Made) and value.of == "dict"


def is_text(value: Value) -> bool:
    """Tell whether a value certainly is a text."""
    if isinstance(value, Const):
        return isinstance(value.value, str)
    if isinstance(value, Display):
        return isinstance(value.node, (ast.JoinedStr, ast.Call)) or is_text_operation(value.node)
    return isinstance(value, Made) and value.of == "str"


def is_text_operation(node: ast.expr) -> bool:
    """Tell whether a node is ``"a" + x`` or ``"a %s" % x``."""
    if not isinstance(node, ast.BinOp):
        return False
    if isinstance(node.op, ast.Mod):
        return _is_written_text(node.left)
    return isinstance(node.op, ast.Add) and (
        _is_written_text(node.left) or _is_written_text(node.right) or is_text_operation(node.left)
    )


def _is_written_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _computed(
    evaluator: Evaluator, module: Module, node: ast.Call, base: Value, frame: Frame | None
) -> str | None:
    assert isinstance(node.func, ast.Attribute)  # noqa: S101 - the caller looked
    text = base.value if isinstance(base, Const) else None
    if not isinstance(text, str) or any(item.arg is None for item in node.keywords):
        return None
    given = [_argument(evaluator, module, item, frame) for item in node.args]
    named = {
        item.arg or "": _argument(evaluator, module, item.value, frame) for item in node.keywords
    }
    if any(item is None for item in (*given, *named.values())):
        return None
    method = node.func.attr
    if method == "format" and not _is_small(text):
        return None
    method_of: Callable[..., object] = getattr(text, method)
    try:
        result = method_of(
            *(item.value for item in given if item),
            **{name: item.value for name, item in named.items() if item},
        )
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError, MemoryError):
        return None
    return result if isinstance(result, str) and len(result) <= _LONGEST else None


def _is_small(template: str) -> bool:
    """Tell whether a template is safe to format: no attributes, no widths ``{:>999999999}``."""
    fields = template_fields(template)
    return fields is not None and all(
        not spec and "." not in (name or "") for _, name, spec, _ in fields
    )


def template_fields(
    template: str,
) -> list[tuple[str, str | None, str | None, str | None]] | None:
    """Return (text before, name, form, conversion) of the fields of ``"a/{}"``; None if broken."""
    from string import Formatter  # rarely needed, and it compiles a pattern

    try:
        return list(Formatter().parse(template))
    except ValueError:
        return None


def _argument(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None
) -> Const | None:
    value = only_value(evaluator.values(module, node, frame))
    if isinstance(value, Display) and isinstance(value.node, (ast.List, ast.Tuple)):
        if value.node is not node:
            return None
        parts = [_argument(evaluator, module, part, frame) for part in value.node.elts]
        known = [part.value for part in parts if part is not None]
        return Const(tuple(known)) if len(known) == len(parts) else None
    if not isinstance(value, Const) or not isinstance(value.value, (str, int)):
        return None
    is_huge = isinstance(value.value, int) and abs(value.value) > _LONGEST
    return None if is_huge else value


# ---- times -----------------------------------------------------------------------------------


def duration(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> Duration | None:
    """Return the value of ``timedelta(minutes=10)``; None if an argument is unknown."""
    given: dict[str, float] = {}
    named = [*zip(_UNITS, node.args, strict=False)]
    named += [(item.arg or "", item.value) for item in node.keywords]
    for unit, part in named:
        value = only_value(evaluator.values(module, part, frame))
        known = value.value if isinstance(value, Const) else None
        if unit not in _UNITS or not isinstance(known, (int, float)):
            return None
        given[unit] = known
    try:
        return of_length(timedelta(**given))
    except (OverflowError, ValueError):
        return None


def of_length(length: timedelta) -> Duration:
    """Wrap a timedelta as a value."""
    return Duration("datetime.timedelta", length)


def of_duration(value: Duration, name: str) -> Value | None:
    """Return an attribute of a known timedelta; None for others."""
    if name in {"days", "seconds", "microseconds"}:
        return Const(getattr(value.length, name))
    if name == "total_seconds":
        return Computed(f"{value.of}().{name}", Const(value.length.total_seconds()))
    return None
