"""Uses that the code itself protects from an error."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from ...reports.lint.findings import Severity
from ..model.calling import constant_text
from ..model.conditions import known_inside
from ..model.module import FUNCTIONS, Module, last_name
from ..model.values import Sdk, Step
from ..sdk.surface import PACKAGE, Member
from ..view import Access, FileView
from .asked_sources import asks_for_member, asks_for_signature
from .questions import second_name, spelt_out
from .versions import VersionCheck

_NUMBERED = re.compile(r"v?\d")
BROAD = frozenset({"Exception", "BaseException"})
"""Exceptions whose handlers catch nearly all others."""
Answer = Callable[[ast.expr, bool], str]
"""Says which protection a condition gives that holds, or does not hold; empty if none."""

_MISSING = "AttributeError"
_VERSION = "a check of the version"
_FINDING = "find_spec"
_PARAMETERS = frozenset({"args", "co_varnames", "kwonlyargs", "parameters"})
"""Names of the parameters of a function: of its signature, its specification, its code."""
_HOPS = 4
_COPYING = frozenset({"frozenset", "keys", "list", "set", "tuple"})
_NEVER_EMPTY = frozenset({"imperal_id", "tenant_id"})
"""Fields that the SDK's models refuse to take empty: what stands behind ``or`` never runs."""


def guard(view: FileView, access: Access, via: Iterable[Step] = ()) -> str:
    """Return what keeps an attribute's use from raising, in words; empty if nothing does.

    Args:
        view: the file of the use.
        access: the use.
        via: the calls through which the owner came here; a guard around one of them counts too.
    """
    if access.how == "hasattr":
        return "hasattr"

    def is_question(call: ast.Call) -> bool:
        return _question(view, view.module, call) == access.name

    def here(test: ast.expr, holds: bool) -> str:
        asked = spelt_out(view, view.module, test)
        found = _answer(asked, holds, lambda call: _verdict(view, access, call))
        is_kept = not found and asks_for_member(view, view.module, test, is_question, holds=holds)
        return "hasattr" if is_kept else found

    found = _protection(view.module, access.node, here) or _older_way(view, access)
    for step in () if found else via:
        asks = _asks_somewhere(view, step.module, access.name)
        found = found or _protection(step.module, step.node, asks)
    return found


def caught(module: Module, node: ast.AST, *names: str) -> bool:
    """Tell whether an exception of a name is caught or suppressed around a node, by that name."""
    return any(_stops(parent, child, names) for parent, child in _inside_out(module, node))


def refusal_expected(view: FileView, call: ast.Call, error: str = "TypeError") -> str:
    """Return what shows that the author expects a call to be refused, in words; empty if nothing.

    It catches what the call raises, compares a version, or asks ``inspect.signature`` first.

    Args:
        view: the file.
        call: the call.
        error: name of the exception that it raises.
    """
    if caught(view.module, call, error):
        return f"except {error}"

    def asks_signature(question: ast.Call) -> bool | None:
        asked = question.args[:1]
        return True if asked and last_name(asked[0]) in _PARAMETERS else None

    def answer(test: ast.expr, holds: bool) -> str:
        found = _answer(spelt_out(view, view.module, test), holds, asks_signature)
        is_asked = not found and asks_for_signature(view, view.module, test, holds=holds)
        return "inspect.signature" if is_asked else found

    found = _protection(view.module, call, answer)
    return "" if found == f"except {_MISSING}" else found


def unless_expected(
    view: FileView, call: ast.Call, severity: Severity | None, error: str = "TypeError"
) -> tuple[str, Severity | None]:
    """Return what to tell behind a refusal that the author expects, and how severe it then is.

    Args:
        view: the file.
        call: the call that is refused.
        severity: of one that nobody expects; None is the rule's own.
        error: name of the exception that it raises.
    """
    expected = refusal_expected(view, call, error)
    return (f", which {expected} expects", "info") if expected else ("", severity)


def asked_before(view: FileView, statement: ast.stmt, module: str, name: str) -> str:
    """Return what asks, around an import of a name, whether it is there; empty if nothing does.

    ``hasattr(imperal_sdk, "name")``, ``find_spec("imperal_sdk.name")`` or a check of the version.

    Args:
        view: the file.
        statement: the import.
        module: of the SDK, below the package; empty for the package itself.
        name: what the module may lack.
    """
    path = f"{PACKAGE}.{module}.{name}" if module else f"{PACKAGE}.{name}"
    found = _protection(view.module, statement, _asks_somewhere(view, view.module, name, path))
    return "" if found == f"except {_MISSING}" else found


