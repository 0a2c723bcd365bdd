"""Normalises tests: ``all((a, b))`` to ``a and b``, ``type(x) is Page`` to ``isinstance``."""

from __future__ import annotations

import ast

_JOINING: dict[str, type[ast.boolop]] = {
    "all": ast.And,
    "any": ast.Or,
    "bool": ast.Or,
}
_EQUAL = (ast.Is, ast.Eq, ast.In)
_EITHER_WAY = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)
_OTHER = (ast.IsNot, ast.NotEq, ast.NotIn)


class SameType(ast.Call):
    """``isinstance`` for the exact class: subclasses do not count."""


def as_boolean(test: ast.expr) -> ast.expr:
    """Return ``a and b`` for ``all((a, b))``, without ``bool()`` and neutral constants.

    Another test is returned as it is.
    """
    joined = test if isinstance(test, ast.BoolOp) else _joined(test)
    if joined is None:
        return test
    is_all = isinstance(joined.op, ast.And)
    asking = [it for it in joined.values if _truth(it) is not is_all]
    if len(asking) == 1:
        return as_boolean(asking[0])
    is_plain = len(asking) == len(joined.values) or not asking
    return joined if is_plain else ast.copy_location(ast.BoolOp(joined.op, asking), test)


def _joined(test: ast.expr) -> ast.BoolOp | None:
    """Return the parts of ``all([…])``, ``any((…))`` and ``bool(…)``."""
    if not isinstance(test, ast.Call) or not isinstance(test.func, ast.Name) or len(test.args) != 1:
        return None
    operator, given = _JOINING.get(test.func.id), test.args[0]
    is_display = isinstance(given, (ast.List, ast.Tuple, ast.Set))
    parts = [given] if test.func.id == "bool" else given.elts if is_display else []
    if operator is None or not parts:
        return None
    return ast.copy_location(ast.BoolOp(operator(), parts), test)


def _truth(part: ast.expr) -> bool | None:
    return bool(part.value) if isinstance(part, ast.Constant) else None


def as_question(test: ast.expr, *, truth: bool) -> tuple[ast.expr, bool]:
    """Return ``isinstance(x, Page)`` for ``type(x) is Page``, and whether it is true.

    Also for ``any(isinstance(x, cls) for cls in (Page, Note))``, and for ``TABLE.get(type(x))`` of
    a table by types; another test is returned as it is.
    """
    if isinstance(test, ast.Call):
        return _of_any(test) or _of_table(test) or test, truth
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return test, truth
    asked, other, compared = test.left, test.comparators[0], test.ops[0]
    if isinstance(other, ast.Call) and isinstance(compared, _EITHER_WAY):
        asked, other = other, asked
    if not isinstance(asked, ast.Call) or not isinstance(compared, (*_EQUAL, *_OTHER)):
        return test, truth
    if not isinstance(asked.func, ast.Name) or asked.func.id != "type" or len(asked.args) != 1:
        return test, truth
    question = SameType(ast.Name("isinstance"), [asked.args[0], other], [])
    return question, truth is isinstance(compared, _EQUAL)


def _of_table(call: ast.Call) -> ast.expr | None:
    key = call.args[0] if len(call.args) == 1 else None
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "get":
        return None
    if not isinstance(key, ast.Call) or not _named(key, "type", 1):
        return None
    question = SameType(ast.Name("isinstance"), [key.args[0], call.func.value], [])
    return ast.copy_location(question, call)


def _of_any(test: ast.Call) -> ast.expr | None:
    each = test.args[0] if _named(test, "any", 1) else None
    if not isinstance(each, (ast.GeneratorExp, ast.ListComp)) or len(each.generators) != 1:
        return None
    asked, loop = each.elt, each.generators[0]
    if not isinstance(asked, ast.Call) or not _named(asked, "isinstance", 2) or loop.ifs:
        return None
    if ast.unparse(asked.args[1]) != ast.unparse(loop.target):
        return None
    listed = loop.iter.elts if isinstance(loop.iter, ast.List) else None
    classes = ast.copy_location(ast.Tuple(listed), loop.iter) if listed else loop.iter
    return ast.copy_location(ast.Call(asked.func, [asked.args[0], classes], []), test)


def _named(call: ast.Call, name: str, count: int) -> bool:
    """Tell whether a call is one of a builtin with some arguments."""
    is_it = isinstance(call.func, ast.Name) and call.func.id == name
    return is_it and len(call.args) == count and not call.keywords
