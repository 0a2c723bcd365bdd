"""Code that runs as the system user: whom it names, and whether it tests who runs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....inference.evaluator import Evaluator
from ....inference.flow.predicate_helpers import kept_answer
from ....inference.project import Project
from ....inference.syntax.arguments import default_of, given_in
from ....inference.syntax.memo import remembered
from ....inference.syntax.module import FUNCTIONS, FunctionNode, Module, last_name
from ....inference.syntax.spelling import is_none
from ....inference.values.fields import assigned
from ....inference.values.values import Const, Display, Frame, Function, Instance, frame_of
from ....sdk_use.reach import function_around

SCOPING = frozenset({"as_user", "for_user"})
"""Methods that return what acts for a user."""


def names_user(
    evaluator: Evaluator, module: Module, test: ast.expr, frame: Frame | None, *, truth: bool
) -> bool:
    """Tell whether a call's argument makes a test for an absent user false.

    ``save(ctx, row, user_id=uid)`` of ``def save(ctx, row, user_id=None)`` does. Only for
    parameters whose default is None, or which the function passes to ``as_user`` or ``for_user``.

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
    """Return ``x`` of ``not x`` or ``x is None``."""
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
    """Tell whether a function passes a parameter to ``as_user`` or ``for_user``."""
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


_NAMES = frozenset({"__system__", "__webhook__", "scoped_from"})
_IDS = ("__system__", "__webhook__", "imp_u_")
"""How the ids of users begin."""
_DEPTH = 4


def names_pseudo_user(project: Project, user: str) -> bool:
    """Tell whether the id of a pseudo-user stands in the extension's code."""
    return any(
        part.value == user
        for module in project.mentioning(user)
        for part in module.nodes(ast.Constant)
    )


def tells_users_apart(evaluator: Evaluator, module: Module, node: ast.AST) -> bool:
    """Tell whether the function around a node tests as whom it runs."""
    function = function_around(module, node)
    return function is not None and function_asks(evaluator, module, function)


@remembered
def function_asks(
    evaluator: Evaluator, module: Module, function: FunctionNode, depth: int = _DEPTH
) -> bool:
    """Tell whether a function tests as whom it runs, itself or by a helper."""
    return (
        any(
            part.value in _NAMES and module.owner(part) is function
            for part in module.nodes(ast.Constant)
        )
        or any(asks_who(evaluator, module, test, depth) for test in _tests(module, function))
        or _is_guarded(evaluator, module, function, depth)
    )


def _is_guarded(evaluator: Evaluator, module: Module, function: FunctionNode, depth: int) -> bool:
    """Tell whether a function calls a check that may raise: ``require_system(ctx)``."""
    if depth == 0 or isinstance(function, ast.Lambda):
        return False
    for statement in function.body:
        asked = statement.value if isinstance(statement, ast.Expr) else None
        call = asked.value if isinstance(asked, ast.Await) else asked
        found = evaluator.values(module, call.func) if isinstance(call, ast.Call) else ()
        functions = (item.value for item in found if isinstance(item.value, Function))
        if any(_refuses(evaluator, value, depth - 1) for value in functions):
            return True
    return False


def _refuses(evaluator: Evaluator, function: Function, depth: int) -> bool:
    where, node = function.module, function.node
    return any(
        isinstance(up, ast.If) and asks_who(evaluator, where, up.test, depth)
        for leaving in where.nodes(ast.Raise)
        if where.owner(leaving) is node
        for up in where.ancestors(leaving)
    ) or any(
        asks_who(evaluator, where, asserted.test, depth)
        for asserted in where.nodes(ast.Assert)
        if where.owner(asserted) is node
    )


def asks_who(evaluator: Evaluator, module: Module, test: ast.expr, depth: int = _DEPTH) -> bool:
    """Tell whether a test depends on who runs the code."""
    if depth == 0:
        return False
    if _looks_into_id(test):
        return True
    if isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        return any(
            _names_of(evaluator, module, side) or asks_who(evaluator, module, side, depth - 1)
            for side in sides
        )
    if isinstance(test, ast.Name):
        kept = kept_answer(evaluator, module, test)
        return kept is not test and asks_who(evaluator, module, kept, depth - 1)
    if isinstance(test, ast.Attribute):
        return any(
            asks_who(evaluator, owner, value, depth - 1)
            for owner, value in _kept_in_object(evaluator, module, test)
        )
    if isinstance(test, ast.Call):
        return _call_asks(evaluator, module, test, depth)
    return any(asks_who(evaluator, module, part, depth) for part in _parts(test))