def _inside_out(module: Module, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield (parent, child) from a node up to its function."""
    child = node
    for parent in module.ancestors(node):
        if runs_later(parent, child):
            return
        yield parent, child
        child = parent


def runs_later(parent: ast.AST, child: ast.AST) -> bool:
    """Tell whether ``child`` is a function's body; decorators and defaults run where it stands."""
    if isinstance(parent, ast.Lambda):
        return child is parent.body
    return isinstance(parent, FUNCTIONS) and isinstance(child, ast.stmt)


def _stops(parent: ast.AST, child: ast.AST, names: Iterable[str]) -> bool:
    if isinstance(parent, ast.Try):
        handled = [exception_names(handler.type) for handler in parent.handlers]
        return child in parent.body and any(name in found for found in handled for name in names)
    return not suppressed(parent, child).isdisjoint(names)


def suppressed(parent: ast.AST, child: ast.AST) -> set[str]:
    """Return the last names of the exceptions that ``with suppress(…)`` drops in its body."""
    if not isinstance(parent, ast.With | ast.AsyncWith) or child not in parent.body:
        return set()
    calls = [it.context_expr for it in parent.items if isinstance(it.context_expr, ast.Call)]
    dropping = (call for call in calls if last_name(call.func) == "suppress")
    return {last_name(item) for call in dropping for item in call.args}


def exception_names(node: ast.expr | None) -> set[str]:
    """Return the last names of the exceptions that a handler catches; none if it catches all."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {last_name(part) for part in parts if isinstance(part, ast.Attribute | ast.Name)}


# ---- conditions ------------------------------------------------------------------------------


def _protection(module: Module, node: ast.AST, answer: Answer) -> str:
    """Return what protects a node, also in the functions around its own: they ran before."""
    child = node
    is_later = False
    for parent in module.ancestors(node):
        is_later = is_later or runs_later(parent, child)
        if not is_later and _stops(parent, child, (_MISSING,)):
            return f"except {_MISSING}"
        known = known_inside(module, parent, child)
        found = next((words for test, holds in known if (words := answer(test, holds))), "")
        if found:
            return found
        child = parent
    return ""


def _answer(test: ast.expr, holds: bool, verdict: Callable[[ast.Call], bool | None]) -> str:
    """Read a condition; ``verdict`` says which outcome of a question protects, None if neither."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _answer(test.operand, not holds, verdict)
    if isinstance(test, ast.BoolOp):
        known = holds is isinstance(test.op, ast.And)
        found = (_answer(part, holds, verdict) for part in test.values) if known else ()
        return next((words for words in found if words), "")
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test, holds, verdict)
    if isinstance(test, VersionCheck):
        return "" if test.outcome is holds else _VERSION
    if isinstance(test, ast.NamedExpr):
        return _answer(test.value, holds, verdict)
    return _asked(test, holds, verdict) if isinstance(test, ast.Call) else ""


def _asked(test: ast.Call, holds: bool, verdict: Callable[[ast.Call], bool | None]) -> str:
    if isinstance(test.func, ast.Name):
        if test.func.id == "callable" and test.args:
            return _answer(test.args[0], holds, verdict)
        return test.func.id if verdict(test) is holds else ""
    is_search = last_name(test.func) == _FINDING
    return _FINDING if is_search and verdict(test) is holds else ""


def _compared(test: ast.Compare, holds: bool, verdict: Callable[[ast.Call], bool | None]) -> str:
    operator, right = test.ops[0], test.comparators[0]
    if isinstance(right, ast.Constant) and isinstance(right.value, bool | None):
        is_there = isinstance(operator, ast.IsNot | ast.NotEq) is not bool(right.value)
        return _answer(test.left, holds is is_there, verdict)
    if isinstance(operator, ast.In | ast.NotIn) and isinstance(test.left, ast.Constant):
        question = ast.Call(ast.Name("hasattr"), [_listed(right), test.left], [])
        return "in" if verdict(question) is (holds is isinstance(operator, ast.In)) else ""
    return _VERSION if _is_about_version(test) else ""


