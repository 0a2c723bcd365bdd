"""Whether a text that stands alone was read for the user: ``comp.text``, ``doc.data["title"]``."""

from __future__ import annotations

import ast

from ..model.conditions import conditions
from ..model.evaluator import Evaluator
from ..model.module import Module, last_name
from ..model.narrowing import COMPARISONS
from ..model.values import SdkMethod

_READING = {
    "AIClient": frozenset({"complete"}),
    "CacheClient": frozenset({"get", "get_or_fetch"}),
    "HTTPClient": frozenset({"get"}),
    "SkeletonClient": frozenset({"get"}),
    "StoreClient": frozenset({"get", "list", "query", "query_all"}),
    "_SkeletonAccessGuard": frozenset({"get"}),
}
"""Methods that ask and change nothing, so that what they give is no confirmation."""
_THINKING = "AIClient"
_CONFIRMING = frozenset({"confirmation", "detail", "details", "error", "errors", "hint", "message",
                         "messages", "msg", "notice", "reason", "status"})  # fmt: skip
"""Keys under which a service says what it did."""
_WORDING = ("config", "i18n", "label", "lang", "locale", "message", "phrase", "prompt", "setting",
            "string", "template", "text", "transl", "wording")  # fmt: skip
"""Parts of the names of collections and addresses that hold the extension's own words."""
_SURE = frozenset({"ok", "is_success"})
_STATUS = frozenset({"status", "status_code"})
_NO_ORDER = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
_WELL = 200


def is_reading(evaluator: Evaluator, module: Module, call: ast.Call) -> bool:
    """Tell whether a call certainly asks the SDK for what the extension does not word itself."""
    found = [item.value for item in evaluator.values(module, call.func)]
    owners = {
        value.owner.cls
        for value in found
        if isinstance(value, SdkMethod) and value.name in _READING.get(value.owner.cls, ())
    }
    if len(owners) != 1 or not all(isinstance(value, SdkMethod) for value in found):
        return False
    given = [*call.args, *(item.value for item in call.keywords)]
    parts = (part for each in given for part in ast.walk(each) if isinstance(part, ast.Constant))
    texts = [part.value.lower() for part in parts if isinstance(part.value, str)]
    return owners == {_THINKING} or not any(word in text for text in texts for word in _WORDING)


def names_fact(node: ast.expr) -> bool:
    """Tell whether an expression names what it takes: a field or a written key, no ``message``."""
    name: object = None
    if isinstance(node, ast.Attribute):
        name = node.attr
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        name = node.slice.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name == "get":
            first = node.args[0] if node.args else None
            name = first.value if isinstance(first, ast.Constant) else None
    elif isinstance(node, ast.Name | ast.Await):
        name = last_name(node) or "value"
    return isinstance(name, int) or (isinstance(name, str) and name.lower() not in _CONFIRMING)


def is_about_failure(module: Module, node: ast.expr) -> bool:
    """Tell whether code runs only where a response says that something failed."""
    return any(_says_failed(test, truth) for test, truth in conditions(module, node))


def _says_failed(test: ast.expr, truth: bool) -> bool:
    if isinstance(test, ast.Attribute):
        return test.attr in _SURE and not truth
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    limit, order = test.comparators[0], test.ops[0]
    if last_name(test.left) not in _STATUS or isinstance(order, _NO_ORDER):
        return False
    known = limit.value if isinstance(limit, ast.Constant) else None
    return isinstance(known, int) and COMPARISONS[type(order)](_WELL, known) is not truth
