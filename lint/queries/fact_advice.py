"""How facts of a summary can stand in data: as what JSON carries, in one line."""

from __future__ import annotations

import ast
import re

from ..model.module import last_name
from ..model.values import Made, Sdk, SdkField, SdkMethod, Value
from ..model.written import written
from ..view import FileView
from .sdk_objects import source_of
from .shown_facts import read_by
from .text_parts import came_from

_LONGEST = 100
_OF_RESULT = {"CompletionResult": "{}.text", "HTTPResponse": "{}.text()", "Document": "{}.data"}
"""What holds the fact in an object of the SDK, none of which JSON takes as it is."""
_TEXTS = ("bytes", "datetime.", "decimal.", "fractions.", "ipaddress.", "pathlib.", "uuid.")
"""What JSON does not take, and a text shows."""
_SETS = (ast.Set, ast.SetComp)
_LISTS = (ast.List, ast.ListComp)
_KEYS = {"json": "body", "len": "count", "round": "total", "sum": "total"}
_LIST = "list"
_COPYING = frozenset({"iter", "list", "reversed", "sorted", "tuple"})
_CHOOSING = frozenset({"max", "min", "next"})
_DEEPEST = 8
_STORE = "StoreClient"


def line_for(view: FileView, summary: ast.expr | None, fact: ast.expr) -> str:
    """Return what to write so that data holds a fact, which ``json.dumps`` takes.

    Args:
        view: the file of the call.
        summary: the summary of the result.
        fact: a part of it, or what its parts come from.
    """
    listed = _joined(view, fact) or (_joined(view, summary) if summary is not None else "")
    if listed:
        return listed
    parent = view.module.parents.get(fact)
    waits = isinstance(parent, ast.Await | ast.AsyncFor) or any(
        isinstance(part, ast.Await) for part in ast.walk(fact)
    )
    if not waits:
        return _entry(_key(fact), _carried(view, fact))
    if isinstance(summary, ast.Name):
        return _entry(summary.id, summary.id)
    whole = parent if isinstance(parent, ast.Await) else fact
    if summary is whole or isinstance(parent, ast.AsyncFor):
        return f"text = {source_of(summary or whole)}, then {_entry('text', 'text')}"
    key = _key(whole)
    return f"{key} = {source_of(whole)}, then {_entry(key, _projected(view, whole, key))}"


def _entry(key: str, value: str) -> str:
    return f'{{"{key}": {value}}}'


# ---- lists that are joined ---------------------------------------------------------------------


def _joined(view: FileView, text: ast.expr) -> str:
    """Return the list of texts behind ``", ".join(…)``; empty if nothing is joined."""
    function = view.module.function(text)
    for at in written(view.evaluator, view.module, text):
        node = at.node
        is_here = at.module is view.module and view.module.function(node) is function
        if is_here and isinstance(node, ast.Call) and _is_join(node):
            found = _listed(view, node.args[0])
            if found and len(found) <= _LONGEST:
                return found
    return ""


