"""What each target of an assignment gets: ``self.key, self.ttl = "notes", 60``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_SEVERAL = frozenset({ast.Tuple, ast.List})


def unpacked(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield (target, value) for each target whose value is written."""
    value = node.value
    if value is None:
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if type(target) in _SEVERAL:
            yield from _pairs(target, value)
        else:
            yield target, value


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, value
        return
    given = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    is_spread = any(isinstance(item, ast.Starred) for item in (*target.elts, *given))
    if not is_spread and len(given) == len(target.elts):
        for each, part in zip(target.elts, given, strict=True):
            yield from _pairs(each, part)
