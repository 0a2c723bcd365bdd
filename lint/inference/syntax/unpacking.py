"""Pairs of target and value of assignments: ``self.key, self.ttl = "notes", 60``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_SEVERAL = frozenset({ast.Tuple, ast.List})


def unpacked(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield (target, value) for each target whose value is written out."""
    value = node.value
    if value is None:
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if type(target) in _SEVERAL:
            yield from _pairs(target, value)
        else:
            yield target, value


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value
        return
    given = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
    is_spread = any(isinstance(item, ast.Starred) for item in (*target.elts, *given))
    if not is_spread and len(given) == len(target.elts):
        for each, part in zip(target.elts, given, strict=True):
            yield from _pairs(each, part)


def put_in(
    parents: Mapping[ast.AST, ast.AST], held: ast.expr
) -> Iterator[tuple[object, ast.expr | None]]:
    """Yield (key, value) of writes to a dict: ``vars(row)["at"] = now``, ``….update(at=now)``.

    The value is None where it is not written out.
    """
    up = parents.get(held)
    if isinstance(up, ast.Subscript) and not isinstance(up.ctx, ast.Load):
        statement = parents.get(up)
        yield _constant(up.slice), statement.value if isinstance(statement, ast.Assign) else None
    call = parents.get(up) if isinstance(up, ast.Attribute) and up.attr == "update" else None
    if isinstance(call, ast.Call):
        yield from ((item.arg, item.value) for item in call.keywords)
        for given in call.args:
            if isinstance(given, ast.Dict):
                yield from zip(map(_constant, given.keys), given.values, strict=True)
            else:
                yield None, None


def _constant(key: ast.expr | None) -> object:
    return key.value if isinstance(key, ast.Constant) else None
