"""The ids and counts in the data of results."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ....inference.syntax.module import FunctionNode
from ....payloads.payloads import result_calls
from ....view import FileView
from ...extension.support.chat_functions import chat_functions

_ID = re.compile(r"(^|_)(id|gid|uuid)$")
_COUNT = re.compile(r"(^|_)(count|total)(_|$)")


def is_id(name: str) -> bool:
    """Tell whether a field is named as an id: ``note_id``."""
    return bool(_ID.search(name))


def is_count(name: str) -> bool:
    """Tell whether a field is named as a count: ``total_count``."""
    return bool(_COUNT.search(name))


def result_fields(view: FileView) -> Iterator[tuple[str, ast.expr]]:
    """Yield (name, value) of the fields that chat functions give their results' data.

    They stand in dicts and calls of models within data, or in what one name of it is assigned.
    """
    handlers: set[FunctionNode] = {it.function for it in chat_functions(view)}
    seen: set[ast.AST] = set()
    for call in result_calls(view):
        if view.module.function(call.node) not in handlers or call.data is None:
            continue
        for part in _parts(view, call.data):
            if part not in seen:
                seen.add(part)
                yield from _fields(part)


def assigned(view: FileView, node: ast.expr) -> list[ast.expr]:
    """Return what a name is assigned; the expression itself if it is no name."""
    if not isinstance(node, ast.Name):
        return [node]
    found = view.extension.project.lookup(view.module, node)[1]
    values = [it.value for it in found if it.kind == "assign" and not it.path]
    return [value for value in values if isinstance(value, ast.expr)]


def _parts(view: FileView, data: ast.expr, depth: int = 2) -> Iterator[ast.AST]:
    for root in assigned(view, data):
        for part in ast.walk(root):
            yield part
            if isinstance(part, ast.Name) and part is not data and depth:
                yield from _parts(view, part, depth - 1)


def _fields(part: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(part, ast.Dict):
        for key, value in zip(part.keys, part.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(part, ast.Call) and not isinstance(part.func, ast.Attribute):
        yield from ((item.arg, item.value) for item in part.keywords if item.arg)