def _looks_into_id(test: ast.expr) -> bool:
    """Tell whether a test is ``uid.startswith("__")``, ``ctx.user.imperal_id[:2] == "__"``."""
    if isinstance(test, ast.Compare):
        is_in = isinstance(test.ops[0], (ast.In, ast.NotIn)) and isinstance(test.left, ast.Constant)
        sides = [it for it in (test.left, *test.comparators) if not isinstance(it, ast.Attribute)]
        return any(map(_is_of_id, test.comparators if is_in else sides))
    if not isinstance(test, ast.Call) or not isinstance(test.func, ast.Attribute):
        return False
    if test.func.attr == "startswith":
        return any(_is_beginning(part) for arg in test.args for part in ast.walk(arg))
    return last_name(test.func.value) == "re" and any(map(_is_of_id, test.args))


def _is_beginning(part: ast.AST) -> bool:
    text = part.value if isinstance(part, ast.Constant) else None
    return isinstance(text, str) and bool(text) and any(it.startswith(text) for it in _IDS)


def _is_of_id(node: ast.expr) -> bool:
    """Tell whether an expression is a user's id or derived from its string."""
    while isinstance(node, (ast.Subscript, ast.Call, ast.Attribute)):
        if isinstance(node, ast.Attribute) and node.attr == "imperal_id":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _names_of(evaluator: Evaluator, module: Module, side: ast.expr) -> frozenset[str]:
    """Return the pseudo-users that a side of a comparison names, also by a constant."""
    found: set[str] = {
        part.value
        for part in ast.walk(side)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in _NAMES
    }
    for part in side.elts if isinstance(side, (ast.Tuple, ast.List, ast.Set)) else [side]:
        if isinstance(part, (ast.Name, ast.Attribute)) and part in module.parents:
            for item in evaluator.values(module, part):
                found.update(_texts(item.value))
            found.update(_texts_of_call(evaluator, module, part))
    return frozenset(found)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Const):
        if isinstance(value.value, str) and value.value in _NAMES:
            yield value.value
    elif isinstance(value, Display):
        for part in ast.walk(value.node):
            if isinstance(part, ast.Constant):
                yield from _texts(Const(part.value))


def _texts_of_call(evaluator: Evaluator, module: Module, node: ast.expr) -> Iterator[str]:
    """``PSEUDO = frozenset({"__system__"})``, of which the evaluator keeps only the type."""
    if isinstance(node, ast.Name):
        for binding in evaluator.project.lookup(module, node)[1]:
            if binding.kind == "assign" and isinstance(binding.value, ast.Call):
                for given in binding.value.args:
                    yield from _texts(Display(module, given))


def _kept_in_object(
    evaluator: Evaluator, module: Module, node: ast.Attribute
) -> Iterator[tuple[Module, ast.expr]]:
    """Yield (file, value) of the assignments to an attribute, or the results of its property."""
    for item in evaluator.values(module, node.value):
        if isinstance(item.value, Instance):
            cls = item.value.cls
            for value in assigned(cls.module, cls.node, node.attr):
                if value is not None:
                    yield cls.module, value
            for part in cls.node.body:
                if isinstance(part, ast.FunctionDef) and part.name == node.attr:
                    yield from ((cls.module, value) for value in cls.module.returns(part))


def _call_asks(evaluator: Evaluator, module: Module, call: ast.Call, depth: int) -> bool:
    if any(_names_of(evaluator, module, part) for part in call.args):
        return True
    if any(asks_who(evaluator, module, part, depth - 1) for part in call.args):
        return True
    if call.func not in module.parents:
        return False
    return any(
        _answers(evaluator, item.value, depth - 1)
        for item in evaluator.values(module, call.func)
        if isinstance(item.value, Function)
    )


@remembered
def _answers(evaluator: Evaluator, function: Function, depth: int) -> bool:
    """Tell whether the result of a function depends on who runs it."""
    returned = function.module.returns(function.node)
    if any(asks_who(evaluator, function.module, value, depth) for value in returned):
        return True
    has_verdict = any(
        isinstance(value, ast.Constant) and isinstance(value.value, bool) for value in returned
    )
    return has_verdict and function_asks(evaluator, function.module, function.node, depth)


def _tests(module: Module, function: FunctionNode) -> Iterator[ast.expr]:
    for kind in (ast.If, ast.IfExp, ast.While, ast.Assert):
        yield from (node.test for node in module.nodes(kind) if module.owner(node) is function)
    for node in module.nodes(ast.BoolOp):
        if module.owner(node) is function:
            yield from node.values
    for node in module.nodes(ast.comprehension):
        if node.ifs and module.owner(node) is function:
            yield from node.ifs


def _parts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.UnaryOp):
        return [test.operand]
    if isinstance(test, ast.BoolOp):
        return test.values
    if isinstance(test, (ast.NamedExpr, ast.Await)):
        return [test.value]
    return [test.test, test.body, test.orelse] if isinstance(test, ast.IfExp) else []
