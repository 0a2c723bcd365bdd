"""Whether a call names the user for whom a helper is to act."""

from __future__ import annotations

import ast

from ..model.arguments import default_of, given_in
from ..model.evaluator import Evaluator
from ..model.module import FUNCTIONS, FunctionNode, Module
from ..model.spelling import is_none
from ..model.values import Const, Frame, frame_of

SCOPING = frozenset({"as_user", "for_user"})
"""Methods that return what acts for a user."""


def names_user(
    evaluator: Evaluator, module: Module, test: ast.expr, frame: Frame | None, *, truth: bool
) -> bool:
    """Tell whether a test asks for the absence of what a call gives.

    ``save(ctx, row, user_id=uid)`` of ``def save(ctx, row, user_id=None)`` gives it. Of a flag
    whose value is not known this says nothing, only of what has no default but None, and of what
    the function hands to ``as_user`` or ``for_user``.

    Args:
        evaluator: of the extension.
        module: the file of the test.
        test: a condition.
        frame: the call.
        truth: whether the condition is to be true.
    """
    name = _asked_absent(test, truth=truth)
    if name is None:
        return False
    scope, found = evaluator.project.lookup(module, name)
    owner = frame_of(frame, scope)
    if owner is None or [it.kind for it in found] != ["param"]:
        return False
    function, arg = owner.function, found[0].node
    if not isinstance(function, FUNCTIONS) or not isinstance(arg, ast.arg):
        return False
    given = given_in(owner, arg)
    if given is None or not (_is_optional(function, arg) or _scopes_by(function, name.id)):
        return False
    worth = [it.value for it in evaluator.values(owner.module, given, owner.outer)]
    return not any(isinstance(value, Const) and not value.value for value in worth)


def _asked_absent(test: ast.expr, *, truth: bool) -> ast.Name | None:
    """Return the name that a test finds empty: ``not x``, ``x is None``."""
    if isinstance(test, ast.Name):
        return None if truth else test
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        same = ast.Is | ast.Eq if truth else ast.IsNot | ast.NotEq
        if is_none(test.comparators[0]) and isinstance(test.ops[0], same):
            return test.left
    return None


def _is_optional(function: FunctionNode, arg: ast.arg) -> bool:
    default = default_of(function, arg)
    return isinstance(default, ast.Constant) and default.value in {None, ""}


def _scopes_by(function: FunctionNode, name: str) -> bool:
    """Tell whether a function asks for the user whom one of its parameters names."""
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in SCOPING
        and any(
            isinstance(part, ast.Name) and part.id == name
            for given in (*call.args, *(item.value for item in call.keywords))
            for part in ast.walk(given)
        )
        for call in ast.walk(function)
    )
