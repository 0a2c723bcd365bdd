"""Which branches of a function one call takes: the flags that it gives choose them."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from .evaluator import Evaluator
from .module import Module
from .narrowing import allows, conditions, subjects
from .values import Frame

_Asked = tuple[ast.expr, bool, ast.Name]
"""A test, its outcome, and a parameter of which it speaks and which keeps its value."""


def may_run(evaluator: Evaluator, module: Module, node: ast.AST, frame: Frame | None) -> bool:
    """Tell whether a node may be reached in one call: ``find(ctx, raw=True)`` skips ``if not raw``.

    Args:
        evaluator: of the extension.
        module: the file of the node.
        node: what is evaluated.
        frame: the call; without one everything may run.
    """
    if frame is None:
        return True
    known = _KNOWN.setdefault(evaluator, {})
    asked = known.get(node)
    if asked is None:
        asked = known[node] = _asked(evaluator, module, node)
    return all(
        any(
            allows(evaluator, module, test, name.id, item.value, truth=truth)
            for item in evaluator.values(module, name, frame)
        )
        for test, truth, name in asked
        if _is_given(evaluator, module, name, frame)
    )


_KNOWN: WeakKeyDictionary[Evaluator, dict[ast.AST, tuple[_Asked, ...]]] = WeakKeyDictionary()


def _asked(evaluator: Evaluator, module: Module, node: ast.AST) -> tuple[_Asked, ...]:
    return tuple(
        (test, truth, name)
        for test, truth in conditions(module, node, rebound=False)
        for name in subjects(test)
        if [it.kind for it in evaluator.project.bindings(module, name)[1]] == ["param"]
    )


def _is_given(evaluator: Evaluator, module: Module, name: ast.Name, frame: Frame) -> bool:
    """Tell whether a parameter belongs to the call, or to one around it."""
    return frame_of(frame, evaluator.project.bindings(module, name)[0]) is not None


def frame_of(frame: Frame | None, function: ast.AST | None) -> Frame | None:
    """Return the innermost call of a function among those that lead to a place."""
    while frame is not None and frame.function is not function:
        frame = frame.outer
    return frame
