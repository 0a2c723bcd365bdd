"""What a condition comes from: through names, attributes of ``self``, and helpers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ..model.module import Module
from ..view import FileView

_DEPTH = 3
_OPPOSITE = (ast.Eq, ast.Is, ast.NotIn)
_SIGNATURES = frozenset({"getfullargspec", "signature"})


def asks_for_signature(view: FileView, module: Module, test: ast.expr, *, holds: bool) -> bool:
    """Tell whether a condition that holds comes from the signature of something."""
    return _is_plain(test, holds=holds) and any(
        isinstance(part, ast.Attribute | ast.Name)
        and (part.attr if isinstance(part, ast.Attribute) else part.id) in _SIGNATURES
        for part in parts_behind(view, module, test)
    )


def asks_for_member(
    view: FileView, module: Module, test: ast.expr, asks: Callable[[ast.Call], bool], *, holds: bool
) -> bool:
    """Tell whether ``self.has_it`` or ``KNOWN["it"]`` holds the answer to a question."""
    bare = test
    while isinstance(bare, ast.UnaryOp):
        bare = bare.operand
    is_kept = isinstance(bare, ast.Attribute | ast.Subscript) or (
        isinstance(bare, ast.Call) and isinstance(bare.func, ast.Attribute)
    )
    return (
        is_kept
        and _is_plain(test, holds=holds)
        and any(isinstance(it, ast.Call) and asks(it) for it in parts_behind(view, module, bare))
    )


def _is_plain(test: ast.expr, *, holds: bool) -> bool:
    """Tell whether the answer to a question is yes where a condition has an outcome."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    return holds and not (isinstance(test, ast.Compare) and isinstance(test.ops[0], _OPPOSITE))


def parts_behind(view: FileView, module: Module, test: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a condition, and of what its names come from, nearest first.

    No source is walked through twice: functions that name each other would be anew for each way.
    """
    level, seen = [test], {test}
    for is_last in (*[False] * _DEPTH, True):
        sources: list[ast.AST] = []
        for part in (part for each in level for part in ast.walk(each)):
            yield part
            if not is_last and part in module.parents:
                sources += _sources(view, module, part)
        level = [each for each in dict.fromkeys(sources) if each not in seen]
        seen.update(level)


def _sources(view: FileView, module: Module, part: ast.AST) -> Iterator[ast.AST]:
    """Yield what a name of the file was given, or the function that it is."""
    if isinstance(part, ast.Name):
        for binding in view.extension.project.lookup(module, part)[1]:
            if binding.kind == "def":
                yield binding.node
            elif binding.kind == "assign" and binding.value is not None:
                yield binding.value
    elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
        cls = module.class_around(part) if part.value.id == "self" else None
        if cls is not None:
            yield from module.assigned_to_self(cls, part.attr)
