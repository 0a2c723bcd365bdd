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
    waits = isinstance(fact, ast.Await) or isinstance(parent, ast.Await | ast.AsyncFor)
    if not waits:
        return _entry(_key(fact), _carried(view, fact))
    if isinstance(summary, ast.Name):
        return _entry(summary.id, summary.id)
    whole = parent if isinstance(parent, ast.Await) else fact
    if summary is whole or not isinstance(whole, ast.Await):
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
        return _entry(f"{_key(joined.elt)}s", f"[{ast.unparse(joined)[1:-1]}]")
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


def _kind(view: FileView, node: ast.expr) -> str:
    """Return ``rows``, ``text``, or the class of the SDK; empty for what JSON may take."""
    found = view.values(node)
    kind = _kind_of(found[0].value) if len(found) == 1 else ""
    if kind == "list":
        return "rows" if _is_of_store(view, node) else ""
    if kind or not isinstance(node, ast.Name | ast.Subscript):
        return kind
    owner = _gone_through(view, node) if isinstance(node, ast.Name) else node.value
    is_item = isinstance(node, ast.Name) or _is_index(node)
    if owner is None or not is_item or _kind(view, owner) != "rows":
        return ""
    return "Document" if _is_of_store(view, owner) else "text"


def _kind_of(value: Value) -> str:
    if isinstance(value, SdkField):
        is_rows = (value.owner.cls, value.name) == ("Page", "data")
        return "rows" if is_rows else ""
    if isinstance(value, Sdk):
        return {"Page": "rows"}.get(value.cls, value.cls if value.cls in _OF_RESULT else "text")
    if isinstance(value, Made):
        return value.of if value.of == "list" else "text" if value.of.startswith(_TEXTS) else ""
    return ""


def _gone_through(view: FileView, name: ast.Name) -> ast.expr | None:
    _, found = view.evaluator.project.lookup(view.module, name)
    is_loop = len(found) == 1 and found[0].kind == "for" and not found[0].path
    return came_from(found[0]) if is_loop else None


def _is_index(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)


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