def _is_about_version(test: ast.Compare) -> bool:
    """Tell whether a comparison that is not followed may be about the SDK's version.

    One of ``workspace_version`` is not, unless that is compared with ``(6, 0)`` or ``"6.0"``.
    """
    parts = list(ast.walk(test))
    names = [last_name(part).strip("_").lower() for part in parts]
    asked = [name for name in names if name.endswith("version")]
    if any(name == "version" or "sdk" in name or "imperal" in name for name in asked):
        return True
    known = (part.value for part in parts if isinstance(part, ast.Constant))
    is_text = any(isinstance(it, str) and _NUMBERED.match(it) for it in known)
    return bool(asked) and (is_text or any(isinstance(part, ast.Tuple) for part in parts))


def _listed(node: ast.expr) -> ast.expr:
    """Return the object whose names ``dir(x)``, ``x.__dict__`` or ``type(x).model_fields`` list."""
    if isinstance(node, ast.Attribute) and node.attr in {"__dict__", "model_fields", "__fields__"}:
        return _listed(node.value)
    if not isinstance(node, ast.Call):
        return node
    name = last_name(node.func)
    if name in _COPYING:
        return _listed(node.args[0] if node.args else getattr(node.func, "value", node.func))
    return node.args[0] if name in {"dir", "vars", "type"} and node.args else node


def _question(view: FileView, module: Module, call: ast.Call) -> str:
    """Return the name for which ``hasattr(x, "name")`` or ``getattr(x, NAME, …)`` asks."""
    asked = call.args[1] if len(call.args) > 1 else None
    if not isinstance(call.func, ast.Name) or call.func.id not in {"hasattr", "getattr"}:
        return ""
    if isinstance(asked, ast.Name | ast.Attribute) and asked in module.parents:
        return constant_text(view.evaluator, module, asked) or ""
    name = asked.value if isinstance(asked, ast.Constant) else ""
    return name if isinstance(name, str) else ""


def _verdict(view: FileView, access: Access, call: ast.Call) -> bool | None:
    name = _question(view, view.module, call)
    if not name or _origin(view, call.args[0]) != _origin(view, access.owner):
        return None
    if name == access.name:
        return True
    only_asks = isinstance(call.func, ast.Name) and call.func.id == "hasattr"
    members = _members(view, access.owner, name)
    is_true = only_asks or name in _NEVER_EMPTY or all(it.is_method for it in members)
    return False if members and is_true else None


def _origin(view: FileView, node: ast.expr, hops: int = _HOPS) -> str:
    """Return how an object is spelt, ``ctx.user`` also where a name keeps it."""
    if isinstance(node, ast.NamedExpr):
        return _origin(view, node.value, hops)
    if isinstance(node, ast.Attribute):
        return f"{_origin(view, node.value, hops)}.{node.attr}"
    kept = second_name(view, view.module, node) if isinstance(node, ast.Name) and hops else None
    return ast.dump(node) if kept is None else _origin(view, kept, hops - 1)


def _asks_somewhere(view: FileView, module: Module, name: str, path: str = "") -> Answer:
    def asks(call: ast.Call) -> bool | None:
        return True if _question(view, module, call) == name or _is_looked_for(call, path) else None

    def answer(test: ast.expr, holds: bool) -> str:
        return _answer(spelt_out(view, module, test), holds, asks)

    return answer


def _is_looked_for(call: ast.Call, path: str) -> bool:
    """Tell whether ``find_spec("imperal_sdk.tools")`` looks for the module of a dotted path."""
    asked = call.args[0] if call.args and last_name(call.func) == _FINDING else None
    return isinstance(asked, ast.Constant) and asked.value == path


def _members(view: FileView, owner: ast.expr, name: str) -> list[Member]:
    """Return what an attribute of an object of the SDK is, where it has one of that name."""
    found = [item.value for item in view.values(owner)]
    known = [view.surface.member(it.cls, name) for it in found if isinstance(it, Sdk)]
    return [member for member in known if member is not None]


def _older_way(view: FileView, access: Access) -> str:
    """A use in ``except AttributeError`` behind an attribute of the same object that exists."""
    for parent, child in _inside_out(view.module, access.node):
        if not isinstance(child, ast.ExceptHandler) or not isinstance(parent, ast.Try):
            continue
        if _MISSING in exception_names(child.type) and any(
            isinstance(part, ast.Attribute)
            and ast.dump(part.value) == ast.dump(access.owner)
            and _members(view, access.owner, part.attr)
            for statement in parent.body
            for part in ast.walk(statement)
        ):
            return f"except {_MISSING}"
    return ""
