"""The limits that code asks for: ``limit=5``, ``params={"per_page": 5}``, ``"?top=5"``."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from .evaluator import Evaluator
from .module import FUNCTIONS
from .written import Written, constants

UNLIMITED = math.inf
"""The bound of a list that nothing in the code limits."""

_LIMITS = re.compile(
    r"limit|per_?page|page_?size|max_?(?:results|items|records)|size|count|top(?:_?k)?|take|n|num"
    r"|number|k|first|rows",
    re.IGNORECASE,
)
_IN_TEXT = re.compile(
    r"(?:limit|per_page|page_size|pagesize|max_?results|count|top|size)\s*[=: ]\s*(\d+|\{)",
    re.IGNORECASE,
)


def number(evaluator: Evaluator, at: Written, node: ast.expr | None) -> int | None:
    """Return the largest number that an expression can be."""
    if node is None:
        return None
    numbers = [item for item in constants(evaluator, at, node) if isinstance(item, int)]
    return max(numbers, default=None)


def limited(evaluator: Evaluator, at: Written, node: ast.AST) -> float | None:
    """Return the limit that the calls behind an expression ask for.

    Returns ``UNLIMITED`` if they ask for none, None if they ask for one that is not known.
    """
    limits: list[float | None] = []
    for expression in _behind(evaluator, at, node, set()):
        limits.extend(_limits(evaluator, at, expression))
    if None in limits:
        return None
    return min((item for item in limits if item is not None), default=UNLIMITED)


def _behind(
    evaluator: Evaluator, at: Written, node: ast.AST, seen: set[ast.AST]
) -> Iterator[ast.AST]:
    """Yield an expression and those that gave values to the names in it, in its function."""
    if node in seen or len(seen) > 60:
        return
    seen.add(node)
    yield node
    for name in ast.walk(node):
        if (
            isinstance(name, ast.Name)
            and isinstance(name.ctx, ast.Load)
            and name in at.module.parents
        ):
            scope, found = evaluator.project.lookup(at.module, name)
            for binding in found if isinstance(scope, FUNCTIONS) else ():
                if binding.value is not None and binding.kind in {"assign", "for", "with"}:
                    yield from _behind(evaluator, at, binding.value, seen)


def _limits(evaluator: Evaluator, at: Written, node: ast.AST) -> Iterator[float | None]:
    for inner in ast.walk(node):
        for name, value in _named(inner):
            if _LIMITS.fullmatch(name):
                yield number(evaluator, at, value)
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield from _in_text(inner.value)


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Call):
        yield from ((item.arg, item.value) for item in node.keywords if item.arg)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield str(key.value), value


def _in_text(text: str) -> Iterator[float | None]:
    for match in _IN_TEXT.finditer(text[:2000]):
        yield int(match[1]) if match[1].isdigit() else None
    if re.search(r"(?:limit|per_page|page_size)=$", text[-20:], re.IGNORECASE):
        yield None