def _is_join(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "join" and len(call.args) == 1


def _listed(view: FileView, joined: ast.expr) -> str:
    if isinstance(joined, ast.Name):
        _, found = view.evaluator.project.lookup(view.module, joined)
        is_list = all(isinstance(binding.value, _LISTS) for binding in found)
        return _entry(joined.id, joined.id) if found and is_list else ""
    if isinstance(joined, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        name = "item" if isinstance(joined.elt, ast.Name) else _key(joined.elt)
        plural = name if name.endswith("s") else f"{name}s"
        return _entry(plural, f"[{ast.unparse(joined)[1:-1]}]")
    if isinstance(joined, ast.Call) and last_name(joined.func) in {"map", "sorted"}:
        is_map = last_name(joined.func) == "map"
        return _entry("items", f"list({ast.unparse(joined)})" if is_map else ast.unparse(joined))
    return ""


# ---- single values -----------------------------------------------------------------------------


def _key(node: ast.expr) -> str:
    """Return a key under which a fact could stand."""
    name: object = last_name(node)
    inner = node.value if isinstance(node, ast.Await) else node
    if isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Constant):
        name = inner.slice.value
    elif isinstance(inner, ast.Call):
        name = _KEYS.get(last_name(inner.func), "")
        first = inner.args[0] if inner.args else None
        if last_name(inner.func) == "get" and isinstance(first, ast.Constant):
            name = first.value
        elif isinstance(inner.func, ast.Attribute):
            name = name or inner.func.attr
    elif name == "data" and isinstance(inner, ast.Attribute):
        name = last_name(inner.value)
    return name if isinstance(name, str) and re.fullmatch(r"[A-Za-z_]\w*", name) else "value"


def _carried(view: FileView, node: ast.expr) -> str:
    return _projected(view, node, source_of(node))


def _projected(view: FileView, node: ast.expr, source: str) -> str:
    """Return a value as JSON takes it: the fields of an object of the SDK, the text of a date."""
    kind = _kind(view, node)
    if kind == "rows":
        item = "it.data" if _is_of_store(view, node) else "vars(it)"
        return f"[{item} for it in {source}]"
    if kind in _OF_RESULT:
        return _OF_RESULT[kind].format(source)
    if isinstance(node, _SETS):
        return f"sorted({source})"
    return f"str({source})" if kind == "text" else source


def _kind(view: FileView, node: ast.expr, depth: int = 0) -> str:
    """Return ``rows``, ``text``, or the class of the SDK; empty for what JSON may take."""
    if depth > _DEEPEST:
        return ""
    kinds = {_kind_of(item.value) for item in view.values(node)}
    if kinds == {_LIST} and _is_of_store(view, node):
        return "rows"
    found = kinds - {"", _LIST} or _kinds_behind(view, node, depth + 1) - {""}
    return found.pop() if len(found) == 1 else "text" if found else ""


def _kinds_behind(view: FileView, node: ast.expr, depth: int) -> set[str]:
    """Return the kinds of what a name is given, or of what a list or an item is taken from."""
    if isinstance(node, ast.Name):
        return _kinds_of_name(view, node, depth)
    if isinstance(node, ast.DictComp):
        return {"text"} if _kind(view, node.value, depth) else set()
    if isinstance(node, ast.ListComp):
        kind = _kind(view, node.elt, depth)
        return {"rows" if kind in _OF_RESULT else "text"} if kind else set()
    taken, is_item = _taken(node)
    if taken is None or _kind(view, taken, depth) != "rows":
        return set()
    return {_item_of(view, taken) if is_item else "rows"}


def _kinds_of_name(view: FileView, name: ast.Name, depth: int) -> set[str]:
    _, found = view.evaluator.project.lookup(view.module, name)
    kinds: set[str] = set()
    for binding in found:
        came = came_from(binding)
        if came is None or isinstance(binding.node, ast.AugAssign):
            continue
        kind = _kind(view, came, depth)
        if binding.kind != "for":
            kinds.add(kind)
        elif kind == "rows" and not binding.path:
            kinds.add(_item_of(view, came))
    return kinds


def _taken(node: ast.expr) -> tuple[ast.expr | None, bool]:
    """Return from which list others are made, or an item is taken; and which of both."""
    if isinstance(node, ast.Subscript):
        is_index = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
        return (
            (node.value, is_index)
            if is_index or isinstance(node.slice, ast.Slice)
            else (None, False)
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        is_item = node.func.id in _CHOOSING
        return (node.args[0], is_item) if is_item or node.func.id in _COPYING else (None, False)
    return None, False


def _item_of(view: FileView, rows: ast.expr) -> str:
    return "Document" if _is_of_store(view, rows) else "text"


def _kind_of(value: Value) -> str:
    if isinstance(value, SdkField):
        is_rows = (value.owner.cls, value.name) == ("Page", "data")
        return "rows" if is_rows else ""
    if isinstance(value, Sdk):
        return {"Page": "rows"}.get(value.cls, value.cls if value.cls in _OF_RESULT else "text")
    if isinstance(value, Made):
        return _LIST if value.of == _LIST else "text" if value.of.startswith(_TEXTS) else ""
    return ""


def _is_of_store(view: FileView, node: ast.expr) -> bool:
    """Tell whether what was fetched is documents of the store."""
    calls = read_by(view.evaluator, view.module, node)
    methods = [
        item.value
        for call in calls
        if call is not None
        for item in view.evaluator.values(call[0], call[1].func)
    ]
    is_known = bool(calls) and None not in calls and bool(methods)
    return is_known and all(
        isinstance(value, SdkMethod) and value.owner.cls == _STORE for value in methods
    )
